/* The page: its parts are resources of the program, and the document is data in it. */
#include <gio/gio.h>
#include <string.h>

#include "scenarios/program/report/document/document.h"
#include "scenarios/program/say/json_text.h"

/* Made by glib-compile-resources from page.gresource.xml. */
GResource *report_page_get_resource(void);

static char *load(const char *name)
{
    g_autofree char *path = g_strconcat("/warpmem/report/", name, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_resource_lookup_data(report_page_get_resource(), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
    if (!bytes) g_error("%s", error->message);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    return g_strndup(data, size);
}

/* The page's own script: its files within one function, so that they share no name with ECharts. */
static char *load_script(void)
{
    static const char *const files[] = {
        "format.js",     "data.js",  "colours.js", "options.js", "curves.js",
        "categories.js", "heat.js",  "graph.js",   "charts.js",  "legend.js",
        "filter.js",     "table.js", "figures.js", "page.js",
    };
    GString *script = g_string_new("(() => {\n'use strict';\n");
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *text = load(files[i]);
        g_string_append(script, text);
    }
    g_string_append(script, "})();\n");
    return g_string_free(script, FALSE);
}

/* No text in the data may end the element that it stands in, or begin a comment. Line feeds, which
 * no JSON string has, and indentation would be more than half of it. */
static char *pack_data(const char *json)
{
    GString *text = g_string_sized_new(strlen(json));
    for (const char *at = json; *at; at++) {
        if (*at == '\n')
            at += strspn(at + 1, " ");
        else if (*at == '<')
            g_string_append(text, "\\u003c");
        else
            g_string_append_c(text, *at);
    }
    return g_string_free(text, FALSE);
}

/* The source expression by which a content policy allows one script. */
static char *script_hash(const char *script)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)script, (gssize)strlen(script));
    guint8 digest[32];
    gsize size = sizeof digest;
    g_checksum_get_digest(checksum, digest, &size);
    g_autofree char *base64 = g_base64_encode(digest, size);
    return g_strdup_printf("'sha256-%s'", base64);
}

/* Replaces the first `mark` from *from on, which then stands behind what was filled in: nothing in
 * there is taken for a mark. */
static void fill(GString *page, gsize *from, const char *mark, const char *text)
{
    const char *at = strstr(page->str + *from, mark);
    g_assert(at);
    const gssize place = at - page->str;
    g_string_erase(page, place, (gssize)strlen(mark));
    g_string_insert(page, place, text);
    *from = (gsize)place + strlen(text);
}

char *document_html(const Document *document)
{
    g_autofree char *html = load("page.html"), *style = load("page.css"),
                    *charts = load("echarts.min.js"), *script = load_script();
    g_autoptr(JsonNode) node = document_json(document);
    g_autofree char *json = json_text(node), *data = pack_data(json);
    g_autofree char *charts_hash = script_hash(charts), *own_hash = script_hash(script);
    g_autofree char *scripts = g_strjoin(" ", charts_hash, own_hash, NULL);
    GString *page = g_string_new(html);
    gsize from = 0;
    fill(page, &from, "{{scripts}}", scripts);
    fill(page, &from, "{{style}}", style);
    fill(page, &from, "{{data}}", data);
    fill(page, &from, "{{echarts}}", charts);
    fill(page, &from, "{{script}}", script);
    return g_string_free(page, FALSE);
}

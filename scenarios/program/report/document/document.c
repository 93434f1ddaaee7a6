#include "scenarios/program/report/document/document.h"

#include "scenarios/program/say/json_text.h"

typedef struct {
    char *label, *text;
} Lead;

typedef struct {
    char *id, *title, *text;
    GPtrArray *figures; /* of Figure */
} Section;

struct Document {
    char *kind, *title, *subtitle;
    GArray *leads;       /* of Lead */
    GPtrArray *sections; /* of Section */
};

static void clear_lead(gpointer data)
{
    Lead *lead = data;
    g_free(lead->label);
    g_free(lead->text);
}

static void free_section(gpointer data)
{
    Section *section = data;
    g_free(section->id);
    g_free(section->title);
    g_free(section->text);
    g_ptr_array_unref(section->figures);
    g_free(section);
}

Document *document_new(const char *kind, const char *title, const char *subtitle)
{
    Document *document = g_new0(Document, 1);
    document->kind = g_strdup(kind);
    document->title = g_strdup(title);
    document->subtitle = g_strdup(subtitle);
    document->leads = g_array_new(FALSE, FALSE, sizeof(Lead));
    g_array_set_clear_func(document->leads, clear_lead);
    document->sections = g_ptr_array_new_with_free_func(free_section);
    return document;
}

void document_free(Document *document)
{
    if (!document) return;
    g_free(document->kind);
    g_free(document->title);
    g_free(document->subtitle);
    g_array_unref(document->leads);
    g_ptr_array_unref(document->sections);
    g_free(document);
}

void document_lead(Document *document, const char *label, const char *text)
{
    const Lead lead = {g_strdup(label), g_strdup(text)};
    g_array_append_val(document->leads, lead);
}

void document_section(Document *document, const char *id, const char *title, const char *text)
{
    Section *section = g_new0(Section, 1);
    section->id = g_strdup(id);
    section->title = g_strdup(title);
    section->text = g_strdup(text);
    section->figures = g_ptr_array_new_with_free_func((GDestroyNotify)figure_free);
    g_ptr_array_add(document->sections, section);
}

void document_add(Document *document, Figure *figure)
{
    g_assert(document->sections->len);
    if (!figure_rows(figure)) {
        figure_free(figure);
        return;
    }
    Section *section = document->sections->pdata[document->sections->len - 1];
    g_ptr_array_add(section->figures, figure);
}

GPtrArray *document_figures(const Document *document)
{
    GPtrArray *figures = g_ptr_array_new();
    for (guint i = 0; i < document->sections->len; i++) {
        const Section *section = document->sections->pdata[i];
        for (guint k = 0; k < section->figures->len; k++)
            g_ptr_array_add(figures, section->figures->pdata[k]);
    }
    return figures;
}

static void put_leads(JsonBuilder *json, const Document *document)
{
    json_builder_set_member_name(json, "lead");
    json_builder_begin_array(json);
    for (guint i = 0; i < document->leads->len; i++) {
        const Lead *lead = &g_array_index(document->leads, Lead, i);
        json_builder_begin_object(json);
        json_put_text(json, "label", lead->label);
        json_put_text(json, "text", lead->text);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_section(JsonBuilder *json, const Section *section)
{
    json_builder_begin_object(json);
    json_put_text(json, "id", section->id);
    json_put_text(json, "title", section->title);
    json_put_text(json, "text", section->text);
    json_builder_set_member_name(json, "figures");
    json_builder_begin_array(json);
    for (guint i = 0; i < section->figures->len; i++)
        json_builder_add_value(json, figure_json(section->figures->pdata[i]));
    json_builder_end_array(json);
    json_builder_end_object(json);
}

JsonNode *document_json(const Document *document)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_number(json, "schema_version", 1);
    json_put_text(json, "program", "warpmem " WARPMEM_VERSION);
    json_put_text(json, "kind", document->kind);
    json_put_text(json, "title", document->title);
    json_put_text(json, "subtitle", document->subtitle);
    put_leads(json, document);
    json_builder_set_member_name(json, "sections");
    json_builder_begin_array(json);
    for (guint i = 0; i < document->sections->len; i++) {
        const Section *section = document->sections->pdata[i];
        if (section->figures->len) put_section(json, section);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

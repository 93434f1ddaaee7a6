/* SimGrid's API can take no link away, so what it loads is written anew. A SPLITDUPLEX link NAME is
 * two, NAME_UP and NAME_DOWN, and one of them can go alone; a symmetrical route is two as well, so
 * that of one its way there or its way back may be left. */
#include "platform/network/links/without.h"

#include <string.h>

typedef enum { NO_DIRECTION, UP, DOWN } Direction;

typedef struct {
    char *link;
    Direction direction;
} Hop;

typedef struct {
    const LinkChanges *changes;
    GString *text;      /* that is written */
    const char *source; /* NULL: its first element has come */
    guint skipped;      /* elements inside of one that is left out, and itself */
    bool in_route;
    GString *inside;       /* of the route */
    GArray *hops;          /* of Hop: its links */
    GPtrArray *attributes; /* of the route: names and values in turn */
} Writer;

/* --- text ------------------------------------------------------------------------------------- */

static GString *target(const Writer *writer)
{
    return writer->in_route ? writer->inside : writer->text;
}

static void append_attribute(GString *text, const char *name, const char *value)
{
    g_autofree char *escaped = g_markup_escape_text(value, -1);
    g_string_append_printf(text, " %s=\"%s\"", name, escaped);
}

static void append_element(GString *text, const char *element, const char **names,
                           const char **values)
{
    g_string_append_printf(text, "<%s", element);
    for (; *names; names++, values++) append_attribute(text, *names, *values);
    g_string_append_c(text, '>');
}

/* What follows has the line that it had. */
static void append_lines(GString *text, const char *left_out, gssize length)
{
    for (gssize i = 0; i < length; i++)
        if (left_out[i] == '\n') g_string_append_c(text, '\n');
}

/* GLib drops what stands between the lines before the first element. */
static void catch_up(Writer *writer, const char *element)
{
    g_autofree char *tag = g_strconcat("<", element, NULL);
    const char *at = strstr(writer->source, tag);
    guint behind = 0;
    for (const char *c = writer->source; at && c < at; c++) behind += *c == '\n';
    for (gsize i = 0; behind && i < writer->text->len; i++) behind -= writer->text->str[i] == '\n';
    for (; behind; behind--) g_string_append_c(writer->text, '\n');
    writer->source = NULL;
}

static const char *find_value(const char **names, const char **values, const char *wanted)
{
    for (; *names; names++, values++)
        if (!strcmp(*names, wanted)) return *values;
    return NULL;
}

/* --- links ------------------------------------------------------------------------------------ */

static bool remove_name(const Writer *writer, const char *name)
{
    const bool goes = link_changes_removal(writer->changes, name);
    if (goes) g_hash_table_add(writer->changes->gone, g_strdup(name));
    return goes;
}

/* Whether nothing is left of it. */
static bool remove_link(const Writer *writer, const char **names, const char **values)
{
    const char *name = find_value(names, values, "id"),
               *policy = find_value(names, values, "sharing_policy");
    if (!name) return false;
    if (g_strcmp0(policy, "SPLITDUPLEX") != 0) return remove_name(writer, name);
    g_autofree char *up = g_strconcat(name, "_UP", NULL), *down = g_strconcat(name, "_DOWN", NULL);
    const bool up_goes = remove_name(writer, up), down_goes = remove_name(writer, down);
    return up_goes && down_goes;
}

static void check_host(const Writer *writer, const char **names, const char **values,
                       GError **error)
{
    static const char *const ends[] = {"up", "down"};
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        const char *link = find_value(names, values, ends[i]),
                   *host = find_value(names, values, "id");
        if (!link || !g_hash_table_contains(writer->changes->gone, link)) continue;
        g_set_error(error, LINK_ERROR, 0, "%s: link '%s' is the only way of host '%s'",
                    link_changes_removal(writer->changes, link)->said, link, host ? host : "");
        return;
    }
}

/* --- routes ----------------------------------------------------------------------------------- */

static const char *const direction_names[] = {"NONE", "UP", "DOWN"};

static Direction direction_of(const char *text)
{
    for (Direction d = UP; d <= DOWN; d++)
        if (!g_strcmp0(text, direction_names[d])) return d;
    return NO_DIRECTION;
}

static Direction turned(Direction direction)
{
    return direction == NO_DIRECTION ? NO_DIRECTION : direction == UP ? DOWN : UP;
}

static bool is_gone(const Writer *writer, const Hop *hop, bool back)
{
    const Direction direction = back ? turned(hop->direction) : hop->direction;
    g_autofree char *name = direction == NO_DIRECTION
                                ? g_strdup(hop->link)
                                : g_strdup_printf("%s_%s", hop->link, direction_names[direction]);
    return g_hash_table_contains(writer->changes->gone, name);
}

static bool is_cut(const Writer *writer, bool back)
{
    for (guint i = 0; i < writer->hops->len; i++)
        if (is_gone(writer, &g_array_index(writer->hops, Hop, i), back)) return true;
    return false;
}

static bool is_route(const char *element)
{
    return g_str_has_suffix(element, "route") || g_str_has_suffix(element, "Route");
}

static bool is_symmetrical(const Writer *writer, const char *element)
{
    if (g_str_has_prefix(element, "bypass")) return false;
    for (guint i = 0; i < writer->attributes->len; i += 2)
        if (!strcmp(writer->attributes->pdata[i], "symmetrical"))
            return g_ascii_strcasecmp(writer->attributes->pdata[i + 1], "NO") != 0;
    return true;
}

/* The other end's. */
static const char *turned_name(const char *name)
{
    static const char *const pairs[][2] = {{"src", "dst"}, {"gw_src", "gw_dst"}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        for (guint end = 0; end < 2; end++)
            if (!strcmp(name, pairs[i][end])) return pairs[i][1 - end];
    return name;
}

/* One way of a symmetrical route: there, or back. */
static void write_one_way(Writer *writer, const char *element, bool back)
{
    GString *text = writer->text;
    g_string_append_printf(text, "<%s", element);
    for (guint i = 0; i < writer->attributes->len; i += 2) {
        const char *name = writer->attributes->pdata[i];
        if (strcmp(name, "symmetrical") != 0)
            append_attribute(text, back ? turned_name(name) : name,
                             writer->attributes->pdata[i + 1]);
    }
    g_string_append(text, " symmetrical=\"NO\">");
    for (guint i = 0; i < writer->hops->len; i++) {
        const guint k = back ? writer->hops->len - 1 - i : i;
        const Hop *hop = &g_array_index(writer->hops, Hop, k);
        const Direction direction = back ? turned(hop->direction) : hop->direction;
        g_string_append(text, "<link_ctn");
        append_attribute(text, "id", hop->link);
        if (direction != NO_DIRECTION)
            append_attribute(text, "direction", direction_names[direction]);
        g_string_append(text, "/>");
    }
    append_lines(text, writer->inside->str, (gssize)writer->inside->len);
    g_string_append_printf(text, "</%s>", element);
}

static void write_whole(Writer *writer, const char *element)
{
    g_string_append_printf(writer->text, "<%s", element);
    for (guint i = 0; i < writer->attributes->len; i += 2)
        append_attribute(writer->text, writer->attributes->pdata[i],
                         writer->attributes->pdata[i + 1]);
    g_string_append_printf(writer->text, ">%s</%s>", writer->inside->str, element);
}

static void open_route(Writer *writer, const char **names, const char **values)
{
    writer->in_route = true;
    g_string_truncate(writer->inside, 0);
    g_array_set_size(writer->hops, 0);
    g_ptr_array_set_size(writer->attributes, 0);
    for (; *names; names++, values++) {
        g_ptr_array_add(writer->attributes, g_strdup(*names));
        g_ptr_array_add(writer->attributes, g_strdup(*values));
    }
}

static void close_route(Writer *writer, const char *element)
{
    const bool both = is_symmetrical(writer, element), there = !is_cut(writer, false),
               back = !is_cut(writer, true);
    writer->in_route = false;
    if (there && (back || !both))
        write_whole(writer, element);
    else if (there || (back && both))
        write_one_way(writer, element, !there);
    else
        append_lines(writer->text, writer->inside->str, (gssize)writer->inside->len);
}

static void add_hop(Writer *writer, const char **names, const char **values)
{
    const char *link = find_value(names, values, "id");
    const Hop hop = {g_strdup(link ? link : ""),
                     direction_of(find_value(names, values, "direction"))};
    g_array_append_val(writer->hops, hop);
}

/* --- the text, element by element ------------------------------------------------------------- */

static void start_element(GMarkupParseContext *context, const char *element, const char **names,
                          const char **values, gpointer user, GError **error)
{
    Writer *writer = user;
    (void)context;
    if (writer->source) catch_up(writer, element);
    if (writer->skipped || (!strcmp(element, "link") && remove_link(writer, names, values))) {
        writer->skipped++;
        return;
    }
    if (!strcmp(element, "host_link")) check_host(writer, names, values, error);
    if (!writer->in_route && is_route(element)) {
        open_route(writer, names, values);
        return;
    }
    if (writer->in_route && !strcmp(element, "link_ctn")) add_hop(writer, names, values);
    append_element(target(writer), element, names, values);
}

static void end_element(GMarkupParseContext *context, const char *element, gpointer user,
                        GError **error)
{
    Writer *writer = user;
    (void)context, (void)error;
    if (writer->skipped)
        writer->skipped--;
    else if (writer->in_route && is_route(element))
        close_route(writer, element);
    else
        g_string_append_printf(target(writer), "</%s>", element);
}

static void write_text(GMarkupParseContext *context, const char *text, gsize length, gpointer user,
                       GError **error)
{
    Writer *writer = user;
    (void)context, (void)error;
    g_autofree char *escaped = g_markup_escape_text(text, (gssize)length);
    if (writer->skipped)
        append_lines(target(writer), text, (gssize)length);
    else
        g_string_append(target(writer), escaped);
}

/* Comments, the document's type. */
static void write_other(GMarkupParseContext *context, const char *text, gsize length, gpointer user,
                        GError **error)
{
    Writer *writer = user;
    (void)context, (void)error;
    g_string_append_len(target(writer), text, (gssize)length);
}

static void hop_clear(gpointer data)
{
    g_free(((Hop *)data)->link);
}

static bool parse(Writer *writer, const char *text, GError **error)
{
    static const GMarkupParser parser = {.start_element = start_element,
                                         .end_element = end_element,
                                         .text = write_text,
                                         .passthrough = write_other};
    g_autoptr(GMarkupParseContext) context =
        g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, writer, NULL);
    return g_markup_parse_context_parse(context, text, (gssize)strlen(text), error)
           && g_markup_parse_context_end_parse(context, error);
}

char *platform_without(const char *name, const char *text, const LinkChanges *changes,
                       GError **error)
{
    g_autoptr(GError) reason = NULL;
    Writer writer = {.changes = changes,
                     .text = g_string_new(NULL),
                     .source = text,
                     .inside = g_string_new(NULL),
                     .hops = g_array_new(FALSE, FALSE, sizeof(Hop)),
                     .attributes = g_ptr_array_new_with_free_func(g_free)};
    g_array_set_clear_func(writer.hops, hop_clear);
    const bool good = parse(&writer, text, &reason);
    if (!good && reason->domain == LINK_ERROR)
        g_propagate_error(error, g_steal_pointer(&reason));
    else if (!good)
        g_set_error(error, PARAM_ERROR, 0, "%s: no SimGrid platform: %s", name, reason->message);
    g_string_free(writer.inside, TRUE);
    g_array_unref(writer.hops);
    g_ptr_array_unref(writer.attributes);
    return g_string_free(writer.text, !good);
}

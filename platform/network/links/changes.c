#include "platform/network/links/changes.h"

#include <simgrid/link.h>
#include <stdlib.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "platform/network/links/places.h"

static const Param params[] = {
    PARAM_REAL(LinkFigures, bandwidth_scale, "1", 0.001, 1000,
               "times the bandwidth that the platform says", .doubling = TWICE,
               .relieves = "request_network reply_network network"),
    PARAM_NUMBER(LinkFigures, added_latency, PARAM_TIME, "0 ns", 0, 1e12,
                 "besides the latency that the platform says; with timing = packet in whole cycles "
                 "of the network"),
    PARAM_SWITCH(
        LinkFigures, removed, "no",
        "the platform is without it: SimGrid finds other ways, or says where there is none"),
    PARAM_END};

const ParamGroup link_group = {
    .name = "link",
    .summary = "[link NAME]: links of the networks that are to be otherwise, by SimGrid's name, in "
               "which * stands for anything and ? for one character; of several groups that name a "
               "link factors multiply and latencies add up",
    .params = params,
    .named = true,
};

enum { NAMES_SHOWN = 6 };

/* --- what a configuration says ---------------------------------------------------------------- */

/* The setting that a message is about. */
static const Setting *subject_of(const Configuration *configuration, const Setting *first,
                                 const LinkFigures *figures)
{
    return figures->removed ? configuration_find(configuration, first->group, "removed") : first;
}

static bool add_change(GArray *changes, const Configuration *configuration, const Setting *first,
                       GError **error)
{
    LinkChange change = {.pattern = g_strdup(param_group_name_of(&link_group, first->group)),
                         .taken = g_ptr_array_new_with_free_func(g_free)};
    if (!configuration_apply_as(configuration, first->group, &link_group, &change.figures, error)) {
        g_free(change.pattern);
        g_ptr_array_unref(change.taken);
        return false;
    }
    change.said = setting_describe(subject_of(configuration, first, &change.figures));
    g_array_append_val(changes, change);
    return true;
}

bool link_changes_init(LinkChanges *changes, const Configuration *configuration, GError **error)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(LinkChange));
    bool good = true;
    for (guint i = 0; good && i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (param_group_holds(&link_group, setting->group)
            && configuration_is_first(configuration, i))
            good = add_change(list, configuration, setting, error);
    }
    *changes = (LinkChanges){.count = list->len,
                             .gone = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    changes->change = (LinkChange *)(void *)g_array_free(list, FALSE);
    return good;
}

void link_changes_finish(LinkChanges *changes)
{
    for (uint32_t i = 0; i < changes->count; i++) {
        g_free(changes->change[i].pattern);
        g_free(changes->change[i].said);
        g_ptr_array_unref(changes->change[i].taken);
    }
    g_clear_pointer(&changes->change, g_free);
    g_clear_pointer(&changes->gone, g_hash_table_unref);
    changes->count = 0;
}

static bool takes(const LinkChange *change, const char *name)
{
    return g_pattern_match_simple(change->pattern, name);
}

void link_changes_note(const LinkChanges *changes, const char *name)
{
    for (uint32_t i = 0; i < changes->count; i++)
        if (takes(&changes->change[i], name))
            g_ptr_array_add(changes->change[i].taken, g_strdup(name));
}

/* Some, separated by commas. */
static char *list_names(const GPtrArray *names, guint count)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < count && i < NAMES_SHOWN; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)names->pdata[i]);
    if (count > NAMES_SHOWN) g_string_append(text, ", ...");
    return g_string_free(text, FALSE);
}

char *link_change_describe(const LinkChange *change)
{
    g_autofree char *names = list_names(change->taken, change->taken->len);
    return g_strdup_printf("link %s takes %u link%s%s%s", change->pattern, change->taken->len,
                           change->taken->len == 1 ? "" : "s",
                           change->taken->len ? ": " : " that packets take", names);
}

const LinkChange *link_changes_removal(const LinkChanges *changes, const char *name)
{
    for (uint32_t i = 0; i < changes->count; i++)
        if (changes->change[i].figures.removed && (!name || takes(&changes->change[i], name)))
            return &changes->change[i];
    return NULL;
}

char *link_changes_key(const LinkChanges *changes)
{
    GString *key = g_string_new(NULL);
    for (uint32_t i = 0; i < changes->count; i++) {
        const LinkChange *change = &changes->change[i];
        g_autofree char *scale = decimal_text(change->figures.bandwidth_scale);
        g_string_append_printf(key, "%s x %s + %" G_GUINT64_FORMAT "%s\n", change->pattern, scale,
                               change->figures.added_latency,
                               change->figures.removed ? " removed" : "");
    }
    return g_string_free(key, FALSE);
}

/* --- links and names -------------------------------------------------------------------------- */

static void apply(const LinkFigures *figures, NetworkLink *link)
{
    link->bandwidth *= figures->bandwidth_scale;
    link->latency += time_to_ns(figures->added_latency);
}

static bool reject(const LinkChange *change, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static bool reject(const LinkChange *change, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, LINK_ERROR, 0, "%s: %s", change->said, reason);
    return false;
}

/* `names` may be in any order, and ends with NULL. */
static bool reject_unknown(const LinkChange *change, const GPtrArray *names, GError **error)
{
    const char *near = nearest_word(change->pattern, (const char *const *)names->pdata);
    if (near)
        return reject(change, error, "the platform has no link of that name; did you mean '%s'?",
                      near);
    g_autofree char *some = list_names(names, names->len - 1);
    return reject(change, error, "the platform has no link of that name; there are %s", some);
}

/* --- crossbars -------------------------------------------------------------------------------- */

/* One of the links of SMs (slices) into (out of) a network. */
typedef struct {
    NetworkRole role;
    bool source;
    uint32_t number;
} StarEnd;

static bool change_star_link(const LinkChange *change, const StarEnd *end, NetworkLink *link,
                             const char *name, GError **error)
{
    const bool is_sm = (end->role == NETWORK_REQUEST) == end->source;
    if (change->figures.removed)
        return reject(change, error, "link '%s' is the only way of %s %u; a crossbar has no other",
                      name, is_sm ? "SM" : "L2 slice", end->number);
    apply(&change->figures, link);
    g_ptr_array_add(change->taken, g_strdup(name));
    return true;
}

/* Whether it may be; `names` gains those of all links. */
static bool change_star_ends(const LinkChange *change, NetworkRole role, bool source,
                             NetworkRoutes *routes, GPtrArray *names, bool *taken, GError **error)
{
    const uint32_t count = source ? routes->sources : routes->destinations;
    NetworkLink *link = source ? routes->up : routes->down;
    for (uint32_t i = 0; i < count; i++) {
        char *name = network_star_link(role, source, i);
        g_ptr_array_add(names, name);
        if (!takes(change, name)) continue;
        *taken = true;
        if (!change_star_link(change, &(StarEnd){role, source, i}, &link[i], name, error))
            return false;
    }
    return true;
}

/* A wire has no bandwidth to change, and no packet another way. */
static bool change_wires(const LinkChange *change, NetworkRole role, NetworkWires *wires,
                         GPtrArray *names, bool *taken, GError **error)
{
    for (uint32_t k = 0; k < wires->source_places * wires->destination_places; k++) {
        char *name = places_wire_name(wires, role, k);
        g_ptr_array_add(names, name);
        if (!takes(change, name)) continue;
        *taken = true;
        if (change->figures.removed)
            return reject(change, error, "link '%s' is the only way between two places", name);
        apply(&change->figures, &wires->wire[k]);
        g_ptr_array_add(change->taken, g_strdup(name));
    }
    return true;
}

static bool change_star(const LinkChange *change, NetworkRoutes routes[NETWORKS], GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    bool taken = false;
    for (NetworkRole n = 0; n < NETWORKS; n++)
        if (!change_star_ends(change, n, true, &routes[n], names, &taken, error)
            || !change_star_ends(change, n, false, &routes[n], names, &taken, error)
            || !change_wires(change, n, &routes[n].wires, names, &taken, error))
            return false;
    g_ptr_array_add(names, NULL);
    return taken || change->beside || reject_unknown(change, names, error);
}

bool link_changes_tell_star(const LinkChanges *changes, NetworkRoutes routes[NETWORKS],
                            GError **error)
{
    for (uint32_t i = 0; i < changes->count; i++)
        if (!change_star(&changes->change[i], routes, error)) return false;
    return true;
}

/* --- SimGrid ---------------------------------------------------------------------------------- */

/* A FATPIPE without latency joins switches, or is a host's way to itself. */
static bool is_link(sg_link_t link)
{
    return sg_link_is_shared(link) || sg_link_get_latency(link) > 0;
}

static GPtrArray *list_links(void)
{
    GPtrArray *links = g_ptr_array_new();
    sg_link_t *all = sg_link_list();
    for (size_t i = 0; i < sg_link_count(); i++)
        if (is_link(all[i])) g_ptr_array_add(links, all[i]);
    free(all);
    return links;
}

static bool reject_name(const LinkChange *change, const GPtrArray *links, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < links->len; i++)
        g_ptr_array_add(names, (gpointer)(uintptr_t)sg_link_get_name(links->pdata[i]));
    g_ptr_array_add(names, NULL);
    return reject_unknown(change, names, error);
}

static void tell(const LinkFigures *figures, sg_link_t link)
{
    NetworkLink said = {sg_link_get_bandwidth(link), sg_link_get_latency(link), false};
    apply(figures, &said);
    sg_link_set_bandwidth(link, said.bandwidth);
    sg_link_set_latency(link, said.latency);
}

static bool change_link(const LinkChange *change, const LinkChanges *changes, sg_link_t link,
                        GError **error)
{
    const char *name = sg_link_get_name(link);
    if (change->figures.removed && !g_hash_table_contains(changes->gone, name))
        return reject(
            change, error,
            "link '%s' cannot be removed: it belongs to a <cluster> or a <backbone>, whose "
            "ways are fixed",
            name);
    tell(&change->figures, link);
    return true;
}

static bool takes_gone(const LinkChange *change, const LinkChanges *changes)
{
    GHashTableIter at;
    gpointer name;
    g_hash_table_iter_init(&at, changes->gone);
    while (g_hash_table_iter_next(&at, &name, NULL))
        if (takes(change, name)) return true;
    return false;
}

bool link_changes_tell(const LinkChanges *changes, GError **error)
{
    if (!changes->count) return true;
    g_autoptr(GPtrArray) links = list_links();
    for (uint32_t i = 0; i < changes->count; i++) {
        const LinkChange *change = &changes->change[i];
        bool taken = takes_gone(change, changes);
        for (guint k = 0; k < links->len; k++) {
            if (!takes(change, sg_link_get_name(links->pdata[k]))) continue;
            taken = true;
            if (!change_link(change, changes, links->pdata[k], error)) return false;
        }
        if (!taken && !change->beside) return reject_name(change, links, error);
    }
    return true;
}

/* --- beside the networks ---------------------------------------------------------------------- */

bool link_changes_expect(LinkChanges *changes, const char *name, GError **error)
{
    for (uint32_t i = 0; i < changes->count; i++) {
        LinkChange *change = &changes->change[i];
        if (!takes(change, name)) continue;
        if (change->figures.removed)
            return reject(change, error, "link '%s' is the only way to another half of L2", name);
        change->beside = true;
        g_ptr_array_add(change->taken, g_strdup(name));
    }
    return true;
}

void link_changes_tell_link(const LinkChanges *changes, const char *name)
{
    for (uint32_t i = 0; i < changes->count; i++)
        if (takes(&changes->change[i], name))
            tell(&changes->change[i].figures, sg_link_by_name(name));
}

#include "kit/engine/deadlock.h"

#include "kit/engine/wiring.h"

static bool has_work_left(Unit *unit, GString *what)
{
    bool left = unit->class->unfinished && unit->class->unfinished(unit, what);
    for (uint32_t i = 0; i < unit->port_count; i++) left |= unit->ports[i]->count > 0;
    return left;
}

bool deadlock_has_work_left(const GPtrArray *units)
{
    bool left = false;
    for (guint i = 0; i < units->len; i++) {
        g_autoptr(GString) what = g_string_new(NULL);
        left |= has_work_left(units->pdata[i], what);
    }
    return left;
}

/* Units say whom they wait for by other protocols; that they sleep on a credit the channel
 * knows. */
static void wait_on_channel(Channel *channel, void *user)
{
    (void)user;
    if (channel->port->awaited)
        unit_waits_for(inbox_unit(channel->from), channel_receiver(channel));
}

/* Follows "waits for" from `unit`; true when it comes back to a unit on the path, which then is
 * cut down to the cycle. */
static bool find_cycle(Unit *unit, GPtrArray *path, GHashTable *seen)
{
    guint at;
    if (g_ptr_array_find(path, unit, &at)) {
        g_ptr_array_remove_range(path, 0, at);
        return true;
    }
    if (!g_hash_table_add(seen, unit) || !unit->waits_for) return false;
    g_ptr_array_add(path, unit);
    for (guint i = 0; i < unit->waits_for->len; i++)
        if (find_cycle(unit->waits_for->pdata[i], path, seen)) return true;
    g_ptr_array_set_size(path, (gint)path->len - 1);
    return false;
}

static void describe_cycle(const GPtrArray *units, GString *text)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) path = g_ptr_array_new();
    for (guint i = 0; i < units->len; i++) {
        if (!find_cycle(units->pdata[i], path, seen)) continue;
        g_string_append(text, "units that wait for each other: ");
        for (guint k = 0; k < path->len; k++)
            g_string_append_printf(text, "%s -> ", ((Unit *)path->pdata[k])->path);
        g_string_append_printf(text, "%s\n", ((Unit *)path->pdata[0])->path);
        return;
    }
    g_string_append(text, "no cycle of waiting units: something was never delivered\n");
}

/* A large machine may have thousands of units with work left, nearly all of them waiting for the
 * few in the cycle. */
enum { DEADLOCK_LINES = 12 };

char *deadlock_describe(const GPtrArray *units, Time now)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GString) list = g_string_new(NULL);
    guint lines = 0;
    for (guint i = 0; i < units->len; i++) {
        Unit *unit = units->pdata[i];
        g_autoptr(GString) what = g_string_new(NULL);
        const bool left = has_work_left(unit, what);
        unit_visit_channels(unit, wait_on_channel, NULL);
        if (!left || ++lines > DEADLOCK_LINES) continue;
        g_string_append_printf(list, "  %s: %s", unit->path,
                               what->len ? what->str : "messages it has not taken");
        for (guint k = 0; unit->waits_for && k < unit->waits_for->len; k++)
            g_string_append_printf(list, "%s%s", k ? ", " : "; waits for ",
                                   ((Unit *)unit->waits_for->pdata[k])->path);
        g_string_append_c(list, '\n');
    }
    g_string_append_printf(text, "nothing can move any more at %.3f ns, and work is left\n",
                           time_to_ns(now));
    describe_cycle(units, text);
    g_string_append(text, list->str);
    if (lines > DEADLOCK_LINES)
        g_string_append_printf(text, "  ... and %u more units\n", lines - DEADLOCK_LINES);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

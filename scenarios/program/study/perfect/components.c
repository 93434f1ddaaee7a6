#include "scenarios/program/study/perfect/perfect.h"

#include <string.h>

#include "platform/machine/machine.h"

/* What is perfect in words. Sizes that are "at least" so much hold what a small machine's runs have
 * under way, at a cost in memory that a study can bear; the ends of the ranges would take
 * gigabytes. */
static const struct {
    const char *name, *summary;
} sentences[] = {
    {"issue", "any number of instructions issued and units free in each cycle"},
    {"arithmetic_latency", "results of arithmetic after a cycle"},
    {"register_file", "operands of any registers read at once"},
    {"occupancy", "registers, threads and CTA slots for 64 warps an SM"},
    {"cta_launch", "64 CTAs launched a cycle, there and back in a cycle"},
    {"bank_conflicts", "no two lanes or lines in one bank of shared memory or L1"},
    {"pending_request_table", "room in L1 for 16,384 misses, any merges and any replays"},
    {"store_buffers", "room for 65,536 lines of stores in L1 and in L2"},
    {"l1_latency", "L1 and shared memory, there and back, in the fewest cycles"},
    {"l1_bandwidth",
     "64 L1 look-ups, reads and misses a cycle, replays one a cycle, 16-byte banks"},
    {"l1_capacity", "4 MiB for each SM's L1"},
    {"shared_l1", "request coalescers' caches read in a cycle, any number of hits at once"},
    {"shared_l1_capacity", "4 MiB for each request coalescer's cache"},
    {"translation", "addresses translated in no time"},
    {"texture_cache", "1 MiB for each texture unit's own cache"},
    {"texture_latency", "texture units' pipelines in the fewest cycles"},
    {"texture_bandwidth",
     "64 quads addressed, looked up and filtered each cycle, and as many misses"},
    {"fragment_fifo", "texture units' queues as long as they go"},
    {"request_network", "a request network without contention, and a cycle of wire at each end"},
    {"reply_network", "a reply network without contention, and a cycle of wire at each end"},
    {"network", "networks without contention, and a cycle of wire at each end and between stops"},
    {"l2_halves", "the way between the halves of L2 a cycle long and any width"},
    {"l2_capacity", "4 MiB for each L2 slice"},
    {"l2_bandwidth", "64 L2 look-ups, reads and writes a cycle, of up to 4 KiB each"},
    {"l2_latency", "a cycle for each step in L2"},
    {"l2_pending", "room in L2 for 16,384 fills, any merges, and what waits before and after"},
    {"sm_atomics", "an atomic's lanes at one word at once to L2, a cycle each in shared memory"},
    {"rop_atomics", "64 atomics of 256 words a cycle, done in a cycle, all lines at hand"},
    {"memory_cache_capacity", "64 MiB for each memory-side cache"},
    {"memory_cache_bandwidth",
     "64 look-ups, reads and writes a cycle in memory-side caches, of up to 4 KiB each"},
    {"memory_cache_latency", "a cycle for each step in memory-side caches"},
    {"memory_cache_pending", "room in memory-side caches for 16,384 fetches"},
    {"scheduler_queue", "4,096 reads and as many writes, of any rows, to choose from"},
    {"dram_timing", "rows always open, no turnarounds, no refresh; the data bus as it is"},
    {"dram_latency", "a cycle on each wire to DRAM and back, and from a column to its data"},
    {"dram_bandwidth", "data buses that carry any number of bursts, of rows that are always open"},
    {"paging", "everything in DRAM, of which there is as much as wanted"},
    {"dram", "ideal DRAM, a cycle away and of any bandwidth"},
};

static void setting_clear(gpointer data)
{
    PerfectSetting *setting = data;
    g_free(setting->name);
    g_free(setting->only_if);
}

static void component_clear(gpointer data)
{
    PerfectComponent *component = data;
    g_free(component->summary);
    g_free(component->needs);
    g_clear_pointer(&component->settings, g_array_unref);
}

static void add(GArray *components, const char *name, const char *summary)
{
    PerfectComponent component = {.name = name, .summary = g_strdup(summary)};
    component.settings = g_array_new(FALSE, FALSE, sizeof(PerfectSetting));
    g_array_set_clear_func(component.settings, setting_clear);
    g_array_append_val(components, component);
}

static PerfectComponent *find_or_add(GArray *components, const char *name)
{
    guint i = 0;
    while (i < components->len
           && strcmp(g_array_index(components, PerfectComponent, i).name, name) != 0)
        i++;
    if (i == components->len) add(components, name, NULL);
    return &g_array_index(components, PerfectComponent, i);
}

/* With the group, which a condition on a parameter of the same group does without. */
static void add_role(GArray *components, const char *group, const Param *param,
                     const PerfectRole *role)
{
    PerfectComponent *component = find_or_add(components, role->component);
    const PerfectSetting setting = {g_strdup_printf("%s.%s", group, param->name), role->value,
                                    param_qualify(group, role->only_if)};
    g_array_append_val(component->settings, setting);
    if (role->needs && !component->needs) component->needs = param_qualify(group, role->needs);
    component->serves |= role->serves;
}

/* For a component that has no sentence. */
static char *list_settings(const PerfectComponent *component)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < component->settings->len; i++) {
        const PerfectSetting *setting = &g_array_index(component->settings, PerfectSetting, i);
        g_autofree char *one = perfect_setting_text(setting);
        g_string_append_printf(text, "%s%s", i ? ", " : "", one);
    }
    return g_string_free(text, FALSE);
}

static void finish(GArray *components)
{
    for (guint i = components->len; i-- > 0;) {
        PerfectComponent *component = &g_array_index(components, PerfectComponent, i);
        if (!component->settings->len)
            g_array_remove_index(components, i);
        else if (!component->summary)
            component->summary = list_settings(component);
    }
}

GArray *perfect_gather(const ParamGroup *const *groups)
{
    GArray *components = g_array_new(TRUE, TRUE, sizeof(PerfectComponent));
    g_array_set_clear_func(components, component_clear);
    for (guint i = 0; i < G_N_ELEMENTS(sentences); i++)
        add(components, sentences[i].name, sentences[i].summary);
    for (; *groups; groups++)
        for (const Param *param = (*groups)->params; param && param->name; param++)
            for (const PerfectRole *role = param->perfect; role && role->component; role++)
                add_role(components, (*groups)->name, param, role);
    finish(components);
    return components;
}

const PerfectComponent *perfect_components(void)
{
    static GArray *components;
    if (!components) components = perfect_gather(machine_groups());
    return (const PerfectComponent *)(const void *)components->data;
}

const PerfectComponent *perfect_find(const char *name)
{
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

char *perfect_setting_text(const PerfectSetting *setting)
{
    if (!setting->value) return g_strconcat("-", setting->name, NULL);
    const bool least = g_str_has_prefix(setting->value, ">=");
    return g_strconcat(setting->name, least ? " " : " = ", setting->value, NULL);
}

/* A parameter whose row says a condition means nothing where that does not hold: another value
 * changes nothing that comes to any unit. */
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/perfect/perfect.h"

/* Some of all that reaches every unit. */
static const char work[] =
    "workload.sequence = a, b, c; kernel a.pattern = stream; kernel a.operation = triad;"
    "kernel a.array_bytes = 24 KiB; kernel a.threads_per_cta = 64; kernel b.pattern = random; kernel b.operation = atomic; kernel b.ctas = 4; kernel b.footprint = 64 KiB;"
    "kernel c.pattern = texture_lookup; kernel c.threads_per_cta = 64; kernel c.ctas = 4;"
    "kernel c.iterations = 4";

static const char machine[] = "sm.int_units = 0; sm.other_units = 0; dram.ideal = timing";

static const char *value_of(gconstpointer values, const char *name)
{
    const ResolvedValue *value = resolve_find(values, name);
    ck_assert_msg(value != NULL, "%s", name);
    return value->value;
}

static char *other_quantity(const Param *param, const char *value)
{
    g_autofree void *object = g_malloc0(param->offset + sizeof(uint64_t));
    uint64_t *field = (uint64_t *)(void *)((char *)object + param->offset);
    ck_assert(param_parse(param, value, object, NULL));
    *field = 2 * (double)*field <= param->maximum ? MAX(2 * *field, 4) : *field / 2;
    return param_format(param, object);
}

/* Newly allocated; NULL: a text has none. */
static char *other_value(const Param *param, const char *value)
{
    g_auto(GStrv) others = param_others(param, value);
    if (*others) return g_strdup(*others);
    return param->type == PARAM_TEXT ? NULL : other_quantity(param, value);
}

static void run(const void *settings, void *hash)
{
    g_autoptr(Machine) machine = small_machine_new(settings, work);
    *(uint64_t *)hash = small_machine_run(machine).hash;
}

/* False: the machine is refused, which is no silence. */
static bool changes(const ResolvedValue *value, uint64_t hash)
{
    g_autofree char *other = other_value(value->param, value->value),
                    *settings = g_strdup_printf("%s; %s.%s = %s", machine, value->group, value->key,
                                                other ? other : value->value);
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    uint64_t changed = hash;
    if (machine_check(configuration, NULL)) run_apart(run, settings, &changed, sizeof changed);
    return changed != hash;
}

START_TEST(what_means_nothing_changes_nothing)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(machine);
    g_autoptr(GPtrArray) values = resolve_machine(configuration, NULL);
    uint64_t hash;
    guint ignored = 0;
    run_apart(run, machine, &hash, sizeof hash);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *condition =
            machine_condition(value->group, value->param ? value->param->only_if : NULL);
        if (perfect_holds(condition, value_of, values)) continue;
        ck_assert_msg(!changes(value, hash), "%s.%s", value->group, value->key);
        ignored++;
    }
    ck_assert_uint_ge(ignored, 90);
}
END_TEST

HARNESS_MAIN("conditions", what_means_nothing_changes_nothing)

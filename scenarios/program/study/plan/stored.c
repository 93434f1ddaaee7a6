/* What the machine of a row stores, which is known before it runs. */
#include <string.h>

#include "platform/cost/area.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/study/plan/private.h"

const char *const plan_stored_names[] = {"storage_bits", "area_mm2", NULL};

static Machine *build(const Plan *plan, const PlanBase *base, char *const *values)
{
    const Point point = {.base = base->index, .seed = base->seed, .values = (char **)values};
    g_autoptr(Configuration) whole = manifest_configuration(plan->manifest, &point);
    const Variant variant = {base->base->variant, whole};
    if (!variant_check_machine(&variant, NULL)) return NULL;
    g_autoptr(Configuration) configuration = variant_machine_configuration(&variant);
    return machine_new(configuration, NULL, NULL);
}

static void measure(PlanStored *stored, Machine *machine)
{
    const double bits = machine ? (double)machine_storage_bits(machine) : 0,
                 area = machine ? machine_area(machine, NULL) : 0;
    stored->state = machine ? STORED_KNOWN : STORED_REJECTED;
    g_ascii_formatd(stored->bits, sizeof stored->bits, "%.15g", bits);
    g_ascii_formatd(stored->area, sizeof stored->area, "%.15g", area);
}

const char *plan_stored_text(PlanStored *stored, const Plan *plan, const PlanBase *base,
                             char *const *values, const char *name)
{
    if (stored->state == STORED_UNKNOWN) {
        g_autoptr(Machine) machine = build(plan, base, values);
        measure(stored, machine);
    }
    return !strcmp(name, "area_mm2") ? stored->area : stored->bits;
}

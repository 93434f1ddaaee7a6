/* `time` of result.json: where the time of schedulers went, straight from the rows that say so. */
#include "scenarios/program/time/stack.h"

#include "scenarios/program/say/json_text.h"

static uint64_t sum_slots(const UnitClass *class, const void *unit)
{
    uint64_t sum = 0;
    for (const Stat *stat = class->stats; stat && stat->name; stat++)
        if (stat->slots != SLOTS_NONE) sum += stat_number(stat, unit);
    return sum;
}

/* Each of them has all of the region's time, and each femtosecond is counted once. */
static uint64_t count_schedulers(const ClassSum *sum)
{
    uint64_t schedulers = 0;
    if (!stats_have_slots(sum->class->stats)) return 0;
    for (guint i = 0; i < sum->units->len; i++) {
        const Unit *unit = sum->units->pdata[i];
        const Time length = unit_meters(unit)->length;
        const void *measured = unit_measured(unit);
        schedulers += length ? sum_slots(sum->class, measured) / length : 0;
    }
    return schedulers;
}

double time_schedulers(const ClassSum *sum)
{
    return (double)count_schedulers(sum) / (double)sum->units->len;
}

bool time_is_with_ctas(const Stat *stat)
{
    switch (stat->slots) {
    case SLOTS_ISSUE:
    case SLOTS_UNIT:
    case SLOTS_RESULT:
    case SLOTS_MEMORY:
    case SLOTS_BARRIER:
    case SLOTS_FEW:
    case SLOTS_OPEN: return true;
    case SLOTS_NONE:
    case SLOTS_LAUNCH:
    case SLOTS_TAIL:
    case SLOTS_OUTSIDE:
    case SLOTS_KINDS: return false;
    }
    g_assert_not_reached();
}

static double sum_with_ctas(const ClassSum *sum)
{
    double fs = 0;
    for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
        if (time_is_with_ctas(stat)) fs += (double)stat_number(stat, sum->sum);
    return fs;
}

double time_of_cores(const Aggregate *aggregate)
{
    double fs = 0;
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        const double schedulers = time_schedulers(sum);
        if (schedulers > 0) fs += sum_with_ctas(sum) / schedulers;
    }
    return fs;
}

/* --- to JSON ---------------------------------------------------------------------------------- */

static void put_words(JsonBuilder *json, const Stat *stat, const char *title, Time time)
{
    json_put_text(json, "name", stat->name);
    json_put_text(json, "title", title);
    json_put_number(json, "slot_fs", time);
}

/* What has been told of the class, in time of schedulers. */
typedef struct {
    JsonBuilder *json;
    const ClassSum *sum;
    uint64_t schedulers, told;
} Parts;

/* Of the machine's time each part has its share of it, rounded so that they add up. */
static void put_part(Parts *parts, const Stat *stat)
{
    const uint64_t time = stat_number(stat, parts->sum->sum);
    if (!time) return;
    const Time before = parts->told / parts->schedulers;
    parts->told += time;
    json_builder_begin_object(parts->json);
    put_words(parts->json, stat, stat->slot.of, time);
    json_put_text(parts->json, "kind", slots_kind_name(stat->slots));
    json_put_number(parts->json, "fs", parts->told / parts->schedulers - before);
    json_builder_end_object(parts->json);
}

static void put_parts(Parts *parts, bool outside)
{
    for (const Stat *stat = parts->sum->class->stats; stat->name; stat++)
        if (stat->slots != SLOTS_NONE && (stat->slots == SLOTS_OUTSIDE) == outside)
            put_part(parts, stat);
}

static void put_answers(JsonBuilder *json, const ClassSum *sum)
{
    json_builder_set_member_name(json, "served");
    json_builder_begin_array(json);
    for (const Stat *stat = sum->class->stats; stat->name; stat++) {
        if (!stat->served.of || !stat_number(stat, sum->sum)) continue;
        json_builder_begin_object(json);
        put_words(json, stat, stat->served.of, stat_number(stat, sum->sum));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static JsonNode *time_of(const ClassSum *sum, uint64_t schedulers)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    Parts parts = {json, sum, schedulers, 0};
    json_builder_begin_object(json);
    json_put_number(json, "schedulers", schedulers);
    json_builder_set_member_name(json, "parts");
    json_builder_begin_array(json);
    put_parts(&parts, false);
    const Time inside = parts.told / schedulers;
    put_parts(&parts, true);
    json_builder_end_array(json);
    put_answers(json, sum);
    json_put_number(json, "fs", inside);
    json_put_number(json, "outside_fs", parts.told / schedulers - inside);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

JsonNode *result_time(const Aggregate *aggregate)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        const uint64_t schedulers = count_schedulers(sum);
        if (schedulers) return time_of(sum, schedulers);
    }
    return NULL;
}

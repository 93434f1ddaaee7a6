/* A unit that no report knows: what its statistics' roles say is enough. */
#include "kit/describe/role.h"
#include "platform/machine/machine.h"
#include "program/report/figure_cells.h"
#include "program/report/run/rig.h"
#include "rigs/harness.h"
#include "scenarios/program/report/run/page.h"

typedef struct {
    Unit unit;
    uint64_t asked, found, fetched, parts, parts_found, refused_bell, turns;
    Level queue;
} Gate;

static const Stat stats[] = {
    STAT_NUMBER(Gate, asked, STAT_COUNT, NULL, "asked", .accesses_of = "gate, all"),
    STAT_NUMBER(Gate, found, STAT_COUNT, NULL, "found", .hits_of = "gate, all"),
    STAT_NUMBER(Gate, fetched, STAT_COUNT, NULL, "fetched", .misses_of = "gate, all"),
    STAT_NUMBER(Gate, parts, STAT_COUNT, NULL, "of these, parts", .accesses_of = "gate, parts",
                .part_of = "asked"),
    STAT_NUMBER(Gate, parts_found, STAT_COUNT, NULL, "found", .hits_of = "gate, parts"),
    STAT_NUMBER(Gate, refused_bell, STAT_COUNT, NULL, "the bell was rung", .refusal = "bell"),
    STAT_OCCUPANCY_OVER_TIME(Gate, queue, NULL, "visitors", .map = {"gate", "visitors"},
                             CURVES(CURVE("gate: visitors"))),
    STAT_NUMBER_OVER_TIME(Gate, turns, STAT_COUNT, NULL, "turns", .most = "wings * doors",
                          CURVES(CURVE("gate"))),
    STAT_END};

/* Those on both sides of it. */
static const Stat street[] = {STAT_NUMBER(Gate, asked, STAT_COUNT, NULL, "visitors that come",
                                          RULES(GIVES("visitors arrive"), GIVES("all are happy"))),
                              STAT_END};
static const Stat house[] = {
    STAT_NUMBER(Gate, asked, STAT_COUNT, NULL, "visitors", RULES(TAKES("visitors arrive"))),
    STAT_NUMBER(Gate, found, STAT_COUNT, NULL, "happy ones", RULES(TAKES("all are happy"))),
    STAT_NUMBER(Gate, turns, STAT_COUNT, NULL, "rain", RULES(EXCUSES("all are happy"))), STAT_END};

static const UnitClass street_class = {.name = "street", .stats = street},
                       gate_class = {.name = "gate", .stats = stats},
                       house_class = {.name = "house", .stats = house};
static const UnitClass *const classes[] = {&street_class, &gate_class, &house_class, NULL};

static const char run_text[] =
    "{'units': {'gate': {'count': 2, 'total': {'asked': 40, 'found': 30, 'fetched': 10,"
    " 'parts': 8, 'parts_found': 2, 'refused_bell': 20}},"
    " 'street': {'count': 1, 'total': {'asked': 40}},"
    " 'house': {'count': 1, 'total': {'asked': 40, 'found': 40, 'turns': 1}}},"
    " 'summary': {'time_ns': 4, 'core_cycles': 4},"
    " 'profile': {'series': {'start': 0, 'interval': 2000000, 'intervals': 2, 'span': 4000000,"
    "  'classes': {'gate': {'queue': {'total': [1, 2], 'instances': [[1, 1], [1, 3]]},"
    "   'turns': {'total': [3, 6], 'instances': [[3, 0], [0, 6]]}}}}},"
    " 'parameters': {'gate': {'wings': '4', 'doors': '3'}}}";

START_TEST(its_caches_have_rows_among_the_hit_rates)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_hit_rates(result, classes));
    expect(cells_number(&cells, "gate, all", "hit rate"), 75);
    expect(cells_number(&cells, "gate, all", "look-ups"), 40);
    expect(cells_number(&cells, "gate, all", "others"), 10);
    expect(cells_number(&cells, "gate, parts", "hit rate"), 25);
}
END_TEST

START_TEST(what_it_refuses_is_listed)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_refusals(result, classes));
    expect(cells_number(&cells, "gate.refused_bell", "attempts"), 20);
    expect(cells_number(&cells, "gate.refused_bell", "for each look-up"), 0.5);
    ck_assert_str_eq(cells_text(&cells, "gate.refused_bell", "why"), "the bell was rung");
}
END_TEST

START_TEST(each_of_its_counters_that_moved_is_listed)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_counters(result, classes));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 6 + 1 + 3);
    expect(cells_number(&cells, "gate.refused_bell", "of all units"), 20);
    ck_assert_str_eq(cells_text(&cells, "gate.refused_bell", "meaning"), "the bell was rung");
}
END_TEST

/* It rains, so that nobody has to be happy. */
START_TEST(who_comes_is_compared_with_who_arrives)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_conservation(result, classes));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 1);
    ck_assert_str_eq(cells_text(&cells, "visitors arrive", "counted by"), "street.asked");
    ck_assert_str_eq(cells_text(&cells, "visitors arrive", "and by"), "house.asked");
    ck_assert_str_eq(cells_text(&cells, "visitors arrive", "check"), "passes");
}
END_TEST

START_TEST(its_units_have_a_map_over_time)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_autoptr(Document) document = document_new("run", "gates", "");
    run_heat(document, result, classes);
    g_autoptr(JsonNode) json = document_json(document);
    JsonNode *figure = figure_of(json, "unit_map-gate.queue");
    ck_assert_double_eq_tol(number_at(figure, 1, 2), 3, 1e-9);
}
END_TEST

/* 4 ns are 4 cycles: 2 in an interval, in which 2 gates with 4 x 3 wings can turn 48 times. */
START_TEST(its_curves_are_drawn_over_time)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_autoptr(Document) document = document_new("run", "gates", "");
    run_time(document, result, classes);
    g_autoptr(JsonNode) json = document_json(document);
    JsonNode *queues = figure_of(json, "queues_over_time"),
             *used = figure_of(json, "utilisation_over_time");
    ck_assert_double_eq_tol(number_in(queues, 1, "gate: visitors"), 2, 1e-9);
    ck_assert_double_eq_tol(number_in(used, 1, "gate"), 100 * 6 / 48.0, 1e-9);
}
END_TEST

START_TEST(figures_that_rows_name_exist)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat->name; stat++)
            ck_assert_msg(!stat->figure || figure_topic(stat->figure), "%s.%s: no figure %s",
                          (*unit)->name, stat->name, stat->figure);
}
END_TEST

HARNESS_MAIN("roles", who_comes_is_compared_with_who_arrives, its_units_have_a_map_over_time,
             its_curves_are_drawn_over_time, figures_that_rows_name_exist,
             its_caches_have_rows_among_the_hit_rates, what_it_refuses_is_listed,
             each_of_its_counters_that_moved_is_listed)

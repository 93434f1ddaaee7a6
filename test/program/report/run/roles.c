/* A unit that no report knows: what its statistics' roles say is enough. */
#include "kit/describe/role.h"
#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "scenarios/program/report/run/page.h"

typedef struct {
    Unit unit;
    uint64_t asked, found, fetched, parts, parts_found, refused_bell;
} Gate;

static const Stat stats[] = {
    STAT_NUMBER(Gate, asked, STAT_COUNT, NULL, "asked", .accesses_of = "gate, all"),
    STAT_NUMBER(Gate, found, STAT_COUNT, NULL, "found", .hits_of = "gate, all"),
    STAT_NUMBER(Gate, fetched, STAT_COUNT, NULL, "fetched", .misses_of = "gate, all"),
    STAT_NUMBER(Gate, parts, STAT_COUNT, NULL, "of these, parts", .accesses_of = "gate, parts",
                .part_of = "asked"),
    STAT_NUMBER(Gate, parts_found, STAT_COUNT, NULL, "found", .hits_of = "gate, parts"),
    STAT_NUMBER(Gate, refused_bell, STAT_COUNT, NULL, "the bell was rung", .refusal = "bell"),
    STAT_END};

static const UnitClass gate_class = {.name = "gate", .stats = stats};
static const UnitClass *const classes[] = {&gate_class, NULL};

static const char run_text[] =
    "{'units': {'gate': {'count': 2, 'total': {'asked': 40, 'found': 30, 'fetched': 10,"
    " 'parts': 8, 'parts_found': 2, 'refused_bell': 20}}}}";

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

HARNESS_MAIN("roles", its_caches_have_rows_among_the_hit_rates, what_it_refuses_is_listed)

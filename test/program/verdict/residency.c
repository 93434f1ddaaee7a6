/* Whether launches wait for room. */
#include "program/verdict/slots_result.h"

#define HOLDS(name, capacity, mean, full)                                                          \
    "\"" name "\": {\"kind\": \"place\", \"capacity\": " capacity ", \"mean\": " mean              \
    ", \"use\": 0.6, \"full\": " full ", \"refused\": 0}"

static JsonNode *grid_of(const char *slots, const char *cores, const char *array, int ctas)
{
    g_autofree char *more = g_strdup_printf(", \"kernels\": [{\"measured\": true, \"ctas\": %d}]}, "
                                            "\"parameters\": {\"first_level\": {\"array\": \"%s\"}",
                                            ctas, array);
    JsonNode *result = result_of(slots, cores, more);
    JsonObject *unit = json_node_get_object(result_member(result, "units.sm"));
    json_object_set_int_member(unit, "count", 10);
    return result;
}

/* Ten SMs that each have room for two CTAs, and wait for launches for 60 % of their time. */
static const struct {
    const char *full, *warps, *array, *component;
    int ctas;
} cases[] = {
    {"0.65", "9.6", "0 B", "occupancy", 640},
    {"0.55", "9.6", "0 B", "cta_launch", 640},     /* a place is free while launches take */
    {"0.65", "9.6", "192 KiB", "cta_launch", 640}, /* no part of the machine makes it larger */
    {"0.65", "9.6", "0 B", "cta_launch", 20},      /* none is kept out */
    {"0.65", "38.4", "0 B", "cta_launch", 640},    /* nor has it more warps than two CTAs have */
};

START_TEST(launches_are_hidden_by_more_ctas_where_room_is_missing)
{
    g_autofree char *cores =
        g_strdup_printf("\"sm\": {" HOLDS("resident_ctas", "32", "1.2", "0") ", " HOLDS(
                            "resident_warps", "64", "%s",
                            "0") ", " HOLDS("shared_allocated", "65536", "39322", "%s") "}",
                        cases[_i].warps, cases[_i].full);
    g_autoptr(JsonNode) result = grid_of("\"slot_launch\": 60, \"slot_at_dram\": 40", cores,
                                         cases[_i].array, cases[_i].ctas);
    expect_bound(result, "CTA launch", cases[_i].component,
                 _i ? "60 % of their time" : "60 % of their time, and an SM has no room for more");
}
END_TEST

/* For as long as the last one waits to be launched the first ones wait for its end. */
START_TEST(what_is_launched_late_ends_late_where_no_cta_waits_for_another)
{
    static const char slots[] = "\"slot_launch\": 20, \"slot_tail\": 30, \"slot_core\": 50";
    static const char cores[] = "\"sm\": {" HOLDS("resident_ctas", "32", "1.2", "0") "}";
    g_autoptr(JsonNode) once = grid_of(slots, cores, "0 B", 320);
    expect_bound(once, "CTA launch", "cta_launch", "in 40 % of their time");
    g_autoptr(JsonNode) more = grid_of(slots, cores, "0 B", 321);
    expect_bound(more, "tail of CTAs", "cta_launch", "in 30 % of their time");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("residency");
    tcase_add_loop_test(tests, launches_are_hidden_by_more_ctas_where_room_is_missing, 0,
                        G_N_ELEMENTS(cases));
    tcase_add_test(tests, what_is_launched_late_ends_late_where_no_cta_waits_for_another);
    return harness_run_cases("residency", tests);
}

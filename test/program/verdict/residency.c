/* Whether launches wait for room. */
#include "program/verdict/slots_result.h"

#define HOLDS(name, capacity, mean, full)                                                          \
    "\"" name "\": {\"kind\": \"place\", \"capacity\": " capacity ", \"mean\": " mean              \
    ", \"use\": 0.6, \"full\": " full ", \"refused\": 0}"

/* Ten SMs that each have room for two CTAs, and wait for launches for 60 % of their time. */
static JsonNode *launches_of(const char *full, int ctas, const char *array)
{
    g_autofree char *cores =
        g_strdup_printf("\"sm\": {" HOLDS("resident_ctas", "32", "1.2", "0") ", " HOLDS(
                            "resident_warps", "64", "9.6",
                            "0") ", " HOLDS("shared_allocated", "65536", "39322", "%s") "}",
                        full);
    g_autofree char *more = g_strdup_printf(", \"kernels\": [{\"measured\": true, \"ctas\": %d}]}, "
                                            "\"parameters\": {\"first_level\": {\"array\": \"%s\"}",
                                            ctas, array);
    JsonNode *result = result_of("\"slot_launch\": 60, \"slot_at_dram\": 40", cores, more);
    JsonObject *unit = json_node_get_object(result_member(result, "units.sm"));
    json_object_set_int_member(unit, "count", 10);
    return result;
}

static const struct {
    const char *full, *array, *component;
    int ctas;
} cases[] = {
    {"0.65", "0 B", "occupancy", 640},
    {"0.55", "0 B", "cta_launch", 640},     /* a place is free for as long as launches take */
    {"0.65", "192 KiB", "cta_launch", 640}, /* no part of the machine makes it larger */
    {"0.65", "0 B", "cta_launch", 20},      /* none is kept out */
};

START_TEST(launches_are_hidden_by_more_ctas_where_room_is_missing)
{
    g_autoptr(JsonNode) result = launches_of(cases[_i].full, cases[_i].ctas, cases[_i].array);
    expect_bound(result, "CTA launch", cases[_i].component,
                 _i ? "60 % of their time" : "60 % of their time, and an SM has no room for more");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("residency");
    tcase_add_loop_test(tests, launches_are_hidden_by_more_ctas_where_room_is_missing, 0,
                        G_N_ELEMENTS(cases));
    return harness_run_cases("residency", tests);
}

/* What bounded a run whose units were full: they, or what holds them up. */
#include "program/verdict/slots_result.h"
#include "scenarios/program/report/run/advice.h"

/* The cores are full, and wait for operands themselves in most of the time in which schedulers find
 * them so. */
START_TEST(what_units_wait_for_is_the_bound_where_it_has_most_of_their_time)
{
    static const char resources[] = "\"sm\": {" SERVER("issue_slots", "0.3") ", " SERVER(
        "core_pipe", "0.95") ", " SERVER("register_waits", "0.4") "}";
    g_autoptr(JsonNode) most =
        result_of("\"slot_core\": 30, \"slot_pipe\": 20, \"slot_operands\": 50", resources, "");
    expect_bound(most, "register file", "register_file",
                 "register file (sm.register_waits): busy 40 % of the time");
    ck_assert_ptr_nonnull(advice_find("register_file"));
    g_autoptr(JsonNode) less =
        result_of("\"slot_core\": 30, \"slot_pipe\": 50, \"slot_operands\": 20", resources, "");
    expect_bound(less, "FP32 cores", "issue", "busy 95 % of the time");
}
END_TEST

HARNESS_MAIN("verdict_units", what_units_wait_for_is_the_bound_where_it_has_most_of_their_time)

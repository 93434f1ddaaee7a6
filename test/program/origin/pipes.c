/* What the units of an SM rest on. */
#include "rigs/harness.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/verdict/pressure.h"

/* Operands in one bank are read one after the other, for which a unit waits. */
START_TEST(a_busy_unit_rests_on_register_banks_too)
{
    g_autoptr(JsonNode) result = json_from_string(
        "{\"resources\": {\"sm\": {\"core_pipe\": {\"kind\": \"server\"}}}}", NULL);
    g_autoptr(GPtrArray) list = pressure_list(result);
    ck_assert_uint_eq(list->len, 1);
    g_autoptr(GPtrArray) names = rests_on_names(list->pdata[0]);
    static const char *const wanted[] = {"sm.core_units", "sm.register_banks",
                                         "sm.register_bank_reads"};
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        ck_assert_msg(g_ptr_array_find_with_equal_func(names, wanted[i], g_str_equal, NULL), "%s",
                      wanted[i]);
}
END_TEST

HARNESS_MAIN("pipes", a_busy_unit_rests_on_register_banks_too)

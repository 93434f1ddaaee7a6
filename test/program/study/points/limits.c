#include "scenarios/program/study/points/limits.h"

#include <unistd.h>

#include "rigs/harness.h"

static const struct {
    const char *text;
    double seconds; /* 0: refused */
    const char *format;
} times[] = {
    {"60s", 60, "60 s"},
    {"60 s", 60, "60 s"},
    {"500 ms", 0.5, "500 ms"},
    {"1.5 s", 1.5, "1.5 s"},
    {"10min", 600, "10 min"},
    {"2 h", 7200, "2 h"},
    {"90 min", 5400, "90 min"},
    {"60", 0, NULL},
    {"", 0, NULL},
    {"s", 0, NULL},
    {"-1 s", 0, NULL},
    {"0 s", 0, NULL},
    {"1 day", 0, NULL},
    {"2000 h", 0, NULL},
    {"nan s", 0, NULL},
};

START_TEST(a_time_limit_has_a_unit)
{
    g_autoptr(GError) error = NULL;
    double seconds = 0;
    const bool good = limits_parse_time("--time-limit", times[_i].text, &seconds, &error);
    ck_assert_int_eq(good, times[_i].seconds > 0);
    if (!good) {
        g_autofree char *begin = g_strdup_printf("--time-limit %s: not a time", times[_i].text);
        ck_assert_msg(g_str_has_prefix(error->message, begin), "%s", error->message);
        return;
    }
    g_autofree char *text = limits_format_time(seconds);
    ck_assert_double_eq_tol(seconds, times[_i].seconds, 1e-9);
    ck_assert_str_eq(text, times[_i].format);
}
END_TEST

START_TEST(a_memory_limit_is_an_amount_of_bytes)
{
    g_autoptr(GError) error = NULL;
    guint64 bytes = 0;
    ck_assert(limits_parse_memory("--memory-limit", "2GiB", &bytes, NULL));
    ck_assert_uint_eq(bytes, UINT64_C(2) << 30);
    ck_assert(!limits_parse_memory("--memory-limit", "2", &bytes, &error));
    ck_assert_msg(strstr(error->message, "--memory-limit 2: not an amount of memory"), "%s",
                  error->message);
}
END_TEST

START_TEST(slurm_says_how_many_processes_there_are)
{
    g_setenv("SLURM_CPUS_PER_TASK", "7", TRUE);
    ck_assert_uint_eq(limits_processes(), 7);
    g_unsetenv("SLURM_CPUS_PER_TASK");
    ck_assert_uint_ge(limits_processes(), 1);
    ck_assert_uint_le(limits_processes(), (guint)sysconf(_SC_NPROCESSORS_CONF));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("limits");
    tcase_add_loop_test(cases, a_time_limit_has_a_unit, 0, G_N_ELEMENTS(times));
    tcase_add_test(cases, a_memory_limit_is_an_amount_of_bytes);
    tcase_add_test(cases, slurm_says_how_many_processes_there_are);
    return harness_run_cases("limits", cases);
}

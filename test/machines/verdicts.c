/* Kernels of which it is known what bounds them, by making each component perfect (the benchmark
 * `verdicts`): the verdict names it. */
#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "scenarios/program/verdict/verdict.h"

#define KERNEL "test/bench/verdicts/"

/* The component gains most of all, as much as the comment says. */
static const struct {
    const char *file, *variant, *component;
} cases[] = {
    {KERNEL "translation/walks", "k80", "translation"},               /* 44 % */
    {KERNEL "atomics/lanes", "k80", "sm_atomics"},                    /* 63 % */
    {KERNEL "textures/fragments", "gtx780", "fragment_fifo"},         /* 91 % */
    {KERNEL "dram/refresh", "v100", "dram_bandwidth"},                /* 71 % */
    {KERNEL "network/replies", "v100", "reply_network"},              /* 55 % */
    {KERNEL "l2/camping", "v100", "l2_bandwidth"},                    /* 82 %: one slice of eight */
    {KERNEL "l1/misses", "v100", "pending_request_table"},            /* 68 % */
    {KERNEL "l1/shared", "v100", "bank_conflicts"},                   /* 94 % */
    {KERNEL "sm/occupancy", "v100", "occupancy"},                     /* 83 % */
    {KERNEL "grid/launch", "v100", "cta_launch"},                     /* 53 % */
    {KERNEL "grid/at-once", "v100", "cta_launch"},                    /* 21 %: half of it a tail */
    {KERNEL "dram/write-backs", "k80", "l2_capacity"},                /* 41 %, an ideal bus 36 % */
    {"scenarios/dram/dram-schedulers", "in-order", "dram_bandwidth"}, /* 77 % */
};

/* `what`: of the variant that is run. */
static void expect_component(const char *file, const char *what, const char *variant,
                             const char *expected)
{
    char *folder = temporary_folder();
    g_autofree char *arguments =
        g_strdup_printf("%s/%s.ini %s", g_getenv("WARPMEM_ROOT"), file, what);
    run(folder, arguments);
    g_autofree char *text = result_text(folder, variant);
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(result);
    g_autoptr(Verdict) verdict = verdict_new(result);
    const char *component = verdict->component;
    ck_assert_msg(component && !strcmp(component, expected), "%s: %s (%s)", file, verdict->sentence,
                  component ? component : "no component");
    temporary_remove(folder);
}

START_TEST(the_verdict_names_what_gains_most)
{
    g_autofree char *what = g_strdup_printf("--variant %s", cases[_i].variant);
    expect_component(cases[_i].file, what, cases[_i].variant, cases[_i].component);
}
END_TEST

/* Issue gains 10.5 %, L1, which is as busy as address generation in front of it, 7.3 %. */
START_TEST(of_two_that_are_as_busy_the_verdict_names_what_gains_elsewhere_too)
{
    expect_component("scenarios/own-code/five-kernels", "--kernel product", "baseline", "issue");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("verdicts"), *repeating = tcase_create("other components");
    tcase_add_loop_test(tests, the_verdict_names_what_gains_most, 0, 3);
    tcase_add_loop_test(repeating, the_verdict_names_what_gains_most, 3, G_N_ELEMENTS(cases));
    tcase_add_test(tests, of_two_that_are_as_busy_the_verdict_names_what_gains_elsewhere_too);
    return harness_run_repeating("verdicts", tests, repeating);
}

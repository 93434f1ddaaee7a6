/* Behaviours of the networks that emerge in a whole machine: each test runs a shipped scenario and
 * compares its variants. */

#include "rigs/harness.h"
#include "rigs/shipped.h"

#define LESS(smaller, larger)                                                                      \
    do {                                                                                           \
        const double smaller_ = (smaller), larger_ = (larger);                                     \
        ck_assert_msg(smaller_ < larger_, "%s: %g, %s: %g", #smaller, smaller_, #larger, larger_); \
    } while (0)

static double of_crossbars(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.crossbar.total.%s", name);
    return result_number(folder, variant, path);
}

static const double cycle_fs = 1e9 / 1380;

/* Cycles that a load from L2 spent in a stage, on average. */
static double stage_of(const char *folder, const char *variant, const char *stage)
{
    g_autofree char *sum = g_strdup_printf("stages.load_l2_hit.%s", stage);
    return result_number(folder, variant, sum)
           / result_number(folder, variant, "stages.load_l2_hit.count") / cycle_fs;
}

START_TEST(a_queue_for_each_output_and_speedup_shorten_the_wait_in_the_network)
{
    char *folder = temporary_folder();
    run(folder, "crossbar");
    static const char *const faster[] = {"virtual-round-robin", "virtual-oldest-first",
                                         "virtual-islip-1", "virtual-islip-4",
                                         "virtual-islip-4-speed-up-2"};
    LESS(400, stage_of(folder, "fifo", "reply_queue"));
    for (guint i = 0; i < G_N_ELEMENTS(faster); i++) {
        LESS(1.5 * cycles_of(folder, faster[i]), cycles_of(folder, "fifo"));
        LESS(2 * stage_of(folder, faster[i], "reply_queue"),
             stage_of(folder, "fifo", "reply_queue"));
    }
    LESS(1.2 * cycles_of(folder, "fifo-speed-up-2"), cycles_of(folder, "fifo"));
    LESS(1.2 * cycles_of(folder, "virtual-islip-4"), cycles_of(folder, "fifo-speed-up-2"));
    LESS(cycles_of(folder, "virtual-islip-4"), cycles_of(folder, "virtual-islip-1"));
    LESS(cycles_of(folder, "virtual-islip-4-speed-up-2"), cycles_of(folder, "virtual-islip-4"));
    ck_assert_double_eq(of_crossbars(folder, "fifo", "output_queued.max"), 0);
    LESS(1, of_crossbars(folder, "fifo-speed-up-2", "output_queued.max"));
    temporary_remove(folder);
}
END_TEST

/* A reply is 136 B: four flits of 40 B, five of 32 B, nine of 16 B. The links carry as many bytes
 * as before. */
START_TEST(whole_flits_cost_what_they_leave_empty)
{
    static const struct {
        const char *flit_bytes;
        double reply, request;
    } flits[] = {{"0 B", 136, 8}, {"40 B", 160, 40}, {"32 B", 160, 32}, {"48 B", 144, 48}};
    for (guint i = 0; i < G_N_ELEMENTS(flits); i++) {
        char *folder = temporary_folder();
        g_autofree char *arguments =
            g_strdup_printf("crossbar --variant virtual-islip-4 --set 'network.flit_bytes=%s'",
                            flits[i].flit_bytes);
        run(folder, arguments);
        const double packets = of_crossbars(folder, "virtual-islip-4", "packets");
        ck_assert_double_eq(of_crossbars(folder, "virtual-islip-4", "bytes"),
                            packets / 2 * (flits[i].reply + flits[i].request));
        temporary_remove(folder);
    }
}
END_TEST

/* The most packets to an output, of both networks together: all requests to one slice, and to one
 * of 16 SMs about a sixteenth of the replies. */
START_TEST(a_hash_spreads_a_walk_that_camps_on_one_slice)
{
    char *folder = temporary_folder();
    run(folder, "interleaving");
    static const char *const spread[] = {"xor-fold", "mix", "none-64-KiB", "none-15-slices"};
    const double requests = of_crossbars(folder, "none", "packets") / 2;
    const double most = of_crossbars(folder, "none", "most_to_output");
    LESS(1.06 * requests, most);
    LESS(most, 1.08 * requests);
    for (guint i = 0; i < G_N_ELEMENTS(spread); i++) {
        LESS(12 * cycles_of(folder, spread[i]), cycles_of(folder, "none"));
        LESS(of_crossbars(folder, spread[i], "most_to_output"),
             0.15 * of_crossbars(folder, spread[i], "packets") / 2);
    }
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("network_rows");
    TCase *cases = tcase_create("scenarios");
    tcase_add_test(cases, a_queue_for_each_output_and_speedup_shorten_the_wait_in_the_network);
    tcase_add_test(cases, whole_flits_cost_what_they_leave_empty);
    tcase_add_test(cases, a_hash_spreads_a_walk_that_camps_on_one_slice);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

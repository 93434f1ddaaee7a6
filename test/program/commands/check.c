/* What `check` says of each kernel. */
#include <string.h>

#include "platform/machine/machine.h"
#include "rigs/harness.h"
#include "rigs/program.h"

/* 32 CTAs of 256 threads on two SMs; a variant has half as large ones, as have two of three kernels
 * of another. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "[variant halves]\nworkload.threads_per_cta = 128\n"
    "[variant prt-8]\nl1.prt_entries = 8\n";

static const char lines[] =
    "baseline: kernel 1, stream triad: 8 CTAs an SM, limited by warps (then 16, by registers and "
    "the grid); 2.0 waves\n"
    "halves: kernel 1, stream triad: 16 CTAs an SM, limited by warps (then 32, by registers, CTAs "
    "and the grid); 2.0 waves\n";

START_TEST(kernels_that_an_earlier_variant_has_as_well_are_not_said_again)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "check small.ini");
    ck_assert_msg(strstr(outcome.out, lines), "%s", outcome.out);
    ck_assert_ptr_null(strstr(outcome.out, "prt-8: kernel"));
    temporary_remove(folder);
}
END_TEST

/* Ten SMs of 32 CTAs each. */
START_TEST(a_few_ctas_more_than_fill_a_wave_are_told)
{
    static const struct {
        const char *ctas, *says;
    } rows[] = {{"320", "; 1.0 waves\n"},  {"321", "; just over 1.0 waves\n"},
                {"352", "; 1.10 waves\n"}, {"639", "; just under 2.0 waves\n"},
                {"32", "; 0.10 waves\n"},  {"1", "; under 0.01 waves\n"}};
    char *folder = temporary_folder();
    g_autofree char *file =
        temporary_file(folder, "grid.ini",
                       "[scenario]\ntitle = Grid\nextends = v100\n[machine]\nsms = 10\n"
                       "[workload]\npattern = program\nthreads_per_cta = 32\ncode =\n  x = int\n");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *line =
            g_strdup_printf("check grid.ini --set workload.ctas=%s", rows[i].ctas);
        const Outcome outcome = warpmem(folder, line);
        ck_assert_msg(strstr(outcome.out, rows[i].says) != NULL, "%s", outcome.out);
    }
    temporary_remove(folder);
}
END_TEST

static const char sequence[] = "[scenario]\ntitle = Sequence\nextends = v100\n"
                               "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
                               "[workload]\nsequence = a, b, a\n"
                               "[kernel a]\npattern = stream\narray_bytes = 64 KiB\nlaunches = 3\n"
                               "[kernel b]\npattern = stream\narray_bytes = 2 KiB\n";

START_TEST(kernels_alike_that_follow_each_other_have_one_line)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "sequence.ini", sequence);
    Outcome outcome = warpmem(folder, "check sequence.ini");
    ck_assert_ptr_nonnull(strstr(outcome.out, "baseline: kernels 1-3, stream read: 8 CTAs an SM"));
    ck_assert_ptr_nonnull(strstr(outcome.out,
                                 "baseline: kernel 4, stream read: 1 CTA an SM, limited by the "
                                 "grid (then 8, by warps); 0.06 waves\n"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "baseline: kernels 5-7, stream read: 8 CTAs"));
    outcome = warpmem(folder, "check sequence.ini --set 'workload.sequence=a,b,a,b,a,b,a,b,a,b,a,"
                              "b,a,b,a'");
    ck_assert_ptr_nonnull(strstr(outcome.out, "kernel 24, stream"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "baseline: and 7 more kernels\n"));
    temporary_remove(folder);
}
END_TEST

/* A mesh's key beside a ring; of the ring's what one variant reads is no mistake. */
static const char ring[] = "[scenario]\ntitle = Ring\nextends = v100\nbaseline = no\n"
                           "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
                           "[network]\nconcentration = 1\nmesh_columns = 4\n"
                           "[workload]\npattern = stream\narray_bytes = 64 KiB\n"
                           "[variant ring]\nnetwork.topology = ring\n"
                           "[variant crossbar]\nnetwork.link_latency = 3 cycles\n";

static const struct {
    const char *setting, *message;
} misfits[] = {
    {"",
     "last.ini:9: kernel b.shared_bytes_per_cta = 100 KiB: kernel stream read: one CTA of 256 "
     "threads, 16 registers a thread and 102400 B of shared memory does not fit on an SM, which "
     "has 98304 B of shared memory (sm.shared_memory, first_level.carve_outs)\n"},
    {"--set 'kernel b.threads_per_cta=1024' --set sm.max_warps=16 "
     "--set 'kernel b.shared_bytes_per_cta=0B'",
     "--set: sm.max_warps = 16, with --set: kernel b.threads_per_cta = 1024: kernel stream read: "
     "one CTA of 1024 threads"},
    {"--set 'kernel b.shared_bytes_per_cta=0B' --set sm.registers=2048",
     "--set: sm.registers = 2048, with last.ini:4: kernel a.pattern = stream: kernel stream read: one CTA of 256 threads, 16 "
     "registers a thread and 0 B of shared memory does not fit on an SM, which has 2048 registers"},
    {"--set 'kernel a.array_bytes=64GiB'",
     "--set: kernel a.array_bytes = 64GiB: the arrays of kernel 'stream read' take 64 GiB, but"},
    {"--set dram.rows=1 --set machine.sms=1",
     "--set: dram.rows = 1, with last.ini:5: kernel a.array_bytes = 4 MiB: the arrays of kernel 'stream read' take 4 MiB"},
};

/* A list may be hours long before its last kernel. */
START_TEST(what_a_run_would_refuse_at_its_last_kernel_is_refused_at_once_with_its_place)
{
    static const char last[] = "[scenario]\nextends = v100\n[kernel a]\npattern = stream\n"
                               "array_bytes = 4 MiB\n[kernel b]\npattern = stream\n"
                               "array_bytes = 2 KiB\nshared_bytes_per_cta = 100 KiB\n"
                               "[workload]\nsequence = a, b\n";
    static const char *const commands[] = {"check", "run -o out"};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "last.ini", last);
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *line = g_strdup_printf("%s last.ini %s", commands[i], misfits[_i].setting);
        const Outcome outcome = warpmem(folder, line);
        g_autofree char *message = g_strconcat("warpmem: ", misfits[_i].message, NULL);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(g_str_has_prefix(outcome.errors, message), "%s", outcome.errors);
        ck_assert(!exists(folder, "out"));
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(a_file_without_a_workload_is_named)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "bare.ini", "[scenario]\nextends = v100\n");
    static const char *const commands[] = {"check bare.ini", "run bare.ini -o out", "why bare.ini",
                                           "timeline bare.ini -o t.json"};
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        const Outcome outcome = warpmem(folder, commands[i]);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(g_str_has_prefix(outcome.errors,
                                       "warpmem: bare.ini: workload.pattern is not set: there are"),
                      "%s", outcome.errors);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(of_two_keys_that_do_not_agree_the_later_one_is_named_first)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "check small.ini --set l2_slice.ways=7");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(g_str_has_prefix(outcome.errors, "warpmem: --set: l2_slice.ways = 7, with ")
                      && strstr(outcome.errors, "v100.ini:")
                      && strstr(outcome.errors, ": l2_slice.capacity = "),
                  "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_point_that_is_rejected_for_a_dimension_names_it_first)
{
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strconcat(small, "[l2_slice]\ncapacity = 96 KiB\n[study]\nl2_slice.ways = 16, 7\n", NULL);
    g_autofree char *file = temporary_file(folder, "study.ini", text);
    const Outcome outcome = warpmem(folder, "check study.ini");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_msg(strstr(outcome.errors, ": study.ini:19: l2_slice.ways = 7, with study.ini:17: "
                                         "l2_slice.capacity = 98304 B: not a whole"),
                  "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

/* The scenario names the list, the list a file, and that has the number. */
START_TEST(a_trace_that_does_not_fit_is_refused_with_its_file)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "trace.ini",
        "[scenario]\nextends = v100\n[workload]\npattern = trace\nfile = t/kernel-1.traceg\n");
    ck_assert_int_eq(warpmem(folder, "trace generate stream -o t --set array_bytes=2KiB").status,
                     0);
    const Outcome outcome = warpmem(folder, "check trace.ini --set sm.registers=2048");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, "t/kernel-1.traceg: kernel stream read: one CTA of 256"),
                  "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

/* Which has no L1. */
START_TEST(of_a_part_of_a_machine_the_rest_is_checked_as_well)
{
    char *folder = temporary_folder();
    g_autofree char *file =
        temporary_file(folder, "part.ini",
                       "[scenario]\nextends = v100\n[workload]\npattern = memory_traffic\n"
                       "[l1]\ntag_banks = 3\n");
    const Outcome outcome = warpmem(folder, "check part.ini");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_str_eq(outcome.errors, "warpmem: part.ini:6: l1.tag_banks = 3: not a power of two\n");
    temporary_remove(folder);
}
END_TEST

START_TEST(keys_that_no_variant_s_topology_reads_are_warned_of)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "ring.ini", ring);
    const Outcome outcome = warpmem(folder, "check ring.ini --set network.dies=3");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_msg(strstr(outcome.errors, "ring.ini:11: network.mesh_columns = 4: has no effect"),
                  "%s", outcome.errors);
    ck_assert_ptr_nonnull(
        strstr(outcome.errors, "ring.ini:18: network.link_latency = 3 cycles: has"));
    ck_assert_ptr_nonnull(strstr(outcome.errors, "--set: network.dies = 3: has no effect"));
    ck_assert_ptr_null(strstr(outcome.errors, "concentration"));
    temporary_remove(folder);
}
END_TEST

/* Units and channels that are not there, or are off, and rows with a condition. */
static const struct {
    const char *setting, *reason; /* NULL: it has an effect */
} what_ifs[] = {
    {"memory_cache.capacity = 4 MiB", "in a machine without memory_cache"},
    {"request_coalescer.entries = 4", "in a machine without request_coalescer"},
    {"half_link.bandwidth = 4 B/cycle", "in a machine without half_link"},
    {"router.arbitration = oldest_first", "in a machine without router"},
    {"flow_network.in_flight = 4", "in a machine without flow_network"},
    {"channels.switch_credit = 4 cycles", "in a machine without such a path"},
    {"coherence_monitor.enabled = no", NULL},
    {"crossbar.islip_iterations = 2", "unless crossbar.arbitration = islip"},
    {"paging.block_bytes = 4 MiB", "unless paging.mode = demand"},
    {"texture.capacity = 24 KiB", "unless texture.cache = own"},
    {"sm.shared_memory = 16 KiB", "unless first_level.array = 0 B"},
    {"access_scheduler.ecc_entries = 4", "unless dram.ecc = inline"},
    {"l1.tlb_hit_latency = 4 cycles", NULL},
    {"l1.candidates = 4", "unless l1.replacement = sampled_lru"},
    {"crossbar.queueing = fifo", NULL},
    {"machine.memory_caches = yes", NULL},
    {"l1.prt_entries = 8", NULL},
};

START_TEST(a_what_if_without_effect_is_told_by_check_and_run)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    static const char *const commands[] = {"check", "run -v baseline"};
    g_autofree char *warning =
        what_ifs[_i].reason ? g_strdup_printf("warpmem: warning: --set: %s: has no effect %s\n",
                                              what_ifs[_i].setting, what_ifs[_i].reason)
                            : g_strdup("");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *line =
            g_strdup_printf("%s small.ini --set '%s'", commands[i], what_ifs[_i].setting);
        const Outcome outcome = warpmem(folder, line);
        ck_assert_int_eq(outcome.status, 0);
        ck_assert_str_eq(outcome.errors, warning);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(a_condition_may_be_of_the_unit_that_an_output_leads_to)
{
    g_autofree char *condition = machine_condition("l1", "to_mmu.enabled = yes");
    ck_assert_str_eq(condition, "mmu.enabled = yes");
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome =
        warpmem(folder, "check small.ini --set mmu.enabled=no --set l1.tlb_entries=4");
    ck_assert_str_eq(outcome.errors, "warpmem: warning: --set: l1.tlb_entries = 4: has no effect "
                                     "unless mmu.enabled = yes\n");
    temporary_remove(folder);
}
END_TEST

START_TEST(so_do_why_and_timeline)
{
    static const char *const lines[] = {
        "why small.ini --layers 1 --runs 1 --set memory_cache.capacity='4 MiB'",
        "timeline small.ini --one-in 1000 -o t.json --set memory_cache.capacity='4 MiB'"};
    char *folder = temporary_folder_with_cache();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        const Outcome outcome = warpmem(folder, lines[i]);
        ck_assert_int_eq(outcome.status, 0);
        ck_assert_str_eq(outcome.errors, "warpmem: warning: --set: memory_cache.capacity = 4 MiB: "
                                         "has no effect in a machine without memory_cache\n");
    }
    temporary_remove(folder);
}
END_TEST

/* Without its values: any of them might mean something, beside any of the other dimensions'. */
START_TEST(a_dimension_without_effect_is_told_once_before_the_first_point)
{
    static const char warning[] = "warpmem: warning: study.ini:17: memory_cache.capacity: has no "
                                  "effect in a machine without memory_cache\n";
    static const struct {
        const char *line, *errors;
    } commands[] = {
        {"check study.ini", warning},
        {"study plan study.ini -n", warning},
        {"study run study.ini -o one", warning},
        {"study run study.ini -o one -q", ""},
        {"check study.ini --set study.machine.memory_caches=no,yes", ""},
        {"study plan small.ini -o two --set study.design=one_at_a_time", ""},
    };
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(small,
                                        "[study]\nmemory_cache.capacity = 1 MiB, 2 MiB\n"
                                        "l1.prt_entries = 8, 16\n",
                                        NULL);
    g_autofree char *file = temporary_file(folder, "study.ini", text),
                    *other = temporary_file(folder, "small.ini", small);
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        const Outcome outcome = warpmem(folder, commands[i].line);
        ck_assert_int_eq(outcome.status, 0);
        ck_assert_str_eq(outcome.errors, commands[i].errors);
    }
    temporary_remove(folder);
}
END_TEST

/* What one variant reads means something; whose machine is not run nobody has asked. */
START_TEST(what_a_variant_reads_is_not_warned_of)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(small,
                                        "[memory_cache]\nways = 8\n[rop]\n"
                                        "metadata_tiles = 32\n",
                                        NULL),
                    *other =
                        g_strconcat(text, "[variant cached]\nmachine.memory_caches = yes\n", NULL);
    g_autofree char *one = temporary_file(folder, "one.ini", text),
                    *two = temporary_file(folder, "two.ini", other);
    Outcome outcome = warpmem(folder, "run one.ini");
    ck_assert_msg(strstr(outcome.errors, "one.ini:17: memory_cache.ways = 8: has no effect in"),
                  "%s", outcome.errors);
    ck_assert_str_eq(warpmem(folder, "run one.ini -q").errors, "");
    ck_assert_str_eq(warpmem(folder, "run two.ini -v baseline").errors, "");
    outcome = warpmem(folder, "run two.ini");
    ck_assert_ptr_null(strstr(outcome.errors, "memory_cache"));
    ck_assert_ptr_nonnull(strstr(
        outcome.errors, "two.ini:19: rop.metadata_tiles = 32: has no effect unless rop.com"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("check");
    tcase_add_test(cases, kernels_that_an_earlier_variant_has_as_well_are_not_said_again);
    tcase_add_test(cases, a_few_ctas_more_than_fill_a_wave_are_told);
    tcase_add_test(cases, kernels_alike_that_follow_each_other_have_one_line);
    tcase_add_loop_test(
        cases, what_a_run_would_refuse_at_its_last_kernel_is_refused_at_once_with_its_place, 0,
        G_N_ELEMENTS(misfits));
    tcase_add_test(cases, a_file_without_a_workload_is_named);
    tcase_add_test(cases, of_two_keys_that_do_not_agree_the_later_one_is_named_first);
    tcase_add_test(cases, a_point_that_is_rejected_for_a_dimension_names_it_first);
    tcase_add_test(cases, a_trace_that_does_not_fit_is_refused_with_its_file);
    tcase_add_test(cases, of_a_part_of_a_machine_the_rest_is_checked_as_well);
    tcase_add_test(cases, keys_that_no_variant_s_topology_reads_are_warned_of);
    tcase_add_loop_test(cases, a_what_if_without_effect_is_told_by_check_and_run, 0,
                        G_N_ELEMENTS(what_ifs));
    tcase_add_test(cases, a_condition_may_be_of_the_unit_that_an_output_leads_to);
    tcase_add_test(cases, so_do_why_and_timeline);
    tcase_add_test(cases, a_dimension_without_effect_is_told_once_before_the_first_point);
    tcase_add_test(cases, what_a_variant_reads_is_not_warned_of);
    return harness_run_cases("check", cases);
}

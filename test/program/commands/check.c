/* What `check` says of each kernel. */
#include <string.h>

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

/* A list may be hours long before its last kernel. */
START_TEST(what_a_run_would_refuse_at_its_last_kernel_is_refused_at_once)
{
    static const char last[] = "\n[kernel b]\npattern = stream\narray_bytes = 2 KiB\n"
                               "shared_bytes_per_cta = 100 KiB\n";
    static const char *const lines[] = {"check last.ini", "run last.ini -o out"};
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strndup(sequence, (gsize)(strstr(sequence, "\n[kernel b]") - sequence));
    g_autofree char *all = g_strconcat(text, last, NULL);
    g_autofree char *file = temporary_file(folder, "last.ini", all);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        const Outcome outcome = warpmem(folder, lines[i]);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(strstr(outcome.errors, "warpmem: baseline: kernel stream"), "%s",
                      outcome.errors);
        ck_assert_msg(strstr(outcome.errors, "102400 B of shared memory does not fit on an SM, "
                                             "which has 98304 B of shared memory\n"),
                      "%s", outcome.errors);
    }
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

HARNESS_MAIN("check", kernels_that_an_earlier_variant_has_as_well_are_not_said_again,
             a_few_ctas_more_than_fill_a_wave_are_told,
             kernels_alike_that_follow_each_other_have_one_line,
             what_a_run_would_refuse_at_its_last_kernel_is_refused_at_once,
             keys_that_no_variant_s_topology_reads_are_warned_of)

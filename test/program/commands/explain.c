/* `explain`: every name that other commands print is known to it. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

static const struct {
    const char *name, *says;
} answers[] = {
    {"hbm3_6400", "(DRAM part)"},
    {"mmu.tlb_ports", "capacity: mmu.lookups_per_cycle, in look-ups"},
    {"l1", "one an SM, core clock, in the core: sm[..].l1"},
    {"l1", "mmu.from_l1"},
    {"l1.to_mmu", "channels.mmu_input_queue, which the sender knows of after channels.l1"},
    {"dram_gbps", "better: higher"},
    {"load_latency_p95", "in result.json: summary.load_latency_cycles.p95"},
    {"l1", "parameters"},
    {"l1.prt_entries", "allowed: whole number"},
    {"l1.prt_entries", "in component pending_request_table, perfect: >= 16384\n"},
    {"l1.prt_entries", "in what-ifs that double: twice the value\n"},
    {"dram.CL", "in component dram, perfect: 1 cycle\n  in what-ifs that double: half"},
    {"l1.capacity", "perfect: >= 4 MiB, where first_level.array = 0 B\n"},
    {"network.platform", "in component network, perfect: unset\n"},
    {"prt_entries", "l1.prt_entries (parameter)"},
    {"pending_request_table", "component of a machine"},
    {"sm.load_latency", "distribution of durations"},
    {"dram_bus", "stage of a request's latency"},
    {"replay", "bank conflicts, or refused by L1"},
    {"stream", "array_bytes"},
    {"workload.element_bytes", "strided.element_bytes (parameter)"},
    {"\"kernel main.pattern\"", "workload.pattern (parameter)"},
    {"v100", "NVIDIA Tesla V100"},
    {"quickstart", "Quickstart: a triad on a V100"},
    {"load_dram", "load_dram (class of requests)\n  loads that went to DRAM\n"},
    {"load_dram", "counted by: l1.stages_load_dram\n"},
    {"stages_load_dram", "l1.stages_load_dram (statistic)\n"},
};

START_TEST(a_name_is_explained)
{
    g_autofree char *arguments = g_strdup_printf("explain %s", answers[_i].name);
    const Outcome outcome = warpmem(NULL, arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", arguments, outcome.errors);
    ck_assert_msg(strstr(outcome.out, answers[_i].says) != NULL, "%s", outcome.out);
}
END_TEST

/* Whatever a run says of requests it says by class: none of these is unknown. */
START_TEST(every_class_of_requests_of_a_result_is_explained)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "small.ini",
        "[scenario]\nextends = v100\n[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
        "[workload]\npattern = stream\narray_bytes = 64 KiB\n");
    const Outcome run = warpmem(folder, "run small.ini -q -o out");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    JsonObject *stages = json_node_get_object(result_member(result, "stages"));
    g_autoptr(GList) classes = json_object_get_members(stages);
    ck_assert_uint_ge(g_list_length(classes), 10);
    for (const GList *name = classes; name; name = name->next) {
        g_autofree char *arguments = g_strdup_printf("explain %s", (const char *)name->data);
        const Outcome outcome = warpmem(folder, arguments);
        ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
        ck_assert_msg(strstr(outcome.out, "(class of requests)") != NULL, "%s", outcome.out);
    }
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("explain"), *repeating = tcase_create("answers");
    tcase_add_test(cases, every_class_of_requests_of_a_result_is_explained);
    tcase_add_loop_test(repeating, a_name_is_explained, 0, G_N_ELEMENTS(answers));
    return harness_run_repeating("explain", cases, repeating);
}

#include <inttypes.h>
#include <stdio.h>

#include "parts/sparse.h"
#include "platform/machine/machine.h"
#include "scenarios/program/command.h"
#include "scenarios/program/cost/storage.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/say/again.h"
#include "scenarios/program/say/facts.h"
#include "scenarios/program/say/launches.h"
#include "scenarios/program/say/unread.h"
#include "scenarios/program/study/plan/plan.h"

static bool seen_before(GHashTable *seen, const char *text)
{
    return !g_hash_table_add(seen, g_strdup(text));
}

/* Registers that do not suffice are no mistake, but nobody should have to guess at them. */
static void note_spills(const Variant *variant, const LaunchList *launches)
{
    for (guint i = 0; i < launches->kernels->len; i++) {
        const Kernel *kernel = launches->kernels->pdata[i];
        if (!kernel->spill_loads && !kernel->spill_stores) continue;
        printf("%s: kernel %s, %u registers: %" PRIu64 " spill loads and %" PRIu64
               " spill stores a thread\n",
               variant->name, kernel->name, kernel->registers_per_thread, kernel->spill_loads,
               kernel->spill_stores);
    }
}

/* "VARIANT: kernel NAME: triangles 2, quads 129600" */
static void note_facts(const Variant *variant, const LaunchList *launches)
{
    for (guint i = 0; i < launches->kernels->len; i++) {
        const Kernel *kernel = launches->kernels->pdata[i];
        if (!kernel->fact_count) continue;
        printf("%s: kernel %s", variant->name, kernel->name);
        for (uint32_t fact = 0; fact < kernel->fact_count; fact++)
            printf("%s %s %.6g", fact ? "," : ":", kernel->facts[fact].name,
                   kernel->facts[fact].value);
        printf("\n");
    }
}

typedef struct {
    GHashTable *said; /* warnings, and what machines are */
    GString *machines;
    bool stored; /* it has been said what one stores */
    Unread *unread;
} Checked;

static void checked_clear(Checked *checked)
{
    g_hash_table_unref(checked->said);
    g_string_free(checked->machines, TRUE);
    unread_free(checked->unread);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Checked, checked_clear)

/* "baseline: kernel 1, triad: 2 CTAs an SM, ..."; what an earlier variant has as well is its. */
static void describe_launches(const Variant *variant, const Machine *machine,
                              const LaunchList *launches, Checked *checked)
{
    g_autoptr(GPtrArray) lines = launches_describe(machine, launches);
    for (guint i = 0; i < lines->len; i++)
        if (!seen_before(checked->said, lines->pdata[i]))
            g_string_append_printf(checked->machines, "%s: %s\n", variant->name,
                                   (char *)lines->pdata[i]);
}

/* "baseline: SMs 80, core clock 1380 MHz, ..."; of a variant if no earlier one is the same in that. */
static void describe_machine(const Variant *variant, const Machine *machine, Checked *checked)
{
    g_autoptr(JsonNode) facts = facts_json(machine);
    g_autofree char *line = facts_line(facts);
    if (!seen_before(checked->said, line))
        g_string_append_printf(checked->machines, "%s: %s\n", variant->name, line);
}

/* "baseline: storage 41.2 MiB: sm.register_bits 20.0 MiB, ..."; of others, which are told apart by
 * it, the sum. */
static void describe_storage(const Variant *variant, const Machine *machine, Checked *checked)
{
    g_autoptr(JsonNode) storage = storage_json(machine);
    g_autofree char *sum = storage_line(storage, 0),
                    *line = storage_line(storage, checked->stored ? 0 : 4);
    checked->stored = true;
    if (!seen_before(checked->said, sum))
        g_string_append_printf(checked->machines, "%s: %s\n", variant->name, line);
}

/* "half: link reply-stop-* takes 12 links: ..." */
static void describe_links(const Variant *variant, const Machine *machine, Checked *checked)
{
    g_autoptr(GPtrArray) notes = machine_link_notes(machine);
    for (guint i = 0; i < notes->len; i++)
        if (!seen_before(checked->said, notes->pdata[i]))
            g_string_append_printf(checked->machines, "%s: %s\n", variant->name,
                                   (char *)notes->pdata[i]);
}

/* What stands in files of kernels and was changed, as far as their headers say. */
static void warn_of_input(const Variant *variant, const LaunchList *launches, Checked *checked)
{
    for (guint k = 0; k < launches->launches->len; k++) {
        const GPtrArray *notes = launch_list_at(launches, k)->kernel->notes;
        for (guint i = 0; notes && i < notes->len; i++) {
            const KernelNote *note = notes->pdata[i];
            if (note->kind == NOTE_WARNING && !seen_before(checked->said, note->name))
                fprintf(stderr, "warpmem: warning: %s: %s\n", variant->name, note->name);
        }
    }
}

static bool check_variant(const Variant *variant, Checked *checked, GError **error)
{
    LaunchList *launches =
        variant_check_names(variant, error) ? variant_build_launches(variant, error) : NULL;
    if (!launches) return false;
    note_spills(variant, launches);
    note_facts(variant, launches);
    warn_of_input(variant, launches, checked);
    g_autoptr(Machine) machine = variant_try(variant, launches, error);
    if (!machine) return false;
    describe_machine(variant, machine, checked);
    describe_storage(variant, machine, checked);
    describe_links(variant, machine, checked);
    if (machine_is_whole(machine)) describe_launches(variant, machine, launches, checked);
    unread_note(checked->unread, variant->configuration, machine);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    for (guint i = 0; i < warnings->len; i++)
        if (!seen_before(checked->said, warnings->pdata[i]))
            fprintf(stderr, "warpmem: warning: %s: %s\n", variant->name,
                    (char *)warnings->pdata[i]);
    return true;
}

/* A study's points are laid out as they would be planned. NULL with error. */
static Manifest *check_study(const char *path, const char *const *sets, Unread *unread,
                             GError **error)
{
    g_auto(PlanReport) report = {.unread = unread};
    Manifest *manifest = plan_new(path, sets, &report, error);
    if (manifest && report.rejected)
        fprintf(stderr,
                "warpmem: warning: study: the model rejects %u of %u points: point %u: %s\n",
                report.rejected, report.checked, report.first_rejected, report.reason);
    return manifest;
}

static void print_good(const Scenario *scenario)
{
    const guint first = scenario->template_only ? 1 : 0;
    printf("%s: good: %s", scenario->file, scenario->title);
    for (guint i = first; i < scenario->variants->len; i++)
        printf("%s%s", i > first ? ", " : "; ",
               ((const Variant *)scenario->variants->pdata[i])->name);
    printf("\n");
}

static void print_study(const char *path, char **sets, const Manifest *manifest)
{
    g_autofree char *text = plan_describe(manifest), *words = again_words_of(path, NULL, sets);
    printf("study: %s; to run it: warpmem study run %s -o DIR\n", text, words);
}

static Status reject(const KernelChoice *choice, GError *error)
{
    kernel_choice_name_error(choice, error);
    return command_reject("%s", error->message);
}

static Status check(const char *path, char **sets, const KernelChoice *choice)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = scenario_load(path, (const char *const *)sets, &error);
    g_auto(Checked) checked = {.said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                               .machines = g_string_new(NULL)};
    if (!scenario) return reject(choice, error);
    checked.unread = unread_new(scenario->file);
    for (guint i = scenario->template_only ? 1 : 0; i < scenario->variants->len; i++)
        if (!check_variant(scenario->variants->pdata[i], &checked, &error))
            return reject(choice, error);
    g_autoptr(Manifest) manifest = NULL;
    if (configuration_size(scenario->study)
        && !(manifest = check_study(path, (const char *const *)sets, checked.unread, &error)))
        return reject(choice, error);
    unread_warn(checked.unread);
    fputs(checked.machines->str, stdout);
    print_good(scenario);
    if (manifest) print_study(path, sets, manifest);
    return STATUS_DONE;
}

Status command_check(int argc, char **argv)
{
    g_auto(GStrv) sets = NULL;
    g_auto(KernelChoice) choice = {0};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        {"kernels", 0, 0, G_OPTION_ARG_STRING, &choice.kernels,
         "only these kernels, by the numbers they have without it: '3-7,9'", "LIST"},
        {"kernel", 0, 0, G_OPTION_ARG_STRING, &choice.name,
         "only kernels of this name, in which * stands for anything", "NAME"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "check SCENARIO [--set GROUP.KEY=VALUE]... [--kernels LIST]",
        .summary =
            "Validates every variant of a scenario, and its study, without running them, and warns about\n"
            "unlikely values. Says what each machine is: SMs, clock, caches, DRAM's channels and peak; and of\n"
            "each kernel how many CTAs an SM holds, what limits them, and in how many waves they come.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    kernel_choice_apply(&choice, &sets);
    sparse_prefer_large_pages();
    return check(argv[1], sets, &choice);
}

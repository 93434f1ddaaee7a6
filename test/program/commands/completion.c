/* What shells complete: bash really does, of zsh and fish the text is looked at. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/command.h"

static const char own[] = "[scenario]\nextends = v100\n[workload]\nsequence = hot\n"
                          "[kernel hot]\npattern = stream\n[variant wide]\nl1.ways = 8\n";

/* What stands on the line before the cursor, and the words for it; "..." at the end: the first of
 * them. */
static const struct {
    const char *typed, *words;
} lines[] = {
    {"r", "run report reference"},
    {"study p", "plan pareto perfect"},
    {"help stu", "study"},
    {"completion ", "bash zsh fish"},
    {"list par", "parts parameters"},
    {"run quick", "quickstart"},
    {"show v100-st", "v100-stream"},
    {"show gcn", "gcn-latency gcn-ring gcn"},
    {"validate v1", "v100"},
    {"why quickstart --la", "--layers"},
    {"study export s --s", "--stages"},
    {"study export s --format ", "csv json"},
    {"study define s --better l", "lower"},
    {"study plan x --design one", "one_at_a_time"},
    {"study pareto s --on dram_g", "dram_gbps"},
    {"compare a --fail-over dram_g", "dram_gbps="},
    {"run quickstart --variant ", "baseline dram-1100MHz l2-24MiB prt-64"},
    {"run quickstart -v p", "prt-64"},
    {"run own.ini --variant ", "wide"},
    {"check own.ini --kernel=", "hot"},
    {"run quickstart --set l1.way", "l1.way_select= l1.ways="},
    {"run quickstart --set=l1.way_", "l1.way_select="},
    {"run quickstart --set l1.replacement=l", "lru"},
    {"run quickstart --set=l1.replacement=l", "lru"},
    {"run quickstart --set 'l1.replacement=l", "l1.replacement=lru"},
    {"run quickstart -s workload.pattern=st", "stream strided"},
    {"run quickstart -s workload.operation=tr", "triad"},
    {"run quickstart -s scenario.extends=v", "v100"},
    {"run quickstart -s dram.part=hbm2_v", "hbm2_v100"},
    {"run quickstart -s study.design=m", "morris"},
    {"run quickstart --jobs ", ""},
    {"trace generate tr", "triad"},
    {"explain l1.prt_e", "l1.prt_entries"},
    {"explain pending_request", "pending_request_table"},
    {"nonsense ", ""},
    {"study nonsense x", ""},
    {"run $(exit 3) `x` 'y --set ", "..."},
};

static const char script[] = "source <(\"$0\" completion bash)\n"
                             "while read -r COMP_LINE; do\n"
                             "    COMP_LINE=\"warpmem ${COMP_LINE%.}\"\n"
                             "    COMP_POINT=${#COMP_LINE}\n"
                             "    _warpmem\n"
                             "    echo \"${COMPREPLY[*]}\"\n"
                             "done < typed\n";

START_TEST(bash_completes_what_is_typed)
{
    char *folder = temporary_folder();
    g_autoptr(GString) typed = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        g_string_append_printf(typed, "%s.\n",
                               lines[i].typed); /* `read` leaves no space at an end */
    g_free(temporary_file(folder, "typed", typed->str));
    g_free(temporary_file(folder, "own.ini", own));
    g_autofree char *name = g_strdup(program());
    char *words[] = {"bash", "-c", (char *)script, name, NULL};
    const Outcome outcome = run_words(words, folder);
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_str_eq(outcome.errors, "");
    g_auto(GStrv) answers = g_strsplit(outcome.out, "\n", -1);
    ck_assert_uint_eq(g_strv_length(answers), G_N_ELEMENTS(lines) + 1);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        if (strcmp(lines[i].words, "...") != 0)
            ck_assert_msg(!strcmp(answers[i], lines[i].words), "'%s': '%s', not '%s'",
                          lines[i].typed, answers[i], lines[i].words);
    temporary_remove(folder);
}
END_TEST

/* A rule as its shell reads it. */
static const struct {
    const char *shell, *part;
} rules[] = {
    {"zsh", "#compdef warpmem\n"},
    {"zsh", "\n_warpmem_at_study_export()\n{\n    rest='files'\n    arguments=(\n"},
    {"zsh",
     "        --stages'[''CSV of the time that each request class spent in each stage, in fs'']'\n"},
    {"zsh",
     "        \\*--set='[''a setting over all others; may be repeated'']: :_warpmem_take settings'\n"},
    {"zsh", "validate:'published benchmarks against the presets\\: error of each curve'\n"},
    {"fish",
     "\ncomplete -c warpmem -n '__warpmem_at study' -a merge -d 'make the study\\'s database "},
    {"fish",
     "\ncomplete -c warpmem -n '__warpmem_at --in study export' -l format -r -f -a 'csv json' -d "},
    {"fish",
     "\ncomplete -c warpmem -n '__warpmem_at --in show' -f -a '(__warpmem_list_presets)'\n"},
};

static const char *const shells[] = {"bash", "zsh", "fish"};

/* Whatever help has the scripts have: they come from the same tables. */
START_TEST(a_script_has_all_commands_options_and_names)
{
    static const char *const parts[] = {"fail-over", "memory-limit", "quickstart/prt-64",
                                        "l1.replacement=lru", "five-kernels/gather"};
    g_autofree char *arguments = g_strconcat("completion ", shells[_i], NULL);
    const Outcome outcome = warpmem(NULL, arguments);
    ck_assert_int_eq(outcome.status, 0);
    for (const Command *command = command_table(); command->name; command++)
        ck_assert_msg(strstr(outcome.out, command->name) != NULL, "%s", command->name);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        ck_assert_msg(strstr(outcome.out, parts[i]) != NULL, "%s: %s", shells[_i], parts[i]);
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
        if (!strcmp(rules[i].shell, shells[_i]))
            ck_assert_msg(strstr(outcome.out, rules[i].part) != NULL, "%s", rules[i].part);
}
END_TEST

/* As troff reads it, made like the scripts. */
START_TEST(the_manual_page_has_what_help_says)
{
    static const char *const parts[] = {
        ".TH WARPMEM 1\n", ".SS study export\n.B study export DIR [\\-\\-format csv|json]",
        ".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIDIR\\fR\n",
        ".TP\n2  \nbad usage or bad input, or output that could not be written\n"};
    const Outcome outcome = warpmem(NULL, "reference --man");
    ck_assert_int_eq(outcome.status, 0);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        ck_assert_msg(strstr(outcome.out, parts[i]) != NULL, "no %s", parts[i]);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("completion"), *repeating = tcase_create("shells");
    tcase_add_test(cases, bash_completes_what_is_typed);
    tcase_add_test(cases, the_manual_page_has_what_help_says);
    tcase_add_loop_test(repeating, a_script_has_all_commands_options_and_names, 0,
                        G_N_ELEMENTS(shells));
    return harness_run_repeating("completion", cases, repeating);
}

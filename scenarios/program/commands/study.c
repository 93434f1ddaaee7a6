#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/verbs/verbs.h"

/* NULL-terminated by name. */
static const Command *study_verbs(void)
{
    static const Command verbs[] = {
        {"plan", "SCENARIO -o DIR", "lay out the points of a scenario's [study]", verb_plan},
        {"run", "DIR", "run the points that are not recorded yet", verb_run},
        {"status", "DIR", "how far a study is, what failed and why", verb_status},
        {"merge", "DIR", "make the study's database of what has been run", verb_merge},
        {"define", "DIR NAME EXPRESSION", "make a result of those that were recorded", verb_define},
        {"export", "DIR", "write the points as CSV or JSON", verb_export},
        {"sensitivity", "DIR [--on RESULT]", "rank the dimensions by their effect",
         verb_sensitivity},
        {"knees", "DIR [--on RESULT]", "from which values on a result gains little", verb_knees},
        {"inert", "DIR [--below SHARE]", "dimensions without effect", verb_inert},
        {"pareto", "DIR --on A --on B", "the best compromises of two results", verb_pareto},
        {"curve", "DIR", "loaded-latency curves: offered load against latency and bandwidth",
         verb_curve},
        {"perfect", "DIR", "what each component costs a run at most", verb_perfect},
        {NULL, NULL, NULL, NULL},
    };
    return verbs;
}

static void print_help(FILE *out)
{
    fprintf(out, "Usage: warpmem study VERB ...\n\n"
                 "Runs many points of a scenario with a [study] group, and says what they mean.\n\n"
                 "Verbs:\n");
    for (const Command *verb = study_verbs(); verb->name; verb++)
        fprintf(out, "  %-11s %-19s %s\n", verb->name, verb->usage, verb->summary);
    fprintf(out, "\n  warpmem study VERB --help     options of a verb\n"
                 "  warpmem study run SCENARIO -o DIR     plan and run in one go\n");
}

static Status reject_verb(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Command *verb = study_verbs(); verb->name; verb++)
        g_ptr_array_add(names, (gpointer)verb->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    if (near) return command_reject("study %s: no such verb; did you mean '%s'?", name, near);
    return command_reject("study %s: no such verb; there are %s", name, all);
}

Status command_study(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (completion_answer_verbs("study", study_verbs(), argc, argv)) return STATUS_DONE;
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
        print_help(stdout);
        return STATUS_DONE;
    }
    if (argc < 2) {
        print_help(stderr);
        return STATUS_BAD_INPUT;
    }
    for (const Command *verb = study_verbs(); verb->name; verb++)
        if (!strcmp(verb->name, word)) return verb->run(argc - 1, argv + 1);
    return reject_verb(word);
}

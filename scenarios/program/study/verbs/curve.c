#include "scenarios/program/study/answers/curve.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/verbs/verbs.h"

static Status print_curves(const char *directory, const Answer *answer)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3) database = database_open(directory, &error);
    g_autoptr(StudyData) data = database ? study_data_read(database, &error) : NULL;
    g_autoptr(CurveSet) set = data ? curve_set_new(data, answer->by, &error) : NULL;
    if (!set) return command_reject("study curve %s: %s", directory, error->message);
    if (answer->form == FORM_TEXT) curve_set_print(set, stdout);
    if (answer->form == FORM_CSV) curve_set_print_csv(set, stdout);
    if (answer->form != FORM_JSON) return STATUS_DONE;
    g_autoptr(JsonNode) node = curve_set_json(set);
    g_autofree char *text = json_text(node);
    fputs(text, stdout);
    return STATUS_DONE;
}

Status verb_curve(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    const GOptionEntry entries[] = {
        {"by", 0, 0, G_OPTION_ARG_STRING, &answer.by,
         "a curve for each value of this dimension; without it, of all but the load", "DIMENSION"},
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage = "study curve DIR [--by DIMENSION] [--json | --csv]",
        .summary =
            "Loaded-latency curves: offered load against the bandwidth that is achieved and the latency\n"
            "that a probe measures, the unloaded latency, the bandwidth at saturation, and the load at\n"
            "which latency has doubled.",
        .description =
            "The study's workload has pattern offered_load, and its load is a dimension.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    return answer_parse(&answer, &line, &argc, &argv, &status) ? print_curves(argv[1], &answer)
                                                               : status;
}

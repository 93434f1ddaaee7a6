#include <string.h>

#include "scenarios/program/say/output_option.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/table/export.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    char *format, *file;
    gboolean stages;
} Options;

/* What the file's name ends with, if nothing else is said. */
static const char *find_format(const Options *options)
{
    const char *point = options->file ? strrchr(options->file, '.') : NULL;
    if (options->format) return options->format;
    return point && !strchr(point, '/') ? point + 1 : "csv";
}

/* NULL, after a message: there is no such thing. */
static ExportWriter choose_writer(const Options *options)
{
    const char *format = find_format(options);
    const bool json = !g_ascii_strcasecmp(format, "json");
    if (!g_ascii_strcasecmp(format, "csv")) return options->stages ? export_stages_csv : export_csv;
    if (json && !options->stages) return export_json;
    if (json)
        command_reject("--stages: JSON has the stages of each point already");
    else if (options->format)
        command_reject("--format %s: there are csv and json", format);
    else
        command_reject("-o %s: its name does not end with .csv or .json; --format says which it is",
                       options->file);
    return NULL;
}

static bool write_export(sqlite3 *database, ExportWriter write, const char *path, GError **error)
{
    g_autoptr(OutputFile) file = output_option_open(path, error);
    return file && write(database, output_file_stream(file), error)
           && output_option_publish(file, path, error);
}

static Status export_study(const char *directory, const Options *options)
{
    g_autoptr(GError) error = NULL;
    const ExportWriter write = choose_writer(options);
    if (!write) return STATUS_BAD_INPUT;
    g_autoptr(sqlite3) database = database_open_as_written(directory, &error);
    if (database && write_export(database, write, options->file ? options->file : "-", &error))
        return STATUS_DONE;
    return command_reject("%s", error->message);
}

Status verb_export(int argc, char **argv)
{
    Options options = {NULL, NULL, FALSE};
    const GOptionEntry entries[] = {
        {"format", 0, 0, G_OPTION_ARG_STRING, &options.format,
         "csv or json; without it what FILE ends with, or csv", "FORMAT"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.file,
         "write into a file, complete or not at all, instead of the terminal", "FILE"},
        {"stages", 0, 0, G_OPTION_ARG_NONE, &options.stages,
         "CSV of the time that each request class spent in each stage, in fs", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study export DIR [--format csv|json] [--stages] [-o FILE]",
        .summary = "Writes all points of a study with their values and results, a row each, in "
                   "the plan's order.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    const bool good = command_parse(&line, &argc, &argv, &status);
    if (good) status = export_study(argv[1], &options);
    g_free(options.format);
    g_free(options.file);
    return status;
}

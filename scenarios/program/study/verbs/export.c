#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/program/study/table/export.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    char *format, *file;
    gboolean stages;
} Options;

static bool reject(const char *path, int code, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "-o %s: cannot be written: %s", path, g_strerror(code));
    return false;
}

/* --- where it goes ---------------------------------------------------------------------------- */

typedef struct {
    const MergedStudy *study;
    ExportWriter write;
    const char *path; /* for messages */
} Export;

/* Closes `out`. */
static bool write_all(const Export *export, FILE *out, GError **error)
{
    GError *cause = NULL;
    bool good = export->write(export->study, out, &cause);
    bool written = fflush(out) == 0 && !ferror(out);
    int code = errno;
    if (fclose(out) && written) { /* a network file system may say only now that it is full */
        written = false;
        code = errno;
    }
    if (cause) g_propagate_error(error, cause);
    return good && (written || reject(export->path, code, error));
}

/* What is no file, such as a pipe. */
static bool write_in_place(const Export *export, GError **error)
{
    FILE *out = fopen(export->path, "w");
    return out ? write_all(export, out, error) : reject(export->path, errno, error);
}

static bool write_file(const Export *export, GError **error)
{
    g_autofree char *temporary = g_strconcat(export->path, ".XXXXXX", NULL);
    const int file = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) return reject(export->path, errno, error);
    const bool good =
        write_all(export, fdopen(file, "w"), error)
        && (g_rename(temporary, export->path) == 0 || reject(export->path, errno, error));
    if (!good) g_unlink(temporary);
    return good;
}

static bool write_export(const Export *export, GError **error)
{
    if (!strcmp(export->path, "-")) return write_all(export, stdout, error);
    const bool special = g_file_test(export->path, G_FILE_TEST_EXISTS)
                         && !g_file_test(export->path, G_FILE_TEST_IS_REGULAR);
    return special ? write_in_place(export, error) : write_file(export, error);
}

/* --- what it is ------------------------------------------------------------------------------- */

/* NULL, after a message: there is no such thing. */
static ExportWriter choose_writer(const Options *options)
{
    const char *format = options->format ? options->format : "csv";
    if (!options->format && options->file && g_str_has_suffix(options->file, ".json"))
        format = "json";
    if (!strcmp(format, "csv")) return options->stages ? export_stages_csv : export_csv;
    if (!strcmp(format, "json") && !options->stages) return export_json;
    if (!strcmp(format, "json"))
        command_reject("--stages: JSON has the stages of each point already");
    else
        command_reject("--format %s: there are csv and json", format);
    return NULL;
}

static Status export_study(const char *directory, const Options *options)
{
    g_autoptr(GError) error = NULL;
    const ExportWriter write = choose_writer(options);
    if (!write) return STATUS_BAD_INPUT;
    g_autoptr(MergedStudy) study = merged_study_read(directory, &error);
    const Export export = {study, write, options->file ? options->file : "-"};
    if (study && write_export(&export, &error)) return STATUS_DONE;
    return command_reject("%s", error->message);
}

Status verb_export(int argc, char **argv)
{
    Options options = {NULL, NULL, FALSE};
    const GOptionEntry entries[] = {
        {"format", 0, 0, G_OPTION_ARG_STRING, &options.format,
         "csv, or json, the default for a FILE that ends so", "FORMAT"},
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

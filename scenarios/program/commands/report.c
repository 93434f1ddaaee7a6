#include <stdio.h>
#include <string.h>

#include "scenarios/program/command.h"
#include "scenarios/program/compare/choose.h"
#include "scenarios/program/compare/complete.h"
#include "scenarios/program/compare/list.h"
#include "scenarios/program/report/pages.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/output_option.h"
#include "scenarios/program/study/plan/manifest.h"

typedef struct {
    char *output; /* NULL: report.html in the first folder */
    char *data;   /* folder of CSV files, or NULL */
    gboolean json;
    KernelChoice choice;
} Options;

/* What the letters of labels stand for. */
static void lead_letters(Document *document, const GPtrArray *results, char **paths)
{
    g_autofree char *legend = result_list_legend(results, paths);
    if (!legend) return;
    g_auto(GStrv) lines = g_strsplit(g_strstrip(legend), "\n  ", -1);
    g_autofree char *text = g_strjoinv("; ", lines);
    document_lead(document, "Results of", text);
}

static Document *read_results(char **paths, int count, const KernelChoice *choice, GError **error)
{
    g_autoptr(GPtrArray) results = result_list_read(paths, count, error);
    if (!results) return NULL;
    kernels_complete(results, choice->kernels);
    if (!kernels_choose(results, choice, error)) return NULL;
    if (results->len == 1) return run_page(results->pdata[0]);
    g_autoptr(GPtrArray) labels = result_list_labels(results);
    Document *document = comparison_page((JsonNode *const *)results->pdata,
                                         (const char *const *)labels->pdata, results->len);
    lead_letters(document, results, paths);
    return document;
}

static Document *read_document(char **paths, int count, const KernelChoice *choice, GError **error)
{
    if (!manifest_exists(paths[0])) return read_results(paths, count, choice, error);
    if (choice->kernels || choice->name) {
        g_set_error(error, RESULT_ERROR, 0, "--%s: chooses kernels of results, and %s is a study",
                    choice->kernels ? "kernels" : "kernel", paths[0]);
        return NULL;
    }
    if (count == 1) return study_page(paths[0], error);
    g_set_error(error, RESULT_ERROR, 0, "%s: a study has a report of its own; one at a time",
                paths[0]);
    return NULL;
}

/* Beside the result, or in the folder that was named. */
static char *default_output(const char *path)
{
    g_autofree char *folder =
        g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strdup(path) : g_path_get_dirname(path);
    return g_build_filename(folder, "report.html", NULL);
}

static bool write_page(const Document *document, const char *file, GError **error)
{
    g_autofree char *html = document_html(document);
    g_autoptr(GString) text = g_string_new(html);
    if (!output_option_write(file, text, error)) return false;
    if (strcmp(file, "-") != 0) printf("%s: %.1f MB\n", file, (double)text->len / 1e6);
    return true;
}

static void print_json(const Document *document)
{
    g_autoptr(JsonNode) node = document_json(document);
    g_autofree char *text = json_text(node);
    fputs(text, stdout);
}

static bool write_data(const Document *document, const char *folder, GError **error)
{
    return !folder || document_write_data(document, folder, error);
}

static Status report(char **paths, int count, const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (options->json && options->output)
        return command_reject("--json: goes to standard output, and -o %s names the file of a page",
                              options->output);
    g_autoptr(Document) document = read_document(paths, count, &options->choice, &error);
    if (!document) return command_reject("%s", error->message);
    g_autofree char *file = options->output ? g_strdup(options->output) : default_output(paths[0]);
    if (!options->json && !output_option_check(file, &error))
        return command_reject("%s", error->message);
    if (!write_data(document, options->data, &error)) return command_reject("%s", error->message);
    if (options->json) {
        print_json(document);
        return STATUS_DONE;
    }
    return write_page(document, file, &error) ? STATUS_DONE : command_reject("%s", error->message);
}

Status command_report(int argc, char **argv)
{
    Options options = {0};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "write the page to FILE (default: report.html beside the first result)", "FILE"},
        {"data", 0, 0, G_OPTION_ARG_FILENAME, &options.data,
         "also write what each figure shows to DIR, as CSV", "DIR"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json,
         "print the report as JSON instead of writing a page", NULL},
        KERNEL_OPTIONS_OF_RESULTS(options.choice),
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "report RESULT... | STUDY [-o FILE] [--data DIR] [--json] [--kernel NAME]",
        .summary =
            "Writes one self-contained HTML page: of a run, of a comparison with the first of several results,\n"
            "or of a study.",
        .description =
            "RESULT is a result.json, a folder with one, or a folder of variants as 'run -o' leaves them;\n"
            "STUDY is the folder of a study.",
        .entries = entries,
        .least = 1,
        .most = 1000,
    };
    Status status;
    const bool good = command_parse(&line, &argc, &argv, &status);
    if (good) status = report(argv + 1, argc - 1, &options);
    g_free(options.output);
    g_free(options.data);
    kernel_choice_finish(&options.choice);
    return status;
}

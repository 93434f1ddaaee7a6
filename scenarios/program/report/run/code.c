/* Latency and traffic by instruction and by array. */
#include "scenarios/program/report/run/page.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* Bars that are drawn; the table has all rows. */
enum { BARS = 16 };

/* "load global at 0x30, line 12 of stream triad"; of one kernel alone the name says nothing. */
static char *instruction_label(JsonNode *row, gboolean kernels)
{
    if (result_member(row, "others")) return g_strdup("all others");
    const double line = result_number(row, "source_line");
    g_autofree char *source = line > 0 ? g_strdup_printf(", line %.0f", line) : g_strdup("");
    g_autofree char *pc = data_address(row, "pc");
    return g_strdup_printf("%s %s at %s%s%s%s", data_word(row, "operation"),
                           data_word(row, "space"), pc ? pc : "?", source, kernels ? " of " : "",
                           kernels ? data_word(row, "kernel") : "");
}

static char *array_label(JsonNode *row, gboolean kernels)
{
    (void)kernels;
    const char *name = result_text(row, "name");
    return g_strdup(name && *name ? name : "in no array");
}

static double sum_latency(JsonArray *rows)
{
    double sum = 0;
    for (guint i = 0; i < result_length(rows); i++)
        sum += result_number(data_element(rows, i), "latency");
    return sum;
}

/* --- by stages -------------------------------------------------------------------------------- */

typedef char *(*Label)(JsonNode *row, gboolean kernels);

static gboolean has_several_kernels(JsonArray *rows)
{
    const char *first = NULL;
    for (guint i = 0; i < result_length(rows); i++) {
        const char *kernel = result_text(data_element(rows, i), "kernel");
        if (kernel && first && strcmp(kernel, first) != 0) return TRUE;
        if (!first) first = kernel;
    }
    return FALSE;
}

static int compare_latencies(gconstpointer a, gconstpointer b)
{
    const double x = result_number(*(JsonNode *const *)a, "latency");
    const double y = result_number(*(JsonNode *const *)b, "latency");
    return (x < y) - (x > y);
}

/* By summed latency, highest first; of JsonNode, borrowed. */
static GPtrArray *sort_rows(JsonArray *rows)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (guint i = 0; i < result_length(rows); i++) g_ptr_array_add(sorted, data_element(rows, i));
    g_ptr_array_sort(sorted, compare_latencies);
    return sorted;
}

static Figure *stages_of(const char *topic, JsonArray *rows, Label label)
{
    Figure *figure = figure_new(topic, NULL);
    g_autoptr(GPtrArray) sorted = sort_rows(rows);
    const gboolean kernels = has_several_kernels(rows);
    const guint shown = MIN(sorted->len, BARS);
    const double all = sum_latency(rows);
    StageColumns stages = {.member = "stages"};
    if (!(all > 0)) return figure;
    for (guint i = 0; i < shown; i++) stage_columns_count(&stages, sorted->pdata[i]);
    figure_column(figure, "requests of", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (stages.any[stage]) figure_column(figure, stage_name((Stage)stage), "%");
    figure_axis(figure, FIGURE_X, "share of all latency", "%", FALSE);
    for (guint i = 0; i < shown; i++) {
        g_autofree char *name = label(sorted->pdata[i], kernels);
        figure_row(figure);
        figure_text(figure, name);
        for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
            if (stages.any[stage])
                figure_number(figure,
                              data_percent(stage_of(&stages, sorted->pdata[i], (Stage)stage), all));
    }
    if (sorted->len > shown)
        figure_note(figure, "The first %u of %u; the table has all.", shown, sorted->len);
    return figure;
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *member;
    gboolean seldom; /* left out where it has served nothing */
} servers[] = {{"L1", "l1", FALSE},
               {"merged", "prt", FALSE},
               {"shared L1", "shared_l1", TRUE},
               {"L2", "l2", FALSE},
               {"memory-side cache", "memory_cache", TRUE},
               {"DRAM", "dram", FALSE}};

static gboolean is_shown(guint server, JsonArray *rows)
{
    gboolean any = !servers[server].seldom;
    for (guint i = 0; i < result_length(rows); i++)
        any |= result_number(data_element(rows, i), servers[server].member) > 0;
    return any;
}

static void add_shared_columns(Figure *figure, JsonArray *rows)
{
    figure_column(figure, "share of all latency", "%");
    figure_column(figure, "requests", NULL);
    figure_column(figure, "bytes", "B");
    figure_column(figure, "mean", "ns");
    figure_column(figure, "max", "ns");
    for (guint i = 0; i < G_N_ELEMENTS(servers); i++)
        if (is_shown(i, rows)) figure_column(figure, servers[i].name, "%");
    figure_column(figure, "longest stage", NULL);
    figure_column(figure, "its share", "%");
}

static void add_longest(Figure *figure, JsonNode *row)
{
    const StageColumns inner = {.member = "stages"};
    const Stage longest = stage_longest(row);
    figure_text(figure, longest == STAGE_COUNT ? NULL : stage_name(longest));
    figure_number(figure, longest == STAGE_COUNT ? NAN
                                                 : data_percent(stage_of(&inner, row, longest),
                                                                result_number(row, "latency")));
}

/* Of one of these rows; of one that it has not served a server has no number. */
static void add_shared_cells(Figure *figure, JsonArray *rows, JsonNode *row, double all)
{
    const double requests = result_number(row, "requests"), latency = result_number(row, "latency");
    figure_number(figure, data_percent(latency, all));
    figure_count(figure, requests);
    figure_count(figure, result_number(row, "bytes"));
    figure_number(figure, latency / requests * NS_OF_FS);
    figure_number(figure, result_number(row, "max") * NS_OF_FS);
    for (guint i = 0; i < G_N_ELEMENTS(servers); i++)
        if (is_shown(i, rows))
            figure_number(
                figure,
                data_percent(number_or_zero(result_number(row, servers[i].member)), requests));
    add_longest(figure, row);
}

static gboolean any_line(JsonArray *rows)
{
    for (guint i = 0; i < result_length(rows); i++)
        if (result_number(data_element(rows, i), "source_line") > 0) return TRUE;
    return FALSE;
}

static void add_instruction(Figure *figure, JsonNode *row, gboolean lines)
{
    const gboolean others = result_member(row, "others") != NULL;
    const double line = result_number(row, "source_line");
    g_autofree char *address = data_address(row, "pc");
    g_autofree char *operation =
        g_strdup_printf("%s %s", data_word(row, "operation"), data_word(row, "space"));
    figure_row(figure);
    figure_text(figure, others ? "all others" : result_text(row, "kernel"));
    figure_text(figure, others ? NULL : address);
    if (lines) figure_number(figure, line > 0 ? line : NAN);
    figure_text(figure, others ? NULL : operation);
}

static Figure *instruction_latency(JsonArray *rows)
{
    Figure *figure = figure_new("instruction_latency", NULL);
    const gboolean lines = any_line(rows);
    const double all = sum_latency(rows);
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "pc", NULL);
    if (lines) figure_column(figure, "source line", NULL);
    figure_column(figure, "operation", NULL);
    add_shared_columns(figure, rows);
    for (guint i = 0; i < result_length(rows); i++) {
        add_instruction(figure, data_element(rows, i), lines);
        add_shared_cells(figure, rows, data_element(rows, i), all);
    }
    return figure;
}

static Figure *array_latency(JsonArray *rows)
{
    Figure *figure = figure_new("array_latency", NULL);
    const double all = sum_latency(rows);
    figure_column(figure, "array", NULL);
    figure_column(figure, "address", NULL);
    figure_column(figure, "size", "B");
    figure_column(figure, "reads", NULL);
    figure_column(figure, "writes", NULL);
    figure_column(figure, "atomics", NULL);
    add_shared_columns(figure, rows);
    for (guint i = 0; i < result_length(rows); i++) {
        JsonNode *row = data_element(rows, i);
        g_autofree char *name = array_label(row, FALSE);
        figure_row(figure);
        figure_text(figure, name);
        figure_text(figure, result_text(row, "address"));
        figure_count(figure, result_number(row, "size")); /* requests in no array have none */
        figure_count(figure, result_number(row, "reads"));
        figure_count(figure, result_number(row, "writes"));
        figure_count(figure, result_number(row, "atomics"));
        add_shared_cells(figure, rows, row, all);
    }
    return figure;
}

void run_code(Document *document, JsonNode *result)
{
    JsonArray *instructions = result_array(result, "profile.instructions");
    JsonArray *arrays = result_array(result, "profile.arrays");
    document_section(document, "code", "By instruction and array", NULL);
    document_add(document, stages_of("instruction_stages", instructions, instruction_label));
    document_add(document, instruction_latency(instructions));
    document_add(document, stages_of("array_stages", arrays, array_label));
    document_add(document, array_latency(arrays));
}

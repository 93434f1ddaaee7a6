/* The kernels of a run side by side; each row opens what its kernel was bound by. */
#include "scenarios/program/report/run/page.h"

#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/pressure.h"

/* --- the table -------------------------------------------------------------------------------- */

/* Of each cache that summaries tell of. */
static void add_caches(Figure *figure, JsonNode *kernel)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(member), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(member), NULL)) {
            g_autofree char *member = g_strconcat(stat->member, "_hit_rate", NULL);
            g_autofree char *title = g_strdup_printf(
                "%.*s hits", (int)strcspn(stat->accesses_of, ","), stat->accesses_of);
            if (kernel)
                figure_number(figure, result_number(kernel, member) * 100);
            else
                figure_column(figure, title, "%");
        }
    }
}

static void add_columns(Figure *figure, const char *number)
{
    figure_column(figure, "kernel", NULL);
    figure_column(figure, number, NULL);
    figure_column(figure, "time", "us");
    figure_column(figure, "share", "%");
    figure_column(figure, "bound by", NULL);
    figure_column(figure, "requested", "GB/s");
    figure_column(figure, "DRAM", "GB/s");
    add_caches(figure, NULL);
    figure_column(figure, "instructions a cycle", NULL);
}

static void add_kernel(Figure *figure, JsonNode *kernel, const char *name, const char *number)
{
    figure_row(figure);
    figure_text(figure, name);
    figure_count(figure, result_number(kernel, number));
    figure_number(figure, result_number(kernel, "time_ns") * 1e-3);
    figure_number(figure, result_number(kernel, "time_share") * 100);
    figure_text(figure, result_text(kernel, "bound"));
    figure_number(figure, result_number(kernel, "requested_gbps"));
    figure_number(figure, result_number(kernel, "dram_gbps"));
    add_caches(figure, kernel);
    figure_number(figure, result_number(kernel, "instructions_per_cycle"));
}

/* --- what a row opens ------------------------------------------------------------------------- */

/* Less is not worth a row. */
static const double WORTH_SHOWING = 0.02;

static void add_resource(Figure *figure, const Pressure *pressure)
{
    if (pressure_strain(pressure) < WORTH_SHOWING) return;
    figure_row(figure);
    figure_text(figure, pressure->name);
    figure_text(figure, pressure->title);
    figure_number(figure, pressure->use * 100);
    figure_number(figure, pressure->full * 100);
    figure_count(figure, pressure->refused);
    figure_text(figure, pressure->busiest);
    figure_number(figure, pressure->most_use * 100);
}

static Figure *resources(JsonNode *kernel, const char *qualifier)
{
    Figure *figure = figure_new("kernel_resources", qualifier);
    g_autoptr(GPtrArray) list = pressure_list(kernel);
    figure_column(figure, "resource", NULL);
    figure_column(figure, "what it is", NULL);
    figure_column(figure, "used", "%");
    figure_column(figure, "full", "%");
    figure_column(figure, "refused", NULL);
    figure_column(figure, "busiest", NULL);
    figure_column(figure, "it used", "%");
    figure_note(figure, "%s.", result_text(kernel, "verdict"));
    for (guint i = 0; i < list->len; i++) add_resource(figure, list->pdata[i]);
    return figure;
}

static void add_class(Figure *figure, const char *name, JsonNode *sums)
{
    const double latency = result_number(sums, "latency"), count = result_number(sums, "count");
    for (Stage stage = 0; stage < STAGE_COUNT; stage++) {
        const double time = result_number(sums, stage_name(stage));
        if (!(time > WORTH_SHOWING * latency)) continue;
        figure_row(figure);
        figure_text(figure, name);
        figure_count(figure, count);
        figure_text(figure, stage_name(stage));
        figure_number(figure, time / count * NS_OF_FS);
        figure_number(figure, data_percent(time, latency));
    }
}

static Figure *stages(JsonNode *kernel, const char *qualifier)
{
    Figure *figure = figure_new("kernel_stages", qualifier);
    g_autoptr(GList) names = data_names(kernel, "stages");
    figure_column(figure, "requests", NULL);
    figure_column(figure, "how many", NULL);
    figure_column(figure, "stage", NULL);
    figure_column(figure, "mean", "ns");
    figure_column(figure, "share", "%");
    for (const GList *name = names; name; name = name->next)
        add_class(figure, name->data, data_child(kernel, "stages", name->data));
    return figure;
}

/* --- both ------------------------------------------------------------------------------------- */

static char *qualifier_of(JsonNode *kernel, const char *number)
{
    return g_strdup_printf("%s, %s %.0f", result_text(kernel, "name"), number,
                           result_number(kernel, number));
}

static void add_details(Document *document, const char *table, JsonArray *kernels,
                        const char *number)
{
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *kernel = data_element(kernels, i);
        if (!result_member(kernel, "units")) continue; /* a row is all that there is */
        g_autofree char *qualifier = qualifier_of(kernel, number);
        Figure *const details[] = {resources(kernel, qualifier), stages(kernel, qualifier)};
        for (guint k = 0; k < G_N_ELEMENTS(details); k++) {
            figure_set_opener(details[k], table, i);
            document_add(document, details[k]);
        }
    }
}

/* `topic` "kernel_names" has one more row, of what has no details: `others`, if there are any. */
static void add_table(Document *document, const char *topic, JsonNode *result, const char *number)
{
    const bool names = !strcmp(topic, "kernel_names");
    JsonArray *kernels = result_array(result, names ? topic : "kernels");
    JsonNode *others = names ? result_member(result, "kernel_rest.others") : NULL;
    const char *shown = result_text(result, "shown");
    Figure *figure = figure_new(topic, NULL);
    add_columns(figure, number);
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *kernel = data_element(kernels, i);
        add_kernel(figure, kernel, result_text(kernel, "name"), number);
    }
    if (others) add_kernel(figure, others, "all other names", number);
    if (shown) figure_note(figure, "Only %s; all else on this page is of the whole run.", shown);
    document_add(document, figure);
    add_details(document, topic, kernels, number);
}

/* Where each launch has a name of its own, a table of names would say the same. */
static bool names_say_more(JsonArray *names, JsonArray *launches)
{
    if (result_length(names) != result_length(launches)) return true;
    for (guint i = 0; i < result_length(names); i++)
        if (result_number(data_element(names, i), "launches") > 1) return true;
    return false;
}

void run_kernels(Document *document, JsonNode *result)
{
    JsonArray *launches = result_array(result, "kernels"),
              *names = result_array(result, "kernel_names");
    JsonNode *others = result_member(result, "kernel_rest.others");
    document_section(document, "kernel_by_kernel", "Kernel by kernel",
                     "What a unit did from a kernel's start to its memory's end is the kernel's. "
                     "Press a kernel's name for what it was bound by.");
    if (others || names_say_more(names, launches))
        add_table(document, "kernel_names", result, "launches");
    add_table(document, "each_kernel", result, "launch");
}

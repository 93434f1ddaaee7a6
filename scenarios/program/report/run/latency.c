/* Where the latency of requests went: by class and stage. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "kit/describe/stage.h"
#include "scenarios/program/report/document/latency_bins.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

typedef struct {
    JsonNode *result;
    GList *names; /* of the classes in which there were requests, borrowed */
    StageColumns stages;
    double count, latency; /* of all classes; latency in fs */
} Classes;

static Classes read_classes(JsonNode *result)
{
    Classes classes = {.result = result};
    g_autoptr(GList) names = data_names(result, "stages");
    for (GList *name = names; name; name = name->next) {
        JsonNode *sums = data_child(result, "stages", name->data);
        const double count = result_number(sums, "count");
        if (!(count > 0)) continue;
        classes.names = g_list_append(classes.names, name->data);
        classes.count += count;
        classes.latency += result_number(sums, "latency");
        stage_columns_count(&classes.stages, sums);
    }
    return classes;
}

static JsonNode *sums_of(const Classes *classes, const GList *name)
{
    return data_child(classes->result, "stages", name->data);
}

static Figure *stage_breakdown(const Classes *classes)
{
    Figure *figure = figure_new("stage_breakdown", NULL);
    figure_column(figure, "requests", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (classes->stages.any[stage]) figure_column(figure, stage_name(stage), "ns");
    figure_axis(figure, FIGURE_X, "mean latency", "ns", FALSE);
    for (const GList *name = classes->names; name; name = name->next) {
        JsonNode *sums = sums_of(classes, name);
        const double count = result_number(sums, "count");
        figure_row(figure);
        figure_text(figure, name->data);
        for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
            if (classes->stages.any[stage])
                figure_number(figure, stage_of(&classes->stages, sums, stage) / count * NS_OF_FS);
    }
    return figure;
}

/* Of one class, or NULL for all. */
static double time_in(const Classes *classes, Stage stage, const GList *name)
{
    if (name) return stage_of(&classes->stages, sums_of(classes, name), stage);
    double sum = 0;
    for (const GList *each = classes->names; each; each = each->next)
        sum += stage_of(&classes->stages, sums_of(classes, each), stage);
    return sum;
}

static Figure *stage_sums(const Classes *classes)
{
    Figure *figure = figure_new("stage_sums", NULL);
    figure_column(figure, "stage", NULL);
    figure_column(figure, "share", "%");
    figure_column(figure, "all requests", "us");
    for (const GList *name = classes->names; name; name = name->next)
        figure_column(figure, name->data, "us");
    figure_column(figure, "the stage is", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        if (!classes->stages.any[stage]) continue;
        const double all = time_in(classes, stage, NULL);
        figure_row(figure);
        figure_text(figure, stage_name(stage));
        figure_number(figure, data_percent(all, classes->latency));
        figure_number(figure, all * US_OF_FS);
        for (const GList *name = classes->names; name; name = name->next)
            figure_number(figure, time_in(classes, stage, name) * US_OF_FS);
        figure_text(figure, stage_summary(stage));
    }
    g_autofree char *requests = text_grouped(classes->count, 0);
    g_autofree char *latency = number_words(classes->latency * US_OF_FS);
    figure_note(figure, "All together: %s requests and %s us of latency.", requests, latency);
    return figure;
}

/* --- percentiles ------------------------------------------------------------------------------ */

static void add_percentiles(Figure *figure, const Classes *classes, const char *name)
{
    g_autofree char *path = g_strdup_printf("profile.requests.%s.histogram", name);
    JsonNode *histogram = result_member(classes->result, path);
    for (const LatencyPercentile *each = latency_percentiles(); each->name; each++)
        figure_number(figure, histogram ? result_number(histogram, each->member) * NS_OF_FS : NAN);
}

static Figure *request_classes(const Classes *classes)
{
    const gboolean profiled = result_member(classes->result, "profile.requests") != NULL;
    Figure *figure = figure_new("request_classes", NULL);
    figure_column(figure, "class", NULL);
    figure_column(figure, "requests", NULL);
    figure_column(figure, "share of requests", "%");
    figure_column(figure, "share of all latency", "%");
    figure_column(figure, "mean", "ns");
    for (const LatencyPercentile *each = latency_percentiles(); profiled && each->name; each++)
        figure_column(figure, each->name, "ns");
    for (const GList *name = classes->names; name; name = name->next) {
        JsonNode *sums = sums_of(classes, name);
        const double count = result_number(sums, "count");
        const double latency = result_number(sums, "latency");
        figure_row(figure);
        figure_text(figure, name->data);
        figure_integer(figure, (gint64)count);
        figure_number(figure, data_percent(count, classes->count));
        figure_number(figure, data_percent(latency, classes->latency));
        figure_number(figure, latency / count * NS_OF_FS);
        if (profiled) add_percentiles(figure, classes, name->data);
    }
    const double cycle = result_core_cycle_ns(classes->result);
    if (isfinite(cycle)) figure_note(figure, "A core cycle is %.4g ns.", cycle);
    return figure;
}

void run_latency(Document *document, JsonNode *result)
{
    Classes classes = read_classes(result);
    document_section(document, "latency", "Latency",
                     "Of requests for a line, from the warp's issue until the data is in its "
                     "registers or the store is acknowledged.");
    document_add(document, stage_breakdown(&classes));
    document_add(document, stage_sums(&classes));
    document_add(document, request_classes(&classes));
    g_list_free(classes.names);
}

/* --- against that of a request which is alone ------------------------------------------------- */

static void add_way(Figure *figure, const char *name, JsonNode *sums)
{
    const double count = result_number(sums, "count");
    if (!(count > 0)) return;
    double of[2] = {0, 0}; /* by StageKind */
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        JsonNode *sum = result_member(sums, stage_name(stage));
        if (sum) of[stage_kind(stage)] += json_node_get_double(sum);
    }
    figure_row(figure);
    figure_text(figure, name);
    figure_number(figure, of[STAGE_WAY] / count * NS_OF_FS);
    figure_number(figure, of[STAGE_WAIT] / count * NS_OF_FS);
}

Figure *run_unloaded(JsonNode *result)
{
    Figure *figure = figure_new("unloaded_latency", NULL);
    figure_column(figure, "requests", NULL);
    figure_column(figure, "way", "ns");
    figure_column(figure, "waiting", "ns");
    JsonNode *stages = result_member(result, "stages");
    if (!stages || !JSON_NODE_HOLDS_OBJECT(stages)) return figure;
    g_autoptr(GList) names = json_object_get_members(json_node_get_object(stages));
    for (const GList *name = names; name; name = name->next)
        add_way(figure, name->data,
                json_object_get_member(json_node_get_object(stages), name->data));
    return figure;
}

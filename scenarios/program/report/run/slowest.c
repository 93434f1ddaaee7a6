/* Why the slowest requests are slow. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* A class: all of its requests and the slowest ones, with their stages. */
typedef struct {
    const char *name;
    JsonNode *all, *slow;
    double count, slow_count;
} Pair;

static const StageColumns OWN = {.member = NULL}, INNER = {.member = "stages"};

static gboolean read_pair(JsonNode *result, const char *name, Pair *pair)
{
    g_autofree char *path = g_strdup_printf("stages.%s", name);
    pair->name = name;
    pair->all = result_member(result, path);
    pair->slow = result_member(data_child(result, "profile.requests", name), "slowest");
    if (!pair->all || !pair->slow) return FALSE;
    pair->count = result_number(pair->all, "count");
    pair->slow_count = result_number(pair->slow, "count");
    return pair->count > pair->slow_count && pair->slow_count > 0;
}

/* ns that a slow request is longer in the stage. */
static double growth_of(const Pair *pair, Stage stage)
{
    return (stage_of(&INNER, pair->slow, stage) / pair->slow_count
            - stage_of(&OWN, pair->all, stage) / pair->count)
           * NS_OF_FS;
}

/* The stage that grew most, of those below `bound`; STAGE_COUNT: none grew. */
static Stage most_grown(const Pair *pair, double bound)
{
    Stage most = STAGE_COUNT;
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        const double growth = growth_of(pair, (Stage)stage);
        if (!(growth > 0) || growth >= bound) continue;
        if (most == STAGE_COUNT || growth > growth_of(pair, most)) most = (Stage)stage;
    }
    return most;
}

/* "1,365 ns more in scheduler_wait and 956.8 ns in l2_queue" */
static char *describe_growth(const Pair *pair, Stage first)
{
    const Stage second = most_grown(pair, growth_of(pair, first));
    g_autofree char *most = number_words(growth_of(pair, first));
    if (second == STAGE_COUNT) return g_strdup_printf("%s ns more in %s", most, stage_name(first));
    g_autofree char *more = number_words(growth_of(pair, second));
    return g_strdup_printf("%s ns more in %s and %s ns in %s", most, stage_name(first), more,
                           stage_name(second));
}

static void note_pair(Figure *figure, const Pair *pair)
{
    const double mean = result_number(pair->all, "latency") / pair->count * NS_OF_FS;
    const double slow = result_number(pair->slow, "latency") / pair->slow_count * NS_OF_FS;
    const Stage first = most_grown(pair, INFINITY);
    if (first == STAGE_COUNT) return;
    g_autofree char *growth = describe_growth(pair, first);
    g_autofree char *from = number_words(result_number(pair->slow, "from_fs") * NS_OF_FS);
    g_autofree char *longer = number_words(slow - mean), *usual = number_words(mean);
    figure_note(figure,
                "%s: the slowest %.2g %% (from %s ns on) take %s ns more than the mean of "
                "%s ns: %s.",
                pair->name, data_percent(pair->slow_count, pair->count), from, longer, usual,
                growth);
}

static void add_bar(Figure *figure, const char *label, JsonNode *row, const StageColumns *from,
                    const StageColumns *shown)
{
    figure_row(figure);
    figure_text(figure, label);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (shown->any[stage])
            figure_number(figure, stage_of(from, row, (Stage)stage) * NS_OF_FS
                                      / result_number(row, "count"));
}

static void add_pair(Figure *figure, const Pair *pair, const StageColumns *shown)
{
    g_autofree char *all = g_strdup_printf("%s, all", pair->name);
    g_autofree char *slow = g_strdup_printf("%s, slowest %.2g %%", pair->name,
                                            data_percent(pair->slow_count, pair->count));
    add_bar(figure, all, pair->all, &OWN, shown);
    add_bar(figure, slow, pair->slow, &INNER, shown);
    note_pair(figure, pair);
}

static Figure *slowest_stages(JsonNode *result)
{
    Figure *figure = figure_new("slowest_stages", NULL);
    g_autoptr(GList) names = data_names(result, "profile.requests");
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
    StageColumns shown = {.member = NULL};
    for (GList *name = names; name; name = name->next) {
        Pair pair;
        if (!read_pair(result, name->data, &pair)) continue;
        stage_columns_count(&shown, pair.all);
        g_array_append_val(pairs, pair);
    }
    figure_column(figure, "requests", NULL);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (shown.any[stage]) figure_column(figure, stage_name((Stage)stage), "ns");
    figure_axis(figure, FIGURE_X, "mean latency", "ns", FALSE);
    for (guint i = 0; i < pairs->len; i++) add_pair(figure, &g_array_index(pairs, Pair, i), &shown);
    return figure;
}

/* --- one by one ------------------------------------------------------------------------------- */

/* "scheduler_wait 812 ns, l2_queue 300 ns": the three longest stages. `stages` has the stages in
 * the order of time, and a stage may come twice. */
static char *describe_stages(JsonArray *stages)
{
    double time[STAGE_COUNT] = {0};
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < result_length(stages); i++)
        for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
            if (!g_strcmp0(stage_name(stage), result_text(data_element(stages, i), "stage")))
                time[stage] += result_number(data_element(stages, i), "fs");
    for (guint k = 0; k < 3; k++) {
        unsigned most = 0;
        for (unsigned stage = 1; stage < STAGE_COUNT; stage++)
            if (time[stage] > time[most]) most = stage;
        if (!(time[most] > 0)) break;
        g_autofree char *ns = number_words(time[most] * NS_OF_FS);
        g_string_append_printf(text, "%s%s %s ns", k ? ", " : "", stage_name(most), ns);
        time[most] = 0;
    }
    return g_string_free(text, FALSE);
}

static void add_pc(Figure *figure, JsonNode *row)
{
    g_autofree char *pc = data_address(row, "pc");
    figure_text(figure, pc);
}

static void add_request(Figure *figure, JsonNode *result, JsonNode *row)
{
    const double begin = result_number(row, "begin"), end = result_number(row, "end");
    const double start = result_number(result, "profile.series.start");
    g_autofree char *place = data_place(result, row);
    g_autofree char *stages = describe_stages(result_array(row, "stages"));
    figure_row(figure);
    figure_number(figure, (end - begin) * NS_OF_FS);
    figure_number(figure, (begin - (isfinite(start) ? start : 0)) * US_OF_FS);
    figure_text(figure, result_text(row, "class"));
    figure_text(figure, result_text(row, "kernel"));
    add_pc(figure, row);
    figure_count(figure, result_number(row, "sm"));
    figure_count(figure, result_number(row, "warp"));
    figure_text(figure, place);
    figure_text(figure, stages);
}

static Figure *slowest_requests(JsonNode *result)
{
    Figure *figure = figure_new("slowest_requests", NULL);
    JsonArray *rows = result_array(result, "profile.slowest");
    figure_column(figure, "latency", "ns");
    figure_column(figure, "begin", "us");
    figure_column(figure, "class", NULL);
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "pc", NULL);
    figure_column(figure, "SM", NULL);
    figure_column(figure, "warp", NULL);
    figure_column(figure, "address", NULL);
    figure_column(figure, "longest stages", NULL);
    for (guint i = 0; i < result_length(rows); i++)
        add_request(figure, result, data_element(rows, i));
    return figure;
}

void run_slowest(Document *document, JsonNode *result)
{
    document_section(document, "slowest", "Why the slowest requests are slow", NULL);
    document_add(document, slowest_stages(result));
    document_add(document, slowest_requests(result));
}

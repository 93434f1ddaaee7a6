#include "scenarios/program/study/table/merged.h"

#include <glib/gstdio.h>
#include <string.h>

/* --- the study -------------------------------------------------------------------------------- */

static void clear_segment(gpointer data)
{
    g_free(((SegmentSummary *)data)->path);
}

static MergedStudy *study_new(const char *directory, Manifest *manifest)
{
    MergedStudy *study = g_new0(MergedStudy, 1);
    *study = (MergedStudy){
        .directory = g_strdup(directory),
        .manifest = manifest,
        .segments = g_array_new(FALSE, FALSE, sizeof(SegmentSummary)),
        .attempts = g_array_new(FALSE, FALSE, sizeof(Attempt)),
        .outcomes = g_array_new(FALSE, FALSE, sizeof(PointOutcome)),
        .point_outcomes = g_new(guint, manifest->points->len),
        .texts = g_string_chunk_new(1 << 20),
    };
    g_array_set_clear_func(study->segments, clear_segment);
    return study;
}

void merged_study_free(MergedStudy *study)
{
    if (!study) return;
    g_free(study->directory);
    manifest_free(study->manifest);
    g_array_unref(study->segments);
    g_array_unref(study->attempts);
    g_array_unref(study->outcomes);
    g_free(study->point_outcomes);
    g_string_chunk_free(study->texts);
    g_free(study);
}

const PointOutcome *merged_study_outcome(const MergedStudy *study, guint point)
{
    return &g_array_index(study->outcomes, PointOutcome, study->point_outcomes[point]);
}

const char *point_outcome_status(const PointOutcome *outcome)
{
    return outcome->payload ? point_status_name(outcome->status) : "missing";
}

bool point_outcome_is_done(const PointOutcome *outcome)
{
    return outcome->payload && outcome->status == POINT_DONE;
}

const char *point_outcome_message(const PointOutcome *outcome)
{
    return outcome->status == POINT_DONE ? NULL : outcome->payload;
}

guint merged_study_columns(const Manifest *manifest)
{
    return result_column_count() + manifest->statistics->len;
}

static const char *merged_study_column(const Manifest *manifest, guint index)
{
    const guint count = result_column_count();
    return index < count ? result_columns()[index].name
                         : manifest->statistics->pdata[index - count];
}

guint64 outcome_latency(const OutcomeStages *stages)
{
    guint64 sum = 0;
    for (unsigned i = 0; i < STAGE_COUNT; i++) sum += stages->sums[i];
    return sum;
}

/* Newly allocated "FILE:LINE". */
static char *describe_place(const MergedStudy *study, const Attempt *attempt)
{
    const SegmentSummary *segment =
        &g_array_index(study->segments, SegmentSummary, attempt->segment);
    return g_strdup_printf("%s:%u", segment->path, attempt->line);
}

bool merged_study_parse(const MergedStudy *study, const PointOutcome *outcome,
                        ParsedOutcome *parsed, GError **error)
{
    const guint columns = merged_study_columns(study->manifest);
    g_autoptr(GError) cause = NULL;
    if (outcome_parse(outcome->payload, columns, parsed, &cause)) return true;
    const Attempt *attempt = &g_array_index(study->attempts, Attempt, outcome->attempt);
    g_autofree char *place = describe_place(study, attempt);
    g_set_error(error, STUDY_ERROR, 0,
                "%s: not an outcome of this program: %s; the study was planned by %s, build %s",
                place, cause->message, study->manifest->program, study->manifest->build);
    return false;
}

/* --- differences ------------------------------------------------------------------------------ */

/* Two records of one point differ when the run is not deterministic or a file was changed. */

static const char *text_of(const OutcomeValue *value)
{
    return value->kind == OUTCOME_ABSENT ? "none" : value->text;
}

static char *describe(const char *what, const char *first, const char *second)
{
    if (!strcmp(first, second)) return NULL;
    return g_strdup_printf("%s is %s in the first and %s in the second", what, first, second);
}

static char *describe_columns(const Manifest *manifest, const GArray *first, const GArray *second)
{
    char *text = NULL;
    for (guint i = 0; i < first->len && !text; i++)
        text = describe(merged_study_column(manifest, i),
                        text_of(&g_array_index(first, OutcomeValue, i)),
                        text_of(&g_array_index(second, OutcomeValue, i)));
    return text;
}

static char *describe_sum(const char *of, const char *what, guint64 first, guint64 second)
{
    if (first == second) return NULL;
    return g_strdup_printf("%s of %s is %" G_GUINT64_FORMAT " in the first and %" G_GUINT64_FORMAT
                           " in the second",
                           what, of, first, second);
}

static char *describe_class(const OutcomeStages *first, const OutcomeStages *second)
{
    const char *name = first->request_class;
    char *text = describe("a request class", name, second->request_class);
    if (!text) text = describe_sum(name, "count", first->count, second->count);
    for (unsigned i = 0; i < STAGE_COUNT && !text; i++)
        text = describe_sum(name, stage_name((Stage)i), first->sums[i], second->sums[i]);
    return text;
}

static char *describe_stages(const GArray *first, const GArray *second)
{
    char *text = NULL;
    for (guint i = 0; i < MIN(first->len, second->len) && !text; i++)
        text = describe_class(&g_array_index(first, OutcomeStages, i),
                              &g_array_index(second, OutcomeStages, i));
    return text ? text : describe_sum("requests", "number of classes", first->len, second->len);
}

static char *describe_outcomes(const Manifest *manifest, const char *first, const char *second)
{
    const guint columns = merged_study_columns(manifest);
    g_auto(ParsedOutcome) a = {0}, b = {0};
    if (!outcome_parse(first, columns, &a, NULL) || !outcome_parse(second, columns, &b, NULL))
        return NULL;
    char *text = describe_columns(manifest, a.values, b.values);
    return text ? text : describe_stages(a.stages, b.stages);
}

/* "done", or "failed: MESSAGE". */
static char *describe_end(const PointOutcome *outcome)
{
    const char *status = point_status_name(outcome->status);
    if (outcome->status == POINT_DONE) return g_strdup(status);
    return g_strdup_printf("%s (%s)", status, outcome->payload);
}

static char *outcome_difference(const Manifest *manifest, const PointOutcome *first,
                                const PointOutcome *second)
{
    char *text = NULL;
    if (first->status == POINT_DONE && second->status == POINT_DONE)
        text = describe_outcomes(manifest, first->payload, second->payload);
    if (text) return text;
    g_autofree char *one = describe_end(first);
    g_autofree char *other = describe_end(second);
    text = describe("it", one, other);
    return text ? text : g_strdup("the texts of the outcomes are not the same");
}

/* --- records ---------------------------------------------------------------------------------- */

typedef struct {
    MergedStudy *study;
    GHashTable *keys;  /* of the points, to the position in `outcomes` plus one */
    GHashTable *hosts; /* names of hosts, a copy each */
    GError *error;
} Merging;

/* An outcome for each key; points with equal keys share it. */
static void list_outcomes(Merging *merging)
{
    MergedStudy *study = merging->study;
    const GPtrArray *points = study->manifest->points;
    for (guint i = 0; i < points->len; i++) {
        const Point *point = points->pdata[i];
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(merging->keys, point->key));
        if (!number) {
            const PointOutcome outcome = {.point = i};
            g_array_append_val(study->outcomes, outcome);
            number = study->outcomes->len;
            g_hash_table_insert(merging->keys, (gpointer)point->key, GUINT_TO_POINTER(number));
        }
        study->point_outcomes[i] = number - 1;
    }
}

static void report_conflict(Merging *merging, const PointOutcome *known, const PointOutcome *other)
{
    const MergedStudy *study = merging->study;
    const Manifest *manifest = study->manifest;
    const Point *point = manifest->points->pdata[known->point];
    g_autofree char *first =
        describe_place(study, &g_array_index(study->attempts, Attempt, known->attempt));
    g_autofree char *second =
        describe_place(study, &g_array_index(study->attempts, Attempt, other->attempt));
    g_autofree char *values = manifest_describe_values(manifest, point);
    g_autofree char *difference = outcome_difference(manifest, known, other);
    g_set_error(&merging->error, STUDY_ERROR, 0,
                "%s and %s: two outcomes of point %u (%s%skey %s), which must be the same in every "
                "run: %s",
                first, second, known->point, values, *values ? "; " : "", point->key, difference);
}

/* Below 0: `a` says more of the point. */
static int compare_outcomes(const PointOutcome *a, const PointOutcome *b)
{
    const bool finals[] = {point_status_is_final(a->status), point_status_is_final(b->status)};
    if (finals[0] != finals[1]) return finals[0] ? -1 : 1;
    if (a->status != b->status) return a->status < b->status ? -1 : 1;
    return strcmp(a->payload, b->payload);
}

/* False with error: both are what every run of the point has to say. */
static bool settle(Merging *merging, PointOutcome *known, const PointOutcome *other)
{
    const int order = known->payload ? compare_outcomes(other, known) : -1;
    const bool final = point_status_is_final(other->status);
    if (known->payload && final && point_status_is_final(known->status) && order) {
        report_conflict(merging, known, other);
        return false;
    }
    if (order >= 0) return true;
    known->status = other->status;
    known->attempt = other->attempt;
    known->payload = g_string_chunk_insert(merging->study->texts, other->payload);
    return true;
}

static char *keep_host(Merging *merging, const char *name)
{
    char *kept = g_hash_table_lookup(merging->hosts, name);
    if (kept) return kept;
    kept = g_string_chunk_insert(merging->study->texts, name);
    g_hash_table_add(merging->hosts, kept);
    return kept;
}

static bool take_record(void *user, const Record *record, const SegmentPosition *position)
{
    Merging *merging = user;
    MergedStudy *study = merging->study;
    const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(merging->keys, record->key));
    if (!number) {
        g_set_error(&merging->error, STUDY_ERROR, 0, "%s:%u: no point of the plan has the key %s",
                    position->path, position->line, record->key);
        return false;
    }
    Attempt attempt = {study->segments->len - 1, position->line, number - 1, record->status,
                       record->host};
    attempt.host.name = keep_host(merging, record->host.name);
    g_array_append_val(study->attempts, attempt);
    g_array_index(study->segments, SegmentSummary, attempt.segment).records++;
    PointOutcome *known = &g_array_index(study->outcomes, PointOutcome, attempt.outcome);
    const PointOutcome other = {known->point, study->attempts->len - 1, record->status,
                                record->payload};
    return settle(merging, known, &other);
}

/* --- segments --------------------------------------------------------------------------------- */

const char *segment_basename(const char *path)
{
    const char *slash = strrchr(path, G_DIR_SEPARATOR);
    return slash ? slash + 1 : path;
}

gint64 segment_size(const char *path)
{
    GStatBuf status;
    return g_stat(path, &status) ? -1 : (gint64)status.st_size;
}

static bool read_segment(Merging *merging, SegmentPosition *position)
{
    MergedStudy *study = merging->study;
    SegmentSummary summary = {.path = g_strdup(position->path),
                              .size = segment_size(position->path)};
    summary.name = segment_basename(summary.path);
    g_array_append_val(study->segments, summary);
    const guint number = study->segments->len - 1;
    segment_read(position, study->manifest, take_record, merging, &merging->error);
    SegmentSummary *read = &g_array_index(study->segments, SegmentSummary, number);
    read->torn = position->torn;
    read->damaged = position->damaged;
    study->report.torn += position->torn;
    study->report.damaged += position->damaged;
    return !merging->error;
}

static bool read_segments(Merging *merging)
{
    g_autoptr(GPtrArray) positions = segment_list(merging->study->directory, NULL, &merging->error);
    for (guint i = 0; positions && i < positions->len; i++)
        if (!read_segment(merging, positions->pdata[i])) return false;
    return positions != NULL;
}

static void count_points(MergedStudy *study)
{
    MergeReport *report = &study->report;
    report->points = study->manifest->points->len;
    for (guint i = 0; i < report->points; i++) {
        const PointOutcome *outcome = merged_study_outcome(study, i);
        if (!outcome->payload)
            report->missing++;
        else if (outcome->status == POINT_DONE)
            report->done++;
        else
            report->failed++;
    }
}

MergedStudy *merged_study_read(const char *directory, GError **error)
{
    Manifest *manifest = manifest_read(directory, error);
    if (!manifest) return NULL;
    g_autoptr(MergedStudy) study = study_new(directory, manifest);
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) hosts = g_hash_table_new(g_str_hash, g_str_equal);
    Merging merging = {study, keys, hosts, NULL};
    list_outcomes(&merging);
    if (!read_segments(&merging)) {
        g_propagate_error(error, merging.error);
        return NULL;
    }
    count_points(study);
    return g_steal_pointer(&study);
}

/* Studies whose outcomes a test makes up, and what their report shows. */
#pragma once

#include "program/study/folder.h"
#include "scenarios/program/report/pages.h"
#include "scenarios/program/say/json_text.h"

/* An outcome with the results that are named, "time_ns=1000 dram_gbps=5", and no others. */
static inline char *reported_payload(const char *results)
{
    g_auto(GStrv) words = g_strsplit(results, " ", -1);
    GString *text = g_string_new(NULL);
    for (const ResultColumn *column = result_columns(); column->name; column++) {
        const char *value = NULL;
        for (char **word = words; *word; word++)
            if (g_str_has_prefix(*word, column->name) && (*word)[strlen(column->name)] == '=')
                value = *word + strlen(column->name) + 1;
        const bool bound = !strcmp(column->name, "bound");
        g_string_append_printf(text, "%s ", value ? value : bound ? "\"DRAM bus\"" : "-");
    }
    g_string_append_c(text, '7');
    return g_string_free(text, FALSE);
}

/* `dimensions`: "l1.prt_entries=64,variant=a" with their own values. */
static inline StudyFolder reported_study(const char *design, const char *dimensions)
{
    StudyFolder study = {temporary_folder(), manifest_new()};
    Manifest *manifest = study.manifest;
    g_auto(GStrv) words = g_strsplit(dimensions, ",", -1);
    manifest->title = g_strdup("Known outcomes");
    manifest->scenario = g_strdup("known.ini");
    manifest->program = g_strdup("warpmem 0.1.0");
    manifest->build = g_strdup("0123");
    manifest->design = g_strdup(design);
    manifest->seed = 1;
    manifest->replications = 1;
    g_ptr_array_add(manifest->statistics, g_strdup("l1.refused_prt"));
    for (char **word = words; *word; word++) {
        g_auto(GStrv) parts = g_strsplit(*word, "=", 2);
        run_rig_dimension(manifest, parts[0], parts[1]);
    }
    manifest_add_base(manifest)->variant = g_strdup("baseline");
    configuration_set(((Base *)manifest->bases->pdata[0])->configuration, "l1", "sets", "4",
                      "known.ini", 3);
    return study;
}

/* A point: values divided by commas, its role, and how it ended: results, "STATUS: MESSAGE" with a
 * space behind the colon, or NULL for one that has no record. */
typedef struct {
    const char *values, *role, *end;
} ReportedPoint;

static inline void reported_record(const StudyFolder *study, SegmentWriter *writer, guint number,
                                   const char *end)
{
    (void)study;
    const char *colon = strstr(end, ": ");
    if (!colon) {
        g_autofree char *payload = reported_payload(end);
        study_record(writer, number, POINT_DONE, payload);
        return;
    }
    for (unsigned i = 0; i < POINT_STATUS_COUNT; i++)
        if (g_str_has_prefix(end, point_status_name((PointStatus)i)))
            study_record(writer, number, (PointStatus)i, colon + 2);
}

/* Plans the points and records how they ended. */
static inline void reported_points(StudyFolder *study, const ReportedPoint *points, guint count)
{
    for (guint i = 0; i < count; i++) {
        g_auto(GStrv) values = g_strsplit(points[i].values, ",", -1);
        study_add_point(study->manifest, i, (const char *const *)values);
        Point *point = study->manifest->points->pdata[i];
        g_free(point->role);
        point->role = g_strdup(points[i].role ? points[i].role : "");
    }
    ck_assert(manifest_write(study->manifest, study->folder, NULL));
    g_autoptr(SegmentWriter) writer = study_segment(study, "a");
    for (guint i = 0; i < count; i++)
        if (points[i].end) reported_record(study, writer, i, points[i].end);
}

/* --- the report ------------------------------------------------------------------------------- */

static inline JsonNode *report_of(const StudyFolder *study)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Document) document = study_page(study->folder, &error);
    ck_assert_msg(document != NULL, "%s", error ? error->message : "");
    return document_json(document);
}

/* NULL: there is none. */
static inline JsonObject *find_figure(JsonNode *report, const char *id)
{
    JsonArray *sections = json_object_get_array_member(json_node_get_object(report), "sections");
    for (guint i = 0; i < json_array_get_length(sections); i++) {
        JsonArray *figures =
            json_object_get_array_member(json_array_get_object_element(sections, i), "figures");
        for (guint k = 0; k < json_array_get_length(figures); k++) {
            JsonObject *figure = json_array_get_object_element(figures, k);
            if (!strcmp(json_object_get_string_member(figure, "id"), id)) return figure;
        }
    }
    return NULL;
}

static inline JsonObject *figure_of(JsonNode *report, const char *id)
{
    JsonObject *figure = find_figure(report, id);
    ck_assert_msg(figure != NULL, "no figure %s", id);
    return figure;
}

/* The columns as one text: "point|l2_slice.capacity (KiB)|status". */
static inline char *columns_of(JsonObject *figure)
{
    GString *text = g_string_new(NULL);
    JsonArray *columns = json_object_get_array_member(figure, "columns");
    for (guint i = 0; i < json_array_get_length(columns); i++) {
        JsonObject *column = json_array_get_object_element(columns, i);
        const char *unit = json_object_get_string_member(column, "unit");
        g_string_append_printf(text, "%s%s", i ? "|" : "",
                               json_object_get_string_member(column, "name"));
        if (*unit) g_string_append_printf(text, " (%s)", unit);
    }
    return g_string_free(text, FALSE);
}

/* A row as one text: "0|96|done|12.5|"; numbers to six digits. */
static inline char *row_of(JsonObject *figure, guint row)
{
    GString *text = g_string_new(NULL);
    JsonArray *rows = json_object_get_array_member(figure, "rows");
    ck_assert_uint_lt(row, json_array_get_length(rows));
    JsonArray *cells = json_array_get_array_element(rows, row);
    for (guint i = 0; i < json_array_get_length(cells); i++) {
        JsonNode *cell = json_array_get_element(cells, i);
        if (i) g_string_append_c(text, '|');
        if (JSON_NODE_HOLDS_NULL(cell)) continue;
        if (json_node_get_value_type(cell) == G_TYPE_STRING)
            g_string_append(text, json_node_get_string(cell));
        else
            g_string_append_printf(text, "%.6g", json_node_get_double(cell));
    }
    return g_string_free(text, FALSE);
}

static inline guint rows_of(JsonObject *figure)
{
    return json_array_get_length(json_object_get_array_member(figure, "rows"));
}

/* `rows` ends with NULL. */
static inline void expect_rows(JsonObject *figure, const char *const *rows)
{
    guint count = 0;
    for (; rows[count]; count++) {
        g_autofree char *row = row_of(figure, count);
        ck_assert_str_eq(row, rows[count]);
    }
    ck_assert_uint_eq(rows_of(figure), count);
}

static inline void expect_columns(JsonObject *figure, const char *columns)
{
    g_autofree char *got = columns_of(figure);
    ck_assert_str_eq(got, columns);
}

/* Marks as one text: "x 32 knee; x 64 own value". */
static inline void expect_marks(JsonObject *figure, const char *wanted)
{
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *marks = json_object_get_array_member(figure, "marks");
    for (guint i = 0; i < json_array_get_length(marks); i++) {
        JsonObject *mark = json_array_get_object_element(marks, i);
        g_string_append_printf(text, "%s%s %.6g %s", i ? "; " : "",
                               json_object_get_string_member(mark, "axis"),
                               json_object_get_double_member(mark, "at"),
                               json_object_get_string_member(mark, "label"));
    }
    ck_assert_str_eq(text->str, wanted);
}

static inline bool is_logarithmic(JsonObject *figure, const char *axis)
{
    JsonObject *axes = json_object_get_object_member(figure, "axes");
    return json_object_get_boolean_member(json_object_get_object_member(axes, axis), "logarithmic");
}

static inline void expect_note(JsonObject *figure, const char *part)
{
    const char *note = json_object_get_string_member(figure, "note");
    ck_assert_msg(strstr(note, part) != NULL, "no '%s' in: %s", part, note);
}

static inline void expect_no_note(JsonObject *figure, const char *part)
{
    const char *note = json_object_get_string_member(figure, "note");
    ck_assert_msg(!strstr(note, part), "'%s' in: %s", part, note);
}

/* What the lead says under a label; NULL: nothing. */
static inline const char *lead_of(JsonNode *report, const char *label)
{
    JsonArray *lead = json_object_get_array_member(json_node_get_object(report), "lead");
    for (guint i = 0; i < json_array_get_length(lead); i++) {
        JsonObject *line = json_array_get_object_element(lead, i);
        if (!strcmp(json_object_get_string_member(line, "label"), label))
            return json_object_get_string_member(line, "text");
    }
    return NULL;
}

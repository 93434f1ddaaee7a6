#include <math.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/validate/validation.h"

/* --- text ------------------------------------------------------------------------------------- */

static void print_title(Table *table)
{
    table_row(table);
    table_cell(table, "GPU");
    table_note(table, "curve");
    table_cell(table, "points");
    table_cell(table, "error");
    table_cell(table, "bias");
    table_cell(table, "worst");
    table_note(table, "at");
    table_cell(table, "published");
    table_cell(table, "model");
}

/* "l1.ways=4", as --set takes it; of parts of a result "p10". */
static void print_at(Table *table, const PublishedCurve *curve, const PublishedPoint *point)
{
    if (point->part)
        table_note(table, "%s", point->at);
    else
        table_note(table, "%s=%s", curve->axis, point->at);
}

static void print_values(Table *table, const PublishedCurve *curve, const ValidatedPoint *point)
{
    table_change(table, 100 * point->error, " %");
    print_at(table, curve, point->published);
    table_cell(table, "%.4g", point->published->value);
    table_cell(table, "%.4g", point->model);
}

static void print_point(Table *table, const PublishedCurve *curve, const ValidatedPoint *point)
{
    table_row(table);
    for (unsigned i = 0; i < 5; i++) table_cell(table, "%s", "");
    if (isfinite(point->error)) {
        print_values(table, curve, point);
        return;
    }
    table_cell(table, "%s", "");
    print_at(table, curve, point->published);
    table_note(table, "%s", point->problem ? point->problem : "not run");
}

static void print_curve(Table *table, const ValidatedCurve *curve, bool details)
{
    table_row(table);
    table_cell(table, "%s", curve->published->preset);
    table_note(table, "%s", curve->published->name);
    table_cell(table, "%u", curve->done);
    if (curve->worst) {
        table_cell(table, "%.1f %%", 100 * curve->mean);
        table_change(table, 100 * curve->bias, " %");
        print_values(table, curve->published, curve->worst);
    }
    for (guint i = 0; i < curve->points->len; i++) {
        const ValidatedPoint *point = &g_array_index(curve->points, ValidatedPoint, i);
        if (details || point->problem) print_point(table, curve->published, point);
    }
}

static const char *end_text(TrialsEnd end)
{
    switch (end) {
    case TRIALS_INTERRUPTED: return "; interrupted, and it goes on when run again";
    case TRIALS_LATE: return "; the time was over, and it goes on when run again";
    default: return "";
    }
}

void validation_print(const Validation *validation, bool details, FILE *out)
{
    g_autoptr(Table) table = table_new();
    print_title(table);
    for (guint i = 0; i < validation->curves->len; i++)
        print_curve(table, validation->curves->pdata[i], details);
    table_print(table, out);
    fprintf(out, "\n  %u of %u points", validation->done, validation->points);
    if (validation->done) fprintf(out, ": mean error %.1f %%", 100 * validation->mean);
    fprintf(out, "%s\n", end_text(trials_end(validation->trials)));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_point(JsonBuilder *json, const ValidatedPoint *point)
{
    json_builder_begin_object(json);
    json_put_text(json, "at", point->published->at);
    json_put_real(json, "published", point->published->value);
    if (isfinite(point->error)) {
        json_put_real(json, "model", point->model);
        json_put_real(json, "error", point->error);
    }
    if (point->problem) json_put_text(json, "problem", point->problem);
    json_builder_end_object(json);
}

static void put_curve(JsonBuilder *json, const ValidatedCurve *curve)
{
    const PublishedCurve *published = curve->published;
    json_builder_begin_object(json);
    json_put_text(json, "preset", published->preset);
    json_put_text(json, "curve", published->name);
    json_put_text(json, "title", published->title);
    json_put_text(json, "source", published->source);
    json_put_text(json, "scenario", published->scenario);
    json_put_text(json, "result", published->result);
    json_put_text(json, "axis", published->axis);
    json_put_number(json, "done", curve->done);
    if (curve->worst) {
        json_put_real(json, "mean_error", curve->mean);
        json_put_real(json, "bias", curve->bias);
        json_put_real(json, "worst_error", curve->worst->error);
    }
    json_builder_set_member_name(json, "points");
    json_builder_begin_array(json);
    for (guint i = 0; i < curve->points->len; i++)
        put_point(json, &g_array_index(curve->points, ValidatedPoint, i));
    json_builder_end_array(json);
    json_builder_end_object(json);
}

void validation_print_json(const Validation *validation, FILE *out)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_number(json, "points", validation->points);
    json_put_number(json, "done", validation->done);
    json_put_number(json, "failed", validation->failed);
    json_put_real(json, "mean_error", validation->mean);
    json_builder_set_member_name(json, "curves");
    json_builder_begin_array(json);
    for (guint i = 0; i < validation->curves->len; i++)
        put_curve(json, validation->curves->pdata[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
    json_print(json, out);
}

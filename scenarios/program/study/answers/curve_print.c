/* Loaded-latency curves as a table, a picture, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/curve.h"
#include "scenarios/program/study/table/sheet.h"

enum { PICTURE_WIDTH = 64, PICTURE_HEIGHT = 16, MARKS = 4, LETTERS = 26 };

/* --- text ------------------------------------------------------------------------------------- */

static bool knows_energy(const Curve *curve)
{
    guint i = 0;
    while (i < curve->points->len && !isfinite(curve_point(curve, i)->pj_a_bit)) i++;
    return i < curve->points->len;
}

static void add_energy(Table *table, double pj)
{
    g_autofree char *many = pj >= 1000 ? text_grouped(pj, 0) : NULL;
    if (many)
        table_cell(table, "%s", many);
    else if (isfinite(pj))
        table_cell(table, "%.3g", pj);
    else
        table_cell(table, "-");
}

static void print_table(const CurveSet *set, const Curve *curve, FILE *out)
{
    g_autoptr(Table) table = table_new();
    const char *key = strrchr(curve_set_load(set), '.') + 1;
    const char *const heads[] = {"of peak", "mean, cycles", "p95", "p99", "mean, ns", "x unloaded"};
    const int decimals = set->unit->decimals;
    table_row(table);
    table_cell(table, "%s", key);
    table_cell(table, "offered %s", set->unit->words);
    table_cell(table, "achieved %s", set->unit->words);
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
    const bool bits = knows_energy(curve);
    if (bits) table_cell(table, "pJ a bit");
    if (bits) table_cell(table, "DRAM's");
    for (guint i = 0; i < curve->points->len; i++) {
        const CurvePoint *point = curve_point(curve, i);
        table_row(table);
        table_cell(table, "%s", point->load);
        table_cell(table, "%.*f", decimals, point->offered);
        table_cell(table, "%.*f", decimals, point->achieved);
        if (point->peak > 0)
            table_cell(table, "%.1f %%", 100 * point->achieved / point->peak);
        else
            table_cell(table, "-");
        table_cell(table, "%.0f", point->mean);
        table_cell(table, "%.0f", point->p95);
        table_cell(table, "%.0f", point->p99);
        table_cell(table, "%.0f", point->mean_ns);
        table_cell(table, "%.2f", point->mean / curve->unloaded);
        if (bits) add_energy(table, point->pj_a_bit);
        if (bits) add_energy(table, point->dram_pj_a_bit);
    }
    table_print(table, out);
}

static void print_facts(const CurveSet *set, const Curve *curve, FILE *out)
{
    const CurveUnit *unit = set->unit;
    const CurvePoint *last = curve_point(curve, curve->points->len - 1);
    fprintf(out, "  unloaded latency %.0f cycles", curve->unloaded);
    if (!curve->idle) fprintf(out, " (at the lowest load, which is not 0)");
    if (isfinite(curve->saturation))
        fprintf(out, "; saturation at %.*f %s, %.1f %% of peak\n", unit->decimals,
                curve->saturation, unit->words, 100 * curve->saturation / curve->peak);
    else
        fprintf(out, "; no saturation up to %.*f %s offered\n", unit->decimals, last->offered,
                unit->words);
    if (isfinite(curve->doubled))
        fprintf(out, "  latency has doubled at %.*f %s offered, %.1f %% of peak\n", unit->decimals,
                curve->doubled, unit->words, 100 * curve->doubled / curve->peak);
    else
        fprintf(out, "  latency does not double up to %.*f %s offered\n", unit->decimals,
                last->offered, unit->words);
}

typedef struct {
    double achieved, cycles; /* at the right and the upper edge */
    char cell[PICTURE_HEIGHT][PICTURE_WIDTH + 1];
} Picture;

static char letter_of(guint curve)
{
    return (char)('a' + curve % LETTERS);
}

static int scale(double value, double most, int size)
{
    const int place = (int)(value / most * size);
    return CLAMP(place, 0, size - 1);
}

static char *cell_at(Picture *picture, const CurvePoint *point)
{
    const int x = scale(point->achieved, picture->achieved, PICTURE_WIDTH);
    const int y = scale(point->mean, picture->cycles, PICTURE_HEIGHT);
    return &picture->cell[PICTURE_HEIGHT - 1 - y][x];
}

/* Dots from each point to the next. */
static void plot_lines(Picture *picture, const Curve *curve)
{
    enum { STEPS = 2 * PICTURE_WIDTH };
    for (guint i = 1; i < curve->points->len; i++) {
        const CurvePoint *from = curve_point(curve, i - 1), *to = curve_point(curve, i);
        for (int k = 0; k <= STEPS; k++) {
            const double part = (double)k / STEPS;
            const CurvePoint between = {.achieved =
                                            from->achieved + part * (to->achieved - from->achieved),
                                        .mean = from->mean + part * (to->mean - from->mean)};
            *cell_at(picture, &between) = '.';
        }
    }
}

/* Where curves meet, the first one is seen. */
static void plot_points(Picture *picture, const Curve *curve, char letter)
{
    for (guint i = 0; i < curve->points->len; i++) {
        char *cell = cell_at(picture, curve_point(curve, i));
        if (*cell == ' ' || *cell == '.') *cell = letter;
    }
}

/* The next round number: four of them are the height of the picture. */
static double round_up(double value)
{
    static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10};
    const double power = pow(10, floor(log10(value)));
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++)
        if (steps[i] * power >= value) return steps[i] * power;
    return 10 * power;
}

static void measure(const CurveSet *set, Picture *picture)
{
    memset(picture, 0, sizeof *picture);
    for (int y = 0; y < PICTURE_HEIGHT; y++) memset(picture->cell[y], ' ', PICTURE_WIDTH);
    for (guint c = 0; c < set->curves->len; c++) {
        const Curve *curve = curve_set_at(set, c);
        picture->achieved = MAX(picture->achieved, curve->peak);
        for (guint i = 0; i < curve->points->len; i++)
            picture->cycles = MAX(picture->cycles, curve_point(curve, i)->mean);
    }
    picture->cycles = MARKS * round_up(picture->cycles / MARKS);
}

static void print_cells(const CurveSet *set, Picture *picture, FILE *out)
{
    for (int y = 0; y < PICTURE_HEIGHT; y++) {
        const char *line = g_strchomp(picture->cell[y]);
        const double cycles = picture->cycles * (PICTURE_HEIGHT - y) / PICTURE_HEIGHT;
        if (y % (PICTURE_HEIGHT / MARKS) == 0)
            fprintf(out, "  %7.0f +%s\n", cycles, line);
        else
            fprintf(out, "  %7s |%s\n", "", line);
    }
    g_autofree char *rule = g_strnfill(PICTURE_WIDTH, '-');
    fprintf(out, "  %7s +%s\n  %7s 0%*.0f %s\n", "0", rule, "", PICTURE_WIDTH - 5,
            picture->achieved, set->unit->words);
}

static void print_picture(const CurveSet *set, FILE *out)
{
    Picture picture;
    measure(set, &picture);
    if (!(picture.achieved > 0)) return;
    for (guint c = 0; c < set->curves->len; c++) plot_lines(&picture, curve_set_at(set, c));
    for (guint c = 0; c < set->curves->len; c++)
        plot_points(&picture, curve_set_at(set, c), letter_of(c));
    fprintf(out, "\n  mean latency in cycles against %s\n\n",
            set->unit->peak ? "the bandwidth that is achieved"
                            : "the packets that are accepted of each source in a cycle");
    print_cells(set, &picture, out);
    for (guint c = 0; c < set->curves->len && set->by->len; c++) {
        g_autofree char *label = curve_label(set, curve_set_at(set, c));
        fprintf(out, "  %7s %c  %s\n", "", letter_of(c), label);
    }
}

void curve_set_print(const CurveSet *set, FILE *out)
{
    fprintf(out, "%s\n", set->data->title);
    for (guint c = 0; c < set->curves->len; c++) {
        const Curve *curve = curve_set_at(set, c);
        g_autofree char *label = curve_label(set, curve);
        fprintf(out, "\n");
        if (*label) fprintf(out, "%c: %s\n\n", letter_of(c), label);
        print_table(set, curve, out);
        fprintf(out, "\n");
        print_facts(set, curve, out);
    }
    print_picture(set, out);
    const guint points = set->data->points, missing = points - set->data->done;
    if (missing)
        fprintf(out, "\n  %u of %u points are not done and missing here\n", missing, points);
    if (set->unpaced)
        fprintf(out, "\n  %u points without traffic at a set rate are left out\n", set->unpaced);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void fill_row(Sheet *sheet, const CurveSet *set, const Curve *curve, const CurvePoint *point)
{
    sheet_row(sheet);
    for (guint i = 0; i < set->by->len; i++)
        sheet_text(sheet, curve_set_by(set, i), curve_value(set, curve, i));
    sheet_text(sheet, curve_set_load(set), point->load);
    g_autofree char *offered = curve_column(set, "offered");
    g_autofree char *achieved = curve_column(set, "achieved");
    g_autofree char *peak = curve_column(set, "peak");
    sheet_number(sheet, offered, point->offered);
    sheet_number(sheet, achieved, point->achieved);
    sheet_number(sheet, peak, point->peak);
    sheet_number(sheet, "latency_mean", point->mean);
    sheet_number(sheet, "latency_p95", point->p95);
    sheet_number(sheet, "latency_p99", point->p99);
    sheet_number(sheet, "latency_mean_ns", point->mean_ns);
    sheet_number(sheet, "times_unloaded", point->mean / curve->unloaded);
    sheet_number(sheet, "energy_pj_a_bit", point->pj_a_bit);
    sheet_number(sheet, "dram_pj_a_bit", point->dram_pj_a_bit);
    sheet_count(sheet, "points", point->points);
}

void curve_set_print_csv(const CurveSet *set, FILE *out)
{
    g_autoptr(Sheet) sheet = sheet_new();
    for (guint c = 0; c < set->curves->len; c++)
        for (guint i = 0; i < curve_set_at(set, c)->points->len; i++)
            fill_row(sheet, set, curve_set_at(set, c), curve_point(curve_set_at(set, c), i));
    sheet_print_csv(sheet, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_amount(JsonBuilder *json, const CurveSet *set, const char *what, double value)
{
    g_autofree char *name = curve_column(set, what);
    json_put_real(json, name, value);
}

static void put_point(JsonBuilder *json, const CurveSet *set, const Curve *curve,
                      const CurvePoint *point)
{
    json_builder_begin_object(json);
    json_put_text(json, curve_set_load(set), point->load);
    put_amount(json, set, "offered", point->offered);
    put_amount(json, set, "achieved", point->achieved);
    json_put_real(json, "latency_mean", point->mean);
    json_put_real(json, "latency_p95", point->p95);
    json_put_real(json, "latency_p99", point->p99);
    json_put_real(json, "latency_mean_ns", point->mean_ns);
    json_put_real(json, "times_unloaded", point->mean / curve->unloaded);
    if (isfinite(point->pj_a_bit)) json_put_real(json, "energy_pj_a_bit", point->pj_a_bit);
    if (isfinite(point->dram_pj_a_bit)) json_put_real(json, "dram_pj_a_bit", point->dram_pj_a_bit);
    json_put_number(json, "points", point->points);
    json_builder_end_object(json);
}

static void put_curve(JsonBuilder *json, const CurveSet *set, const Curve *curve)
{
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "by");
    json_builder_begin_object(json);
    for (guint i = 0; i < set->by->len; i++)
        json_put_text(json, curve_set_by(set, i), curve_value(set, curve, i));
    json_builder_end_object(json);
    json_put_real(json, "unloaded_cycles", curve->unloaded);
    json_put_bool(json, "unloaded_is_idle", curve->idle);
    if (isfinite(curve->saturation)) put_amount(json, set, "saturation", curve->saturation);
    put_amount(json, set, "peak", curve->peak);
    if (isfinite(curve->doubled)) put_amount(json, set, "doubled_at", curve->doubled);
    json_builder_set_member_name(json, "points");
    json_builder_begin_array(json);
    for (guint i = 0; i < curve->points->len; i++)
        put_point(json, set, curve, curve_point(curve, i));
    json_builder_end_array(json);
    json_builder_end_object(json);
}

JsonNode *curve_set_json(const CurveSet *set)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "title", set->data->title);
    json_put_text(json, "load", curve_set_load(set));
    json_put_number(json, "points", set->data->points);
    json_put_number(json, "missing", set->data->points - set->data->done);
    json_put_number(json, "without_load", set->unpaced);
    json_builder_set_member_name(json, "curves");
    json_builder_begin_array(json);
    for (guint c = 0; c < set->curves->len; c++) put_curve(json, set, curve_set_at(set, c));
    json_builder_end_array(json);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

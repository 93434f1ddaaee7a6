#include "scenarios/program/study/table/study_data.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/study/table/database.h"

static void factor_free(gpointer data)
{
    g_array_unref(((Factor *)data)->levels);
    g_free(data);
}

static void run_free(gpointer data)
{
    Run *run = data;
    g_free(run->levels);
    g_free(run->values);
    g_free(run);
}

static void sample_free(gpointer data)
{
    Sample *sample = data;
    g_free(sample->mean);
    g_free(sample->low);
    g_free(sample->high);
    g_free(sample);
}

void study_data_free(StudyData *data)
{
    if (!data) return;
    g_ptr_array_unref(data->factors);
    g_ptr_array_unref(data->measures);
    g_ptr_array_unref(data->samples);
    g_ptr_array_unref(data->runs);
    g_string_chunk_free(data->texts);
    g_free(data);
}

/* Calls `row` for each row of the answer; all queries of this file are of this kind. */
typedef void (*RowFunction)(StudyData *data, Query *row, gpointer context);

typedef struct {
    const char *sql;
    RowFunction row;
    gpointer context;
} Question;

static bool query(StudyData *data, sqlite3 *database, Question question, GError **error)
{
    g_autoptr(Query) rows = database_query(database, question.sql, error);
    if (!rows) return false;
    while (sqlite3_step(rows) == SQLITE_ROW) question.row(data, rows, question.context);
    return query_is_done(rows, error);
}

static char *column_text(StudyData *data, Query *row, int column)
{
    return g_string_chunk_insert_const(data->texts, query_text(row, column));
}

static void read_setting(StudyData *data, Query *row, gpointer context)
{
    (void)context;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    if (!g_strcmp0(name, "title")) data->title = column_text(data, row, 1);
    for (guint i = 0; !g_strcmp0(name, "design") && design_names[i]; i++)
        if (!strcmp(design_names[i], query_text(row, 1))) data->design = (Design)i;
}

static void read_factor(StudyData *data, Query *row, gpointer context)
{
    (void)context;
    Factor *factor = g_new0(Factor, 1);
    factor->name = column_text(data, row, 0);
    factor->unit = column_text(data, row, 1);
    factor->baseline = column_text(data, row, 2);
    factor->levels = g_array_new(FALSE, FALSE, sizeof(FactorLevel));
    g_ptr_array_add(data->factors, factor);
}

/* Values in the order in which the points first have them. */
static void read_level(StudyData *data, Query *row, gpointer context)
{
    (void)context;
    const int index = study_find_factor(data, (const char *)sqlite3_column_text(row, 0));
    if (index < 0) return;
    Factor *factor = data->factors->pdata[index];
    const FactorLevel level = {column_text(data, row, 1), query_number(row, 2)};
    g_array_append_val(factor->levels, level);
}

static gint compare_levels(gconstpointer left, gconstpointer right)
{
    const double a = ((const FactorLevel *)left)->number, b = ((const FactorLevel *)right)->number;
    return a < b ? -1 : a > b;
}

static void sort_levels(StudyData *data)
{
    for (guint i = 0; i < data->factors->len; i++) {
        Factor *factor = data->factors->pdata[i];
        factor->numeric = factor->levels->len > 0;
        for (guint k = 0; k < factor->levels->len; k++)
            factor->numeric &= isfinite(factor_level(factor, k)->number);
        if (factor->numeric) g_array_sort(factor->levels, compare_levels);
    }
}

static void read_measure(StudyData *data, Query *row, gpointer context)
{
    (void)context;
    char *unit = column_text(data, row, 1), *better = column_text(data, row, 2);
    if (!strcmp(unit, "text")) return;
    Measure *measure = g_new0(Measure, 1);
    measure->name = column_text(data, row, 0);
    measure->unit = unit;
    measure->summary = column_text(data, row, 3);
    measure->better = !strcmp(better, "lower")    ? BETTER_LOWER
                      : !strcmp(better, "higher") ? BETTER_HIGHER
                                                  : BETTER_NEITHER;
    g_ptr_array_add(data->measures, measure);
}

/* Points that are done become runs, which `context`, a GHashTable, finds by number. */
static void read_point(StudyData *data, Query *row, gpointer context)
{
    const char *status = (const char *)sqlite3_column_text(row, 3);
    data->points++;
    if (!g_strcmp0(status, "missing")) data->missing++;
    if (g_strcmp0(status, "done") != 0) return;
    data->done++;
    Run *run = g_new0(Run, 1);
    run->point = (guint)sqlite3_column_int(row, 0);
    run->replication = (guint)sqlite3_column_int(row, 1);
    run->role = column_text(data, row, 2);
    run->levels = g_new(guint, data->factors->len + 1);
    run->values = g_new(double, data->measures->len + 1);
    for (guint i = 0; i < data->factors->len; i++) run->levels[i] = G_MAXUINT;
    for (guint i = 0; i < data->measures->len; i++) run->values[i] = NAN;
    g_ptr_array_add(data->runs, run);
    g_hash_table_insert(context, GUINT_TO_POINTER(run->point), run);
}

/* Of each factor a table from a value's text to its level's position + 1. */
static GPtrArray *level_tables(const StudyData *data)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
    for (guint i = 0; i < data->factors->len; i++) {
        const Factor *factor = study_factor(data, i);
        GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint k = 0; k < factor->levels->len; k++)
            g_hash_table_insert(table, factor_level(factor, k)->text, GUINT_TO_POINTER(k + 1));
        g_ptr_array_add(tables, table);
    }
    return tables;
}

typedef struct {
    GHashTable *runs;
    GPtrArray *tables;
    GArray *columns; /* of int: the measure in each column of the results; -1: none */
} Reading;

static void read_parameter(StudyData *data, Query *row, gpointer context)
{
    const Reading *reading = context;
    Run *run = g_hash_table_lookup(reading->runs, GINT_TO_POINTER(sqlite3_column_int(row, 0)));
    const int factor = study_find_factor(data, (const char *)sqlite3_column_text(row, 1));
    if (!run || factor < 0) return;
    const gpointer level =
        g_hash_table_lookup(reading->tables->pdata[factor], sqlite3_column_text(row, 2));
    run->levels[factor] = GPOINTER_TO_UINT(level) - 1;
}

static void read_results(StudyData *data, Query *row, gpointer context)
{
    const Reading *reading = context;
    Run *run = g_hash_table_lookup(reading->runs, GINT_TO_POINTER(sqlite3_column_int(row, 0)));
    for (int column = (int)reading->columns->len; column < sqlite3_column_count(row); column++) {
        const int index = study_find_measure(data, sqlite3_column_name(row, column));
        g_array_append_val(reading->columns, index);
    }
    for (int column = 1; run && column < sqlite3_column_count(row); column++) {
        const int index = g_array_index(reading->columns, int, column);
        if (index < 0) continue;
        Measure *measure = data->measures->pdata[index];
        run->values[index] = query_number(row, column);
        measure->known |= isfinite(run->values[index]);
    }
}

/* Every point has a value of every dimension (database.h); a database that breaks this is none of
 * ours. */
static bool is_complete(const StudyData *data, GError **error)
{
    for (guint i = 0; i < data->runs->len; i++)
        for (guint k = 0; k < data->factors->len; k++)
            if (((const Run *)data->runs->pdata[i])->levels[k] == G_MAXUINT) {
                g_set_error(error, STUDY_ERROR, 0,
                            "the study's database: a point has no value of %s",
                            study_factor(data, k)->name);
                return false;
            }
    return true;
}

static char *combination_of(const StudyData *data, const Run *run)
{
    GString *text = g_string_new(run->role);
    for (guint i = 0; i < data->factors->len; i++)
        g_string_append_printf(text, "\n%u", run->levels[i]);
    return g_string_free(text, FALSE);
}

static Sample *new_sample(StudyData *data, const Run *run)
{
    const guint measures = data->measures->len;
    Sample *sample = g_new0(Sample, 1);
    sample->levels = run->levels;
    sample->role = run->role;
    sample->mean = g_new0(double, measures + 1);
    sample->low = g_new(double, measures + 1);
    sample->high = g_new(double, measures + 1);
    for (guint i = 0; i < measures; i++) sample->low[i] = sample->high[i] = NAN;
    g_ptr_array_add(data->samples, sample);
    return sample;
}

static void put_together(StudyData *data)
{
    g_autoptr(GHashTable) samples = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < data->runs->len; i++) {
        const Run *run = data->runs->pdata[i];
        char *combination = combination_of(data, run);
        Sample *sample = g_hash_table_lookup(samples, combination);
        if (!sample) sample = new_sample(data, run);
        g_hash_table_insert(samples, combination, sample);
        sample->runs++;
        for (guint k = 0; k < data->measures->len; k++) {
            sample->mean[k] += run->values[k];
            sample->low[k] = fmin(sample->low[k], run->values[k]);
            sample->high[k] = fmax(sample->high[k], run->values[k]);
        }
    }
    for (guint i = 0; i < data->samples->len; i++) {
        Sample *sample = data->samples->pdata[i];
        for (guint k = 0; k < data->measures->len; k++) sample->mean[k] /= sample->runs;
    }
}

StudyData *study_data_read(sqlite3 *database, GError **error)
{
    g_autoptr(StudyData) data = g_new0(StudyData, 1);
    data->title = "";
    data->texts = g_string_chunk_new(4096);
    data->factors = g_ptr_array_new_with_free_func(factor_free);
    data->measures = g_ptr_array_new_with_free_func(g_free);
    data->runs = g_ptr_array_new_with_free_func(run_free);
    data->samples = g_ptr_array_new_with_free_func(sample_free);
    g_autoptr(GHashTable) runs = g_hash_table_new(NULL, NULL);
    const Question heads[] = {
        {"SELECT name, value FROM study", read_setting, NULL},
        {"SELECT name, unit, baseline FROM dimensions ORDER BY position", read_factor, NULL},
        {"SELECT name, value, number FROM parameters GROUP BY name, value ORDER BY MIN(point)",
         read_level, NULL},
        {"SELECT name, unit, better, summary FROM result_columns ORDER BY position", read_measure,
         NULL},
        {"SELECT point, replication, role, status FROM points ORDER BY point", read_point, runs},
    };
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        if (!query(data, database, heads[i], error)) return NULL;
    sort_levels(data);
    g_autoptr(GPtrArray) tables = level_tables(data);
    g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(int));
    Reading reading = {runs, tables, columns};
    const Question values = {"SELECT point, name, value FROM parameters", read_parameter, &reading};
    const Question results = {"SELECT * FROM results", read_results, &reading};
    if (!query(data, database, values, error) || !query(data, database, results, error))
        return NULL;
    if (!is_complete(data, error)) return NULL;
    data->failed = data->points - data->done - data->missing;
    put_together(data);
    return g_steal_pointer(&data);
}

const Factor *study_factor(const StudyData *data, guint index)
{
    return data->factors->pdata[index];
}

const Measure *study_measure(const StudyData *data, guint index)
{
    return data->measures->pdata[index];
}

const FactorLevel *factor_level(const Factor *factor, guint index)
{
    return &g_array_index(factor->levels, FactorLevel, index);
}

int study_find_factor(const StudyData *data, const char *name)
{
    for (guint i = 0; i < data->factors->len; i++)
        if (!g_strcmp0(study_factor(data, i)->name, name)) return (int)i;
    return -1;
}

int study_find_measure(const StudyData *data, const char *name)
{
    for (guint i = 0; i < data->measures->len; i++)
        if (!g_strcmp0(study_measure(data, i)->name, name)) return (int)i;
    return -1;
}

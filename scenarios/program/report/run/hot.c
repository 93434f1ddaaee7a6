/* Hot spots: banks, slices, lines and words that are busier than the others. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "kit/describe/role.h"
#include "platform/machine/machine.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

enum { BANK_CELLS_MAX = 5000 };

/* Less above the mean is no imbalance. */
#define EVEN 1.05

/* Counts that are all smaller are chance, not spread. */
#define FEW 8

/* A statistic of the units of a class. */
typedef struct {
    JsonNode *result;
    const UnitClass *unit;
    const Stat *stat;
} Place;

static JsonArray *instances_of(const Place *place)
{
    g_autofree char *path = g_strdup_printf("units.%s.instances", place->unit->name);
    return result_array(place->result, path);
}

/* How far the busiest of all is above the mean. */
typedef struct {
    double sum, most;
    guint count, idle;
} Spread;

static void spread_add(Spread *spread, double value)
{
    spread->sum += value;
    spread->most = fmax(spread->most, value);
    spread->count++;
    if (!(value > 0)) spread->idle++;
}

static double imbalance(const Spread *spread)
{
    return spread->most * spread->count / spread->sum;
}

/* --- channels and banks ----------------------------------------------------------------------- */

static void add_banks(Figure *figure, const Place *place, guint first, guint last, guint banks)
{
    JsonArray *units = instances_of(place);
    g_autofree char *from = data_unit_path(place->result, place->unit->name, first);
    g_autofree char *to = data_unit_path(place->result, place->unit->name, last);
    g_autofree char *both = g_strdup_printf("%s to %s", from, to);
    figure_row(figure);
    figure_text(figure, first == last ? from : both);
    for (guint bank = 0; bank < banks; bank++) {
        gint64 sum = 0;
        for (guint unit = first; unit <= last; unit++)
            sum += json_array_get_int_element(
                result_array(data_element(units, unit), place->stat->name), bank);
        figure_integer(figure, sum);
    }
}

/* Of every unit as long as of the first; 0: the statistic is not there. */
static guint count_banks(const Place *place)
{
    JsonArray *units = instances_of(place);
    const guint banks = result_length(units)
                            ? result_length(result_array(data_element(units, 0), place->stat->name))
                            : 0;
    for (guint i = 1; i < result_length(units); i++)
        if (result_length(result_array(data_element(units, i), place->stat->name)) != banks)
            return 0;
    return banks;
}

static Spread spread_of_banks(const Place *place, guint banks)
{
    JsonArray *units = instances_of(place);
    Spread spread = {.count = 0};
    for (guint unit = 0; unit < result_length(units); unit++)
        for (guint bank = 0; bank < banks; bank++)
            spread_add(&spread,
                       (double)json_array_get_int_element(
                           result_array(data_element(units, unit), place->stat->name), bank));
    return spread;
}

static void note_busiest(Figure *figure, double times)
{
    g_autofree char *words = number_words(round(times * 100) / 100);
    figure_note(figure, "The busiest bank has %s times the mean.", words);
}

static Figure *bank_map(const Place *place)
{
    Figure *figure = data_figure(place->unit, place->stat, "unit_banks");
    const StatWords *words = &place->stat->map;
    const guint banks = count_banks(place), units = result_length(instances_of(place));
    const Spread spread = spread_of_banks(place, banks);
    if (banks < 2 || spread.most < FEW) return figure;
    const guint step = (units * banks + BANK_CELLS_MAX - 1) / BANK_CELLS_MAX;
    figure_column(figure, words->of, NULL);
    for (guint bank = 0; bank < banks; bank++) {
        g_autofree char *name = g_strdup_printf("%u", bank);
        figure_column(figure, name, NULL);
    }
    figure_axis(figure, FIGURE_X, "bank", NULL, FALSE);
    figure_axis(figure, FIGURE_Y, words->of, NULL, FALSE);
    figure_axis(figure, FIGURE_VALUE, words->what, NULL, FALSE);
    for (guint unit = 0; unit < units; unit += step)
        add_banks(figure, place, unit, MIN(units, unit + step) - 1, banks);
    if (imbalance(&spread) < EVEN)
        figure_note(figure, "All are about equally busy.");
    else
        note_busiest(figure, imbalance(&spread));
    if (step > 1) figure_note(figure, "A row is the sum of %u neighbouring %ss.", step, words->of);
    return figure;
}

/* --- slices ----------------------------------------------------------------------------------- */

enum { BUSIEST = 12, IDLEST = 4 };

typedef struct {
    guint unit;
    double lookups;
} Slice;

static int compare_slices(gconstpointer a, gconstpointer b)
{
    const Slice *x = a, *y = b;
    if (x->lookups != y->lookups) return (x->lookups < y->lookups) - (x->lookups > y->lookups);
    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Of Slice, busiest first. */
static GArray *sort_slices(const Place *place)
{
    JsonArray *units = instances_of(place);
    GArray *slices = g_array_new(FALSE, FALSE, sizeof(Slice));
    for (guint i = 0; i < result_length(units); i++) {
        const Slice slice = {i, result_number(data_element(units, i), place->stat->name)};
        g_array_append_val(slices, slice);
    }
    g_array_sort(slices, compare_slices);
    return slices;
}

static void add_slice(Figure *figure, const Place *place, const Slice *slice)
{
    g_autofree char *path = data_unit_path(place->result, place->unit->name, slice->unit);
    figure_row(figure);
    figure_text(figure, path);
    figure_integer(figure, (gint64)slice->lookups);
}

static void note_slices(Figure *figure, const Spread *spread)
{
    if (spread->idle)
        figure_note(figure, "%u of %u looked nothing up.", spread->idle, spread->count);
    else if (spread->count > BUSIEST + IDLEST)
        figure_note(figure, "The %d busiest and the %d least busy of %u.", BUSIEST, IDLEST,
                    spread->count);
    if (imbalance(spread) < EVEN)
        figure_note(figure, "All are about equally busy.");
    else
        figure_note(figure,
                    "The busiest slice has %.3g times the mean: where slices are the bound, the "
                    "run takes %.3g times as long as with addresses spread evenly.",
                    imbalance(spread), imbalance(spread));
}

static Figure *slice_camping(JsonNode *result)
{
    const UnitClass *slices_class = data_class(MEANS_L2_LOOKUPS);
    const Place place = {result, slices_class,
                         stat_that_means(slices_class->stats, MEANS_L2_LOOKUPS)};
    Figure *figure = figure_new("slice_camping", NULL);
    g_autoptr(GArray) slices = sort_slices(&place);
    Spread spread = {.count = 0};
    for (guint i = 0; i < slices->len; i++)
        spread_add(&spread, g_array_index(slices, Slice, i).lookups);
    if (spread.count < 2 || !(spread.sum > 0)) return figure;
    figure_column(figure, "L2 slice", NULL);
    figure_column(figure, "look-ups", NULL);
    const gboolean all = slices->len <= BUSIEST + IDLEST;
    for (guint i = 0; i < slices->len; i++)
        if (g_array_index(slices, Slice, i).lookups > 0
            && (all || i < BUSIEST || i + IDLEST >= slices->len))
            add_slice(figure, &place, &g_array_index(slices, Slice, i));
    figure_mark(figure, FIGURE_X, spread.sum / spread.count, "mean");
    note_slices(figure, &spread);
    return figure;
}

/* --- addresses -------------------------------------------------------------------------------- */

/* What was counted for an address may be others' by up to `error`, unless each is counted. */
static double sure_of(JsonNode *row)
{
    return result_number(row, "count") - number_or_zero(result_number(row, "error"));
}

/* Where most of a count may be others', the address is not known to be hot; nor is one that was
 * accessed once. */
static gboolean is_hot(JsonNode *row)
{
    return sure_of(row) >= 2 && sure_of(row) >= result_number(row, "count") / 2;
}

/* `all`: what the counts are a part of. */
static void add_address(Figure *figure, JsonNode *result, JsonNode *row, double all)
{
    const double count = result_number(row, "count"), sure = sure_of(row);
    g_autofree char *place = data_place(result, row);
    figure_row(figure);
    figure_text(figure, place);
    figure_text(figure, result_text(row, "address"));
    figure_integer(figure, (gint64)sure);
    figure_integer(figure, (gint64)count);
    figure_number(figure, data_percent(sure, all));
}

static Figure *hottest(const Place *place)
{
    Figure *figure = data_figure(place->unit, place->stat, "unit_hottest");
    g_autofree char *list =
        g_strdup_printf("units.%s.total.%s", place->unit->name, place->stat->name);
    JsonArray *rows = result_array(place->result, list);
    const double all =
        number_or_zero(number_of_class(place->result, place->unit, place->stat->part_of));
    figure_column(figure, "where", NULL);
    figure_column(figure, "address", NULL);
    figure_column(figure, "at least", NULL);
    figure_column(figure, "at most", NULL);
    figure_column(figure, "share, at least", "%");
    for (guint i = 0; i < result_length(rows); i++)
        if (is_hot(data_element(rows, i)))
            add_address(figure, place->result, data_element(rows, i), all);
    return figure;
}

/* Statistics of a kind, of all units. */
static void add_all(Document *document, JsonNode *result, StatType type,
                    Figure *(*draw)(const Place *place))
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat && stat->name; stat++)
            if (stat->type == type) document_add(document, draw(&(Place){result, *unit, stat}));
}

void run_hot(Document *document, JsonNode *result)
{
    document_section(document, "hot_spots", "Hot spots",
                     "Where a few places do the work of all: even spread is what an interleaved "
                     "memory is built for.");
    document_add(document, slice_camping(result));
    add_all(document, result, STAT_BANKS, bank_map);
    add_all(document, result, STAT_HEAVY, hottest);
    add_all(document, result, STAT_RANKING, hottest);
}

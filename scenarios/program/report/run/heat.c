/* Heat maps: units from top to bottom, time from left to right. */
#include "scenarios/program/report/run/page.h"

#include "kit/describe/role.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/series.h"
#include "scenarios/program/result/result.h"

/* More cells are more than a screen has room for; so many columns are kept at least. */
enum { CELLS_MAX = 5000, COLUMNS_LEAST = 32 };

/* Of units of a class: a statistic, and those that are mapped in the same words, which are added to
 * it. */
typedef struct {
    const UnitClass *unit_class;
    const Stat *stat;
} HeatMap;

/* The map's statistics: the first, and the next ones; NULL: there is none. */
static const Stat *next_of(const HeatMap *map, const Stat *from)
{
    return stat_with_role(from, ROLE(map.what), map->stat->map.what);
}

static char *name_of(const HeatMap *map, const Stat *stat)
{
    return g_strdup_printf("%s.%s", map->unit_class->name, stat->name);
}

/* What values are measured in. */
static const char *unit_of(const HeatMap *map)
{
    return map->stat->type == STAT_BYTES ? "GB/s" : "";
}

/* So many neighbouring units and intervals are drawn as one cell. */
typedef struct {
    const guint *unit; /* the units that are drawn */
    guint units, rows, unit_step;
    guint columns, time_step;
} Grid;

static guint parts(guint count, guint step)
{
    return (count + step - 1) / step;
}

static Grid make_grid(const GArray *busy, guint intervals)
{
    const guint units = busy->len;
    Grid grid = {.unit = (const guint *)busy->data, .units = units};
    const guint least = MIN(intervals, COLUMNS_LEAST);
    grid.unit_step = MAX(1, parts(units * least, CELLS_MAX));
    grid.rows = parts(units, grid.unit_step);
    grid.time_step = MAX(1, parts(intervals, MAX(1, CELLS_MAX / grid.rows)));
    grid.columns = parts(intervals, grid.time_step);
    return grid;
}

/* A sum over the cell; of a level times fs. */
static double sum_cell(const ProfileSeries *series, const HeatMap *map, JsonArray *values,
                       guint first, guint end)
{
    double sum = 0;
    for (guint i = first; values && i < end; i++)
        sum += json_array_get_double_element(values, i)
               * (map->stat->type == STAT_LEVEL ? series_length(series, i) : 1);
    return sum;
}

static double sum_unit(const ProfileSeries *series, const HeatMap *map, guint unit, guint first,
                       guint end)
{
    double sum = 0;
    for (const Stat *stat = map->stat; stat; stat = next_of(map, stat + 1)) {
        g_autofree char *name = name_of(map, stat);
        if (!series_total(series, name)) continue;
        sum += sum_cell(series, map, series_unit(series, name, unit), first, end);
    }
    return sum;
}

static double sum_units(const ProfileSeries *series, const HeatMap *map, const Grid *grid,
                        guint row, guint column)
{
    const guint first = column * grid->time_step;
    const guint end = MIN(series->intervals, first + grid->time_step);
    const guint last = MIN(grid->units, (row + 1) * grid->unit_step);
    double sum = 0;
    for (guint unit = row * grid->unit_step; unit < last; unit++)
        sum += sum_unit(series, map, grid->unit[unit], first, end);
    return sum / (last - row * grid->unit_step);
}

static double cell(const ProfileSeries *series, const HeatMap *map, const Grid *grid, guint row,
                   guint column)
{
    const guint first = column * grid->time_step;
    const guint end = MIN(series->intervals, first + grid->time_step);
    double length = 0;
    for (guint i = first; i < end; i++) length += series_length(series, i);
    const double sum = sum_units(series, map, grid, row, column);
    if (map->stat->type == STAT_BYTES) return sum / (length * NS_OF_FS);
    if (map->stat->type != STAT_COUNT) return sum / length;
    return sum / data_core_cycles(series->result, length * NS_OF_FS);
}

static void add_columns(Figure *figure, const ProfileSeries *series, const HeatMap *map,
                        const Grid *grid)
{
    figure_column(figure, map->stat->map.of, NULL);
    for (guint i = 0; i < grid->columns; i++) {
        g_autofree char *at =
            g_strdup_printf("%.5g", i * grid->time_step * series->interval * US_OF_FS);
        figure_column(figure, at, unit_of(map));
    }
    figure_axis(figure, FIGURE_X, "time, from", "us", FALSE);
    figure_axis(figure, FIGURE_Y, map->stat->map.of, NULL, FALSE);
    figure_axis(figure, FIGURE_VALUE, map->stat->map.what, unit_of(map), FALSE);
}

static void add_label(Figure *figure, JsonNode *result, const HeatMap *map, const Grid *grid,
                      guint row)
{
    const guint first = row * grid->unit_step;
    const guint last = MIN(grid->units, first + grid->unit_step) - 1;
    g_autofree char *from = data_unit_path(result, map->unit_class->name, grid->unit[first]);
    g_autofree char *to = data_unit_path(result, map->unit_class->name, grid->unit[last]);
    g_autofree char *both = g_strdup_printf("%s to %s", from, to);
    figure_text(figure, first == last ? from : both);
}

static gboolean has_moved(const ProfileSeries *series, const HeatMap *map)
{
    for (const Stat *stat = map->stat; stat; stat = next_of(map, stat + 1)) {
        g_autofree char *name = name_of(map, stat);
        if (series_moved(series_total(series, name))) return TRUE;
    }
    return FALSE;
}

static gboolean is_busy(const ProfileSeries *series, const HeatMap *map, guint unit)
{
    for (const Stat *stat = map->stat; stat; stat = next_of(map, stat + 1)) {
        g_autofree char *name = name_of(map, stat);
        if (series_total(series, name) && series_moved(series_unit(series, name, unit)))
            return TRUE;
    }
    return FALSE;
}

/* Indices of the units that are drawn: all, but where hardly any does something, those. */
static GArray *busy_units(const ProfileSeries *series, const HeatMap *map, guint units)
{
    GArray *busy = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint unit = 0; unit < units; unit++)
        if (is_busy(series, map, unit)) g_array_append_val(busy, unit);
    if (busy->len * 4 < units) return busy;
    g_array_set_size(busy, 0);
    for (guint unit = 0; unit < units; unit++) g_array_append_val(busy, unit);
    return busy;
}

static Figure *heat_map(const ProfileSeries *series, const HeatMap *map)
{
    g_autofree char *name = name_of(map, map->stat);
    Figure *figure = data_figure(map->unit_class, map->stat, "unit_map");
    const guint units = series_units(series, name);
    if (units < 2 || !has_moved(series, map)) return figure;
    g_autoptr(GArray) busy = busy_units(series, map, units);
    if (busy->len < 2) return figure;
    const Grid grid = make_grid(busy, series->intervals);
    add_columns(figure, series, map, &grid);
    for (guint row = 0; row < grid.rows; row++) {
        figure_row(figure);
        add_label(figure, series->result, map, &grid, row);
        for (guint column = 0; column < grid.columns; column++)
            figure_number(figure, cell(series, map, &grid, row, column));
    }
    if (grid.time_step > 1)
        figure_note(figure, "A cell is the mean of %u neighbouring intervals.", grid.time_step);
    if (grid.unit_step > 1)
        figure_note(figure, "A row is the mean of %u neighbouring units.", grid.unit_step);
    if (busy->len < units)
        figure_note(figure, "%u of %u were idle all the time and are left out.", units - busy->len,
                    units);
    return figure;
}

/* The first row of a map stands for it. */
static gboolean is_first(const UnitClass *unit, const Stat *stat)
{
    return stat->over_time && stat == stat_with_role(unit->stats, ROLE(map.what), stat->map.what);
}

void run_heat(Document *document, JsonNode *result, const UnitClass *const *classes)
{
    ProfileSeries series;
    if (!series_read(result, &series)) return;
    document_section(document, "maps", "Units over time",
                     "A row is a unit. Rows that differ are imbalance; columns that differ are "
                     "phases of the run.");
    for (const UnitClass *const *unit = classes; *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(map.what), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(map.what), NULL))
            if (is_first(*unit, stat))
                document_add(document, heat_map(&series, &(HeatMap){*unit, stat}));
    }
}

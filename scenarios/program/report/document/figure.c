#include "scenarios/program/report/document/figure.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

typedef enum { CELL_EMPTY, CELL_TEXT, CELL_REAL, CELL_INTEGER } CellKind;

typedef struct {
    CellKind kind;
    union {
        char *text;
        double real;
        gint64 integer;
    };
} Cell;

typedef struct {
    char *name, *unit;
} Column;

typedef struct {
    char *name, *unit;
    gboolean logarithmic;
} Axis;

typedef struct {
    FigureAxis axis;
    double at;
    char *label;
} Mark;

typedef struct {
    char *name;
    double x, y;
} Place;

struct Figure {
    const FigureTopic *topic;
    char *id, *title;
    GArray *columns, *cells, *marks; /* of Column, Cell, Mark */
    Axis axes[FIGURE_AXES];
    GString *note;
    GArray *places; /* of Place */
    char *opener;   /* NULL: it is always shown */
    guint rows;
};

static const char *figure_kind_name(FigureKind kind)
{
    static const char *const names[FIGURE_KINDS] = {
        "table", "bars",      "stacked_bars", "lines",  "steps", "areas",
        "heat",  "waterfall", "tornado",      "points", "graph",
    };
    g_return_val_if_fail(kind < FIGURE_KINDS, "?");
    return names[kind];
}

const FigureTopic *figure_topic(const char *name)
{
    for (const FigureTopic *topic = figure_topics(); topic->name; topic++)
        if (!strcmp(topic->name, name)) return topic;
    return NULL;
}

static void clear_column(gpointer data)
{
    Column *column = data;
    g_free(column->name);
    g_free(column->unit);
}

static void clear_cell(gpointer data)
{
    Cell *cell = data;
    if (cell->kind == CELL_TEXT) g_free(cell->text);
}

static void clear_place(gpointer data)
{
    g_free(((Place *)data)->name);
}

static void clear_mark(gpointer data)
{
    g_free(((Mark *)data)->label);
}

static GArray *new_array(guint size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, size);
    g_array_set_clear_func(array, clear);
    return array;
}

/* A file's name: letters, digits, `.`, `_` and `-`. */
static char *make_id(const char *topic, const char *qualifier)
{
    char *id = qualifier ? g_strdup_printf("%s-%s", topic, qualifier) : g_strdup(topic);
    for (char *c = id; *c; c++)
        if (!g_ascii_isalnum(*c) && !strchr("._-", *c)) *c = '_';
    return id;
}

Figure *figure_new(const char *topic, const char *qualifier)
{
    const FigureTopic *found = figure_topic(topic);
    if (!found) g_error("no topic '%s'", topic);
    Figure *figure = g_new0(Figure, 1);
    figure->topic = found;
    figure->id = make_id(topic, qualifier);
    figure->title =
        qualifier ? g_strdup_printf("%s: %s", found->title, qualifier) : g_strdup(found->title);
    figure->columns = new_array(sizeof(Column), clear_column);
    figure->cells = new_array(sizeof(Cell), clear_cell);
    figure->marks = new_array(sizeof(Mark), clear_mark);
    figure->places = new_array(sizeof(Place), clear_place);
    figure->note = g_string_new(NULL);
    return figure;
}

void figure_free(Figure *figure)
{
    if (!figure) return;
    g_free(figure->id);
    g_free(figure->title);
    g_free(figure->opener);
    g_array_unref(figure->columns);
    g_array_unref(figure->cells);
    g_array_unref(figure->marks);
    g_array_unref(figure->places);
    for (guint i = 0; i < FIGURE_AXES; i++) {
        g_free(figure->axes[i].name);
        g_free(figure->axes[i].unit);
    }
    g_string_free(figure->note, TRUE);
    g_free(figure);
}

void figure_column(Figure *figure, const char *name, const char *unit)
{
    g_assert(!figure->rows);
    const Column column = {g_strdup(name), g_strdup(unit)};
    g_array_append_val(figure->columns, column);
}

void figure_row(Figure *figure)
{
    g_assert(figure->cells->len == figure->rows * figure->columns->len);
    figure->rows++;
}

static void append(Figure *figure, Cell cell)
{
    g_assert(figure->cells->len < figure->rows * figure->columns->len);
    g_array_append_val(figure->cells, cell);
}

void figure_text(Figure *figure, const char *text)
{
    if (text)
        append(figure, (Cell){CELL_TEXT, .text = g_utf8_make_valid(text, -1)});
    else
        append(figure, (Cell){.kind = CELL_EMPTY});
}

void figure_number(Figure *figure, double value)
{
    if (isfinite(value))
        append(figure, (Cell){CELL_REAL, .real = value});
    else
        append(figure, (Cell){.kind = CELL_EMPTY});
}

void figure_integer(Figure *figure, gint64 value)
{
    append(figure, (Cell){CELL_INTEGER, .integer = value});
}

void figure_count(Figure *figure, double value)
{
    if (fabs(value) < 0x1p63)
        figure_integer(figure, (gint64)value);
    else
        figure_text(figure, NULL);
}

void figure_axis(Figure *figure, FigureAxis axis, const char *name, const char *unit,
                 gboolean logarithmic)
{
    Axis *named = &figure->axes[axis];
    g_free(named->name);
    g_free(named->unit);
    *named = (Axis){g_strdup(name), g_strdup(unit), logarithmic};
}

void figure_mark(Figure *figure, FigureAxis axis, double at, const char *label)
{
    if (!isfinite(at)) return;
    const Mark mark = {axis, at, g_strdup(label)};
    g_array_append_val(figure->marks, mark);
}

void figure_place(Figure *figure, const char *name, double x, double y)
{
    const Place place = {g_strdup(name), x, y};
    g_array_append_val(figure->places, place);
}

void figure_note(Figure *figure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (figure->note->len) g_string_append_c(figure->note, ' ');
    g_string_append_vprintf(figure->note, format, arguments);
    va_end(arguments);
}

void figure_set_opener(Figure *figure, const char *table, guint row)
{
    g_free(figure->opener);
    figure->opener = g_strdup_printf("%s/%u", table, row);
}

const char *figure_id(const Figure *figure)
{
    return figure->id;
}

guint figure_rows(const Figure *figure)
{
    return figure->rows;
}

static void put_columns(JsonBuilder *json, const Figure *figure)
{
    json_builder_set_member_name(json, "columns");
    json_builder_begin_array(json);
    for (guint i = 0; i < figure->columns->len; i++) {
        const Column *column = &g_array_index(figure->columns, Column, i);
        json_builder_begin_object(json);
        json_put_text(json, "name", column->name);
        json_put_text(json, "unit", column->unit);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_cell(JsonBuilder *json, const Cell *cell)
{
    switch (cell->kind) {
    case CELL_EMPTY: json_builder_add_null_value(json); break;
    case CELL_TEXT: json_builder_add_string_value(json, cell->text); break;
    case CELL_REAL: json_builder_add_double_value(json, cell->real); break;
    case CELL_INTEGER: json_builder_add_int_value(json, cell->integer); break;
    }
}

static void put_rows(JsonBuilder *json, const Figure *figure)
{
    const guint width = figure->columns->len;
    g_assert(figure->cells->len == figure->rows * width);
    json_builder_set_member_name(json, "rows");
    json_builder_begin_array(json);
    for (guint row = 0; row < figure->rows; row++) {
        json_builder_begin_array(json);
        for (guint i = 0; i < width; i++)
            put_cell(json, &g_array_index(figure->cells, Cell, row * width + i));
        json_builder_end_array(json);
    }
    json_builder_end_array(json);
}

static const char *axis_name(FigureAxis axis)
{
    static const char *const names[FIGURE_AXES] = {"x", "y", "value"};
    return names[axis];
}

static void put_axes(JsonBuilder *json, const Figure *figure)
{
    json_builder_set_member_name(json, "axes");
    json_builder_begin_object(json);
    for (FigureAxis axis = 0; axis < FIGURE_AXES; axis++) {
        if (!figure->axes[axis].name) continue;
        json_builder_set_member_name(json, axis_name(axis));
        json_builder_begin_object(json);
        json_put_text(json, "name", figure->axes[axis].name);
        json_put_text(json, "unit", figure->axes[axis].unit);
        json_put_bool(json, "logarithmic", figure->axes[axis].logarithmic);
        json_builder_end_object(json);
    }
    json_builder_end_object(json);
}

static void put_marks(JsonBuilder *json, const Figure *figure)
{
    json_builder_set_member_name(json, "marks");
    json_builder_begin_array(json);
    for (guint i = 0; i < figure->marks->len; i++) {
        const Mark *mark = &g_array_index(figure->marks, Mark, i);
        json_builder_begin_object(json);
        json_put_text(json, "axis", axis_name(mark->axis));
        json_put_real(json, "at", mark->at);
        json_put_text(json, "label", mark->label);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* Lists of name, x and y, as they were added. */
static void put_places(JsonBuilder *json, const Figure *figure)
{
    if (!figure->places->len) return;
    json_builder_set_member_name(json, "places");
    json_builder_begin_array(json);
    for (guint i = 0; i < figure->places->len; i++) {
        const Place *place = &g_array_index(figure->places, Place, i);
        json_builder_begin_array(json);
        json_builder_add_string_value(json, place->name);
        json_builder_add_double_value(json, place->x);
        json_builder_add_double_value(json, place->y);
        json_builder_end_array(json);
    }
    json_builder_end_array(json);
}

JsonNode *figure_json(const Figure *figure)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "id", figure->id);
    json_put_text(json, "topic", figure->topic->name);
    json_put_text(json, "kind", figure_kind_name(figure->topic->kind));
    json_put_text(json, "title", figure->title);
    json_put_text(json, "shows", figure->topic->shows);
    json_put_text(json, "unit", figure->topic->unit);
    json_put_text(json, "read", figure->topic->read);
    json_put_text(json, "note", figure->note->str);
    if (figure->opener) json_put_text(json, "opener", figure->opener);
    put_columns(json, figure);
    put_axes(json, figure);
    put_marks(json, figure);
    put_places(json, figure);
    put_rows(json, figure);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

static void append_cell(GString *csv, const Cell *cell)
{
    switch (cell->kind) {
    case CELL_EMPTY: break;
    case CELL_TEXT: text_append_csv(csv, cell->text); break;
    case CELL_REAL: json_append_real(csv, cell->real); break;
    case CELL_INTEGER: g_string_append_printf(csv, "%" G_GINT64_FORMAT, cell->integer); break;
    }
}

static void append_header(GString *csv, const Figure *figure)
{
    for (guint i = 0; i < figure->columns->len; i++) {
        const Column *column = &g_array_index(figure->columns, Column, i);
        const gboolean has_unit = column->unit && *column->unit;
        g_autofree char *name = has_unit ? g_strdup_printf("%s (%s)", column->name, column->unit)
                                         : g_strdup(column->name);
        if (i) g_string_append_c(csv, ',');
        text_append_csv(csv, name);
    }
    g_string_append(csv, "\r\n");
}

char *figure_csv(const Figure *figure)
{
    GString *csv = g_string_new(NULL);
    const guint width = figure->columns->len;
    append_header(csv, figure);
    for (guint row = 0; row < figure->rows; row++) {
        for (guint i = 0; i < width; i++) {
            if (i) g_string_append_c(csv, ',');
            append_cell(csv, &g_array_index(figure->cells, Cell, row * width + i));
        }
        g_string_append(csv, "\r\n");
    }
    return g_string_free(csv, FALSE);
}

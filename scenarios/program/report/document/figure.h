/* Figures: what a report shows. A figure is a table and a topic, which says how it is drawn
 * and what its caption is; the page, the CSV beside it and the JSON have the same cells. */
#pragma once

#include <json-glib/json-glib.h>

/* How the columns of the table are drawn. */
typedef enum {
    FIGURE_TABLE,        /* as it is */
    FIGURE_BARS,         /* category; a bar for each further column */
    FIGURE_STACKED_BARS, /* category; a part of its bar for each further column */
    FIGURE_LINES,        /* x; a curve for each further column */
    FIGURE_STEPS,        /* the same; a value holds until the next x */
    FIGURE_AREAS,        /* x; curves on top of each other */
    FIGURE_HEAT,         /* row label; a cell for each further column, whose name is its x */
    FIGURE_WATERFALL,    /* step, change, role: "total" or "change" */
    FIGURE_TORNADO,      /* parameter, low, high: changes against the base */
    FIGURE_POINTS,       /* x, y, label, group */
    FIGURE_GRAPH,        /* link, from, to, value: lines between places */
    FIGURE_KINDS
} FigureKind;

/* What a figure of a report is about: its caption, and what `explain` says. */
typedef struct {
    const char *name; /* "stage_breakdown" */
    const char *title;
    FigureKind kind;
    const char *shows; /* what is shown, a sentence */
    const char *unit;  /* of the values: "ns", "GB/s", "% of the time"; "" for mixed tables */
    const char *read;  /* how to read it, a sentence or two */
} FigureTopic;

/* All topics, ending with a NULL name. */
const FigureTopic *figure_topics(void);
const FigureTopic *figure_study_topics(void);      /* those of studies alone */
const FigureTopic *figure_topic(const char *name); /* NULL: there is none */

typedef struct Figure Figure;

/* `topic` is the name of one of the topics. Of several figures of a topic each has a qualifier, a
 * word or two that its title and its file are told apart by, or NULL. */
Figure *figure_new(const char *topic, const char *qualifier);
void figure_free(Figure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Figure, figure_free)

/* Columns first, then rows: each row has a cell for each column, in their order. */
void figure_column(Figure *figure, const char *name, const char *unit);
void figure_row(Figure *figure);
void figure_text(Figure *figure, const char *text); /* NULL: an empty cell */
void figure_number(Figure *figure, double value);   /* not finite: an empty cell */
void figure_integer(Figure *figure, gint64 value);  /* exact */
/* Whole, as a result has it; not finite, or more than an integer holds: an empty cell. */
void figure_count(Figure *figure, double value);

typedef enum { FIGURE_X, FIGURE_Y, FIGURE_VALUE, FIGURE_AXES } FigureAxis;

/* FIGURE_VALUE is the colour of a heat map. An axis that is not named is called as its column.
 * Bars, waterfalls and tornados have one axis of values, called FIGURE_X or FIGURE_Y. */
void figure_axis(Figure *figure, FigureAxis axis, const char *name, const char *unit,
                 gboolean logarithmic);
/* Of a graph: where a line's end of this name is; y is downwards. */
void figure_place(Figure *figure, const char *name, double x, double y);
/* A line across the figure at a value of an axis: a percentile, a peak. */
void figure_mark(Figure *figure, FigureAxis axis, double at, const char *label);
/* What is particular to this figure; goes behind the caption. Further notes are appended. */
void figure_note(Figure *figure, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* It is shown when this row of that table is opened: the table's id, the row's number. */
void figure_set_opener(Figure *figure, const char *table, guint row);

const char *figure_id(const Figure *figure); /* "latency_histogram-load_dram": its file's name */
guint figure_rows(const Figure *figure);

/* As the page wants it. */
JsonNode *figure_json(const Figure *figure);
/* RFC 4180: a line of names with units ("latency (ns)"), then the rows. Newly allocated. */
char *figure_csv(const Figure *figure);

/* What the sections of a run's report read from a result. Members that are missing read as NULL,
 * zero length or NaN, so that a figure without data stays empty and is left out. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/describe/stage.h"
#include "kit/engine/unit.h"
#include "scenarios/program/report/document/figure.h"

#define NS_OF_FS 1e-6
#define US_OF_FS 1e-9

JsonNode *data_element(JsonArray *array, guint index);
const char *data_word(JsonNode *row, const char *name); /* "?" where there is none */
/* Names of an object's members, in their order; g_list_free. */
GList *data_names(JsonNode *node, const char *path);
JsonNode *data_child(JsonNode *node, const char *path, const char *name);

double data_core_cycles(JsonNode *result, double ns); /* how many are as long; NaN */
/* The first class with a statistic of this meaning; every meaning has one. */
const UnitClass *data_class(StatMeaning meaning);
/* "sm[3].l1"; "7" where the result does not name the unit. Newly allocated. */
char *data_unit_path(JsonNode *result, const char *unit_class, guint index);

/* Of the topic that the row names, or that is called as it; of another one it is told apart by the
 * statistic. */
Figure *data_figure(const UnitClass *unit, const Stat *stat, const char *other);

/* 0 where both are 0; in %. */
double data_percent(double part, double whole);

/* In which stages any of the rows is. A row has its stages by name in `member`, or (NULL)
 * itself. */
typedef struct {
    const char *member;
    gboolean any[STAGE_COUNT];
} StageColumns;

void stage_columns_count(StageColumns *columns, JsonNode *row);
double stage_of(const StageColumns *columns, JsonNode *row, Stage stage);
/* The stage with most of the row's time; STAGE_COUNT: it has none. */
Stage stage_longest(JsonNode *row);

/* "0x1f80", of a number or of such text; NULL: there is none. Newly allocated. */
char *data_address(JsonNode *row, const char *name);
/* "a+0x1f80", or the row's address where no array has it; NULL: it has none. Newly allocated. */
char *data_place(JsonNode *result, JsonNode *row);

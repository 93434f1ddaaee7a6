/* The figures of a comparison's page. All compare with the first result. */
#pragma once

#include "scenarios/program/compare/compare.h"
#include "scenarios/program/report/document/document.h"

/* Figures draw so many results at most, and say what they leave out; tables have all. */
enum { COMPARISON_DRAWN = 8 };
guint comparison_drawn(const Comparison *comparison);
void comparison_note_left_out(Figure *figure, const Comparison *comparison);

/* A waterfall from the first result to another one, and one for each: a change has what it was
 * before and after, a sum (role "total" or "change") is known alone. */
typedef Figure *WaterfallMaker(JsonNode *before, JsonNode *after, const char *const names[2]);
void waterfall_add_columns(Figure *figure);
void waterfall_add_change(Figure *figure, const char *name, gint64 before, gint64 after);
void waterfall_add_sum(Figure *figure, const char *name, const char *role, gint64 femtoseconds);
void waterfall_add_all(Document *document, const Comparison *comparison, WaterfallMaker *make);

gboolean comparison_any_partial(const Comparison *comparison);

Figure *comparison_results(const Comparison *comparison);
Figure *comparison_summary(const Comparison *comparison);
Figure *comparison_machines(const Comparison *comparison);
Figure *comparison_parameters(const Comparison *comparison);
/* Of results that tell kernels apart. */
Figure *comparison_kernels(const Comparison *comparison);
Figure *comparison_pressure(const Comparison *comparison);

/* Where time went, and where its change comes from; see topic time_change. */
Figure *comparison_time(const Comparison *comparison);
void comparison_add_time_changes(Document *document, const Comparison *comparison);
Figure *comparison_time_change(JsonNode *before, JsonNode *after, const char *const names[2]);

/* What each took, by stage. */
Figure *comparison_energy(const Comparison *comparison);

/* One for each result but the first. */
void comparison_add_changes(Document *document, const Comparison *comparison);
/* Steps of a waterfall from one result to another; see topic latency_change. */
Figure *comparison_change(JsonNode *before, JsonNode *after, const char *const names[2]);

/* For each request class that a share worth looking at of the requests is in. */
void comparison_add_stages(Document *document, const Comparison *comparison);
void comparison_add_latencies(Document *document, const Comparison *comparison);

Figure *comparison_bandwidth(const Comparison *comparison);

/* A report before it is a page: a lead, sections, and figures in them. */
#pragma once

#include "scenarios/program/report/document/figure.h"

typedef struct Document Document;

/* `kind`: "run", "comparison" or "study". */
Document *document_new(const char *kind, const char *title, const char *subtitle);
void document_free(Document *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

/* A sentence that stands first: "Bound by", "the DRAM bus: 91 % of peak bandwidth was used". */
void document_lead(Document *document, const char *label, const char *text);
/* Begins a section; `text` (may be NULL) is a line below its title. */
void document_section(Document *document, const char *id, const char *title, const char *text);
/* Takes the figure over and puts it into the last section. One without rows is left out, and so is
 * a section without figures. */
void document_add(Document *document, Figure *figure);

/* Of Figure, borrowed, in their order. */
GPtrArray *document_figures(const Document *document);

JsonNode *document_json(const Document *document);
/* One page that needs nothing else. Newly allocated. */
char *document_html(const Document *document);
/* FOLDER/FIGURE.csv for each figure; makes the folder. */
gboolean document_write_data(const Document *document, const char *folder, GError **error);

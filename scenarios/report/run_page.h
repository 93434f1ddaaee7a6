/* The sections of a run's report; each takes what it shows from the result. */
#pragma once

#include "scenarios/report/document.h"

void run_latency(Document *document, JsonNode *result);

#include "workloads/traffic/matrix.h"

#include "kit/describe/decimal.h"
#include "workloads/traffic/lines.h"

static bool read_number(const TraceInput *input, const Word *word, double *number, GError **error)
{
    g_autofree char *text = g_strndup(word->begin, word->length);
    const char *end = decimal_read(text, number);
    if (end && !*end && *number >= 0) return true;
    return lines_reject(input, word, "number from 0 on", error);
}

static bool read_row(const TraceInput *input, const Word *words, uint64_t count, double *row,
                     GError **error)
{
    for (uint64_t j = 0; j < count; j++)
        if (!read_number(input, &words[j], &row[j], error)) return false;
    return true;
}

static bool read_all(TraceInput *input, uint64_t sources, uint64_t destinations, double *matrix,
                     GError **error)
{
    g_autofree Word *words = g_new(Word, LINE_WORDS_MAX + 1);
    GError *problem = NULL;
    uint64_t rows = 0;
    uint32_t count;
    for (; lines_next(input, words, &count, &problem); rows++) {
        if (rows == sources)
            return trace_input_reject(input, error,
                                      "more lines than the %" G_GUINT64_FORMAT " sources", sources);
        if (count != destinations)
            return trace_input_reject(input, error,
                                      "%u numbers for %" G_GUINT64_FORMAT " destinations", count,
                                      destinations);
        if (!read_row(input, words, destinations, &matrix[rows * destinations], error))
            return false;
    }
    if (problem) g_propagate_error(error, problem);
    return !problem
           && (rows == sources
               || trace_input_reject(input, error,
                                     "the file ends after %" G_GUINT64_FORMAT
                                     " of %" G_GUINT64_FORMAT " sources",
                                     rows, sources));
}

double *matrix_read(const char *path, uint64_t sources, uint64_t destinations, GError **error)
{
    g_autoptr(TraceInput) input = trace_input_open(path, error);
    g_autofree double *matrix = g_new0(double, sources *destinations);
    if (!input || !read_all(input, sources, destinations, matrix, error)) return NULL;
    return g_steal_pointer(&matrix);
}

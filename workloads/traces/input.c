#include "workloads/traces/input.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { RAW_BYTES = 64 * 1024, TEXT_BYTES = 256 * 1024, DICTIONARY_BYTES_MAX = 1 << 30 };

typedef enum { CODING_PLAIN, CODING_GZIP, CODING_XZ } Coding;

/* That some editors begin UTF-8 with. */
static const char mark[] = "\xef\xbb\xbf";

struct TraceInput {
    char *path;
    int file;
    Coding coding;
    z_stream gzip;
    lzma_stream xz;
    size_t raw_at, raw_end;   /* of `raw`: read, not yet decoded */
    size_t text_at, text_end; /* of `text`: decoded, not yet returned */
    size_t line_at;           /* of `text`: the line last returned */
    uint64_t line;
    bool at_end;      /* of the file; what is left is in the buffers */
    bool ended;       /* a line was asked for and there was none */
    bool cut;         /* the line last returned has no newline */
    bool member_open; /* a compressed stream has begun and not ended */
    uint8_t raw[RAW_BYTES];
    char text[TEXT_BYTES + 1]; /* room for a newline after the last line */
};

bool trace_input_reject(const TraceInput *input, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line =
        input->line ? g_strdup_printf(":%" G_GUINT64_FORMAT, input->line) : g_strdup("");
    g_set_error(error, TRACE_ERROR, 0, "%s%s: %s", input->path, line, what);
    return false;
}

static bool reject_data(TraceInput *input, const char *what, GError **error)
{
    input->line++; /* it is the line after the last whole one that cannot be read */
    return trace_input_reject(input, error, "%s", what);
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Fills `raw` when it is empty. */
static bool read_raw(TraceInput *input, GError **error)
{
    if (input->raw_at < input->raw_end || input->at_end) return true;
    ssize_t got;
    do {
        got = read(input->file, input->raw, RAW_BYTES);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return reject_data(input, g_strerror(errno), error);
    input->raw_at = 0;
    input->raw_end = (size_t)got;
    input->at_end = got == 0;
    return true;
}

static bool copy_plain(TraceInput *input)
{
    const size_t bytes = MIN(input->raw_end - input->raw_at, TEXT_BYTES - input->text_end);
    memcpy(input->text + input->text_end, input->raw + input->raw_at, bytes);
    input->raw_at += bytes;
    input->text_end += bytes;
    return true;
}

static bool decode_gzip(TraceInput *input, GError **error)
{
    z_stream *z = &input->gzip;
    if (!input->member_open && inflateReset(z) != Z_OK)
        return reject_data(input, "zlib cannot start", error);
    z->next_in = input->raw + input->raw_at;
    z->avail_in = (uInt)(input->raw_end - input->raw_at);
    z->next_out = (Bytef *)input->text + input->text_end;
    z->avail_out = (uInt)(TEXT_BYTES - input->text_end);
    const int result = inflate(z, Z_NO_FLUSH);
    input->member_open = result != Z_STREAM_END;
    input->raw_at = input->raw_end - z->avail_in;
    input->text_end = TEXT_BYTES - z->avail_out;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR
           || reject_data(input, "the gzip data are damaged", error);
}

static bool decode_xz(TraceInput *input, GError **error)
{
    lzma_stream *x = &input->xz;
    x->next_in = input->raw + input->raw_at;
    x->avail_in = input->raw_end - input->raw_at;
    x->next_out = (uint8_t *)input->text + input->text_end;
    x->avail_out = TEXT_BYTES - input->text_end;
    const lzma_ret result = lzma_code(x, input->at_end ? LZMA_FINISH : LZMA_RUN);
    input->member_open = result != LZMA_STREAM_END;
    input->raw_at = input->raw_end - x->avail_in;
    input->text_end = TEXT_BYTES - x->avail_out;
    return result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR
           || reject_data(input, "the xz data are damaged", error);
}

static bool decode(TraceInput *input, GError **error)
{
    switch (input->coding) {
    case CODING_PLAIN: return copy_plain(input);
    case CODING_GZIP: return decode_gzip(input, error);
    case CODING_XZ: return decode_xz(input, error);
    }
    g_assert_not_reached();
}

/* Makes room, and adds at least a byte of text unless the file is at its end. */
static bool refill(TraceInput *input, GError **error)
{
    memmove(input->text, input->text + input->text_at, input->text_end - input->text_at);
    input->text_end -= input->text_at;
    input->text_at = 0;
    if (input->text_end == TEXT_BYTES)
        return reject_data(input, "the line is longer than 256 KiB", error);
    const size_t had = input->text_end;
    while (input->text_end == had) {
        if (!read_raw(input, error)) return false;
        const bool dry = input->at_end && input->raw_at == input->raw_end;
        if (dry && !(input->coding == CODING_XZ && input->member_open)) break;
        if (!decode(input, error)) return false;
        if (dry && input->text_end == had) break;
    }
    if (input->text_end > had || !input->member_open) return true;
    return reject_data(input, "the compressed data end early", error);
}

/* --- lines ------------------------------------------------------------------------------------ */

bool trace_input_line(TraceInput *input, const char **begin, const char **end, GError **error)
{
    size_t searched = input->text_at;
    char *newline;
    input->cut = false;
    while (!(newline = memchr(input->text + searched, '\n', input->text_end - searched))) {
        const size_t partial = input->text_end - input->text_at;
        input->ended = !refill(input, error);
        if (input->ended) return false;
        searched = input->text_at + partial;
        if (searched < input->text_end) continue;
        input->ended = !partial;
        if (input->ended) return false;
        input->cut = true;
        newline = input->text + input->text_end;
        *newline = '\n';
        break;
    }
    input->line++;
    input->line_at = input->text_at;
    *begin = input->text + input->text_at;
    if (input->line == 1 && !strncmp(*begin, mark, strlen(mark))) *begin += strlen(mark);
    *end = newline;
    input->text_at = MIN((size_t)(newline + 1 - input->text), input->text_end);
    return true;
}

bool trace_input_ended(const TraceInput *input)
{
    return input->ended;
}

bool trace_input_cut(const TraceInput *input)
{
    return input->cut;
}

void trace_input_unread(TraceInput *input)
{
    input->line--;
    input->text_at = input->line_at;
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool starts_with(const TraceInput *input, const char *magic, size_t bytes)
{
    return input->raw_end >= bytes && !memcmp(input->raw, magic, bytes);
}

static bool start_decoder(TraceInput *input, GError **error)
{
    if (starts_with(input, "\x1f\x8b", 2)) {
        input->coding = CODING_GZIP;
        if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
            return reject_data(input, "zlib cannot start", error);
    } else if (starts_with(input,
                           "\xfd"
                           "7zXZ\0",
                           6)) {
        input->coding = CODING_XZ;
        if (lzma_stream_decoder(&input->xz, DICTIONARY_BYTES_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return reject_data(input, "liblzma cannot start", error);
        input->member_open = true;
    }
    return true;
}

TraceInput *trace_input_open(const char *path, GError **error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        g_set_error(error, TRACE_ERROR, 0, "%s: cannot be read: %s", path, g_strerror(errno));
        return NULL;
    }
    g_autoptr(TraceInput) input = g_new(TraceInput, 1);
    memset(input, 0, offsetof(TraceInput, raw));
    input->path = g_strdup(path);
    input->file = file;
    input->xz = (lzma_stream)LZMA_STREAM_INIT;
    if (!read_raw(input, error) || !start_decoder(input, error)) return NULL;
    return g_steal_pointer(&input);
}

void trace_input_close(TraceInput *input)
{
    if (!input) return;
    if (input->coding == CODING_GZIP) inflateEnd(&input->gzip);
    lzma_end(&input->xz);
    close(input->file);
    g_free(input->path);
    g_free(input);
}

char *trace_input_find(const char *path)
{
    static const char *const suffixes[] = {".xz", ".gz"};
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) return g_strdup(path);
    for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *name = g_str_has_suffix(path, suffixes[i])
                                    ? g_strndup(path, strlen(path) - strlen(suffixes[i]))
                                    : g_strconcat(path, suffixes[i], NULL);
        if (g_file_test(name, G_FILE_TEST_IS_REGULAR)) return g_steal_pointer(&name);
    }
    return NULL;
}

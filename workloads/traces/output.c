#include "workloads/traces/output.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "workloads/traces/input.h"

enum { TEXT_BYTES = 64 * 1024, CODED_BYTES = 64 * 1024, NUMBER_MAX = 24 };

struct TraceOutput {
    char *path;
    OutputFile *file;
    Compression compression;
    z_stream gzip;
    lzma_stream xz;
    size_t used;
    char *problem;
    char text[TEXT_BYTES];
    uint8_t coded[CODED_BYTES];
};

static void fail(TraceOutput *output, const char *what)
{
    if (!output->problem) output->problem = g_strdup(what);
}

static void write_bytes(TraceOutput *output, const void *bytes, size_t count)
{
    if (count && fwrite(bytes, 1, count, output_file_stream(output->file)) != count)
        fail(output, g_strerror(errno));
}

static void encode_gzip(TraceOutput *output, int flush)
{
    z_stream *z = &output->gzip;
    z->next_in = (Bytef *)output->text;
    z->avail_in = (uInt)output->used;
    do {
        z->next_out = output->coded;
        z->avail_out = CODED_BYTES;
        if (deflate(z, flush) == Z_STREAM_ERROR) fail(output, "zlib failed");
        write_bytes(output, output->coded, CODED_BYTES - z->avail_out);
    } while (!z->avail_out && !output->problem);
}

static void encode_xz(TraceOutput *output, lzma_action action)
{
    lzma_stream *x = &output->xz;
    x->next_in = (const uint8_t *)output->text;
    x->avail_in = output->used;
    lzma_ret result;
    do {
        x->next_out = output->coded;
        x->avail_out = CODED_BYTES;
        result = lzma_code(x, action);
        if (result != LZMA_OK && result != LZMA_STREAM_END) fail(output, "liblzma failed");
        write_bytes(output, output->coded, CODED_BYTES - x->avail_out);
    } while (!output->problem && (x->avail_in || (action == LZMA_FINISH && result == LZMA_OK)));
}

static void flush(TraceOutput *output, bool last)
{
    switch (output->compression) {
    case COMPRESSION_NONE: write_bytes(output, output->text, output->used); break;
    case COMPRESSION_GZIP: encode_gzip(output, last ? Z_FINISH : Z_NO_FLUSH); break;
    case COMPRESSION_XZ: encode_xz(output, last ? LZMA_FINISH : LZMA_RUN); break;
    }
    output->used = 0;
}

TraceOutput *trace_output_open(const char *path, Compression compression, GError **error)
{
    int code = 0;
    OutputFile *file = output_file_open(path, &code);
    if (!file) {
        g_set_error(error, TRACE_ERROR, 0, "%s: %s", path, g_strerror(code));
        return NULL;
    }
    TraceOutput *output = g_new(TraceOutput, 1);
    memset(output, 0, offsetof(TraceOutput, text));
    output->path = g_strdup(path);
    output->file = file;
    output->compression = compression;
    output->xz = (lzma_stream)LZMA_STREAM_INIT;
    if (compression == COMPRESSION_GZIP
        && deflateInit2(&output->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail(output, "zlib cannot start");
    if (compression == COMPRESSION_XZ
        && lzma_easy_encoder(&output->xz, 1, LZMA_CHECK_CRC32) != LZMA_OK)
        fail(output, "liblzma cannot start");
    return output;
}

OutputFile *trace_output_close(TraceOutput *output, GError **error)
{
    if (!output->problem) flush(output, true);
    const int code = output_file_finish(output->file);
    if (code) fail(output, g_strerror(code));
    if (output->compression == COMPRESSION_GZIP) deflateEnd(&output->gzip);
    lzma_end(&output->xz);
    g_autoptr(OutputFile) file = output->file;
    const bool good = !output->problem;
    if (!good)
        g_set_error(error, TRACE_ERROR, 0, "%s: cannot be written: %s", output->path,
                    output->problem);
    g_free(output->problem);
    g_free(output->path);
    g_free(output);
    return good ? g_steal_pointer(&file) : NULL;
}

static void append(TraceOutput *output, const char *text, size_t length)
{
    if (output->used + length > TEXT_BYTES) flush(output, false);
    memcpy(output->text + output->used, text, length);
    output->used += length;
}

void trace_output_text(TraceOutput *output, const char *text)
{
    for (size_t rest = strlen(text); rest;) {
        const size_t length = MIN(rest, (size_t)TEXT_BYTES / 2);
        append(output, text, length);
        text += length;
        rest -= length;
    }
}

void trace_output_decimal(TraceOutput *output, int64_t number)
{
    char text[NUMBER_MAX];
    char *p = text + NUMBER_MAX;
    uint64_t n = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    if (number < 0) *--p = '-';
    append(output, p, (size_t)(text + NUMBER_MAX - p));
}

void trace_output_hex(TraceOutput *output, uint64_t number, uint32_t digits)
{
    char text[NUMBER_MAX];
    char *p = text + NUMBER_MAX;
    for (uint32_t i = 0; i < digits || number; i++, number >>= 4)
        *--p = "0123456789abcdef"[number & 15];
    append(output, p, (size_t)(text + NUMBER_MAX - p));
}

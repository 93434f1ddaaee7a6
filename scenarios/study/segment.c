#include "scenarios/study/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char FOLDER[] = "segments", SUFFIX[] = ".segment", MAGIC[] = "warpmem-segment-1";

static const char *const status_names[POINT_STATUS_COUNT] = {"done",    "rejected", "failed",
                                                             "timeout", "memory",   "killed"};

const char *point_status_name(PointStatus status)
{
    return status_names[status];
}

bool point_status_is_final(PointStatus status)
{
    return status <= POINT_FAILED;
}

static bool find_status(const char *name, PointStatus *status)
{
    for (unsigned i = 0; i < POINT_STATUS_COUNT; i++) {
        *status = (PointStatus)i;
        if (!strcmp(status_names[i], name)) return true;
    }
    return false;
}

void record_clear(Record *record)
{
    g_clear_pointer(&record->payload, g_free);
    g_clear_pointer(&record->host.name, g_free);
}

/* --- writing ---------------------------------------------------------------------------------- */

struct SegmentWriter {
    char *directory; /* of the segments */
    char *path, *identity, *label;
    GString *line;
    int file; /* -1: no record yet */
};

SegmentWriter *segment_create(const char *directory, const Manifest *manifest, const char *label,
                              GError **error)
{
    g_autofree char *folder = g_build_filename(directory, FOLDER, NULL);
    if (g_mkdir_with_parents(folder, 0777)) {
        g_set_error(error, STUDY_ERROR, 0, "%s: cannot be made: %s", folder, g_strerror(errno));
        return NULL;
    }
    SegmentWriter *writer = g_new0(SegmentWriter, 1);
    *writer = (SegmentWriter){.directory = g_steal_pointer(&folder),
                              .identity = g_strdup(manifest->identity),
                              .label = g_strdup(label),
                              .line = g_string_new(NULL),
                              .file = -1};
    return writer;
}

static bool write_line(SegmentWriter *writer, GError **error)
{
    const char *text = writer->line->str;
    for (gsize left = writer->line->len; left;) {
        const ssize_t written = write(writer->file, text, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", writer->path,
                        g_strerror(errno));
            return false;
        }
        text += written;
        left -= (gsize)written;
    }
    return true;
}

/* Makes the line of what stands in it: CRC in front, a newline behind. */
static void seal_line(GString *line)
{
    const uLong crc = crc32(0, (const Bytef *)line->str, (uInt)line->len);
    g_autofree char *head = g_strdup_printf("%08lx\t", crc);
    g_string_prepend(line, head);
    g_string_append_c(line, '\n');
}

/* The name says who wrote it and when; numbers keep two of one process apart. */
static bool open_segment(SegmentWriter *writer, GError **error)
{
    for (unsigned number = 0; writer->file < 0; number++) {
        g_free(writer->path);
        writer->path = g_strdup_printf("%s/%s-%s-%d-%" G_GINT64_FORMAT "-%u%s", writer->directory,
                                       writer->label, g_get_host_name(), (int)getpid(),
                                       g_get_real_time() / 1000, number, SUFFIX);
        writer->file = open(writer->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (writer->file < 0 && errno != EEXIST) {
            g_set_error(error, STUDY_ERROR, 0, "%s: cannot be made: %s", writer->path,
                        g_strerror(errno));
            return false;
        }
    }
    g_string_printf(writer->line, "%s\t%s", MAGIC, writer->identity);
    seal_line(writer->line);
    return write_line(writer, error);
}

bool segment_append(SegmentWriter *writer, const Record *record, GError **error)
{
    if (writer->file < 0 && !open_segment(writer, error)) return false;
    g_autofree char *payload = g_strdelimit(g_strdup(record->payload), "\t\n\r", ' ');
    g_string_printf(writer->line, "%s\t%s\t%s\t%.6f %.6f %" G_GUINT64_FORMAT " %s", record->key,
                    point_status_name(record->status), payload, record->host.wall_s,
                    record->host.cpu_s, record->host.peak_rss_bytes,
                    record->host.name ? record->host.name : g_get_host_name());
    seal_line(writer->line);
    return write_line(writer, error);
}

bool segment_sync(SegmentWriter *writer, GError **error)
{
    if (writer->file < 0 || fdatasync(writer->file) == 0) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", writer->path,
                g_strerror(errno));
    return false;
}

const char *segment_name(const SegmentWriter *writer)
{
    return writer->path;
}

void segment_close(SegmentWriter *writer)
{
    if (!writer) return;
    if (writer->file >= 0) close(writer->file);
    g_free(writer->directory);
    g_free(writer->path);
    g_free(writer->identity);
    g_free(writer->label);
    g_string_free(writer->line, TRUE);
    g_free(writer);
}

/* --- reading ---------------------------------------------------------------------------------- */

void segment_position_free(gpointer data)
{
    SegmentPosition *position = data;
    g_free(position->path);
    g_free(position);
}

enum { CRC_DIGITS = 8 };

/* Behind the CRC; NULL when it is not the line's. */
static char *open_line(char *line, gsize length)
{
    if (length <= CRC_DIGITS || line[CRC_DIGITS] != '\t') return NULL;
    char *end, *body = line + CRC_DIGITS + 1;
    const uLong crc = strtoul(line, &end, 16);
    if (end != line + CRC_DIGITS) return NULL;
    return crc == crc32(0, (const Bytef *)body, (uInt)(length - CRC_DIGITS - 1)) ? body : NULL;
}

/* Divides the line at its tabs; NULL terminated by the caller's count. */
static bool split_fields(char *text, char **fields, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fields[i] = text;
        char *tab = text ? strchr(text, '\t') : NULL;
        if (!text || (i + 1 < count) != (tab != NULL)) return false;
        if (tab) *tab = '\0';
        text = tab ? tab + 1 : NULL;
    }
    return true;
}

/* The fields stay where they are. */
static bool parse_record(char *body, Record *record)
{
    char *fields[4], *at;
    if (!split_fields(body, fields, G_N_ELEMENTS(fields))) return false;
    if (strlen(fields[0]) != KEY_LENGTH || !find_status(fields[1], &record->status)) return false;
    memcpy(record->key, fields[0], KEY_LENGTH + 1);
    record->payload = fields[2];
    record->host.wall_s = g_ascii_strtod(fields[3], &at);
    record->host.cpu_s = g_ascii_strtod(at, &at);
    record->host.peak_rss_bytes = g_ascii_strtoull(at, &at, 10);
    record->host.name = *at == ' ' ? at + 1 : at;
    return true;
}

static bool check_head(const SegmentPosition *position, char *body, const Manifest *manifest,
                       GError **error)
{
    g_autofree char *wanted = g_strdup_printf("%s\t%s", MAGIC, manifest->identity);
    if (body && !strcmp(body, wanted)) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s: %s", position->path,
                body && g_str_has_prefix(body, MAGIC)
                    ? "belongs to another plan than the manifest beside it"
                    : "not a segment of a study");
    return false;
}

typedef struct {
    SegmentPosition *position;
    const Manifest *manifest;
    RecordVisitor visit;
    void *user;
} Reading;

/* One complete line. */
static bool take_line(const Reading *reading, char *line, gsize length, GError **error)
{
    SegmentPosition *position = reading->position;
    Record record = {0};
    char *body = open_line(line, length);
    position->line++;
    if (position->line == 1) return check_head(position, body, reading->manifest, error);
    if (body && parse_record(body, &record))
        return reading->visit(reading->user, &record, position);
    position->damaged++;
    return true;
}

/* All complete lines of what was added; newly allocated, NULL with error. */
static char *read_rest(const SegmentPosition *position, gsize *length, GError **error)
{
    const int file = open(position->path, O_RDONLY | O_CLOEXEC);
    const off_t end = file >= 0 ? lseek(file, 0, SEEK_END) : -1;
    const gsize wanted = end > position->offset ? (gsize)(end - position->offset) : 0;
    char *text = g_malloc(wanted + 1);
    *length = 0;
    while (end >= 0 && *length < wanted) {
        const ssize_t got =
            pread(file, text + *length, wanted - *length, position->offset + (goffset)*length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        *length += (gsize)got;
    }
    const bool good = end >= 0 && *length == wanted;
    if (!good)
        g_set_error(error, STUDY_ERROR, 0, "%s: cannot be read: %s", position->path,
                    g_strerror(errno));
    if (file >= 0) close(file);
    if (!good) g_clear_pointer(&text, g_free);
    return text;
}

bool segment_read(SegmentPosition *position, const Manifest *manifest, RecordVisitor visit,
                  void *user, GError **error)
{
    gsize length = 0;
    g_autofree char *text = read_rest(position, &length, error);
    const Reading reading = {position, manifest, visit, user};
    if (!text) return false;
    char *line = text;
    for (char *end; (end = memchr(line, '\n', length - (gsize)(line - text))); line = end + 1) {
        *end = '\0';
        position->offset += end + 1 - line;
        if (!take_line(&reading, line, (gsize)(end - line), error)) return false;
    }
    position->torn = line < text + length;
    return true;
}

static int compare_positions(gconstpointer a, gconstpointer b)
{
    const SegmentPosition *x = *(SegmentPosition *const *)a, *y = *(SegmentPosition *const *)b;
    return strcmp(x->path, y->path);
}

static SegmentPosition *position_new(const char *path)
{
    SegmentPosition *position = g_new0(SegmentPosition, 1);
    position->path = g_strdup(path);
    return position;
}

/* By path; takes over the array. */
static GHashTable *index_positions(GPtrArray *positions)
{
    GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, segment_position_free);
    while (positions && positions->len) {
        SegmentPosition *position = g_ptr_array_steal_index_fast(positions, positions->len - 1);
        g_hash_table_insert(index, position->path, position);
    }
    if (positions) g_ptr_array_unref(positions);
    return index;
}

GPtrArray *segment_list(const char *directory, GPtrArray *known)
{
    g_autofree char *folder = g_build_filename(directory, FOLDER, NULL);
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    g_autoptr(GHashTable) index = index_positions(known);
    GPtrArray *list = g_ptr_array_new_with_free_func(segment_position_free);
    for (const char *name; files && (name = g_dir_read_name(files));) {
        if (!g_str_has_suffix(name, SUFFIX)) continue;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        gpointer position;
        if (!g_hash_table_steal_extended(index, path, NULL, &position))
            position = position_new(path);
        g_ptr_array_add(list, position);
    }
    g_ptr_array_sort(list, compare_positions);
    return list;
}

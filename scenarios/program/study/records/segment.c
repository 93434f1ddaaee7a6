#include "scenarios/program/study/records/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "kit/describe/decimal.h"

static const char MAGIC[] = "warpmem-segment-1";

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
    g_autofree char *folder = segment_folder(directory);
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

/* Of the file's name. A host may be called anything, "/" included. */
static char *describe_writer(const SegmentWriter *writer)
{
    char *text = g_strdup_printf("%s-%s-%d-%" G_GINT64_FORMAT, writer->label, g_get_host_name(),
                                 (int)getpid(), g_get_real_time() / 1000);
    return g_strcanon(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-.", '_');
}

/* The name says who wrote it and when; numbers keep two of one process apart. */
static bool open_segment(SegmentWriter *writer, GError **error)
{
    g_autofree char *name = describe_writer(writer);
    for (unsigned number = 0; writer->file < 0; number++) {
        g_free(writer->path);
        writer->path = g_strdup_printf("%s/%s-%u" SEGMENT_SUFFIX, writer->directory, name, number);
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

/* As a field of a line, newly allocated. */
static char *make_field(const char *text)
{
    return g_strdelimit(g_utf8_make_valid(text, -1), "\t\n\r", ' ');
}

bool segment_append(SegmentWriter *writer, const Record *record, GError **error)
{
    if (writer->file < 0 && !open_segment(writer, error)) return false;
    g_autofree char *payload = make_field(record->payload);
    g_autofree char *host = make_field(record->host.name ? record->host.name : g_get_host_name());
    g_string_printf(writer->line, "%s\t%s\t%s\t%.6f %.6f %" G_GUINT64_FORMAT " %s", record->key,
                    point_status_name(record->status), payload, record->host.wall_s,
                    record->host.cpu_s, record->host.peak_rss_bytes, host);
    seal_line(writer->line);
    return write_line(writer, error);
}

/* Whoever removes the folder meanwhile takes the name, not the file that is open. */
static bool has_name(const SegmentWriter *writer)
{
    struct stat status;
    return fstat(writer->file, &status) != 0 || status.st_nlink > 0;
}

bool segment_sync(SegmentWriter *writer, GError **error)
{
    if (writer->file < 0) return true;
    const bool kept = fdatasync(writer->file) == 0;
    if (kept && has_name(writer)) return true;
    if (kept)
        g_set_error(error, STUDY_ERROR, 0, "%s: has gone while the study ran; its records are lost",
                    writer->path);
    else
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
    char *fields[4], *end;
    if (!split_fields(body, fields, G_N_ELEMENTS(fields))) return false;
    if (strlen(fields[0]) != KEY_LENGTH || !find_status(fields[1], &record->status)) return false;
    memcpy(record->key, fields[0], KEY_LENGTH + 1);
    record->payload = fields[2];
    const char *at = decimal_read(fields[3], &record->host.wall_s);
    at = at && *at == ' ' ? decimal_read(at + 1, &record->host.cpu_s) : NULL;
    if (!at) return false;
    record->host.peak_rss_bytes = g_ascii_strtoull(at, &end, 10);
    record->host.name = *end == ' ' ? end + 1 : end;
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
                    : "not a segment of a study, or its first line is damaged; without it, the "
                      "points of its records are run again");
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

static char *reject_file(const SegmentPosition *position, const char *reason, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be read: %s", position->path, reason);
    return NULL;
}

/* What was added to an open file; newly allocated, NULL with error. A file that ends earlier than
 * it was said to (on a network file system) has its rest next time. */
static char *read_added(const SegmentPosition *position, int file, gsize *length, GError **error)
{
    struct stat status;
    if (fstat(file, &status)) return reject_file(position, g_strerror(errno), error);
    if (!S_ISREG(status.st_mode)) return reject_file(position, "it is no regular file", error);
    const gsize wanted = (gsize)MAX(0, status.st_size - position->offset);
    g_autofree char *text = g_malloc(wanted + 1);
    *length = 0;
    while (*length < wanted) {
        const ssize_t got =
            pread(file, text + *length, wanted - *length, position->offset + (goffset)*length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return reject_file(position, g_strerror(errno), error);
        if (!got) break;
        *length += (gsize)got;
    }
    return g_steal_pointer(&text);
}

static char *read_rest(const SegmentPosition *position, gsize *length, GError **error)
{
    const int file = open(position->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return reject_file(position, g_strerror(errno), error);
    char *text = read_added(position, file, length, error);
    close(file);
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

/* Writes a study of 100,000 points that were never run: `many_points FOLDER RESULT.JSON`. Each
 * record has the outcome of the result. */
#include <stdio.h>
#include <string.h>

#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/study/records/segment.h"
#include "scenarios/program/verdict/pressure.h"

enum { POINTS = 100000, SEGMENTS = 16, WAYS = 100 };

static Manifest *plan(void)
{
    static const char *const names[] = {"l2_slice.capacity", "l1.prt_entries"};
    Manifest *manifest = manifest_new();
    manifest->title = g_strdup("Many points");
    manifest->replications = 1;
    manifest_add_base(manifest)->variant = g_strdup("baseline");
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        Dimension *dimension = manifest_add_dimension(manifest);
        dimension->name = g_strdup(names[i]);
        dimension->baseline = g_strdup("1 KiB");
    }
    for (guint i = 0; i < POINTS; i++) {
        Point *point = manifest_add_point(manifest);
        g_snprintf(point->key, sizeof point->key, "%08x%024x", i * 2654435761U, i);
        point->values = g_new0(char *, G_N_ELEMENTS(names) + 1);
        point->values[0] = g_strdup_printf("%u KiB", 1 + i / WAYS);
        point->values[1] = g_strdup_printf("%u", 1 + i % WAYS);
    }
    return manifest;
}

static bool write_segment(const char *folder, const Manifest *manifest, char *payload, guint part)
{
    char name[] = "bench";
    Record record = {.status = POINT_DONE, .payload = payload, .host = {1e-3, 1e-3, 1, name}};
    g_autoptr(SegmentWriter) writer = segment_create(folder, manifest, name, NULL);
    bool good = writer != NULL;
    for (guint i = part; i < POINTS && good; i += SEGMENTS) {
        const Point *point = manifest->points->pdata[i];
        g_strlcpy(record.key, point->key, sizeof record.key);
        good = segment_append(writer, &record, NULL);
    }
    return good;
}

int main(int argc, char **argv)
{
    g_autoptr(Manifest) manifest = plan();
    g_autoptr(JsonParser) parser = json_parser_new();
    if (argc != 3 || !json_parser_load_from_file(parser, argv[2], NULL)) return 2;
    JsonNode *result = json_parser_get_root(parser);
    g_autoptr(GPtrArray) resources = pressure_list(result);
    g_autofree char *payload = outcome_format(result, resources, manifest);
    bool good = manifest_write(manifest, argv[1], NULL);
    for (guint part = 0; part < SEGMENTS; part++)
        good = good && write_segment(argv[1], manifest, payload, part);
    printf("%d points, outcomes of %zu bytes\n", POINTS, strlen(payload));
    return good ? 0 : 1;
}

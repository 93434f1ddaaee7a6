#include "scenarios/program/say/summary_texture.h"

#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

static double number(JsonNode *result, const char *name)
{
    g_autofree char *path = g_strconcat("summary.texture.", name, NULL);
    return result_number(result, path);
}

static void add_samples(Table *table, JsonNode *result)
{
    const double samples = number(result, "samples"), rate = number(result, "gsamples_per_s");
    const double cycles = result_number(result, "summary.core_cycles");
    const double units = result_number(result, "units.texture.count");
    g_autofree char *note = rate > 0 ? g_strdup_printf("%.2f G a second, %.2f a cycle and SM", rate,
                                                       samples / cycles / units)
                                     : g_strdup("");
    g_autofree char *texels =
        g_strdup_printf("read for them, %.2f a sample", number(result, "texels") / samples);
    table_line(table, "  samples", text_grouped(samples, 0), note);
    table_line(table, "  texels", text_grouped(number(result, "texels"), 0), texels);
}

static void add_bytes(Table *table, JsonNode *result)
{
    g_autofree char *l2 = text_bytes(number(result, "bytes_from_l2"));
    g_autofree char *dram = text_bytes(number(result, "bytes_from_dram"));
    g_autofree char *note =
        g_strdup_printf("as the shader sees them -> %s from L2 -> %s from DRAM", l2, dram);
    table_line(table, "  bytes", text_bytes(number(result, "bytes_texels")), note);
}

static void add_level(Table *table, JsonNode *level, const char *name, double all)
{
    const double bytes = result_number(level, "bytes_from_l2");
    g_autofree char *fetched = isfinite(bytes) ? text_bytes(bytes) : NULL;
    g_autofree char *note = g_strdup_printf("of the look-ups%s%s%s", fetched ? ", " : "",
                                            fetched ? fetched : "", fetched ? " from L2" : "");
    table_line(table, name, g_strdup_printf("%.1f %%", 100 * result_number(level, "lines") / all),
               note);
}

static void add_levels(Table *table, JsonNode *result)
{
    static const char *const names[] = {"  mip level 0", "  mip level 1", "  mip level 2",
                                        "  mip level 3 on"};
    JsonArray *levels = result_array(result, "summary.texture.levels");
    const guint length = result_length(levels);
    double all = 0;
    for (guint i = 0; i < length; i++)
        all += result_number(json_array_get_element(levels, i), "lines");
    for (guint i = 0; i < MIN(length, G_N_ELEMENTS(names)); i++) {
        JsonNode *level = json_array_get_element(levels, i);
        if (result_number(level, "lines") > 0) add_level(table, level, names[i], all);
    }
}

void summary_print_texture(JsonNode *result, FILE *out)
{
    if (!(number(result, "samples") > 0)) return;
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "textures");
    add_samples(table, result);
    add_bytes(table, result);
    add_levels(table, result);
    table_print(table, out);
    fprintf(out, "\n");
}

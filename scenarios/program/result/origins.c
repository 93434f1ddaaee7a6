/* `origins` of result.json: where each parameter's value came from. */
#include <string.h>

#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* Of a preset or a part "platform/presets/v100.ini:19". Of other files only the name, so that two runs of
 * one scenario are the same bytes wherever it lies. */
static char *describe_place(const Setting *setting)
{
    if (!setting) return g_strdup("default");
    if (!setting->file) return g_strdup("set");
    g_autofree char *shown = catalogue_display(setting->file);
    g_autofree char *name = g_path_get_basename(setting->file);
    return g_strdup_printf("%s:%d", g_str_has_prefix(shown, "platform/") ? shown : name,
                           setting->line);
}

void result_put_origin(JsonBuilder *json, const ResolvedValue *value)
{
    g_autofree char *place = describe_place(value->setting);
    json_put_text(json, value->key, place);
}

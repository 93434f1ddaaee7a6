#include "kit/describe/stage.h"

#include <glib.h>

const char *stage_name(Stage stage)
{
    static const char *const names[] = {
#define STAGE_NAME(id, kind, place, component, name, words, text) name,
        STAGES(STAGE_NAME)
#undef STAGE_NAME
    };
    g_return_val_if_fail((unsigned)stage < STAGE_COUNT, "?");
    return names[stage];
}

const char *stage_words(Stage stage)
{
    static const char *const all[] = {
#define STAGE_WORDS(id, kind, place, component, name, words, text) words,
        STAGES(STAGE_WORDS)
#undef STAGE_WORDS
    };
    g_return_val_if_fail((unsigned)stage < STAGE_COUNT, "?");
    return all[stage];
}

const char *stage_summary(Stage stage)
{
    static const char *const summaries[] = {
#define STAGE_TEXT(id, kind, place, component, name, words, text) text,
        STAGES(STAGE_TEXT)
#undef STAGE_TEXT
    };
    g_return_val_if_fail((unsigned)stage < STAGE_COUNT, "?");
    return summaries[stage];
}

StageKind stage_kind(Stage stage)
{
    static const StageKind kinds[] = {
#define STAGE_KIND(id, kind, place, component, name, words, text) STAGE_##kind,
        STAGES(STAGE_KIND)
#undef STAGE_KIND
    };
    g_return_val_if_fail((unsigned)stage < STAGE_COUNT, STAGE_WAY);
    return kinds[stage];
}

const char *stage_component(Stage stage)
{
    static const char *const components[] = {
#define STAGE_COMPONENT(id, kind, place, component, name, words, text) component,
        STAGES(STAGE_COMPONENT)
#undef STAGE_COMPONENT
    };
    g_return_val_if_fail((unsigned)stage < STAGE_COUNT, NULL);
    return components[stage];
}

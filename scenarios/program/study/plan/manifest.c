#include "scenarios/program/study/plan/manifest.h"

#include <string.h>

#include "scenarios/program/language/scenario.h"
#include "scenarios/program/language/sets.h"

static void dimension_free(gpointer data)
{
    Dimension *dimension = data;
    g_free(dimension->name);
    g_free(dimension->baseline);
    g_free(dimension->file);
    g_free(dimension);
}

static void base_file_free(gpointer data)
{
    BaseFile *file = data;
    g_free(file->path);
    g_free(file->sha256);
    g_free(file);
}

static void base_free(gpointer data)
{
    Base *base = data;
    g_free(base->variant);
    configuration_free(base->configuration);
    g_ptr_array_unref(base->files);
    g_free(base);
}

static void derived_free(gpointer data)
{
    Derived *derived = data;
    g_free(derived->name);
    g_free(derived->expression);
    g_free(derived->unit);
    g_free(derived->better);
    g_free(derived->summary);
    g_free(derived);
}

static void point_free(gpointer data)
{
    Point *point = data;
    g_strfreev(point->values);
    g_free(point->role);
    g_free(point);
}

Manifest *manifest_new(void)
{
    Manifest *manifest = g_new0(Manifest, 1);
    manifest->statistics = g_ptr_array_new_with_free_func(g_free);
    manifest->derived = g_ptr_array_new_with_free_func(derived_free);
    manifest->dimensions = g_ptr_array_new_with_free_func(dimension_free);
    manifest->bases = g_ptr_array_new_with_free_func(base_free);
    manifest->points = g_ptr_array_new_with_free_func(point_free);
    return manifest;
}

void manifest_free(Manifest *manifest)
{
    if (!manifest) return;
    g_free(manifest->title);
    g_free(manifest->scenario);
    g_free(manifest->program);
    g_free(manifest->build);
    g_free(manifest->design);
    g_free(manifest->identity);
    g_free(manifest->own_identity);
    g_ptr_array_unref(manifest->statistics);
    g_ptr_array_unref(manifest->derived);
    g_ptr_array_unref(manifest->dimensions);
    g_ptr_array_unref(manifest->bases);
    g_ptr_array_unref(manifest->points);
    g_free(manifest);
}

Dimension *manifest_add_dimension(Manifest *manifest)
{
    Dimension *dimension = g_new0(Dimension, 1);
    g_ptr_array_add(manifest->dimensions, dimension);
    return dimension;
}

Derived *manifest_add_derived(Manifest *manifest)
{
    Derived *derived = g_new0(Derived, 1);
    g_ptr_array_add(manifest->derived, derived);
    return derived;
}

Base *manifest_add_base(Manifest *manifest)
{
    Base *base = g_new0(Base, 1);
    base->configuration = configuration_new();
    base->files = g_ptr_array_new_with_free_func(base_file_free);
    g_ptr_array_add(manifest->bases, base);
    return base;
}

Point *manifest_add_point(Manifest *manifest)
{
    Point *point = g_new0(Point, 1);
    g_ptr_array_add(manifest->points, point);
    return point;
}

int manifest_find_dimension(const Manifest *manifest, const char *name)
{
    for (guint i = 0; i < manifest->dimensions->len; i++)
        if (!strcmp(((const Dimension *)manifest->dimensions->pdata[i])->name, name)) return (int)i;
    return -1;
}

void manifest_set_values(const Manifest *manifest, const Point *point, Configuration *configuration)
{
    for (guint i = 0; i < manifest->dimensions->len; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        g_autofree char *group = NULL;
        g_autofree char *key = NULL;
        if (dimension->structural || !setting_name_split(dimension->name, &group, &key)) continue;
        configuration_set(configuration, group, key, point->values[i], dimension->file,
                          dimension->line);
    }
}

Configuration *manifest_configuration(const Manifest *manifest, const Point *point)
{
    const Base *base = manifest->bases->pdata[point->base];
    Configuration *configuration = configuration_copy(base->configuration);
    if (variant_seed(&(Variant){base->variant, configuration}) != point->seed) {
        g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, point->seed);
        configuration_set(configuration, "simulation", "seed", seed, NULL, 0);
    }
    manifest_set_values(manifest, point, configuration);
    return configuration;
}

char *manifest_describe_values(const Manifest *manifest, const Point *point)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < manifest->dimensions->len; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        g_string_append_printf(text, "%s%s = %s", i ? ", " : "", dimension->name, point->values[i]);
    }
    if (manifest->replications > 1)
        g_string_append_printf(text, "%sreplication %u", text->len ? ", " : "", point->replication);
    return g_string_free(text, FALSE);
}

/* The files that runs of a plan read, and what is in them. */
#include <string.h>

#include "platform/machine/machine.h"
#include "scenarios/program/study/plan/private.h"
#include "scenarios/program/study/points/point.h"
#include "workloads/workload.h"

static const char *find_digest(GHashTable *digests, const char *path, GError **error)
{
    const char *known = g_hash_table_lookup(digests, path);
    if (known) return known;
    char *digest = base_hash_file(path, error);
    if (digest) g_hash_table_insert(digests, g_strdup(path), digest);
    return digest;
}

/* What is read because of the setting, absolute names. */
static bool list_files(const Configuration *configuration, const Setting *setting, GPtrArray *paths,
                       GError **error)
{
    if (!strcmp(setting->group, "network")) {
        g_ptr_array_add(paths, g_strdup(setting->value));
        return true;
    }
    MachineOutline machine;
    if (!machine_outline(configuration, &machine, error)) return false;
    const WorkloadContext context = {.directory = ".", .warp_lanes = machine.warp_lanes};
    return workload_list_files(configuration, setting->group, &context, paths, error);
}

static void add_file(GPtrArray *files, const char *path, const char *digest)
{
    for (guint i = 0; i < files->len; i++)
        if (!strcmp(((const BaseFile *)files->pdata[i])->path, path)) return;
    BaseFile *file = g_new0(BaseFile, 1);
    *file = (BaseFile){g_strdup(path), g_strdup(digest)};
    g_ptr_array_add(files, file);
}

char *plan_add_files(const Plan *plan, Base *base, const Setting *setting, GError **error)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GChecksum) all = g_checksum_new(G_CHECKSUM_SHA256);
    if (!list_files(base->configuration, setting, paths, error)) return NULL;
    for (guint i = 0; i < paths->len; i++) {
        g_autofree char *path = g_canonicalize_filename(paths->pdata[i], NULL);
        const char *digest = find_digest(plan->digests, path, error);
        if (!digest) {
            setting_prefix_error(setting, error);
            return NULL;
        }
        g_checksum_update(all, (const guchar *)digest, -1);
        add_file(base->files, path, digest);
    }
    return g_strdup(g_checksum_get_string(all));
}

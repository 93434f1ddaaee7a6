#include "scenarios/program/study/plan/point_key.h"

#include <string.h>

#include "scenarios/program/language/resolve.h"

enum { DIGEST_BYTES = 32, UNCHANGED = -1 };

typedef struct {
    char *name;  /* without the group */
    char *value; /* unless it changes */
    int changed; /* position among the names that points change */
} KeyEntry;

typedef struct {
    char *name;
    GArray *entries; /* of KeyEntry, sorted */
    bool varies;
    guint8 digest[DIGEST_BYTES]; /* unless it varies */
} KeyGroup;

struct PointKey {
    char *program;
    GPtrArray *groups; /* of KeyGroup, sorted */
};

static void entry_clear(gpointer data)
{
    KeyEntry *entry = data;
    g_free(entry->name);
    g_free(entry->value);
}

static void group_free(gpointer data)
{
    KeyGroup *group = data;
    g_free(group->name);
    g_array_unref(group->entries);
    g_free(group);
}

/* Texts end with a zero, so that none runs into the next. */
static void put(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static void digest_group(const KeyGroup *group, const char *const *changed, guint8 *digest)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize length = DIGEST_BYTES;
    for (guint i = 0; i < group->entries->len; i++) {
        const KeyEntry *entry = &g_array_index(group->entries, KeyEntry, i);
        put(checksum, entry->name);
        put(checksum, entry->changed == UNCHANGED ? entry->value : changed[entry->changed]);
    }
    g_checksum_get_digest(checksum, digest, &length);
}

static KeyGroup *find_group(PointKey *key, const char *name)
{
    for (guint i = 0; i < key->groups->len; i++) {
        KeyGroup *group = key->groups->pdata[i];
        if (!strcmp(group->name, name)) return group;
    }
    KeyGroup *group = g_new0(KeyGroup, 1);
    group->name = g_strdup(name);
    group->entries = g_array_new(FALSE, TRUE, sizeof(KeyEntry));
    g_array_set_clear_func(group->entries, entry_clear);
    g_ptr_array_add(key->groups, group);
    return group;
}

static int find_name(const char *const *names, const ResolvedValue *value)
{
    g_autofree char *name = g_strconcat(value->group, ".", value->key, NULL);
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name)) return i;
    return UNCHANGED;
}

static void add_value(PointKey *key, const ResolvedValue *value, const char *const *names)
{
    KeyGroup *group = find_group(key, value->group);
    const KeyEntry entry = {g_strdup(value->key), g_strdup(value->value), find_name(names, value)};
    group->varies |= entry.changed != UNCHANGED;
    g_array_append_val(group->entries, entry);
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
    return strcmp(((const KeyEntry *)a)->name, ((const KeyEntry *)b)->name);
}

static gint compare_groups(gconstpointer a, gconstpointer b)
{
    return strcmp((*(KeyGroup *const *)a)->name, (*(KeyGroup *const *)b)->name);
}

PointKey *point_key_new(const char *program, const GPtrArray *values, const char *const *names)
{
    PointKey *key = g_new0(PointKey, 1);
    key->program = g_strdup(program);
    key->groups = g_ptr_array_new_with_free_func(group_free);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        if (strcmp(value->group, "simulation") != 0) add_value(key, value, names);
    }
    g_ptr_array_sort(key->groups, compare_groups);
    for (guint i = 0; i < key->groups->len; i++) {
        KeyGroup *group = key->groups->pdata[i];
        g_array_sort(group->entries, compare_entries);
        if (!group->varies) digest_group(group, NULL, group->digest);
    }
    return key;
}

void point_key_free(PointKey *key)
{
    if (!key) return;
    g_free(key->program);
    g_ptr_array_unref(key->groups);
    g_free(key);
}

void point_key_compute(const PointKey *key, const char *const *changed, guint64 seed,
                       char text[KEY_LENGTH + 1])
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *seed_text = g_strdup_printf("%" G_GUINT64_FORMAT, seed);
    put(checksum, key->program);
    put(checksum, seed_text);
    for (guint i = 0; i < key->groups->len; i++) {
        const KeyGroup *group = key->groups->pdata[i];
        guint8 digest[DIGEST_BYTES];
        if (group->varies) digest_group(group, changed, digest);
        put(checksum, group->name);
        g_checksum_update(checksum, group->varies ? digest : group->digest, DIGEST_BYTES);
    }
    g_strlcpy(text, g_checksum_get_string(checksum), KEY_LENGTH + 1);
}

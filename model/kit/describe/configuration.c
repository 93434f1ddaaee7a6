#include "kit/describe/configuration.h"
#include "kit/describe/nearest.h"

#include <string.h>

/* Reference-counted; it stays what it is: copies of a configuration share it. */
typedef struct {
    Setting setting;
    guint hash;   /* of group and key */
    guint number; /* greater than of all that were set before */
} Entry;

struct Configuration {
    GPtrArray *settings; /* of Entry, in order of first mention */
    GHashTable *index;   /* the same settings by group and key */
    guint set;           /* how often one was */
    const char *file;    /* interned; NULL: none */
};

static void setting_clear(gpointer data)
{
    Setting *setting = data;
    g_ref_string_release(setting->group);
    g_ref_string_release(setting->key);
    g_ref_string_release(setting->value);
    if (setting->file) g_ref_string_release(setting->file);
}

static void setting_release(gpointer setting)
{
    g_rc_box_release_full(setting, setting_clear);
}

static guint hash_name(const char *group, const char *key)
{
    return 31 * g_str_hash(group) + g_str_hash(key);
}

static guint setting_hash(gconstpointer data)
{
    return ((const Entry *)data)->hash;
}

static gboolean setting_equal(gconstpointer a, gconstpointer b)
{
    const Setting *x = a, *y = b;
    return !strcmp(x->key, y->key) && !strcmp(x->group, y->group);
}

Configuration *configuration_new(void)
{
    Configuration *configuration = g_new0(Configuration, 1);
    configuration->settings = g_ptr_array_new_with_free_func(setting_release);
    configuration->index = g_hash_table_new(setting_hash, setting_equal);
    return configuration;
}

/* Each row of each table asks for its setting by name, and pages show them in the order in which
 * they were written: hence both a table and a list. */
static void add(Configuration *configuration, Setting *setting)
{
    g_ptr_array_add(configuration->settings, setting);
    g_hash_table_add(configuration->index, setting);
}

Configuration *configuration_copy_groups(const Configuration *configuration,
                                         bool (*choose)(const char *group))
{
    Configuration *copy = configuration_new();
    for (guint i = 0; i < configuration_size(configuration); i++) {
        Setting *setting = configuration->settings->pdata[i];
        if (choose(setting->group)) add(copy, g_rc_box_acquire(setting));
    }
    copy->set = configuration->set;
    copy->file = configuration->file;
    return copy;
}

static bool choose_all(const char *group)
{
    (void)group;
    return true;
}

Configuration *configuration_copy(const Configuration *configuration)
{
    return configuration_copy_groups(configuration, choose_all);
}

void configuration_free(Configuration *configuration)
{
    if (!configuration) return;
    g_hash_table_unref(configuration->index);
    g_ptr_array_unref(configuration->settings);
    g_free(configuration);
}

static void replace(Configuration *configuration, Setting *old, Setting *setting)
{
    guint place = 0;
    g_ptr_array_find(configuration->settings, old, &place);
    configuration->settings->pdata[place] = setting;
    g_hash_table_add(configuration->index, setting);
    setting_release(old);
}

static Setting *find(const Configuration *configuration, const char *group, const char *key)
{
    const Entry name = {.setting = {.group = (char *)group, .key = (char *)key},
                        .hash = hash_name(group, key)};
    return g_hash_table_lookup(configuration->index, &name);
}

void configuration_set(Configuration *configuration, const char *group, const char *key,
                       const char *value, const char *file, int line)
{
    Setting *old = find(configuration, group, key);
    Entry *entry = g_rc_box_new(Entry);
    *entry = (Entry){{.group = g_ref_string_new(group),
                      .key = g_ref_string_new(key),
                      .value = g_ref_string_new(value),
                      .file = file ? g_ref_string_new(file) : NULL,
                      .line = line},
                     hash_name(group, key),
                     ++configuration->set};
    if (old)
        replace(configuration, old, &entry->setting);
    else
        add(configuration, &entry->setting);
}

void configuration_remove(Configuration *configuration, const char *group, const char *key)
{
    Setting *setting = find(configuration, group, key);
    if (!setting) return;
    g_hash_table_remove(configuration->index, setting);
    g_ptr_array_remove(configuration->settings, setting);
}

const Setting *configuration_find(const Configuration *configuration, const char *group,
                                  const char *key)
{
    return find(configuration, group, key);
}

guint configuration_size(const Configuration *configuration)
{
    return configuration->settings->len;
}

void configuration_set_file(Configuration *configuration, const char *file)
{
    configuration->file = g_intern_string(file);
}

const char *configuration_file(const Configuration *configuration)
{
    return configuration->file;
}

const Setting *configuration_at(const Configuration *configuration, guint index)
{
    return configuration->settings->pdata[index];
}

char *setting_describe_place(const Setting *setting)
{
    return setting->file ? g_strdup_printf("%s:%d: ", setting->file, setting->line)
                         : g_strdup("--set: ");
}

bool configuration_is_first(const Configuration *configuration, guint index)
{
    const char *group = configuration_at(configuration, index)->group;
    for (guint i = 0; i < index; i++)
        if (!strcmp(configuration_at(configuration, i)->group, group)) return false;
    return true;
}

/* --- what is wrong with a setting ------------------------------------------------------------- */

char *setting_describe(const Setting *setting)
{
    g_autofree char *place = setting_describe_place(setting);
    const bool code = strchr(setting->value, '\n') != NULL;
    return g_strdup_printf("%s%s.%s%s%s", place, setting->group, setting->key, code ? "" : " = ",
                           code ? "" : setting->value);
}

/* Elsewhere a comment may stand behind a value. */
static void mention_comments(const Setting *setting, GError **error)
{
    const char *mark = strchr(setting->value, '#');
    if (!mark || strchr(setting->value, '\n') || !error || !*error) return;
    g_autofree char *message = (*error)->message;
    (*error)->message = g_strconcat(message, "; a # comment has a line of its own", NULL);
}

bool setting_prefix_error(const Setting *setting, GError **error)
{
    mention_comments(setting, error);
    g_autofree char *text = setting_describe(setting);
    g_prefix_error(error, "%s: ", text);
    return false;
}

bool setting_reject(const Setting *setting, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error) *error = g_error_new_valist(PARAM_ERROR, 0, format, arguments);
    va_end(arguments);
    return setting_prefix_error(setting, error);
}

static bool is_word(char character)
{
    return g_ascii_isalnum(character) || character == '_';
}

/* "group.key ..." */
static bool begins_with(const char *message, const Setting *setting)
{
    const gsize group = strlen(setting->group), key = strlen(setting->key);
    return g_str_has_prefix(message, setting->group) && message[group] == '.'
           && g_str_has_prefix(message + group + 1, setting->key)
           && !is_word(message[group + 1 + key]);
}

static const char *end_of_word(const char *text)
{
    while (is_word(*text)) text++;
    return text;
}

/* Of "key" and "group.key" in a text about this group; `*text` goes on behind it. */
static const Setting *take_mentioned(const Configuration *configuration, const char *group,
                                     const char **text)
{
    const char *begin = *text, *end = end_of_word(begin);
    g_autofree char *word = g_strndup(begin, (gsize)(end - begin));
    if (*end != '.' || !is_word(end[1])) {
        *text = *end && end == begin ? end + 1 : end;
        return configuration_find(configuration, group, word);
    }
    begin = end + 1;
    *text = end_of_word(begin);
    g_autofree char *key = g_strndup(begin, (gsize)(*text - begin));
    return configuration_find(configuration, word, key);
}

static guint number_of(const Setting *setting)
{
    return setting ? ((const Entry *)setting)->number : 0;
}

/* Behind it stand keys that there are, whether they disagree or not. */
static bool begins_hint(const char *text)
{
    return g_str_has_prefix(text, "; did you mean ") || g_str_has_prefix(text, "; it knows ");
}

/* Of the settings that the reason mentions the one that was set last. */
static const Setting *find_mentioned(const Configuration *configuration, const char *message)
{
    const Setting *last = NULL;
    const char *at = strchr(message, ':');
    g_autofree char *group = g_strndup(message, strcspn(message, "."));
    while (at && *at && !begins_hint(at)) {
        const Setting *setting = take_mentioned(configuration, group, &at);
        if (number_of(setting) > number_of(last)) last = setting;
    }
    return last;
}

static const Setting *find_subject(const Configuration *configuration, const char *message)
{
    for (guint i = 0; i < configuration_size(configuration); i++)
        if (begins_with(message, configuration_at(configuration, i)))
            return configuration_at(configuration, i);
    return NULL;
}

/* What stands behind the place of a setting, if the message begins with one. */
static const char *skip_place(const Configuration *configuration, const char *message)
{
    for (guint i = 0; i < configuration_size(configuration); i++) {
        g_autofree char *place = setting_describe_place(configuration_at(configuration, i));
        if (g_str_has_prefix(message, place)) return message + strlen(place);
    }
    return message;
}

/* "group.key ...", whoever set it; "file.ini:3: ..." is not. */
static bool is_about_key(const char *message)
{
    const char *at = message;
    while (is_word(*at) || *at == ' ') at++;
    if (at == message || *at != '.') return false;
    at = end_of_word(at + 1);
    return *at == ' ' || (*at == ':' && !g_ascii_isdigit(at[1]));
}

bool configuration_locate_error(const Configuration *configuration, GError **error)
{
    if (!error || !*error) return false;
    const char *message = skip_place(configuration, (*error)->message);
    const bool has_place = message != (*error)->message;
    const Setting *subject = find_subject(configuration, message),
                  *last = find_mentioned(configuration, message);
    const bool is_other = is_about_key(message) && number_of(last) > number_of(subject);
    if (subject && !has_place) {
        g_autofree char *place = setting_describe_place(subject);
        g_prefix_error(error, "%s", place);
    }
    if (is_other) {
        g_autofree char *text = setting_describe(last);
        g_prefix_error(error, "%s, with ", text);
    }
    return false;
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool apply_setting(const Setting *setting, const Param *param, void *object, GError **error)
{
    if (param_parse(param, setting->value, object, error)) return true;
    mention_comments(setting, error);
    g_autofree char *place = setting_describe_place(setting);
    g_prefix_error(error, "%s%s.%s = ", place, setting->group, setting->key);
    return false;
}

bool configuration_apply_as(const Configuration *configuration, const char *group_name,
                            const ParamGroup *group, void *object, GError **error)
{
    for (const Param *param = group->params; param && param->name; param++) {
        const Setting *setting = configuration_find(configuration, group_name, param->name);
        if (!setting) {
            param_set_default(param, object);
        } else if (!apply_setting(setting, param, object, error)) {
            param_clear(group->params, object);
            return false;
        }
    }
    return true;
}

bool configuration_apply(const Configuration *configuration, const ParamGroup *group, void *object,
                         GError **error)
{
    return configuration_apply_as(configuration, group->name, group, object, error);
}

static bool group_has(const ParamGroup *group, const char *key)
{
    for (const Param *param = group->params; param && param->name; param++)
        if (!strcmp(param->name, key)) return true;
    return false;
}

static bool knows(const ParamGroup *group, const Setting *setting)
{
    return group && param_group_holds(group, setting->group) && group_has(group, setting->key);
}

/* As groups beside `name` are written, with its own name where theirs is one. NULL-terminated. */
static GPtrArray *list_groups(const ParamGroup *const *groups, const char *name)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *own = strchr(name, ' ');
    for (; *groups; groups++)
        g_ptr_array_add(names, g_strconcat((*groups)->name, (*groups)->named ? own : NULL, NULL));
    g_ptr_array_add(names, NULL);
    return names;
}

/* Of all groups called `group`; NULL-terminated; the strings are the tables'. */
static GPtrArray *list_keys(const ParamGroup *const *groups, const char *group)
{
    GPtrArray *names = g_ptr_array_new();
    for (; *groups; groups++) {
        if (!param_group_holds(*groups, group)) continue;
        for (const Param *param = (*groups)->params; param && param->name; param++)
            g_ptr_array_add(names, (gpointer)param->name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

/* What there is in place of `wrong`. */
static char *say_known(const char *wrong, const GPtrArray *names)
{
    const char *near = nearest_word(wrong, (const char *const *)names->pdata);
    g_autofree char *all = near ? NULL : g_strjoinv(", ", (char **)names->pdata);
    if (near) return g_strdup_printf("did you mean '%s'?", near);
    return *all ? g_strdup_printf("there are %s", all) : g_strdup("it has none");
}

/* It stands for any number of groups, which have names. */
static bool lacks_name(const char *name, const ParamGroup *const *groups)
{
    for (; *groups; groups++)
        if ((*groups)->named && !strcmp((*groups)->name, name)) return true;
    return false;
}

bool configuration_check_group(const char *name, const ParamGroup *const *groups, GError **error)
{
    for (const ParamGroup *const *group = groups; *group; group++)
        if (param_group_holds(*group, name)) return true;
    g_autoptr(GPtrArray) names = list_groups(groups, name);
    g_autofree char *hint = say_known(name, names);
    if (lacks_name(name, groups))
        g_set_error(error, PARAM_ERROR, 0, "is written [%s NAME]: whose it is", name);
    else
        g_set_error(error, PARAM_ERROR, 0, "there is no group '%s'; %s", name, hint);
    return false;
}

static void reject_setting(const Setting *setting, const ParamGroup *const *groups, GError **error)
{
    g_autoptr(GPtrArray) keys = list_keys(groups, setting->group);
    g_autofree char *hint = say_known(setting->key, keys);
    if (configuration_check_group(setting->group, groups, error))
        setting_reject(setting, error, "'%s' has no parameter '%s'; %s", setting->group,
                       setting->key, hint);
    else
        setting_prefix_error(setting, error);
}

/* Neighbours mostly are of one group: the one that knew the setting before is asked first. */
bool configuration_check(const Configuration *configuration, bool (*choose)(const char *group),
                         const ParamGroup *const *groups, GError **error)
{
    const ParamGroup *last = *groups;
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        bool known = knows(last, setting) || (choose && !choose(setting->group));
        for (const ParamGroup *const *group = groups; *group && !known; group++) {
            known = knows(*group, setting);
            if (known) last = *group;
        }
        if (known) continue;
        reject_setting(setting, groups, error);
        return false;
    }
    return true;
}

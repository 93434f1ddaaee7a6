/* What docs/reference/studies.md shows is what the program reads. */
#include <check.h>
#include <string.h>

#include "platform/machine/machine.h"
#include "rigs/harness.h"
#include "scenarios/program/study/dimensions/axis.h"
#include "scenarios/program/study/dimensions/design.h"
#include "scenarios/program/study/dimensions/where.h"

static char *read_page(void)
{
    const char *root = g_getenv("WARPMEM_ROOT");
    ck_assert_ptr_nonnull(root);
    g_autofree char *path = g_build_filename(root, "docs", "reference", "studies.md", NULL);
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no %s", path);
    return text;
}

/* From behind `begin` to `end`, newly allocated. */
static char *part_of(const char *page, const char *begin, const char *end)
{
    const char *from = strstr(page, begin);
    ck_assert_msg(from, "no %s", begin);
    from += strlen(begin);
    const char *to = strstr(from, end);
    ck_assert_msg(to, "no %s", end);
    return g_strndup(from, (gsize)(to - from));
}

static const Param *find_param(const char *group, const char *key)
{
    for (const ParamGroup *const *g = machine_groups(); *g; g++)
        for (const Param *param = (*g)->params; !strcmp((*g)->name, group) && param->name; param++)
            if (!strcmp(param->name, key)) return param;
    return NULL;
}

/* "l1.ways = 4, 8", newly allocated: what its values are. */
static char *values_of(const char *line)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = g_strsplit(line, " = ", 2);
    g_auto(GStrv) name = g_strsplit(words[0], ".", 2);
    const Param *param = find_param(name[0], name[1]);
    ck_assert_msg(param, "there is no parameter %s", words[0]);
    const Setting setting = {"study", words[0], words[1], NULL, 0};
    g_autoptr(Axis) axis =
        axis_new(&(AxisSource){&setting, param, param->default_text, NULL}, &error);
    ck_assert_msg(axis, "%s", error ? error->message : "");
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < axis_size(axis); i++)
        g_string_append_printf(all, "%s%s", i ? ", " : "", axis_value(axis, i));
    return g_strdup(all->str);
}

START_TEST(values_are_what_the_page_says)
{
    g_autofree char *page = read_page();
    g_autofree char *table = part_of(page, "| written | values |\n|---|---|\n", "\n\n");
    g_auto(GStrv) rows = g_strsplit(table, "\n", -1);
    for (char **row = rows; *row; row++) {
        g_autofree char *written = part_of(*row, "| `", "` |");
        g_autofree char *expected = part_of(*row, "` | ", " |");
        g_autofree char *values = values_of(written);
        ck_assert_str_eq(values, expected);
    }
    ck_assert_uint_ge(g_strv_length(rows), 10);
}
END_TEST

static const char *look_up(void *user, const char *name)
{
    (void)user;
    if (!strcmp(name, "variant")) return "chase";
    if (!strcmp(name, "area_mm2")) return "62.5";
    g_auto(GStrv) parts = g_strsplit(name, ".", 2);
    return find_param(parts[0], parts[1])->default_text;
}

START_TEST(conditions_of_the_page_can_be_read_and_tested)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *page = read_page();
    g_autofree char *conditions = part_of(page, "```where\n", "```");
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++)
            g_ptr_array_add(names, g_strconcat((*group)->name, ".", param->name, NULL));
    g_ptr_array_add(names, g_strdup("variant"));
    g_ptr_array_add(names, g_strdup("area_mm2"));
    g_ptr_array_add(names, NULL);
    g_auto(GStrv) lines = g_strsplit(conditions, "\n", -1);
    for (char **line = lines; *line; line++) {
        const Setting setting = {"study", "where", *line, NULL, 0};
        g_autoptr(Where) where = where_new(&setting, (const char *const *)names->pdata, &error);
        ck_assert_msg(where, "%s", error ? error->message : "");
        where_test(where, look_up, NULL, &error);
        ck_assert_msg(!error, "%s", error ? error->message : "");
    }
    ck_assert_uint_ge(g_strv_length(lines), 10);
}
END_TEST

START_TEST(the_page_names_every_key_and_design)
{
    g_autofree char *page = read_page();
    for (const Param *param = study_group.params; param->name; param++) {
        g_autofree char *name = g_strconcat("`", param->name, "`", NULL);
        ck_assert_msg(strstr(page, name), "%s", param->name);
    }
    for (const char *const *design = design_names; *design; design++) {
        g_autofree char *row = g_strconcat("\n| `", *design, "` |", NULL);
        ck_assert_msg(strstr(page, row), "%s", *design);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("study_page");
    tcase_add_test(cases, values_are_what_the_page_says);
    tcase_add_test(cases, conditions_of_the_page_can_be_read_and_tested);
    tcase_add_test(cases, the_page_names_every_key_and_design);
    Suite *suite = suite_create("study_page");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

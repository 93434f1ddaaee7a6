/* The manifest on disk: what is read is what was written, or nothing. */
#include "rigs/harness.h"

#include "program/study/plan_rig.h"
#include "scenarios/program/study/plan/build_id.h"

static const char study[] = "l1.prt_entries = 8, 16\nvariant = baseline, half\nreplications = 2\n"
                            "statistics = l1.refused_prt\n";

static char *manifest_text(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "manifest.jsonl", NULL);
    char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

/* In place: a file that is replaced by rename would be synchronised each time. */
static void overwrite(const char *path, const char *text, gsize length)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(text, 1, length, file) == length);
    fclose(file);
}

static Manifest *write_and_read(const Planned *planned)
{
    g_autoptr(GError) error = NULL;
    ck_assert(manifest_write(planned->manifest, planned->folder, &error));
    Manifest *manifest = manifest_read(planned->folder, &error);
    ck_assert_msg(manifest != NULL, "%s", error ? error->message : "");
    return manifest;
}

static void expect_same_point(const Manifest *a, const Manifest *b, guint index)
{
    const Point *first = point_of(a, index), *second = point_of(b, index);
    g_autoptr(Configuration) one = manifest_configuration(a, first);
    g_autoptr(Configuration) other = manifest_configuration(b, second);
    ck_assert_str_eq(first->key, second->key);
    ck_assert_uint_eq(first->base, second->base);
    ck_assert_uint_eq(first->replication, second->replication);
    ck_assert_uint_eq(first->seed, second->seed);
    ck_assert_str_eq(first->role, second->role);
    ck_assert(
        g_strv_equal((const char *const *)first->values, (const char *const *)second->values));
    ck_assert_uint_eq(configuration_size(one), configuration_size(other));
    for (guint i = 0; i < configuration_size(one); i++) {
        const Setting *s = configuration_at(one, i), *t = configuration_at(other, i);
        ck_assert_str_eq(s->group, t->group);
        ck_assert_str_eq(s->key, t->key);
        ck_assert_str_eq(s->value, t->value);
        ck_assert(!g_strcmp0(s->file, t->file) && s->line == t->line);
    }
}

START_TEST(a_manifest_is_read_as_it_was_written)
{
    g_auto(Planned) planned = plan_study(study);
    g_autoptr(Manifest) manifest = write_and_read(&planned);
    ck_assert_str_eq(manifest->identity, planned.manifest->identity);
    ck_assert_str_eq(manifest->title, "Small");
    ck_assert_str_eq(manifest->scenario, planned.manifest->scenario);
    ck_assert_str_eq(manifest->design, "grid");
    ck_assert_str_eq(manifest->build, build_id());
    ck_assert_uint_eq(manifest->replications, 2);
    ck_assert_uint_eq(manifest->statistics->len, 1);
    ck_assert_str_eq(manifest->statistics->pdata[0], "l1.refused_prt");
    ck_assert_int_eq(manifest_find_dimension(manifest, "variant"), 1);
    const Dimension *first = manifest->dimensions->pdata[0];
    ck_assert_str_eq(first->baseline, "512");
    ck_assert(!first->structural && g_str_has_suffix(first->file, "/x.ini"));
    ck_assert_uint_eq(manifest->points->len, 8);
    for (guint i = 0; i < 8; i++) expect_same_point(planned.manifest, manifest, i);
}
END_TEST

START_TEST(a_manifest_that_is_cut_anywhere_is_refused)
{
    enum { STRIDE = 67, LAST = 200 };
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8\n");
    g_autoptr(Manifest) whole = write_and_read(&planned);
    g_autofree char *text = manifest_text(planned.folder);
    g_autofree char *path = g_build_filename(planned.folder, "manifest.jsonl", NULL);
    const gssize length = (gssize)strlen(text);
    for (gssize cut = 0; cut < length; cut += cut < length - LAST ? STRIDE : 1) {
        g_autoptr(GError) error = NULL;
        overwrite(path, text, (gsize)cut);
        ck_assert_msg(!manifest_read(planned.folder, &error), "cut behind %zd", cut);
        ck_assert_ptr_nonnull(strstr(error->message, "not a complete manifest"));
    }
}
END_TEST

START_TEST(a_manifest_in_which_one_byte_is_another_is_refused)
{
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8\n");
    g_autoptr(Manifest) whole = write_and_read(&planned);
    g_autofree char *text = manifest_text(planned.folder);
    g_autofree char *path = g_build_filename(planned.folder, "manifest.jsonl", NULL);
    for (gsize at = 0; at < strlen(text); at += 97) {
        g_autofree char *other = g_strdup(text);
        other[at] = other[at] == '1' ? '2' : '1';
        overwrite(path, other, strlen(other));
        ck_assert_msg(!manifest_read(planned.folder, NULL), "byte %zu", at);
    }
}
END_TEST

START_TEST(a_folder_without_a_manifest_says_how_to_get_one)
{
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    ck_assert_ptr_null(manifest_read(folder, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "warpmem study plan SCENARIO -o "));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_build_has_a_name_of_its_own)
{
    ck_assert_uint_ge(strlen(build_id()), 16);
    ck_assert_uint_eq(strspn(build_id(), "0123456789abcdef"), strlen(build_id()));
}
END_TEST

HARNESS_MAIN("manifest", a_manifest_is_read_as_it_was_written,
             a_manifest_that_is_cut_anywhere_is_refused,
             a_manifest_in_which_one_byte_is_another_is_refused,
             a_folder_without_a_manifest_says_how_to_get_one, a_build_has_a_name_of_its_own)

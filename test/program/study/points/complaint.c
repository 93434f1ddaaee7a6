#include "scenarios/program/study/points/complaint.h"
#include "rigs/harness.h"

static const struct {
    const char *text, *clean;
} complaints[] = {
    {"", ""},
    {"\n\n", ""},
    {"one\n\ntwo\nthree", "one; two"},
    {"==12==ERROR: AddressSanitizer: SEGV on unknown address 0x00ff (pc 0x12 bp 0x1a)\n",
     "ERROR: AddressSanitizer: SEGV on unknown address 0x... (pc 0x... bp 0x...)"},
    {"=====\n  a\tb\x1b[0m  \n", "a b [0m"},
    {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"ended by pid 4711 here", "ended by pid ... here"},
};

START_TEST(a_complaint_is_one_line_that_is_the_same_in_every_run)
{
    g_autofree char *clean = complaint_clean(complaints[_i].text);
    ck_assert_str_eq(clean, complaints[_i].clean);
}
END_TEST

START_TEST(a_long_complaint_is_cut_between_letters)
{
    g_autoptr(GString) text = g_string_new("a");
    for (unsigned i = 0; i < 200; i++) g_string_append(text, "\xc3\xa4");
    g_autofree char *clean = complaint_clean(text->str);
    ck_assert(g_utf8_validate(clean, -1, NULL));
    ck_assert(g_str_has_suffix(clean, "\xc3\xa4..."));
    ck_assert_uint_le(strlen(clean), 303);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("complaint");
    tcase_add_loop_test(cases, a_complaint_is_one_line_that_is_the_same_in_every_run, 0,
                        G_N_ELEMENTS(complaints));
    tcase_add_test(cases, a_long_complaint_is_cut_between_letters);
    return harness_run_cases("complaint", cases);
}

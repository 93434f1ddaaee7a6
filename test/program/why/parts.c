/* What `warpmem why` says was strained of a component of components. */
#include "rigs/harness.h"
#include "scenarios/program/why/layers.h"

enum { REQUESTS, REPLIES, WAYS };

typedef struct {
    double gain[WAYS], strain[WAYS];
} Ways;

/* Of "network", which includes both ways. NULL: of none of them. Newly allocated. */
static char *part_of(const Ways *ways)
{
    static const char *const names[WAYS] = {"request_network", "reply_network"};
    Candidate whole = {.component = perfect_find("network"), .gain = 0.3}, tried[WAYS];
    Probe probe = {.parts = g_array_new(FALSE, TRUE, sizeof(Part))};
    Layer layer = {.probe = &probe, .perfect = g_ptr_array_new(), .bound = &whole};
    g_ptr_array_add(layer.perfect, &whole);
    for (int i = 0; i < WAYS; i++) {
        const Part part = {.component = (char *)names[i], .strain = ways->strain[i]};
        g_array_append_val(probe.parts, part);
        tried[i] = (Candidate){.component = perfect_find(names[i]), .gain = ways->gain[i]};
        g_ptr_array_add(layer.perfect, &tried[i]);
    }
    const Part *part = layer_find_part(&layer);
    char *name = part ? g_strdup(part->component) : NULL;
    g_ptr_array_unref(layer.perfect);
    g_array_unref(probe.parts);
    return name;
}

START_TEST(what_gains_most_by_itself_is_named_and_not_what_is_fullest)
{
    g_autofree char *replies = part_of(&(Ways){{0.02, 0.25}, {0.91, 0.87}});
    ck_assert_str_eq(replies, "reply_network");
    g_autofree char *requests = part_of(&(Ways){{0.25, 0.02}, {0.87, 0.91}});
    ck_assert_str_eq(requests, "request_network");
}
END_TEST

/* All of it gains 30 %, either way by itself next to nothing: the parts are as the verdict has
 * them. */
START_TEST(of_parts_that_hold_each_other_up_the_verdict_s_is_named)
{
    g_autofree char *requests = part_of(&(Ways){{0.014, 0.015}, {0.91, 0.88}});
    ck_assert_str_eq(requests, "request_network");
    g_autofree char *replies = part_of(&(Ways){{0.014, 0.015}, {0.4, 0.88}});
    ck_assert_str_eq(replies, "reply_network");
}
END_TEST

START_TEST(what_is_hardly_used_explains_nothing)
{
    g_autofree char *requests = part_of(&(Ways){{0.02, 0.25}, {0.91, 0.3}});
    ck_assert_str_eq(requests, "request_network");
    ck_assert_ptr_null(part_of(&(Ways){{0.02, 0.25}, {0.4, 0.3}}));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("why_parts");
    TCase *cases = tcase_create("why_parts");
    tcase_add_test(cases, what_gains_most_by_itself_is_named_and_not_what_is_fullest);
    tcase_add_test(cases, of_parts_that_hold_each_other_up_the_verdict_s_is_named);
    tcase_add_test(cases, what_is_hardly_used_explains_nothing);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

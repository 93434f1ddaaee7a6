/* The picture of a machine: all that is there is in it, and nothing lies upon something else. */
#include "scenarios/program/picture/picture.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/small_machine.h"
#include "scenarios/program/language/house_words.h"
#include "scenarios/program/picture/layout.h"

static const char *const machines[] = {
    "machine.name = A <B> & C",
    "mmu.enabled = yes; coherence_monitor.enabled = yes",
    "network.topology = ring",
    "network.timing = flow",
    "machine.l2_halves = 2; machine.partitions = 4; network.topology = mesh",
    /* requests and replies on the same routers */
    "network.platform = ROOT/scenarios/network/hierarchy.xml",
};

static Machine *make(const char *settings)
{
    g_autoptr(GError) error = NULL;
    const char *root = g_getenv("WARPMEM_ROOT");
    g_auto(GStrv) parts = g_strsplit(settings, "ROOT", 2);
    g_autofree char *own = g_strjoinv(root ? root : ".", parts);
    g_autoptr(Configuration) configuration = small_machine_configuration(own);
    Machine *machine = machine_new(configuration, NULL, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    return machine;
}

static void expect_form(const char *svg)
{
    static const GMarkupParser parser = {.start_element = NULL};
    g_autoptr(GError) error = NULL;
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    const bool good = g_markup_parse_context_parse(context, svg, -1, &error)
                      && g_markup_parse_context_end_parse(context, &error);
    ck_assert_msg(good, "%s", error ? error->message : "");
    g_markup_parse_context_free(context);
}

START_TEST(every_unit_and_every_channel_is_in_the_picture)
{
    g_autoptr(Machine) machine = make(machines[_i]);
    GString *svg = picture_of_machine(machine);
    expect_form(svg->str);
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++) {
        g_autofree char *name = g_strdup_printf("class=\"name\" text-anchor=\"middle\">%s<",
                                                (*class)->name),
                        *half = g_strdup_printf(">%s, reply<", (*class)->name);
        const bool there = strstr(svg->str, name) || strstr(svg->str, half);
        ck_assert_int_eq(there, machine_instances(machine, (*class)->name)->len > 0);
    }
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        g_autofree char *name = channel_name(row), *end = channel_end(row);
        g_autofree char *title =
            g_strdup_printf("<title>%s to %s", row->from ? name : "SimGrid", end);
        const bool there = strstr(svg->str, title) != NULL;
        ck_assert_msg(there == machine_has_channel(machine, row), "%s", title);
    }
    g_string_free(svg, TRUE);
}
END_TEST

static bool overlap(int a, int b, int c, int d)
{
    return MAX(MIN(a, b), MIN(c, d)) <= MIN(MAX(a, b), MAX(c, d));
}

/* Lines cross, but none lies on a part of another, and each has rows of its own. */
START_TEST(nothing_lies_upon_something_else)
{
    g_autoptr(Machine) machine = make(machines[_i]);
    g_autoptr(Layout) layout = layout_new(machine, 0);
    for (guint i = 1; i < layout->boxes->len; i++) {
        const Box *above = layout_box(layout, i - 1), *below = layout_box(layout, i);
        ck_assert_int_ge(below->top, above->top + above->height + PICTURE_GAP);
    }
    for (guint i = 0; i < layout->lines->len; i++) {
        const Line *a = layout_line(layout, i);
        const Box *box = layout_box(layout, a->to);
        ck_assert_int_gt(a->end, box->top + PICTURE_HEADER);
        ck_assert_int_lt(a->end, box->top + box->height);
        ck_assert_uint_le(a->lane, layout->lanes[a->side]);
        for (guint k = 0; k < i; k++) {
            const Line *b = layout_line(layout, k);
            if (a->side != b->side) continue;
            ck_assert_int_ne(a->end, b->end);
            if (!a->row->from || !b->row->from) continue;
            ck_assert(a->start != b->start && a->start != b->end && a->end != b->start);
            ck_assert(a->lane != b->lane || !overlap(a->start, a->end, b->start, b->end));
        }
    }
}
END_TEST

START_TEST(a_preset_or_a_scenario_is_drawn)
{
    char *folder = temporary_folder();
    const Outcome preset = warpmem(folder, "show v100 --picture -o v100.svg"),
                  scenario = warpmem(folder, "show quickstart --picture --set machine.sms=7");
    ck_assert_msg(preset.status == 0, "%s", preset.errors);
    ck_assert_msg(scenario.status == 0, "%s", scenario.errors);
    g_autofree char *svg = contents(folder, "v100.svg");
    ck_assert_ptr_nonnull(strstr(svg, "NVIDIA Tesla V100: 80 SMs, 64 slices"));
    ck_assert_ptr_nonnull(strstr(scenario.out, ": 7 SMs, 64 slices"));
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *arguments, *message;
} refused[] = {
    {"show v101 --picture", "v101: no such scenario; did you mean 'v100', a preset?"},
    {"show v100 --picture --json", "show --picture: draws, and prints no JSON"},
    {"show quickstart -o x.svg", "show -o x.svg: only with --picture"},
    {"show v100 --picture --set machine.sms=0", "machine.sms = 0"},
    {"show v100 --picture --set l1.way=3", "l1.way"},
    {"show v100 --picture --variant x", "x"},
    {"show v100 --picture -o no-such-folder/x.svg", "no-such-folder"},
};

START_TEST(what_cannot_be_drawn_is_refused)
{
    const Outcome outcome = warpmem(".", refused[_i].arguments);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, refused[_i].message), "%s", outcome.errors);
    ck_assert_str_eq(outcome.out, "");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("picture");
    tcase_add_loop_test(cases, every_unit_and_every_channel_is_in_the_picture, 0,
                        G_N_ELEMENTS(machines));
    tcase_add_loop_test(cases, nothing_lies_upon_something_else, 0, G_N_ELEMENTS(machines));
    tcase_add_test(cases, a_preset_or_a_scenario_is_drawn);
    tcase_add_loop_test(cases, what_cannot_be_drawn_is_refused, 0, G_N_ELEMENTS(refused));
    return harness_run_cases("picture", cases);
}

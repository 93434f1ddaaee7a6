/* Links that are to be otherwise: what SimGrid says then, and the text of a platform without. */
#include "rigs/harness.h"

#include "platform/network/links/without.h"
#include "platform/network/platform_routes.h"

/* Two SMs at one switch, two slices at another, by way of a or, one switch more, of b and c. */
static const char platform[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"gpu\" routing=\"Floyd\">\n"
    "<host id=\"sm0\" speed=\"1f\"/><host id=\"slice0\" speed=\"1f\"/>\n"
    "<router id=\"there\"/><router id=\"between\"/>\n"
    "<link id=\"a\" bandwidth=\"40Bps\" latency=\"5s\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<link id=\"b\" bandwidth=\"40Bps\" latency=\"6s\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<link id=\"c\" bandwidth=\"40Bps\" latency=\"7s\"/>\n"
    "<link id=\"c-back\" bandwidth=\"40Bps\" latency=\"8s\"/>\n"
    "<link id=\"end\" bandwidth=\"20Bps\" latency=\"1s\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<route src=\"sm0\" dst=\"there\">\n<link_ctn id=\"a\" direction=\"UP\"/>\n</route>\n"
    "<route src=\"sm0\" dst=\"between\"><link_ctn id=\"b\" direction=\"UP\"/></route>\n"
    "<route src=\"between\" dst=\"there\" symmetrical=\"NO\"><link_ctn id=\"c\"/></route>\n"
    "<route src=\"there\" dst=\"between\" symmetrical=\"NO\"><link_ctn id=\"c-back\"/></route>\n"
    "<route src=\"there\" dst=\"slice0\"><link_ctn id=\"end\" direction=\"UP\"/></route>\n"
    "</zone></platform>\n";

/* --- groups ----------------------------------------------------------------------------------- */

/* "link a.removed = yes; ..." */
static LinkChanges changes_of(const char *settings)
{
    g_autoptr(Configuration) configuration = configuration_new();
    g_auto(GStrv) list = g_strsplit(settings, ";", -1);
    for (char **setting = list; *setting; setting++) {
        g_auto(GStrv) sides = g_strsplit(g_strstrip(*setting), " = ", 2);
        char *point = strrchr(sides[0], '.');
        *point = '\0';
        configuration_set(configuration, sides[0], point + 1, sides[1], "links.ini", 7);
    }
    LinkChanges changes;
    ck_assert(link_changes_init(&changes, configuration, NULL));
    return changes;
}

static const PlatformRoutes *ask(const LinkChanges *changes, GError **error)
{
    g_autofree char *text = platform_without("platform.xml", platform, changes, error);
    const PlatformQuestion question = {
        .file = "platform.xml", .text = text, .sms = 1, .slices = 1, .changes = changes};
    return text ? platform_routes_ask(&question, error) : NULL;
}

/* "a_UP end_UP: 6 ns, 20", and back: links, latency, narrowest. */
static char *describe_way(const PlatformRoutes *routes, NetworkRole role)
{
    g_autoptr(GString) text = g_string_new(NULL);
    double latency = 0, bandwidth = 1e9;
    for (uint32_t k = 0; k < routes->first[role][1]; k++) {
        const PlatformLink *link = &routes->link[routes->hop[role][k]];
        g_string_append_printf(text, "%s%s", k ? " " : "", link->name);
        latency += link->link.latency;
        bandwidth = MIN(bandwidth, link->link.bandwidth);
    }
    g_string_append_printf(text, ": %g ns, %g", latency, bandwidth);
    return g_strdup(text->str);
}

static const struct {
    const char *settings, *there, *back;
} ways[] = {
    {"link a_UP.removed = no", "a_UP end_UP: 6 ns, 20", "end_DOWN a_DOWN: 6 ns, 20"},
    {"link a_UP.added_latency = 2500 ps", "a_UP end_UP: 8.5 ns, 20", "end_DOWN a_DOWN: 6 ns, 20"},
    {"link end_*.bandwidth_scale = 0.5", "a_UP end_UP: 6 ns, 10", "end_DOWN a_DOWN: 6 ns, 10"},
    {"link *.bandwidth_scale = 0.1; link a_?OWN.bandwidth_scale = 0.25;"
     "link *.added_latency = 1 ns",
     "a_UP end_UP: 8 ns, 2", "end_DOWN a_DOWN: 8 ns, 1"},
    {"link a_UP.removed = yes", "b_UP c end_UP: 14 ns, 20", "end_DOWN a_DOWN: 6 ns, 20"},
    {"link a_DOWN.removed = yes", "a_UP end_UP: 6 ns, 20", "end_DOWN c-back b_DOWN: 15 ns, 20"},
    {"link a_*.removed = yes", "b_UP c end_UP: 14 ns, 20", "end_DOWN c-back b_DOWN: 15 ns, 20"},
    {"link a_*.removed = yes; link c*.added_latency = 1 ns", "b_UP c end_UP: 15 ns, 20",
     "end_DOWN c-back b_DOWN: 16 ns, 20"},
};

START_TEST(SimGrid_says_of_a_link_what_its_group_makes_of_it)
{
    g_autoptr(GError) error = NULL;
    LinkChanges changes = changes_of(ways[_i].settings);
    const PlatformRoutes *routes = ask(&changes, &error);
    ck_assert_msg(routes, "%s: %s", ways[_i].settings, error ? error->message : "");
    g_autofree char *there = describe_way(routes, NETWORK_REQUEST),
                    *back = describe_way(routes, NETWORK_REPLY);
    ck_assert_str_eq(there, ways[_i].there);
    ck_assert_str_eq(back, ways[_i].back);
    link_changes_finish(&changes);
}
END_TEST

/* --- what cannot be --------------------------------------------------------------------------- */

static const struct {
    const char *settings, *message;
} refused[] = {
    {"link nowhere.removed = yes",
     "links.ini:7: link nowhere.removed = yes: the platform has no link of that name; there are"},
    {"link a_UO.added_latency = 1 ns",
     "links.ini:7: link a_UO.added_latency = 1 ns: the platform has no link of that name; did you "
     "mean 'a_UP'?"},
    {"link a.removed = yes", "the platform has no link of that name"},
    {"link a_*.removed = yes; link b_*.removed = yes", "no route from 'sm0' to 'slice0'"},
};

START_TEST(what_is_no_link_and_what_leaves_no_way_is_refused)
{
    g_autoptr(GError) error = NULL;
    LinkChanges changes = changes_of(refused[_i].settings);
    ck_assert_ptr_null(ask(&changes, &error));
    ck_assert_msg(strstr(error->message, refused[_i].message), "%s", error->message);
    link_changes_finish(&changes);
}
END_TEST

/* --- the text --------------------------------------------------------------------------------- */

static guint line_of(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    ck_assert_msg(at, "%s lacks %s", text, word);
    guint line = 1;
    for (const char *c = text; c < at; c++) line += *c == '\n';
    return line;
}

START_TEST(what_is_left_keeps_its_line)
{
    LinkChanges changes = changes_of("link a_*.removed = yes");
    g_autofree char *text = platform_without("platform.xml", platform, &changes, NULL);
    ck_assert_ptr_null(strstr(text, "id=\"a\""));
    ck_assert_uint_eq(line_of(text, "dst=\"slice0\""), line_of(platform, "dst=\"slice0\""));
    ck_assert_uint_eq(g_hash_table_size(changes.gone), 2);
    link_changes_finish(&changes);
}
END_TEST

START_TEST(a_host_keeps_its_only_link)
{
    static const char star[] =
        "<platform version=\"4.1\"><zone id=\"gpu\" routing=\"Cluster\">"
        "<host id=\"sm0\" speed=\"1f\"/><link id=\"own\" bandwidth=\"1Bps\" latency=\"1s\"/>"
        "<host_link id=\"sm0\" up=\"own\" down=\"own\"/></zone></platform>";
    g_autoptr(GError) error = NULL;
    LinkChanges changes = changes_of("link own.removed = yes");
    ck_assert_ptr_null(platform_without("star.xml", star, &changes, &error));
    ck_assert_str_eq(error->message, "links.ini:7: link own.removed = yes: link 'own' is the only "
                                     "way of host 'sm0'");
    link_changes_finish(&changes);
}
END_TEST

START_TEST(a_text_that_is_none_is_refused)
{
    g_autoptr(GError) error = NULL;
    LinkChanges changes = changes_of("link a_UP.removed = yes");
    ck_assert_ptr_null(platform_without("own.xml", "<platform>\n<zone>", &changes, &error));
    ck_assert_msg(g_str_has_prefix(error->message, "own.xml: no SimGrid platform: "), "%s",
                  error->message);
    link_changes_finish(&changes);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("links");
    tcase_add_loop_test(cases, SimGrid_says_of_a_link_what_its_group_makes_of_it, 0,
                        G_N_ELEMENTS(ways));
    tcase_add_loop_test(cases, what_is_no_link_and_what_leaves_no_way_is_refused, 0,
                        G_N_ELEMENTS(refused));
    tcase_add_test(cases, what_is_left_keeps_its_line);
    tcase_add_test(cases, a_host_keeps_its_only_link);
    tcase_add_test(cases, a_text_that_is_none_is_refused);
    return harness_run_cases("links", cases);
}

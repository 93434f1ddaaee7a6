/* A platform of the user's whose file is edited, on whole machines in both timings: SimGrid alone
 * knows what is otherwise, and what comes of it is what the arithmetic says. Four SMs send requests
 * of 8 B to four slices at another switch: over a link between the two, or past a third one. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

/* 8 B a nanosecond, 10 ns; the way round has two links more than wide enough, of 7 and 8 ns. */
#define LINK                                                                                       \
    "<link id=\"across\" bandwidth=\"8Bps\" latency=\"10s\" sharing_policy=\"SPLITDUPLEX\"/>"
#define ROUTE                                                                                      \
    "<zoneRoute src=\"sms\" dst=\"memory\" gw_src=\"near\" gw_dst=\"far\">"                        \
    "<link_ctn id=\"across\" direction=\"UP\"/></zoneRoute>"
#define MEMORY                                                                                     \
    "<cluster id=\"memory\" prefix=\"slice\" radical=\"0-3\" suffix=\"\" speed=\"1f\" "            \
    "bw=\"40Bps\" lat=\"5s\" router_id=\"far\"/>"
#define DETOUR "<zone id=\"detour\" routing=\"Full\"><router id=\"between\"/></zone>"

static const char platform[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"gpu\" routing=\"Floyd\">\n"
    "<cluster id=\"sms\" prefix=\"sm\" radical=\"0-3\" suffix=\"\" speed=\"1f\" bw=\"40Bps\" "
    "lat=\"5s\" router_id=\"near\"/>\n" MEMORY "\n" DETOUR "\n" LINK "\n"
    "<link id=\"out\" bandwidth=\"40Bps\" latency=\"7s\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<link id=\"back\" bandwidth=\"40Bps\" latency=\"8s\" sharing_policy=\"SPLITDUPLEX\"/>\n" ROUTE
    "\n"
    "<zoneRoute src=\"sms\" dst=\"detour\" gw_src=\"near\" gw_dst=\"between\">"
    "<link_ctn id=\"out\" direction=\"UP\"/></zoneRoute>\n"
    "<zoneRoute src=\"detour\" dst=\"memory\" gw_src=\"between\" gw_dst=\"far\">"
    "<link_ctn id=\"back\" direction=\"UP\"/></zoneRoute>\n"
    "</zone></platform>\n";

static const char scenario[] =
    "[scenario]\ntitle = own platform\nextends = v100\n[machine]\nsms = 4\npartitions = 4\n"
    "slices_per_partition = 1\npeak_bandwidth_gbps = 0\nnetwork_clock = 1 GHz\n"
    "[network]\nplatform = own.xml\nlink_buffer = 256\ninput_buffer = 512\n"
    "[workload]\npattern = network_traffic\nwarm_up = 500 cycles\nduration = 2000 cycles\n";

static const char *const timings[] = {"packet", "flow"};

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
    g_free(temporary_file(folder, "own.ini", scenario));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static char *edit(const char *whole, const char *text, const char *instead)
{
    g_auto(GStrv) parts = g_strsplit(whole, text, -1);
    ck_assert_uint_eq(g_strv_length(parts), 2);
    return g_strjoinv(instead, parts);
}

/* The platform with one text in place of another. */
static void write_platform(const char *text, const char *instead)
{
    g_autofree char *edited = edit(platform, text, instead);
    g_free(temporary_file(folder, "own.xml", edited));
}

static double simulate(int timing, const char *load, const char *figure)
{
    g_autofree char *line =
        g_strdup_printf("run own.ini -q -o out --set network.timing=%s --set 'workload.load=%s'",
                        timings[timing], load);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(!outcome.status, "%s", outcome.errors);
    return summary_of(folder, "out/baseline", figure);
}

/* --- bandwidth -------------------------------------------------------------------------------- */

/* A packet a nanosecond, in two, in four, or four: as many as there are SMs. */
static const struct {
    const char *bandwidth;
    double packets;
} widths[] = {{"8Bps", 1}, {"4Bps", 0.5}, {"2Bps", 0.25}};

START_TEST(half_a_link_of_the_file_carries_half)
{
    const int timing = _i % 2;
    g_autofree char *bandwidth =
        g_strdup_printf("\"across\" bandwidth=\"%s\"", widths[_i / 2].bandwidth);
    write_platform("\"across\" bandwidth=\"8Bps\"", bandwidth);
    const double accepted = 4 * simulate(timing, "100 %", "accepted_rate");
    ck_assert_msg(fabs(accepted / widths[_i / 2].packets - 1) < 0.01, "%s: %s: %g", timings[timing],
                  widths[_i / 2].bandwidth, accepted);
}
END_TEST

static void write_fatpipe(const char *bandwidth, const char *latency)
{
    g_autofree char *link = g_strdup_printf("<link id=\"wide\" bandwidth=\"%s\" latency=\"%s\" "
                                            "sharing_policy=\"FATPIPE\"/>",
                                            bandwidth, latency),
                    *wide = edit(platform, ROUTE,
                                 "<zoneRoute src=\"sms\" dst=\"memory\" "
                                 "gw_src=\"near\" gw_dst=\"far\">"
                                 "<link_ctn id=\"wide\"/></zoneRoute>"),
                    *whole = edit(wide, LINK, link);
    g_free(temporary_file(folder, "own.xml", whole));
}

/* A FATPIPE of 8 B a nanosecond has them for each packet: what SMs send to slices of their own, a
 * packet a nanosecond each, arrives as if nobody else sent. */
START_TEST(a_fatpipe_carries_all_at_once)
{
    write_fatpipe("8Bps", "10s");
    const double accepted =
        simulate(_i, "100 %' --set 'workload.destinations=bit_complement", "accepted_rate");
    ck_assert_msg(accepted > 0.99, "%s: %g", timings[_i], accepted);
}
END_TEST

/* From the SMs' switch to the memory's there is but this one. */
START_TEST(the_only_link_between_switches_has_its_name_where_it_bounds)
{
    write_platform(LINK, LINK);
    g_autofree char *line = g_strdup_printf(
        "run own.ini --set network.timing=%s --set 'workload.load=100 %%'", timings[_i]);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(strstr(outcome.out, "of its links across_UP the most") != NULL, "%s",
                  outcome.out);
}
END_TEST

/* --- latency, and other ways ------------------------------------------------------------------ */

/* 5 + 10 + 5 ns, and one for the bytes on the narrowest link. */
static const struct {
    const char *text, *instead;
    double latency; /* of a packet alone, ns */
} edits[] = {
    {"latency=\"10s\"", "latency=\"10s\"", 5 + 10 + 5 + 1},
    {"latency=\"10s\"", "latency=\"33s\"", 5 + 33 + 5 + 1},
    {"latency=\"7s\"", "latency=\"70s\"", 5 + 10 + 5 + 1},
    {ROUTE, "", 5 + 7 + 8 + 5 + 1},
};

START_TEST(a_packet_alone_takes_the_way_and_the_latency_of_the_file)
{
    const int timing = _i % 2;
    write_platform(edits[_i / 2].text, edits[_i / 2].instead);
    g_free(temporary_file(folder, "first.txt", "1 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n"));
    const double mean = simulate(
        timing,
        "20 %' --set workload.destinations=matrix --set workload.file=first.txt --set 'simulation.seed=1",
        "traffic_latency.mean");
    ck_assert_msg(mean == edits[_i / 2].latency, "%s: %s: %g ns", timings[timing],
                  edits[_i / 2].instead, mean);
}
END_TEST

/* An SM's routes may begin with links of their own: 100 ns to the first slice, 5 ns to the others.
 * Half and half without load, and a nanosecond for the bytes. */
static char *write_pairs(void)
{
    GString *xml = g_string_new("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                                "\"https://simgrid.org/simgrid.dtd\">\n"
                                "<platform version=\"4.1\"><zone id=\"gpu\" routing=\"Full\">\n");
    for (unsigned i = 0; i < 4; i++)
        g_string_append_printf(xml,
                               "<host id=\"sm%u\" speed=\"1f\"/><host id=\"slice%u\" "
                               "speed=\"1f\"/><link id=\"back%u\" bandwidth=\"40Bps\" "
                               "latency=\"9s\"/>\n",
                               i, i, i);
    for (unsigned k = 0; k < 16; k++)
        g_string_append_printf(xml, "<link id=\"way%u\" bandwidth=\"40Bps\" latency=\"%us\"/>\n", k,
                               k % 4 ? 5 : 100);
    for (unsigned k = 0; k < 16; k++)
        g_string_append_printf(
            xml,
            "<route src=\"sm%u\" dst=\"slice%u\" symmetrical=\"NO\">"
            "<link_ctn id=\"way%u\"/></route><route src=\"slice%u\" "
            "dst=\"sm%u\" symmetrical=\"NO\"><link_ctn id=\"back%u\"/></route>\n",
            k / 4, k % 4, k, k % 4, k / 4, k % 4);
    g_string_append(xml, "</zone></platform>\n");
    return g_string_free(xml, FALSE);
}

START_TEST(a_way_is_as_long_as_its_links_though_another_begins_with_a_longer_one)
{
    g_autofree char *xml = write_pairs();
    g_free(temporary_file(folder, "own.xml", xml));
    g_free(temporary_file(folder, "two.txt", "0.5 0.5 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n"));
    const double mean = simulate(
        _i,
        "0.5 %' --set workload.destinations=matrix --set 'workload.duration=100000 cycles' "
        "--set workload.file=two.txt --set 'simulation.seed=1",
        "traffic_latency.mean");
    ck_assert_msg(fabs(mean - 53.5) < 5, "%s: %g ns", timings[_i], mean);
}
END_TEST

/* --- what is missing -------------------------------------------------------------------------- */

/* A line of the file, or what SimGrid has to have. */
static const struct {
    const char *text, *message[3];
} gone[] = {
    {DETOUR, {"own.ini:11: network.platform", "own.xml:11", "'detour'"}},
    {MEMORY, {"own.ini:11: network.platform", "own.xml:10", "'memory'"}},
    {LINK "\n", {"own.ini:11: network.platform", "own.xml:9", "Link not found: across"}},
    {"id=\"out\" bandwidth=\"40Bps\"", {"own.ini:11: network.platform", "own.xml:8", "bandwidth"}},
};

START_TEST(a_zone_or_link_that_is_gone_is_said_with_the_line_that_needs_it)
{
    const int timing = _i % 2;
    write_platform(gone[_i / 2].text, "");
    g_autofree char *line =
        g_strdup_printf("run own.ini -q --set network.timing=%s", timings[timing]);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_int_eq(outcome.status, 2);
    for (guint k = 0; k < G_N_ELEMENTS(gone[0].message); k++)
        ck_assert_msg(strstr(outcome.errors, gone[_i / 2].message[k]), "%s lacks %s",
                      outcome.errors, gone[_i / 2].message[k]);
}
END_TEST

/* --- its units -------------------------------------------------------------------------------- */

#define SECOND "one SimGrid second is a nanosecond: \"20s\" are 20 ns, \"40Bps\" are 40 GB/s"

static const struct {
    const char *text, *instead, *message;
} units[] = {
    {"latency=\"10s\"", "latency=\"20ns\"",
     "has a latency of 2e-08 ns; 0 and 0.001 to 1e9 are possible; " SECOND},
    {"latency=\"10s\"", "latency=\"-1ns\"",
     "has a latency of -1e-09 ns; 0 and 0.001 to 1e9 are possible; " SECOND},
    {"bandwidth=\"8Bps\"", "bandwidth=\"100GBps\"",
     "has 1e+11 GB/s; up to 1e+07 are possible; " SECOND},
};

START_TEST(a_link_in_ordinary_seconds_is_refused)
{
    const int timing = _i % 2;
    write_platform(units[_i / 2].text, units[_i / 2].instead);
    g_autofree char *line =
        g_strdup_printf("run own.ini -q --set network.timing=%s", timings[timing]);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, "own.xml: link 'across_UP'")
                      && strstr(outcome.errors, units[_i / 2].message),
                  "%s", outcome.errors);
}
END_TEST

/* What joins two switches into one has no latency, and is no link. */
START_TEST(a_joint_may_be_as_wide_as_one_likes)
{
    write_fatpipe("1e12Bps", "0s");
    ck_assert_double_gt(simulate(_i, "10 %", "accepted_rate"), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("platform_file");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_loop_test(cases, half_a_link_of_the_file_carries_half, 0, 2 * G_N_ELEMENTS(widths));
    tcase_add_loop_test(cases, a_fatpipe_carries_all_at_once, 0, 2);
    tcase_add_loop_test(
        cases, a_way_is_as_long_as_its_links_though_another_begins_with_a_longer_one, 0, 2);
    tcase_add_loop_test(cases, the_only_link_between_switches_has_its_name_where_it_bounds, 0, 2);
    tcase_add_loop_test(cases, a_packet_alone_takes_the_way_and_the_latency_of_the_file, 0,
                        2 * G_N_ELEMENTS(edits));
    tcase_add_loop_test(cases, a_zone_or_link_that_is_gone_is_said_with_the_line_that_needs_it, 0,
                        2 * G_N_ELEMENTS(gone));
    tcase_add_loop_test(cases, a_link_in_ordinary_seconds_is_refused, 0, 2 * G_N_ELEMENTS(units));
    tcase_add_loop_test(cases, a_joint_may_be_as_wide_as_one_likes, 0, 2);
    return harness_run_cases("platform_file", cases);
}

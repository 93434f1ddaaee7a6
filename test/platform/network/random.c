/* Random platforms under whole machines: connected graphs of routers and hosts with random rates,
 * whose routes SimGrid finds, some of which need virtual channels; tight buffers, loads and stores.
 * Each ends, and in every deployment with the same hash. PLATFORMS=500 in the environment tries so
 * many instead of two dozen. */
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"
#include "rigs/temporary.h"

enum { PLATFORMS = 24, NODES_MAX = 12, HOSTS_MAX = 12 };

typedef struct {
    GRand *dice;
    GString *xml, *routes;
    uint32_t links, routers;
    bool ring;
} Draft;

static uint32_t draw(Draft *draft, uint32_t from, uint32_t to)
{
    return (uint32_t)g_rand_int_range(draft->dice, (gint32)from, (gint32)to + 1);
}

static void add_link(Draft *draft, const char *from, const char *to)
{
    static const char *const rates[] = {"11.04", "22.08", "55.2", "110.4"};
    g_string_append_printf(
        draft->xml,
        "<link id=\"link-%u\" bandwidth=\"%sBps\" latency=\"%us\" sharing_policy=\"SPLITDUPLEX\"/>\n",
        draft->links, rates[draw(draft, 0, 3)], draw(draft, 1, 12));
    g_string_append_printf(
        draft->routes,
        "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"link-%u\" direction=\"UP\"/></route>\n", from,
        to, draft->links++);
}

static char *router(uint32_t number)
{
    return g_strdup_printf("r%u", number);
}

static void join_routers(Draft *draft, uint32_t a, uint32_t b, bool *joined)
{
    if (a == b || joined[a * NODES_MAX + b] || joined[b * NODES_MAX + a]) return;
    g_autofree char *from = router(a), *to = router(b);
    joined[a * NODES_MAX + b] = true;
    add_link(draft, from, to);
}

/* Each router to one before it, or all in a ring; and some more. */
static void add_routers(Draft *draft)
{
    bool joined[NODES_MAX * NODES_MAX] = {false};
    const bool ring = draft->ring;
    const uint32_t routers = draft->routers, more = draw(draft, 0, ring ? 1 : 2 * routers);
    for (uint32_t k = 0; k < routers; k++)
        g_string_append_printf(draft->xml, "<router id=\"r%u\"/>\n", k);
    for (uint32_t k = 1; k < routers; k++)
        join_routers(draft, k, ring ? k - 1 : draw(draft, 0, k - 1), joined);
    if (ring) join_routers(draft, 0, routers - 1, joined);
    for (uint32_t k = 0; k < more; k++)
        join_routers(draft, draw(draft, 0, routers - 1), draw(draft, 0, routers - 1), joined);
}

/* At one router, or at two of them: then others' packets pass by the host. */
static void add_host(Draft *draft, const char *kind, uint32_t number)
{
    g_autofree char *host = g_strdup_printf("%s%u", kind, number);
    g_string_append_printf(draft->xml, "<host id=\"%s\" speed=\"1f\"/>\n", host);
    const uint32_t first = draw(draft, 0, draft->routers - 1),
                   second = draw(draft, 0, draft->routers - 1);
    g_autofree char *near = router(first), *far = router(second);
    add_link(draft, host, near);
    if (first != second && draw(draft, 0, 3) == 0) add_link(draft, host, far);
}

static char *write_platform(uint32_t seed, uint32_t *sms, uint32_t *slices)
{
    Draft draft = {.dice = g_rand_new_with_seed(seed),
                   .xml = g_string_new(NULL),
                   .routes = g_string_new(NULL)};
    draft.ring = draw(&draft, 0, 1);
    draft.routers = draft.ring ? draw(&draft, 4, 7) : draw(&draft, 1, NODES_MAX);
    *sms = draw(&draft, draft.ring ? 8 : 1, HOSTS_MAX);
    *slices = draw(&draft, draft.ring ? 8 : 1, HOSTS_MAX);
    const bool floyd = draw(&draft, 0, 1);
    add_routers(&draft);
    for (uint32_t i = 0; i < *sms; i++) add_host(&draft, "sm", i);
    for (uint32_t j = 0; j < *slices; j++) add_host(&draft, "slice", j);
    char *text = g_strdup_printf("<?xml version='1.0'?>\n"
                                 "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                 "<platform version=\"4.1\"><zone id=\"gpu\" routing=\"%s\">\n%s%s"
                                 "</zone></platform>\n",
                                 floyd ? "Floyd" : "Dijkstra", draft.xml->str, draft.routes->str);
    g_rand_free(draft.dice);
    g_string_free(draft.xml, TRUE);
    g_string_free(draft.routes, TRUE);
    return text;
}

typedef struct {
    uint64_t hash, end;
} Figures;

static void run_machine(const void *settings, void *result)
{
    g_autoptr(Machine) machine = small_machine_new(
        settings, "workload.pattern = random; workload.ctas = 4; workload.iterations = 2;"
                  "workload.threads_per_cta = 64; workload.footprint = 64 KiB;"
                  "workload.operation = load_store");
    const RunReport report = small_machine_run(machine);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    *(Figures *)result = (Figures){report.hash, report.end};
}

START_TEST(a_random_platform_ends_with_the_same_hash_in_every_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    uint32_t sms, slices;
    char *folder = temporary_folder();
    g_autofree char *text = write_platform((uint32_t)_i, &sms, &slices);
    g_autofree char *file = temporary_file(folder, "random.xml", text);
    Figures first, other;
    for (uint32_t d = 0; d < G_N_ELEMENTS(deployments); d++) {
        g_autofree char *settings = g_strdup_printf(
            "network.platform = %s; machine.sms = %u; machine.partitions = %u;"
            "network.link_buffer = %d; network.input_buffer = 2; network.l2_input_buffer = 2;"
            "network.virtual_channels = 16; simulation.deployment = %s; %s",
            file, sms, slices, 1 + _i % 3, deployments[d],
            _i % 2 ? "router.arbitration = round_robin" : "");
        run_apart(run_machine, settings, &other, sizeof other);
        if (!d) first = other;
        ck_assert_uint_eq(first.hash, other.hash);
        ck_assert_uint_eq(first.end, other.end);
    }
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("random"), *repeating = tcase_create("other platforms");
    const char *wanted = g_getenv("PLATFORMS");
    const int count = wanted ? atoi(wanted) : PLATFORMS;
    tcase_add_loop_test(cases, a_random_platform_ends_with_the_same_hash_in_every_deployment, 0, 3);
    tcase_add_loop_test(repeating, a_random_platform_ends_with_the_same_hash_in_every_deployment, 3,
                        count);
    return harness_run_repeating("random", cases, repeating);
}

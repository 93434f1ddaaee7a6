/* A class that keeps to the contract, and what is said of it with one table in place of its own. */
#include "rigs/contract.h"
#include "rigs/harness.h"

typedef struct {
    Unit unit;
    Port in;
    Channel out;
    uint64_t entries;
    uint32_t mode;
    bool enabled;
    uint64_t refused, passed;
    Level store;
    Server exit;
} Plain;

static const char *const modes[] = {"open", "closed", NULL};

/* clang-format off */
#define ENTRIES(fallback, text, ...)                                                               \
    PARAM_NUMBER(Plain, entries, PARAM_COUNT, fallback, 1, 64, text, __VA_ARGS__)
#define REFUSED STAT_NUMBER(Plain, refused, STAT_COUNT, NULL, "times it was full")
#define STORE(...)                                                                                 \
    RESOURCE_ONE_PLACE(Plain, store, "what it holds", RESOURCE_CAPACITY(Plain, entries), __VA_ARGS__)
#define EXIT RESOURCE_ONE_SERVER(Plain, exit, "its way out", .unit = "requests", .feeds = "out")
#define PARAMS(...) .params = (const Param[]){__VA_ARGS__, PARAM_END}
#define STATS(...) .stats = (const Stat[]){__VA_ARGS__, STAT_END}
#define PORTS(...) .ports = (const PortRow[]){__VA_ARGS__, PORT_END}
#define STORES(...) .storage = (const StorageRow[]){__VA_ARGS__, STORAGE_END}
#define RESOURCES(...) .resources = (const ResourceRow[]){__VA_ARGS__, EXIT, RESOURCE_END}
#define NEEDS(...) .needs = (const NeedRow[]){{__VA_ARGS__}, NEED_END}
/* clang-format on */

static StorageSize size(const Unit *unit, const StorageMachine *machine)
{
    (void)machine;
    return (StorageSize){.entries = ((const Plain *)unit)->entries, .bits = 8};
}

static void step(Unit *unit, Time now)
{
    (void)unit, (void)now;
}

static const UnitClass sound = {
    .name = "plain",
    .summary = "keeps to the contract",
    .per = PER_SLICE,
    .clock = CLOCK_L2,
    .place = PLACE_MEMORY,
    .path = "plain[%u][%u]",
    .size = sizeof(Plain),
    PARAMS(ENTRIES("4", "what it holds",
                   .perfect = PERFECT(IN("gate", ">= 8", .only_if = "mode = closed",
                                         .needs = "machine.sms != 1"))),
           PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands")),
    STATS(REFUSED, STAT_OCCUPANCY(Plain, store, NULL, "what it holds")),
    PORTS(PORT_INPUT(Plain, in, "requests"), PORT_OUTPUT(Plain, out, "the same")),
    RESOURCES(STORE(.unit = "requests", .feeds = "exit", .refuses = "in", .refusals = "refused")),
    STORES(STORAGE("store_bits", size, "what it holds", .places = "store"),
           STORAGE("input_bits", size, "what waits", .input = "in")),
    NEEDS("mode", "open", "out", "cache", "own"),
    .step = step};

static const ChannelRow channels[] = {
    {.from = "plain", .output = "out", .to = "plain", .input = "in", .capacity = {"plain.entries"}},
    {.to = NULL}};

/* What a breach puts in place of what is sound. */
typedef struct {
    const char *complaint;
    const Param *params;
    const Stat *stats;
    const PortRow *ports;
    const ResourceRow *resources;
    const NeedRow *needs;
    const StorageRow *storage;
} Breach;

static const Breach breaches[] = {
    {.complaint = NULL},
    {"entries has two rows", PARAMS(ENTRIES("4", "what it holds"), ENTRIES("4", "again"),
                                    PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"enabled is not its first parameter",
     PARAMS(ENTRIES("4", "what it holds"),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"),
            PARAM_SWITCH(Plain, enabled, "yes", "whether there is one"))},
    {"entries and store are one field",
     STATS(REFUSED, {.name = "store", .offset = offsetof(Plain, entries), .summary = "twice"})},
    {"entries says nothing in one line",
     PARAMS(ENTRIES("4", "two\nlines"), PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"passed is no field of its struct",
     STATS(REFUSED, {.name = "passed", .offset = sizeof(Plain), .summary = "outside"})},
    {"passed is no field of its struct",
     STATS(REFUSED, {.name = "passed", .offset = 8, .summary = "of the unit"})},
    {"entries: its default: 65: out of range; allowed: whole number from 1 to 64",
     PARAMS(ENTRIES("65", "what it holds"),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"mode: its default: ajar: not known; allowed: one of open, closed",
     PARAMS(ENTRIES("4", "what it holds"),
            PARAM_ONE_OF(Plain, mode, modes, "ajar", "how it stands"))},
    {"entries in gate: 0: out of range; allowed: whole number from 1 to 64",
     PARAMS(ENTRIES("4", "what it holds", .perfect = PERFECT(IN("gate", ">= 0"))),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"'door = closed': cannot be asked",
     PARAMS(ENTRIES("4", "what it holds",
                    .perfect = PERFECT(IN("gate", "8", .only_if = "door = closed"))),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"'machine.cores = 1': cannot be asked",
     PARAMS(ENTRIES("4", "what it holds",
                    .perfect = PERFECT(IN("gate", "8", .needs = "machine.cores = 1"))),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"'mode closed': cannot be asked",
     PARAMS(ENTRIES("4", "what it holds",
                    .perfect = PERFECT(IN("gate", "8", .only_if = "mode closed"))),
            PARAM_ONE_OF(Plain, mode, modes, "open", "how it stands"))},
    {"passed: neither accesses nor misses are of 'the gate'",
     STATS(REFUSED, STAT_NUMBER(Plain, passed, STAT_COUNT, NULL, "hits", .hits_of = "the gate"))},
    {"passed: there is no statistic 'asked'",
     STATS(REFUSED, STAT_NUMBER(Plain, passed, STAT_COUNT, NULL, "some", .part_of = "asked"))},
    {"passed: there is no parameter 'width'",
     STATS(REFUSED, STAT_NUMBER(Plain, passed, STAT_COUNT, NULL, "some", .most = "width"))},
    {"store feeds 'in', which is no other resource and no output",
     RESOURCES(STORE(.unit = "requests", .feeds = "in"))},
    {"store feeds 'store', which is no other resource and no output",
     RESOURCES(STORE(.unit = "requests", .feeds = "store"))},
    {"store refuses 'out', which is no other resource and no input",
     RESOURCES(STORE(.unit = "requests", .refuses = "in out"))},
    {"store refuses 'nobody', which is no other resource and no input",
     RESOURCES(STORE(.unit = "requests", .refuses = "nobody"))},
    {"store: 'passed' is no count of refusals",
     RESOURCES(STORE(.unit = "requests", .refusals = "passed"))},
    {"store: 'store' is no count of refusals",
     RESOURCES(STORE(.unit = "requests", .refusals = "store"))},
    {"store does not say of what", RESOURCES(STORE(.feeds = "exit"))},
    {"store rests on 'rate', which is no parameter",
     RESOURCES(STORE(.unit = "requests", .rests_on = "entries machine.sms rate"))},
    {"store rests on 'machine.rate', which is no parameter",
     RESOURCES(STORE(.unit = "requests", .rests_on = "machine.rate"))},
    {"store: 'store' is no such count of its work",
     RESOURCES(STORE(.unit = "requests", .work = "refused store"))},
    {"store is a statistic that is not an occupancy", RESOURCES({.name = "store",
                                                                 .kind = RESOURCE_SERVER,
                                                                 .offset = offsetof(Plain, store),
                                                                 .summary = "what it holds",
                                                                 .unit = "requests"})},
    {"entries has two rows",
     RESOURCES({.name = "entries",
                .kind = RESOURCE_PLACE,
                .offset = offsetof(Plain, exit) + sizeof(Server) - sizeof(Level),
                .summary = "what it holds",
                .unit = "requests"})},
    {"store: its capacity is no field of its struct", RESOURCES({.name = "store",
                                                                 .kind = RESOURCE_PLACE,
                                                                 .offset = offsetof(Plain, store),
                                                                 .capacity = sizeof(Plain),
                                                                 .summary = "what it holds",
                                                                 .unit = "requests"})},
#define INPUT STORAGE("input_bits", size, "what waits", .input = "in")
    {"store does not say what its content is stored in", STORES(INPUT)},
    {"in does not say what waits in it is stored in",
     STORES(STORAGE("store_bits", size, "what it holds", .places = "store"))},
    {"store says why it needs no bits, and has some or is no place",
     RESOURCES(STORE(.unit = "requests", .bitless = "it holds nothing"))},
    {"store_bits is of 'shelf', which is no resource",
     STORES(INPUT, STORAGE("store_bits", size, "what it holds", .places = "store shelf"))},
    {"store_bits is of 'out', which is no input",
     STORES(INPUT,
            STORAGE("store_bits", size, "what it holds", .places = "store", .input = "out"))},
    {"store_bits says nothing in one line, or has no size",
     STORES(INPUT, STORAGE("store_bits", NULL, "what it holds", .places = "store"))},
    {"entries has two rows",
     STORES(INPUT, STORAGE("entries", size, "what it holds", .places = "store"))},
    {"needs something for entries, which is no such choice",
     NEEDS("entries", "4", "out", "cache", "own")},
    {"needs something for mode, which is no such choice",
     NEEDS("mode", "ajar", "out", "cache", "own")},
    {"needs something behind in, which is no output", NEEDS("mode", "open", "in", "cache", "own")},
    {"back is in no row of channels",
     PORTS(PORT_INPUT(Plain, in, "requests"), PORT_OUTPUT(Plain, out, "the same"),
           {.name = "back", .offset = offsetof(Plain, passed), .summary = "nowhere"})},
};

static bool is_said(const GPtrArray *complaints, const char *text)
{
    g_autofree char *whole = g_strdup_printf("plain: %s", text);
    for (guint i = 0; i < complaints->len; i++)
        if (!strcmp(complaints->pdata[i], whole)) return true;
    return false;
}

static void expect_complaint(const UnitClass *class, const char *complaint)
{
    g_autoptr(GPtrArray) complaints = contract_complaints(class, channels);
    const char *first = complaints->len ? complaints->pdata[0] : "nothing";
    ck_assert_msg(complaint ? is_said(complaints, complaint) : !complaints->len,
                  "'%s' is expected, '%s' is said", complaint ? complaint : "nothing", first);
}

START_TEST(a_bad_table_is_complained_about)
{
    const Breach *breach = &breaches[_i];
    UnitClass class = sound;
    if (breach->params) class.params = breach->params;
    if (breach->stats) class.stats = breach->stats;
    if (breach->ports) class.ports = breach->ports;
    if (breach->resources) class.resources = breach->resources;
    if (breach->storage) class.storage = breach->storage;
    if (breach->needs) class.needs = breach->needs;
    expect_complaint(&class, breach->complaint);
}
END_TEST

START_TEST(a_class_that_lacks_something_is_complained_about)
{
    static const DividedCache divided = {"entries", "sets", "ways"};
    UnitClass class = sound;
    class.clock = CLOCKS;
    expect_complaint(&class, "does not say which clock it has");
    class = sound;
    class.summary = "";
    expect_complaint(&class, "says nothing in one line");
    class = sound;
    class.step = NULL;
    expect_complaint(&class, "lacks a table or what it does");
    class = sound;
    class.size = sizeof(Unit) - 1;
    expect_complaint(&class, "its struct holds no unit");
    class = sound;
    class.divided = &divided;
    expect_complaint(&class, "is divided by parameters that it does not have");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("breaches");
    tcase_add_loop_test(cases, a_bad_table_is_complained_about, 0, G_N_ELEMENTS(breaches));
    tcase_add_test(cases, a_class_that_lacks_something_is_complained_about);
    return harness_run_cases("breaches", cases);
}

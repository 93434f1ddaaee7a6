/* What is kept of requests: distributions, arrays, the slowest; and that no order and no division
 * into parts changes it. */
#include <string.h>

#include "kit/observe/profile.h"
#include "rigs/harness.h"

#include "kit/gpu/warp_access.h"

enum { REQUESTS = 4000 };

/* --- arrays ----------------------------------------------------------------------------------- */

/*   0x1000       0x2000       0x3000       0x4000       0x5000
 *   outer ────────────────────────────────────┤
 *                inner ──────┤                         apart ─┤
 *                inner2 ──┤                                            */
static LaunchList *nested_arrays(void)
{
    LaunchList *list = launch_list_new();
    launch_list_add_array(list, "apart", 0x5000, 0x100);
    launch_list_add_array(list, "inner2", 0x2000, 0x800);
    launch_list_add_array(list, "inner", 0x2000, 0x1000);
    launch_list_add_array(list, "outer", 0x1000, 0x3000);
    return list;
}

START_TEST(an_address_belongs_to_the_innermost_array)
{
    static const struct {
        uint64_t address;
        const char *name;
        uint64_t from, to;
    } cases[] = {
        {0xfff, NULL, 0, 0},
        {0x1000, "outer", 0x1000, 0x2000},
        {0x1fff, "outer", 0x1000, 0x2000},
        {0x2000, "inner2", 0x2000, 0x2800},
        {0x27ff, "inner2", 0x2000, 0x2800},
        {0x2800, "inner", 0x2000, 0x2000},
        {0x3000, "outer", 0x1000, 0x2000},
        {0x3fff, "outer", 0x1000, 0x2000},
        {0x4000, NULL, 0, 0},
        {0x50ff, "apart", 0x5000, 0x5100},
        {0x5100, NULL, 0, 0},
    };
    g_autoptr(LaunchList) list = nested_arrays();
    ProfilePlan *plan = profile_plan_new(list);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const uint32_t array = profile_plan_array_at(plan, cases[i].address);
        if (!cases[i].name) {
            ck_assert_uint_eq(array, profile_plan_no_array(plan));
            continue;
        }
        ck_assert_str_eq(plan->array[array]->name, cases[i].name);
        ck_assert_uint_eq(plan->stretch[array].from, cases[i].from);
        ck_assert_uint_eq(plan->stretch[array].to, cases[i].to);
    }
    profile_plan_free(plan);
}
END_TEST

/* --- profiles --------------------------------------------------------------------------------- */

/* As a unit's: the breakdowns are not in order and not side by side. */
typedef struct {
    StageSums slow;
    uint64_t between;
    StageSums fast, other;
} Sums;

static const Stat stats[] = {
    STAT_BREAKDOWN(Sums, other, "other"),
    STAT_NUMBER(Sums, between, STAT_COUNT, NULL, "nothing"),
    STAT_BREAKDOWN(Sums, slow, "slow"),
    STAT_BREAKDOWN(Sums, fast, "fast"),
    STAT_END,
};

typedef struct {
    WarpAccess access;
    Transaction transaction;
    Time end;
} Request;

/* A load of lane 0 alone: 3 to 1000 fs for the way, 5 for the write-back. Every tenth is as slow as
 * another. */
static void draw_request(Request *request, uint64_t number, uint64_t *state)
{
    const Time begin = 1000 * number, stay = 3 + (number % 10 ? harness_random(state) % 1000 : 995);
    request->access.instruction = (Instruction){
        .pc = 16 * (number % 5), .operation = OPERATION_LOAD, .mask = 1, .base = 0x2000};
    request->transaction = (Transaction){.stage_began = BEFORE_ALL_STAGES,
                                         .message.id = REQUESTS - number,
                                         .access = &request->access,
                                         .virtual_line = 0x2000,
                                         .requested_bytes = 4,
                                         .served_by = SERVED_L2};
    transaction_enter(&request->transaction, STAGE_L1_TAG, begin);
    transaction_enter(&request->transaction, STAGE_WRITEBACK, begin + stay);
    request->end = begin + stay + 5;
}

typedef struct {
    ProfilePlan *plan;
    const RequestClasses *classes;
    TimelineHeap record; /* of all requests */
    StageSums sums[3];   /* by class */
} Rig;

static Rig rig_new(void)
{
    Rig rig = {.plan = profile_plan_new(NULL)};
    rig.classes = profile_plan_add(rig.plan, stats);
    return rig;
}

static void rig_free(Rig *rig)
{
    profile_plan_free(rig->plan);
    timeline_heap_finish(&rig->record);
}

static const TimelineSelection everything = {.capacity = REQUESTS};

/* Class 0 is `other`, 1 `slow`, 2 `fast`: the order of the table. */
static Profile *record_in_parts(Rig *rig, uint32_t parts, bool backwards)
{
    static const size_t offsets[] = {offsetof(Sums, other), offsetof(Sums, slow),
                                     offsetof(Sums, fast)};
    g_autofree Request *requests = g_new0(Request, REQUESTS);
    Profile *part[8], *all = profile_new(rig->plan);
    uint64_t state = 12345;
    memset(rig->sums, 0, sizeof rig->sums);
    timeline_heap_clear(&rig->record);
    for (uint32_t i = 0; i < parts; i++) part[i] = profile_new(rig->plan);
    for (uint32_t i = 0; i < REQUESTS; i++) draw_request(&requests[i], i, &state);
    for (uint32_t n = 0; n < REQUESTS; n++) {
        const uint32_t i = backwards ? REQUESTS - 1 - n : n;
        const Request *request = &requests[i];
        const unsigned class = request_class_at(rig->classes, offsets[i % 3]);
        const CompletedRequest ended = {NULL, &request->transaction, request->end,
                                        &rig->sums[i % 3]};
        ck_assert(profile_record(part[i % parts], class, &ended));
        timeline_heap_offer(&rig->record, &everything, &ended);
    }
    for (uint32_t i = 0; i < parts; i++) {
        profile_merge(all, part[i]);
        profile_free(part[i]);
    }
    return all;
}

static StageSums sum_of(const RequestDistribution *distribution)
{
    StageSums sums = {.count = 0};
    for (uint32_t i = 0; i < distribution->used; i++)
        stage_sums_merge(&sums, &distribution->sums[distribution->bucket[i]]);
    return sums;
}

START_TEST(buckets_sum_to_their_class_in_every_stage)
{
    Rig rig = rig_new();
    for (uint32_t parts = 1; parts <= 8; parts += 7) {
        Profile *profile = record_in_parts(&rig, parts, parts > 1);
        ck_assert_uint_eq(rig.plan->classes->len, 3);
        for (uint32_t i = 0; i < 3; i++) {
            const StageSums sums = sum_of(profile->class[i]);
            ck_assert_uint_gt(sums.count, 0);
            ck_assert_uint_eq(sums.stage[STAGE_WRITEBACK], 5 * sums.count);
            ck_assert_uint_eq(sums.stage[STAGE_L1_TAG], sums.latency - 5 * sums.count);
            ck_assert(!memcmp(&sums, &rig.sums[i], sizeof sums));
        }
        profile_free(profile);
    }
    rig_free(&rig);
}
END_TEST

static Time began(const GPtrArray *rows, uint32_t i)
{
    return timeline_row_began(rows->pdata[i]);
}

static Time latency_of(const GPtrArray *rows, uint32_t i)
{
    const TimelineRow *row = rows->pdata[i];
    return row->end - timeline_row_began(row);
}

/* A bucket holds no request that is not of its latency, and the extremes are exact. */
START_TEST(requests_are_in_the_bucket_of_their_latency)
{
    Rig rig = rig_new();
    Profile *profile = record_in_parts(&rig, 4, false);
    for (uint32_t class = 0; class < 3; class ++) {
        g_autofree Histogram *exact = g_new0(Histogram, 1);
        g_autoptr(GPtrArray) record = timeline_heap_rows(&rig.record, TIMELINE_FIRST);
        const RequestDistribution *distribution = profile->class[class];
        for (uint32_t i = class; i < REQUESTS; i += 3) histogram_add(exact, latency_of(record, i));
        ck_assert_uint_eq(distribution->minimum, exact->minimum);
        ck_assert_uint_eq(distribution->maximum, exact->maximum);
        for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
            ck_assert_uint_eq(distribution->sums[b].count, exact->bucket[b]);
    }
    profile_free(profile);
    rig_free(&rig);
}
END_TEST

/* A tenth of the requests is of one latency, so that beginnings decide. */
START_TEST(the_slowest_are_those_of_a_full_record)
{
    Rig rig = rig_new();
    for (uint32_t parts = 1; parts <= 8; parts += 7) {
        Profile *profile = record_in_parts(&rig, parts, parts > 1);
        g_autoptr(GPtrArray) all = timeline_heap_rows(&rig.record, TIMELINE_SLOWEST);
        g_autoptr(GPtrArray) kept = timeline_heap_rows(&profile->slowest, TIMELINE_SLOWEST);
        ck_assert_uint_eq(all->len, REQUESTS);
        ck_assert_uint_eq(kept->len, PROFILE_SLOWEST);
        for (uint32_t i = 0; i < PROFILE_SLOWEST; i++) {
            const TimelineRow *row = kept->pdata[i], *expected = all->pdata[i];
            ck_assert_uint_eq(row->id, expected->id);
            ck_assert_uint_eq(row->end, expected->end);
            ck_assert_ptr_eq(row->sums, expected->sums);
        }
        for (uint32_t i = 1; i < REQUESTS; i++) {
            const Time before = latency_of(all, i - 1), after = latency_of(all, i);
            ck_assert(before > after || (before == after && began(all, i - 1) < began(all, i)));
        }
        profile_free(profile);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(a_cleared_profile_has_nothing_of_what_was)
{
    Rig rig = rig_new();
    Profile *profile = record_in_parts(&rig, 1, false);
    profile_clear(profile);
    ck_assert_uint_eq(profile->slowest.used + profile->table.used, 0);
    Request request = {.end = 0};
    uint64_t state = 1;
    draw_request(&request, 7, &state);
    StageSums own = {.count = 0};
    const unsigned class = request_class_at(rig.classes, offsetof(Sums, fast));
    const CompletedRequest ended = {NULL, &request.transaction, request.end, &own};
    profile_record(profile, class, &ended);
    ck_assert_uint_eq(profile->slowest.used, 1);
    ck_assert_uint_eq(profile->class[0] -> used + profile -> class[1] -> used, 0);
    const StageSums sums = sum_of(profile->class[2]);
    const Time latency = request.end - 7000;
    ck_assert_uint_eq(sums.count, 1);
    ck_assert_uint_eq(sums.latency, latency);
    ck_assert_uint_eq(profile->class[2] -> minimum, latency);
    ck_assert_uint_eq(profile->class[2] -> maximum, latency);
    profile_free(profile);
    rig_free(&rig);
}
END_TEST

/* --- which array a request is in -------------------------------------------------------------- */

/* A line of 128 bytes holds the ends of two arrays of four words, and a gap. */
static const char *array_of_load(const uint64_t *addresses, uint64_t line)
{
    static char name[16];
    g_autoptr(LaunchList) list = launch_list_new();
    launch_list_add_array(list, "a", 0x1000, 0x90);
    launch_list_add_array(list, "b", 0x1090, 0x10);
    launch_list_add_array(list, "large", 0x8000, 0x10000);
    ProfilePlan *plan = profile_plan_new(list);
    const RequestClasses *classes = profile_plan_add(plan, stats);
    Profile *profile = profile_new(plan);
    Request request;
    uint64_t state = 1;
    draw_request(&request, 1, &state);
    request.access.kernel = NULL;
    request.access.instruction.mask = 3;
    request.access.instruction.addresses = addresses;
    AccessLanes lanes = {.address = {addresses[0], addresses[1]}};
    request.access.lanes = &lanes;
    request.transaction.virtual_line = line;
    StageSums own = {.count = 0};
    const unsigned class = request_class_at(classes, offsetof(Sums, fast));
    const CompletedRequest ended = {NULL, &request.transaction, request.end, &own};
    profile_record(profile, class, &ended);
    const uint32_t array = profile->table.row[0].key.array;
    g_strlcpy(name, array < plan->arrays ? plan->array[array]->name : "", sizeof name);
    profile_free(profile);
    profile_plan_free(plan);
    return name;
}

START_TEST(a_request_is_in_the_array_of_its_lowest_address_in_the_line)
{
    static const struct {
        uint64_t address[2], line;
        const char *name;
    } cases[] = {
        {{0x1084, 0x1094}, 0x1080, "a"},       /* both arrays are in the line */
        {{0x1094, 0x1084}, 0x1080, "a"},       /* ... the other way round */
        {{0x1004, 0x1094}, 0x1080, "b"},       /* the first lane's address is of another line */
        {{0x10a0, 0x10a4}, 0x1080, ""},        /* behind both */
        {{0x9000, 0x9004}, 0x9000, "large"},   /* the line is in one array alone */
        {{0x17ffc, 0x17ff8}, 0x17f80, "large"} /* the last line of an array */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_str_eq(array_of_load(cases[i].address, cases[i].line), cases[i].name);
}
END_TEST

HARNESS_MAIN("profile", an_address_belongs_to_the_innermost_array,
             buckets_sum_to_their_class_in_every_stage, requests_are_in_the_bucket_of_their_latency,
             the_slowest_are_those_of_a_full_record, a_cleared_profile_has_nothing_of_what_was,
             a_request_is_in_the_array_of_its_lowest_address_in_the_line)

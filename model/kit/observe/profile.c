#include "kit/observe/profile.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/warp_access.h"
#include "parts/sparse.h"

static const TimelineSelection slowest = {.capacity = PROFILE_SLOWEST, .keep = TIMELINE_SLOWEST};

/* --- life ------------------------------------------------------------------------------------- */

Profile *profile_new(const ProfilePlan *plan)
{
    Profile *profile = g_new0(Profile, 1);
    profile->plan = plan;
    profile->class = g_new0(RequestDistribution *, plan->classes->len);
    request_table_init(&profile->table, plan->rows, profile_plan_shared_memory(plan) + 1);
    return profile;
}

void profile_free(Profile *profile)
{
    if (!profile) return;
    for (guint i = 0; i < profile->plan->classes->len; i++) sparse_free(profile->class[i]);
    request_table_finish(&profile->table);
    timeline_heap_finish(&profile->slowest);
    g_free(profile->class);
    g_free(profile);
}

static void clear_distribution(RequestDistribution *distribution)
{
    for (uint32_t i = 0; i < distribution->used; i++)
        distribution->sums[distribution->bucket[i]] = (StageSums){.count = 0};
    distribution->used = 0;
}

void profile_clear(Profile *profile)
{
    for (guint i = 0; i < profile->plan->classes->len; i++)
        if (profile->class[i]) clear_distribution(profile->class[i]);
    request_table_clear(&profile->table);
    timeline_heap_clear(&profile->slowest);
}

/* --- distributions ---------------------------------------------------------------------------- */

static inline RequestDistribution *distribution_of(Profile *profile, unsigned class)
{
    if (!profile->class[class]) profile->class[class] = SPARSE_ARRAY(RequestDistribution, 1);
    return profile->class[class];
}

static inline void widen(RequestDistribution *distribution, Time minimum, Time maximum)
{
    if (!distribution->used || minimum < distribution->minimum) distribution->minimum = minimum;
    if (!distribution->used || maximum > distribution->maximum) distribution->maximum = maximum;
}

/* The sums of a bucket, which will not be empty. */
static inline StageSums *open_bucket(RequestDistribution *distribution, unsigned bucket)
{
    StageSums *sums = &distribution->sums[bucket];
    if (!sums->count) distribution->bucket[distribution->used++] = (uint16_t)bucket;
    return sums;
}

static void merge_distribution(RequestDistribution *into, const RequestDistribution *from)
{
    if (!from->used) return;
    widen(into, from->minimum, from->maximum);
    for (uint32_t i = 0; i < from->used; i++) {
        const unsigned bucket = from->bucket[i];
        stage_sums_merge(open_bucket(into, bucket), &from->sums[bucket]);
    }
}

/* --- who asked for what ----------------------------------------------------------------------- */

/* No line is longer. */
enum { LINE_BYTES_MAX = LINE_WORDS * 64 };

/* Of the lanes that want the line, the lowest address; of a lane that begins in the line before,
 * and of texels, which lanes have no addresses of, the line's. */
static uint64_t first_address(const Transaction *transaction)
{
    const WarpAccess *access = transaction->access;
    if (instruction_samples(&access->instruction)) return transaction->virtual_line;
    uint64_t address[LANES_MAX], first = UINT64_MAX;
    warp_access_lane_addresses(access, address);
    for (uint64_t rest = access->instruction.mask; rest; rest &= rest - 1) {
        const uint64_t at = address[__builtin_ctzll(rest)];
        if (at >= transaction->virtual_line) first = MIN(first, at);
    }
    return first - transaction->virtual_line < LINE_BYTES_MAX ? first : transaction->virtual_line;
}

/* All of the line is where the array begins, in none inside it. */
static inline bool array_has_line(const ProfilePlan *plan, uint32_t array, uint64_t line)
{
    const ArrayStretch *stretch = &plan->stretch[array];
    return line >= stretch->from && line + LINE_BYTES_MAX <= stretch->to;
}

/* Addresses of local memory are none of arrays. An instruction mostly stays in an array. */
static uint32_t array_of(const Profile *profile, const Transaction *transaction)
{
    const ProfilePlan *plan = profile->plan;
    const Instruction *instruction = &transaction->access->instruction;
    if (instruction->space == SPACE_SHARED) return profile_plan_shared_memory(plan);
    if (!plan->arrays || instruction->space == SPACE_LOCAL) return profile_plan_no_array(plan);
    const uint64_t line = transaction->virtual_line;
    const uint32_t recent = request_table_recent(&profile->table, instruction->pc)->key.array;
    if (recent < plan->arrays && array_has_line(plan, recent, line)) return recent;
    const uint32_t array = profile_plan_array_at(plan, line);
    if (array < plan->arrays && array_has_line(plan, array, line)) return array;
    return profile_plan_array_at(plan, first_address(transaction));
}

G_GNUC_NO_INLINE static RequestRow *find_row(Profile *profile, const Transaction *transaction)
{
    const WarpAccess *access = transaction->access;
    const Instruction *instruction = &access->instruction;
    const RequestKey key = {.pc = instruction->pc,
                            .kernel = warp_access_kernel(access),
                            .source_line = instruction->source_line,
                            .array = array_of(profile, transaction),
                            .operation = instruction->operation,
                            .space = instruction->space};
    return request_table_find(&profile->table, &key);
}

static inline bool is_by(const RequestKey *key, const WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    return key->pc == instruction->pc && key->kernel == warp_access_kernel(access)
           && key->source_line == instruction->source_line
           && key->operation == instruction->operation && key->space == instruction->space;
}

/* What is there of a row of shared or local memory is of one place. */
static inline bool has_line(const ProfilePlan *plan, const RequestKey *key, uint64_t line)
{
    if (key->array < plan->arrays) return array_has_line(plan, key->array, line);
    return key->space == SPACE_SHARED || key->space == SPACE_LOCAL;
}

/* Mostly that of a request of the same instruction, to the same array. */
static inline RequestRow *row_of(Profile *profile, const Transaction *transaction)
{
    const WarpAccess *access = transaction->access;
    const ProfilePlan *plan = profile->plan;
    RequestRow *recent = request_table_recent(&profile->table, access->instruction.pc);
    if (is_by(&recent->key, access) && has_line(plan, &recent->key, transaction->virtual_line))
        return recent;
    return find_row(profile, transaction);
}

/* Why every bucket has stages of its own: the slow requests of a class spend their time elsewhere
 * than the usual ones, and that is what a report has to show. Which bucket a request belongs to is
 * known only when it has ended, when its stamps are still there. */

/* --- recording -------------------------------------------------------------------------------- */

G_STATIC_ASSERT(REQUEST_SERVERS == SERVED_DRAM + 1);

static void add_to_row(RequestRow *row, const Transaction *transaction, Time latency)
{
    row->bytes += transaction->requested_bytes;
    row->maximum = MAX(row->maximum, latency);
    row->type[transaction->type]++;
    row->served_by[transaction->served_by]++;
}

bool profile_record(Profile *profile, unsigned class, const CompletedRequest *request)
{
    const Transaction *transaction = request->transaction;
    const Time latency = request->end - transaction_began(transaction);
    RequestDistribution *distribution = distribution_of(profile, class);
    widen(distribution, latency, latency);
    RequestRow *row = row_of(profile, transaction);
    add_to_row(row, transaction, latency);
    StageSums *bucket = open_bucket(distribution, histogram_bucket_of(latency));
    if (latency >= profile->slowest.floor)
        timeline_heap_offer(&profile->slowest, &slowest, request);
    return transaction_account_thrice(transaction, request->end,
                                      (StageSums *[]){request->sums, &row->sums, bucket});
}

void profile_merge(Profile *into, const Profile *from)
{
    for (guint i = 0; i < into->plan->classes->len; i++)
        if (from->class[i]) merge_distribution(distribution_of(into, i), from->class[i]);
    request_table_merge(&into->table, &from->table);
    timeline_heap_merge(&into->slowest, &slowest, &from->slowest);
}

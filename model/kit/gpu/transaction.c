#include "kit/gpu/transaction.h"

#include "kit/gpu/warp_access.h"

#include <string.h>

void transaction_init(Message *message)
{
    Transaction *transaction = (Transaction *)message;
    transaction->access = NULL;
    transaction->operands = NULL;
    transaction->merged = NULL;
    transaction->flags = 0;
    transaction_begin_stages(transaction);
    memset(transaction->at_l2, 0, sizeof transaction->at_l2);
}

/* --- stages ----------------------------------------------------------------------------------- */

static inline bool takes_two(uint32_t stage, Time length)
{
    return length >= STAGE_LONG || stage >= STAGES_IN_WORD;
}

static inline uint32_t first_word(uint32_t stage, Time length)
{
    return stage % STAGES_IN_WORD << STAGE_SHIFT | (uint32_t)(length & (STAGE_LONG - 1));
}

static inline void write_two(uint32_t *word, uint32_t stage, Time length)
{
    word[0] = first_word(stage, length) | STAGE_LONG;
    word[1] = stage / STAGES_IN_WORD << STAGE_REST_BITS | (uint32_t)(length >> STAGE_TIME_BITS);
}

/* Returns what is behind it. */
static uint32_t *write_passed(uint32_t *word, uint32_t stage, Time length)
{
    if (takes_two(stage, length)) {
        write_two(word, stage, length);
        return word + 2;
    }
    *word = first_word(stage, length);
    return word + 1;
}

/* Where the first words say that it was in a stage several times, they say so once: where its time
 * was spent is still known, but no longer when. */
static void fold_stages(Transaction *transaction, uint32_t words)
{
    Time spent[STAGE_COUNT] = {0};
    uint8_t order[STAGE_COUNT];
    uint32_t stages = 0;
    const uint32_t *const end = transaction_passed_end(transaction), *next = transaction->passed;
    while (next < end && next < transaction->passed + words) {
        const PassedStage passed = passed_stage_read(&next);
        if (passed.length && !spent[passed.stage]) order[stages++] = (uint8_t)passed.stage;
        spent[passed.stage] += passed.length;
    }
    uint32_t *to = transaction->passed;
    for (uint32_t i = 0; i < stages; i++) to = write_passed(to, order[i], spent[order[i]]);
    while (next != end) *to++ = *next++;
    transaction->stages = (uint8_t)(to - transaction->passed + 1);
}

/* What has just passed is asked for more than what is long ago. */
static bool make_room(Transaction *transaction, uint32_t words)
{
    for (uint32_t fold = STAGE_WORDS / 2; fold <= STAGE_WORDS; fold += STAGE_WORDS / 2)
        if (transaction->stages - 1 + words > STAGE_WORDS) fold_stages(transaction, fold);
    return transaction->stages - 1 + words <= STAGE_WORDS;
}

static bool pass(Transaction *transaction, Stage stage, Time now)
{
    if (transaction->stage == stage) return false;
    Time length = now - transaction->stage_began;
    if (!length) return true; /* nothing was spent in it */
    if (now < transaction->stage_began) {
        transaction->stages_back = true;
        length = 0;
    }
    transaction->stages_lost |=
        length >> STAGE_TIME_BITS > INT32_MAX
        || !make_room(transaction, 1 + takes_two(transaction->stage, length));
    if (transaction->stages_lost) return false;
    uint32_t *const word = &transaction->passed[transaction->stages - 1];
    const uint32_t *const behind = write_passed(word, transaction->stage, length);
    transaction->stages = (uint8_t)(transaction->stages + (behind - word));
    return true;
}

/* The first stage, or whatever else is seldom. */
G_GNUC_NO_INLINE static void enter_seldom(Transaction *transaction, Stage stage, Time now)
{
    if (!transaction->stages) {
        transaction_enter_first(transaction, stage, now);
    } else if (pass(transaction, stage, now)) {
        transaction->stage = (uint8_t)stage;
        transaction->stage_began = now;
    }
}

/* Most stages that a transaction waits in are long ones, with room for two words. */
void transaction_enter_slowly(Transaction *transaction, Stage stage, Time now)
{
    const Time length = now - transaction->stage_began, rest = length >> STAGE_TIME_BITS;
    const unsigned words = transaction->stages - 1u;
    if (words >= STAGE_WORDS - 1 || rest - 1 >= INT32_MAX || transaction->stage == stage
        || transaction->stage >= STAGES_IN_WORD) {
        enter_seldom(transaction, stage, now);
        return;
    }
    write_two(&transaction->passed[words], transaction->stage, length);
    transaction->stages = (uint8_t)(transaction->stages + 2);
    transaction->stage = (uint8_t)stage;
    transaction->stage_began = now;
}

/* A word behind a longer one's is the rest of that; rests may have its bit as well. */
const uint32_t *passed_stage_begin(const Transaction *transaction, const uint32_t *end)
{
    const uint32_t *const last = end - 1, *first = last;
    while (first != transaction->passed && first[-1] & STAGE_LONG) first--;
    return last - (last - first) % 2;
}

unsigned transaction_stamps(const Transaction *transaction, uint64_t stamps[TRANSACTION_STAMPS])
{
    StageWalk walk = stage_walk(transaction);
    unsigned count = 0;
    while (stage_walk_next(&walk)) stamps[count++] = walk.at << 6 | walk.stage;
    return count;
}

static void enter_any(Transaction *transaction, Stage stage, Time now)
{
    if (transaction->stage < STAGES_IN_WORD)
        transaction_enter(transaction, stage, now);
    else
        transaction_enter_slowly(transaction, stage, now);
}

/* The stage that begins at this word of the log; at its end, the present one. */
static Stage stage_at(const Transaction *transaction, const uint32_t *word)
{
    if (word == transaction_passed_end(transaction)) return (Stage)transaction->stage;
    return (Stage)passed_stage_read(&word).stage;
}

/* Where the stage begins in which it was at this time, and when the next one began. */
static const uint32_t *find_stage(const Transaction *transaction, Time at, Time *ended)
{
    const uint32_t *const end = transaction_passed_end(transaction);
    const uint32_t *next = transaction->passed, *found;
    *ended = transaction->began;
    do {
        found = next;
        if (found == end) break;
        *ended += passed_stage_read(&next).length;
    } while (*ended <= at);
    return found;
}

/* Both have come to the same stage, that begins at `next`. Those behind it lie in both logs alike
 * where each takes a word and is another than the one before. False: not all of them do. */
static bool copy_stages(Transaction *transaction, const Transaction *primary, const uint32_t *next)
{
    const uint32_t *const end = transaction_passed_end(primary);
    uint32_t *to = &transaction->passed[transaction->stages - 1], before = STAGES_IN_WORD;
    if (end - next > &transaction->passed[STAGE_WORDS] - to) return false;
    for (; next != end; next++, to++) {
        if (*next & STAGE_LONG || *next >> STAGE_SHIFT == before) return false;
        before = *next >> STAGE_SHIFT;
        *to = *next;
    }
    if (before == primary->stage) return false;
    transaction->stages = (uint8_t)(to - transaction->passed + 1);
    transaction->stage = primary->stage;
    transaction->stage_began = primary->stage_began;
    return true;
}

static void enter_rest(Transaction *transaction, const Transaction *primary, const uint32_t *next,
                       Time at)
{
    enter_any(transaction, stage_at(primary, next), at);
    if (transaction->stage_began == at && copy_stages(transaction, primary, next)) return;
    for (const uint32_t *const end = transaction_passed_end(primary); next != end;) {
        at += passed_stage_read(&next).length;
        enter_any(transaction, stage_at(primary, next), at);
    }
}

void transaction_inherit(Transaction *transaction, const Transaction *primary, Time merged_at)
{
    Time at;
    const uint32_t *next = find_stage(primary, merged_at, &at);
    enter_any(transaction, stage_at(primary, next), merged_at);
    if (next != transaction_passed_end(primary)) {
        passed_stage_read(&next);
        enter_rest(transaction, primary, next, at);
    }
    transaction->stages_lost |= primary->stages_lost;
    transaction->stages_back |= primary->stages_back;
}

void transaction_note_written(Transaction *transaction, uint32_t line_bytes)
{
    memset(transaction->written, 0, sizeof transaction->written);
    if (transaction->access->instruction.space == SPACE_LOCAL) return;
    warp_access_bytes(transaction->access, transaction->virtual_line, line_bytes,
                      transaction->written);
}

static bool is_on_the_way_back(Stage stage)
{
    return stage == STAGE_L2_ORDER || stage == STAGE_REPLY_WIRE || stage == STAGE_REPLY_QUEUE
           || stage == STAGE_REPLY_TRANSFER;
}

/* The data of a request that crossed to another half was read before it crossed back. */
static unsigned find_last_crossing(const uint64_t *stamps, unsigned count)
{
    unsigned last = 0;
    for (unsigned i = 1; i < count; i++)
        if (stamp_stage(stamps[i]) == STAGE_L2_CROSS) last = i;
    return last;
}

Time transaction_read_at(const Transaction *reply)
{
    if (reply->served_by == SERVED_SHARED_L1) return reply->read_at;
    uint64_t stamps[TRANSACTION_STAMPS];
    const unsigned count = transaction_stamps(reply, stamps);
    const unsigned crossing = find_last_crossing(stamps, count);
    unsigned i = crossing;
    if (!crossing)
        while (i < count && !is_on_the_way_back(stamp_stage(stamps[i]))) i++;
    const bool looked_up = i && stamp_stage(stamps[i - 1]) == STAGE_L2_TAG;
    return stamp_time(stamps[looked_up || i == count ? i - 1 : i]);
}

/* --- accounts --------------------------------------------------------------------------------- */

static inline bool account(const Transaction *transaction, Time end, StageSums *const *sums,
                           unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        sums[k]->count++;
        sums[k]->latency += end - transaction->began;
        sums[k]->stage[transaction->stage] += end - transaction->stage_began;
    }
    const uint32_t *const end_of_passed = transaction_passed_end(transaction);
    for (const uint32_t *next = transaction->passed; next != end_of_passed;) {
        const PassedStage passed = passed_stage_read(&next);
        for (unsigned k = 0; k < count; k++) sums[k]->stage[passed.stage] += passed.length;
    }
    return !transaction->stages_lost && !transaction->stages_back
           && end >= transaction->stage_began;
}

bool transaction_account(const Transaction *transaction, Time end, StageSums *sums)
{
    return account(transaction, end, &sums, 1);
}

bool transaction_account_thrice(const Transaction *transaction, Time end, StageSums *const sums[3])
{
    return account(transaction, end, sums, 3);
}

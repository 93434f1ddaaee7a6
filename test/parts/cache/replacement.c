/* Each policy against a plain model of itself. */
#include "parts/cache/tag_array.h"

#include <check.h>
#include <math.h>

#include "rigs/harness.h"

enum { SETS = 3, MOST_WAYS = 256, ROUNDS = 30000 };

/* What there is to know about a set's lines. */
typedef struct {
    uint64_t line[MOST_WAYS], filled_at[MOST_WAYS], used_at[MOST_WAYS];
    uint64_t age[MOST_WAYS]; /* hits of the set since it was used, two more for a new line */
    bool used[MOST_WAYS], busy[MOST_WAYS];
    bool points_right[2 * MOST_WAYS]; /* plru's nodes, as in a heap */
    unsigned count;
} Model;

typedef struct {
    Model set[SETS];
    unsigned ways, leaves;
    uint64_t now;
    TagArray tags;
    GRand *random;
} Comparison;

static void mark_used(Comparison *c, Model *set, unsigned way)
{
    set->used[way] = true;
    unsigned count = 0;
    for (unsigned w = 0; w < c->ways; w++) count += set->used[w];
    for (unsigned w = 0; count == c->ways && w < c->ways; w++) set->used[w] = w == way;
}

static void point_away(Model *set, unsigned node, unsigned first, unsigned leaves, unsigned way)
{
    if (leaves == 1) return;
    const unsigned middle = first + leaves / 2;
    set->points_right[node] = way < middle;
    if (way < middle)
        point_away(set, 2 * node, first, leaves / 2, way);
    else
        point_away(set, 2 * node + 1, middle, leaves / 2, way);
}

static unsigned pointed_at(const Model *set, unsigned node, unsigned first, unsigned leaves,
                           unsigned ways)
{
    if (leaves == 1) return first;
    const unsigned middle = first + leaves / 2;
    if (set->points_right[node] && middle < ways)
        return pointed_at(set, 2 * node + 1, middle, leaves / 2, ways);
    return pointed_at(set, 2 * node, first, leaves / 2, ways);
}

static void use(Comparison *c, Model *set, unsigned way)
{
    set->used_at[way] = ++c->now;
    mark_used(c, set, way);
    point_away(set, 1, 0, c->leaves, way);
}

static unsigned first_of(const Model *set, const uint64_t *time, unsigned ways)
{
    unsigned best = ways;
    for (unsigned way = 0; way < ways; way++)
        if (!set->busy[way] && (best == ways || time[way] < time[best])) best = way;
    return best;
}

static void age(const Comparison *c, Model *set, unsigned way, bool hit)
{
    for (unsigned w = 0; hit && w < c->ways; w++) set->age[w]++;
    set->age[way] = hit ? 0 : 2;
}

static unsigned longest_without_hit(const Model *set, unsigned ways)
{
    unsigned best = ways;
    for (unsigned way = 0; way < ways; way++)
        if (!set->busy[way]
            && (best == ways || set->age[way] > set->age[best]
                || (set->age[way] == set->age[best] && set->used_at[way] < set->used_at[best])))
            best = way;
    return best;
}

static void check_victim(const Comparison *c, const Model *set, unsigned way)
{
    ck_assert(!set->busy[way]);
    bool some = false;
    for (unsigned w = 0; w < c->ways; w++) some |= !set->used[w] && !set->busy[w];
    switch (c->tags.replacement.policy) {
    case REPLACEMENT_LRU: ck_assert_uint_eq(way, first_of(set, set->used_at, c->ways)); break;
    case REPLACEMENT_FIFO: ck_assert_uint_eq(way, first_of(set, set->filled_at, c->ways)); break;
    case REPLACEMENT_HIT_AGE: ck_assert_uint_eq(way, longest_without_hit(set, c->ways)); break;
    case REPLACEMENT_NRU: ck_assert(!set->used[way] || !some); break;
    case REPLACEMENT_PLRU: {
        unsigned next = pointed_at(set, 1, 0, c->leaves, c->ways);
        while (set->busy[next]) next = (next + 1) % c->ways;
        ck_assert_uint_eq(way, next);
        break;
    }
    case REPLACEMENT_RANDOM:
    case REPLACEMENT_SAMPLED_LRU: break;
    }
}

static void put(Comparison *c, Model *set, uint64_t line)
{
    const uint32_t index = tag_array_victim(&c->tags, line);
    ck_assert_uint_eq(tag_array_victim(&c->tags, line), index);
    const unsigned way = index % c->ways;
    ck_assert_ptr_eq(&c->set[index / c->ways], set);
    if (set->count < c->ways)
        ck_assert_uint_eq(way, set->count++);
    else
        check_victim(c, set, way);
    tag_array_replace(&c->tags, index, line);
    set->line[way] = line;
    set->filled_at[way] = c->now + 1;
    age(c, set, way, false);
    use(c, set, way);
}

static void access_line(Comparison *c, uint64_t line)
{
    Model *set = &c->set[line % SETS];
    unsigned way = 0;
    while (way < set->count && set->line[way] != line) way++;
    const uint32_t index = tag_array_find(&c->tags, line);
    ck_assert_int_eq(index != TAG_NONE, way < set->count);
    if (index == TAG_NONE) {
        put(c, set, line);
        return;
    }
    ck_assert_uint_eq(index % c->ways, way);
    tag_array_touch(&c->tags, index);
    age(c, set, way, true);
    use(c, set, way);
}

/* A third of the filled ways, never all. */
static void change_busy(Comparison *c)
{
    for (unsigned s = 0; s < SETS; s++)
        for (unsigned way = 0; way < c->set[s].count; way++) {
            const bool busy = way && g_rand_int_range(c->random, 0, 3) == 0;
            c->set[s].busy[way] = busy;
            c->tags.lines[s * c->ways + way].fetching = busy;
        }
}

static void compare(ReplacementPolicy policy, unsigned ways)
{
    Comparison *c = g_new0(Comparison, 1);
    c->ways = ways;
    for (c->leaves = 1; c->leaves < ways; c->leaves *= 2) {}
    c->random = g_rand_new_with_seed(policy * 1000 + ways);
    tag_array_init(
        &c->tags,
        &(TagArrayShape){
            .sets = SETS, .ways = ways, .replacement = policy, .candidates = 4, .seed = 7});
    for (unsigned round = 0; round < ROUNDS; round++) {
        access_line(
            c, (uint64_t)g_rand_int_range(c->random, 0, (gint32)(SETS * (ways + ways / 2 + 1))));
        if (round % 5 == 0) change_busy(c);
    }
    tag_array_finish(&c->tags);
    g_rand_free(c->random);
    g_free(c);
}

/* Ways by loop index: one, few, no power of two, the last in one word and the first in more, as
 * many as an L1 of four sets. */
static const unsigned ways_tried[] = {1, 2, 5, 8, 16, 17, 64, 242};

START_TEST(every_policy_keeps_and_evicts_what_a_plain_model_of_it_does)
{
    for (ReplacementPolicy policy = REPLACEMENT_LRU; policy <= REPLACEMENT_HIT_AGE; policy++)
        compare(policy, ways_tried[_i]);
}
END_TEST

START_TEST(no_policy_evicts_when_every_way_is_being_filled)
{
    for (ReplacementPolicy policy = REPLACEMENT_LRU; policy <= REPLACEMENT_HIT_AGE; policy++) {
        TagArray tags;
        tag_array_init(&tags, &(TagArrayShape){.sets = 1, .ways = 5, .replacement = policy});
        for (uint64_t line = 0; line < 5; line++) {
            const uint32_t index = tag_array_victim(&tags, line);
            tag_array_replace(&tags, index, line);
            tags.lines[index].fetching = 1;
        }
        ck_assert_uint_eq(tag_array_victim(&tags, 5), TAG_NONE);
        tags.lines[3].fetching = 0;
        ck_assert_uint_eq(tag_array_victim(&tags, 5), 3);
        tag_array_finish(&tags);
    }
}
END_TEST

/* --- what is drawn ---------------------------------------------------------------------------- */

enum { WAYS = 20, DRAWS = 40000 };

/* How often the line that is age-th oldest goes: lines are used in the order of their ways. */
static void count_ages(ReplacementPolicy policy, uint64_t candidates, uint64_t seed, double *share)
{
    TagArray tags;
    uint64_t age_of[WAYS], order[WAYS];
    tag_array_init(&tags, &(TagArrayShape){.sets = 1,
                                           .ways = WAYS,
                                           .replacement = policy,
                                           .candidates = candidates,
                                           .seed = seed});
    memset(share, 0, WAYS * sizeof *share);
    for (uint64_t line = 0; line < WAYS; line++) {
        order[line] = line;
        tag_array_replace(&tags, tag_array_victim(&tags, line), line);
    }
    for (uint64_t line = WAYS; line < WAYS + DRAWS; line++) {
        const uint32_t way = tag_array_victim(&tags, line);
        for (uint64_t age = 0; age < WAYS; age++) age_of[order[age]] = age;
        const uint64_t age = age_of[way];
        share[age] += 1.0 / DRAWS;
        memmove(order + age, order + age + 1, (WAYS - 1 - age) * sizeof *order);
        order[WAYS - 1] = way;
        tag_array_replace(&tags, way, line);
    }
    tag_array_finish(&tags);
}

START_TEST(random_takes_every_way_equally_often)
{
    double share[WAYS];
    count_ages(REPLACEMENT_RANDOM, 0, 3, share);
    for (unsigned age = 0; age < WAYS; age++) ck_assert_double_eq_tol(share[age], 0.05, 0.006);
}
END_TEST

/* After the set was filled all bits but the last line's are clear. */
START_TEST(nru_takes_each_unused_way_equally_often)
{
    unsigned taken[WAYS] = {0};
    for (uint64_t seed = 0; seed < 19 * 400; seed++) {
        TagArray tags;
        tag_array_init(&tags, &(TagArrayShape){.sets = 1,
                                               .ways = WAYS,
                                               .replacement = REPLACEMENT_NRU,
                                               .seed = seed << 32});
        for (uint64_t line = 0; line < WAYS; line++)
            tag_array_replace(&tags, tag_array_victim(&tags, line), line);
        taken[tag_array_victim(&tags, WAYS)]++;
        tag_array_finish(&tags);
    }
    for (unsigned way = 0; way + 1 < WAYS; way++) ck_assert_uint_ge(taken[way], 320);
    ck_assert_uint_eq(taken[WAYS - 1], 0);
}
END_TEST

/* The oldest of k draws is at least the age-th oldest with probability ((ways - age) / ways)^k. */
START_TEST(sampled_lru_takes_the_oldest_of_its_candidates)
{
    double share[WAYS];
    count_ages(REPLACEMENT_SAMPLED_LRU, (uint64_t)_i, 3, share);
    for (unsigned age = 0; age < WAYS; age++) {
        const double beyond = pow((double)(WAYS - age) / WAYS, _i),
                     behind = pow((double)(WAYS - age - 1) / WAYS, _i);
        ck_assert_double_eq_tol(share[age], beyond - behind, 0.01);
    }
}
END_TEST

START_TEST(what_is_drawn_follows_from_the_seed)
{
    double one[WAYS], same[WAYS], other[WAYS];
    count_ages(REPLACEMENT_RANDOM, 0, 3, one);
    count_ages(REPLACEMENT_RANDOM, 0, 3, same);
    count_ages(REPLACEMENT_RANDOM, 0, 4, other);
    ck_assert_mem_eq(one, same, sizeof one);
    ck_assert_mem_ne(one, other, sizeof one);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("replacement");
    tcase_add_loop_test(cases, every_policy_keeps_and_evicts_what_a_plain_model_of_it_does, 0,
                        G_N_ELEMENTS(ways_tried));
    tcase_add_test(cases, no_policy_evicts_when_every_way_is_being_filled);
    tcase_add_test(cases, random_takes_every_way_equally_often);
    tcase_add_test(cases, nru_takes_each_unused_way_equally_often);
    tcase_add_loop_test(cases, sampled_lru_takes_the_oldest_of_its_candidates, 1, 9);
    tcase_add_test(cases, what_is_drawn_follows_from_the_seed);
    return harness_run_cases("replacement", cases);
}

/* What rows of units say of each other's points at something; of their own says the contract. */
#include "kit/describe/role.h"

#include <string.h>

#include "platform/machine/machine.h"
#include "rigs/harness.h"

static guint count_rule(const char *words, RuleSide side)
{
    guint count = 0;
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat->name; stat++)
            for (const StatRule *rule = stat->rules; rule && rule->words; rule++)
                count += rule->side == side && !strcmp(rule->words, words);
    return count;
}

START_TEST(every_rule_of_conservation_has_both_sides)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat->name; stat++)
            for (const StatRule *rule = stat->rules; rule && rule->words; rule++) {
                ck_assert_msg(count_rule(rule->words, RULE_GIVES), "%s: nobody gives", rule->words);
                ck_assert_msg(count_rule(rule->words, RULE_TAKES), "%s: nobody takes", rule->words);
            }
}
END_TEST

START_TEST(some_statistic_has_every_meaning)
{
    for (StatMeaning meaning = MEANS_NOTHING + 1; meaning < STAT_MEANING_COUNT; meaning++) {
        bool found = false;
        for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
            found |= stat_that_means((*unit)->stats, meaning) != NULL;
        ck_assert_msg(found, "nothing means %s", stat_meaning_words(meaning));
    }
}
END_TEST

static bool is_part_of(const Param *param, const char *component)
{
    const PerfectRole *role = param->perfect;
    while (role && role->component && strcmp(role->component, component) != 0) role++;
    return role && role->component;
}

START_TEST(the_component_that_relieves_a_resource_makes_its_capacity_perfect)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const ResourceRow *row = (*unit)->resources; row && row->name; row++) {
            const Param *capacity = class_find_capacity(*unit, row);
            if (row->component && capacity && capacity->perfect)
                ck_assert_msg(is_part_of(capacity, row->component), "%s.%s: %s is no part of %s",
                              (*unit)->name, row->name, capacity->name, row->component);
        }
}
END_TEST

HARNESS_MAIN("roles", every_rule_of_conservation_has_both_sides, some_statistic_has_every_meaning,
             the_component_that_relieves_a_resource_makes_its_capacity_perfect)

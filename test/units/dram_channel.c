/* What a DRAM channel counts of its resources, command by command. */
#include "access_scheduler/rig.h"
#include "rigs/unit_rig.h"

#include "kit/gpu/dram_commands.h"

typedef struct {
    const DramStep *command;
    uint32_t count;
} Script;

static Message *send_commands(Unit *source, uint64_t number, Time *at, void *user)
{
    const Script *script = user;
    *at = 10 * TIME_NS;
    if (number) return NULL;
    DramCommands *commands = unit_new(source, MESSAGE_DRAM_COMMANDS);
    commands->transaction = unit_new(source, MESSAGE_TRANSACTION);
    commands->steps.count = script->count;
    commands->steps.pattern = NULL;
    memcpy(commands->steps.step, script->command, script->count * sizeof *script->command);
    return &commands->message;
}

/* Without a scheduler; the channel takes the commands two cycles after they were issued. */
static DramRig *build(DramTiming timing, Script *script, const char *settings)
{
    DramRig *rig = g_new0(DramRig, 1);
    rig->timing = timing;
    ck_assert(dram_timing_setup(&rig->timing, NULL));
    rig->harness = harness_new();
    simulation_share(rig->harness->simulation, "dram", &rig->timing);
    rig->source = harness_source(rig->harness, "source");
    rig->channel = harness_add(rig->harness, &dram_channel_class, "dram", settings);
    rig->sink = harness_sink(rig->harness, "sink");
    harness_connect(rig->harness, rig->source, "out", rig->channel, "from_scheduler",
                    (Path){.delay = 1});
    harness_connect(rig->harness, rig->channel, "to_l2", rig->sink, "in", (Path){.delay = 1});
    harness_generate(rig->source, send_commands, script);
    return rig;
}

/* A channel that has had these commands. */
static DramRig *have(DramTiming timing, const DramStep *commands, uint32_t count)
{
    Script script = {commands, count};
    DramRig *rig = build(timing, &script, NULL);
    dram_rig_run(rig);
    return rig;
}

typedef struct {
    const char *name;
    uint32_t index;
    uint64_t cycles;
} Work;

static void expect(const Unit *channel, const Work *work, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ck_assert_msg(unit_booked_at(channel, work[i].name, work[i].index) == work[i].cycles,
                      "%s[%u]: %" G_GUINT64_FORMAT " cycles", work[i].name, work[i].index,
                      unit_booked_at(channel, work[i].name, work[i].index));
}

static const DramStep commands[] = {
    {10, 7, 0, DRAM_STEP_ACTIVATE, 0}, {22, 7, 0, DRAM_STEP_READ, 0},
    {26, 7, 1, DRAM_STEP_READ, 0},     {30, 7, 0, DRAM_STEP_ACTIVATE, 4},
    {40, 7, 2, DRAM_STEP_WRITE, 0},    {50, 7, 0, DRAM_STEP_READ, 4},
    {54, 7, 0, DRAM_STEP_PRECHARGE, 0}};

/* Two channels share the row bus: an activate takes 2 x 2 cycles of it, a precharge 2 x 1. The bus
 * has data at 34, 38, 42 and 62: 40 to 42 it turns to the write, 44 to 62 back. */
START_TEST(each_command_takes_its_time_of_what_it_needs)
{
    DramRig *rig = have(without_refresh(), commands, G_N_ELEMENTS(commands));
    static const Work work[] = {
        {"command_buses", 0, 2 * 4 + 2}, {"command_buses", 1, 4},   {"activate_gap", 0, 2 * 4},
        {"activates_of_4", 0, 2 * 14},   {"row_cycles", 0, 40},     {"row_cycles", 1, 0},
        {"row_cycles", 4, 40},           {"bank_groups", 0, 3 * 4}, {"bank_groups", 1, 4},
        {"data_bus", 0, 4 * 2 + 2 + 18}, {"refresh", 0, 0},         {"activates_of_32", 0, 0}};
    expect(rig->channel, work, G_N_ELEMENTS(work));
    dram_rig_free(rig);
}
END_TEST

/* All share one bus, and a channel has it to itself. */
START_TEST(with_one_command_bus_everything_is_on_it)
{
    DramTiming timing = without_refresh();
    timing.command_buses = timing.row_bus_sharers = 1;
    timing.t32AW = 100;
    DramRig *rig = have(timing, commands, G_N_ELEMENTS(commands));
    static const Work work[] = {{"command_buses", 0, 2 * 2 + 1 + 4}, {"activates_of_32", 0, 200}};
    expect(rig->channel, work, G_N_ELEMENTS(work));
    dram_rig_free(rig);
}
END_TEST

/* tRP + tRFCpb = 12 + 141 of one bank; tRP + tRFC = 12 + 307 of all 16, and of the bus. Of several
 * in a row only the last is here. */
START_TEST(a_refresh_takes_its_bank_or_all_banks_and_the_bus)
{
    static const DramStep one = {20, 3, 0, DRAM_STEP_REFRESH_BANK, 5},
                          all = {20, 1, 0, DRAM_STEP_REFRESH_ALL, DRAM_ALL_BANKS};
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = _i ? DRAM_REFRESH_ALL_BANK : DRAM_REFRESH_PER_BANK;
    DramRig *rig = have(timing, _i ? &all : &one, 1);
    const Work work[] = {{"refresh", 0, _i ? 16 * 319 : 153}, {"data_bus", 0, _i ? 319 : 0}};
    expect(rig->channel, work, G_N_ELEMENTS(work));
    dram_rig_free(rig);
}
END_TEST

/* The write's data, at 32, comes before the reads': the bus turns once, for what is behind. */
START_TEST(a_burst_that_goes_before_others_turns_nothing)
{
    static const DramStep early[] = {{10, 7, 0, DRAM_STEP_ACTIVATE, 0},
                                     {60, 7, 0, DRAM_STEP_READ, 0},
                                     {30, 7, 1, DRAM_STEP_WRITE, 0},
                                     {64, 7, 2, DRAM_STEP_READ, 0}};
    DramRig *rig = have(without_refresh(), early, G_N_ELEMENTS(early));
    ck_assert_uint_eq(unit_booked(rig->channel, "data_bus"), 3 * 2);
    dram_rig_free(rig);
}
END_TEST

START_TEST(without_a_limit_on_bandwidth_columns_take_nothing)
{
    DramTiming timing = without_refresh();
    timing.ideal = DRAM_IDEAL_BANDWIDTH;
    static const DramStep reads[] = {{22, 7, 0, DRAM_STEP_READ, 0}, {22, 8, 0, DRAM_STEP_READ, 0}};
    DramRig *rig = have(timing, reads, G_N_ELEMENTS(reads));
    static const Work work[] = {{"command_buses", 1, 0}, {"bank_groups", 0, 0}};
    expect(rig->channel, work, G_N_ELEMENTS(work));
    dram_rig_free(rig);
}
END_TEST

/* --- commands as no scheduler would send them --- */

typedef struct {
    const char *text, *settings;
    uint32_t count;
    DramStep command[4];
} Wrong;

static const Wrong wrongs[] = {
    {NULL,
     NULL,
     3,
     {{10, 7, 0, DRAM_STEP_ACTIVATE, 0},
      {22, 7, 0, DRAM_STEP_READ, 0},
      {26, 7, 1, DRAM_STEP_READ, 0}}},
    {"column of row 7 of bank 0, which is not open", NULL, 1, {{22, 7, 0, DRAM_STEP_READ, 0}}},
    {"activate of bank 0, where row 7 is open",
     NULL,
     2,
     {{10, 7, 0, DRAM_STEP_ACTIVATE, 0}, {90, 8, 0, DRAM_STEP_ACTIVATE, 0}}},
    {"two bursts on the data bus at cycle 35",
     NULL,
     3,
     {{10, 7, 0, DRAM_STEP_ACTIVATE, 0},
      {22, 7, 0, DRAM_STEP_READ, 0},
      {23, 7, 1, DRAM_STEP_READ, 0}}},
    {"tRCDRD: 11 cycles after, not 12",
     "verify = yes",
     2,
     {{10, 7, 0, DRAM_STEP_ACTIVATE, 0}, {21, 7, 0, DRAM_STEP_READ, 0}}},
    {NULL, "verify = no", 2, {{10, 7, 0, DRAM_STEP_ACTIVATE, 0}, {21, 7, 0, DRAM_STEP_READ, 0}}},
};

START_TEST(it_ends_a_run_in_which_a_command_cannot_be)
{
    const Wrong *wrong = &wrongs[_i];
    Script script = {wrong->command, wrong->count};
    g_autoptr(DramRig) rig = build(without_refresh(), &script, wrong->settings);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    const char *text = error ? error->message : "no error";
    ck_assert_msg(wrong->text ? strstr(text, wrong->text) != NULL : !error, "%s", text);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("dram_channel");
    tcase_add_test(cases, each_command_takes_its_time_of_what_it_needs);
    tcase_add_test(cases, with_one_command_bus_everything_is_on_it);
    tcase_add_loop_test(cases, a_refresh_takes_its_bank_or_all_banks_and_the_bus, 0, 2);
    tcase_add_test(cases, a_burst_that_goes_before_others_turns_nothing);
    tcase_add_test(cases, without_a_limit_on_bandwidth_columns_take_nothing);
    tcase_add_loop_test(cases, it_ends_a_run_in_which_a_command_cannot_be, 0, G_N_ELEMENTS(wrongs));
    return harness_run_cases("dram_channel", cases);
}

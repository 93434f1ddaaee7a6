/* A machine of two SMs in which one writes what the other has cached. */
#include <check.h>

#include "rigs/harness.h"
#include "rigs/small_machine.h"

enum { LINE = 0x4000, LONG = 200 };

/* One warp an SM; each instruction touches the 32 words of one line. */
typedef struct {
    Kernel kernel;
    const Instruction *sm[2];
} Program;

#define WAIT                                                                                       \
    {                                                                                              \
        .operation = OPERATION_ALU, .unit = EXECUTE_INT, .repeat = LONG, .destination = 1,         \
        .destination_count = 1, .sources = {1}, .source_count = 1                                  \
    }
#define LOAD_LINE                                                                                  \
    {                                                                                              \
        .operation = OPERATION_LOAD, .base = LINE, .stride = 4, .width = 4, .destination = 1,      \
        .destination_count = 1                                                                     \
    }
#define STORE_LINE                                                                                 \
    {                                                                                              \
        .operation = OPERATION_STORE, .base = LINE, .stride = 4, .width = 4,                       \
        .destination = REGISTER_NONE                                                               \
    }
#define END                                                                                        \
    {                                                                                              \
        .operation = OPERATION_EXIT, .destination = REGISTER_NONE                                  \
    }

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    *instruction = ((const Program *)kernel)->sm[cursor->cta][cursor->position++];
    instruction->mask = UINT32_MAX;
}

static const KernelClass program_class = {.fetch = fetch, .free = (void (*)(Kernel *))g_free};

/* CTA i runs on SM i; each wait is about 800 cycles, longer than any access. `l1_capacity`: the
 * launch's; 0: as the SM has it. */
static Machine *machine_of(const char *settings, const Instruction *first,
                           const Instruction *second, uint64_t l1_capacity)
{
    Program *program = g_new0(Program, 1);
    program->kernel = (Kernel){.class = &program_class,
                               .name = g_strdup("program"),
                               .ctas = 2,
                               .threads_per_cta = 32,
                               .warp_lanes = 32,
                               .registers_per_thread = 16};
    program->sm[0] = first;
    program->sm[1] = second;
    LaunchList *list = launch_list_new();
    const Launch launch = {
        .kernel = &program->kernel, .measured = true, .l1_capacity = l1_capacity};
    launch_list_add_kernel(list, &program->kernel);
    g_array_append_val(list->launches, launch);
    g_autoptr(Configuration) configuration =
        small_machine_configuration("machine.sms = 2; coherence_monitor.enabled = yes");
    small_machine_set(configuration, settings);
    g_autoptr(GError) error = NULL;
    Machine *machine = machine_new(configuration, list, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    return machine;
}

static Machine *machine_with(const char *settings, const Instruction *first,
                             const Instruction *second)
{
    return machine_of(settings, first, second, 0);
}

static uint64_t count(Machine *machine, const char *name)
{
    return small_machine_sum(machine, "coherence_monitor", name);
}

static uint64_t worst_line(Machine *machine, const char *name)
{
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (strcmp(unit->path, "coherence_monitor") != 0) continue;
        const Ranking *ranking = small_machine_stat(unit->class, unit, name);
        ck_assert_uint_eq(ranking->rows, 1);
        return ranking->row[0].address;
    }
    ck_abort_msg("no monitor");
}

static const Instruction reader[] = {LOAD_LINE, WAIT, LOAD_LINE, WAIT, WAIT, LOAD_LINE, END};
static const Instruction writer[] = {WAIT, WAIT, STORE_LINE, WAIT, END};
static const Instruction late_reader[] = {WAIT, WAIT, LOAD_LINE, WAIT, LOAD_LINE, END};
static const Instruction early_writer[] = {STORE_LINE, WAIT, END};
static const Instruction idle[] = {WAIT, END};

/* Read and missed at 0, hit at 800, written by the other at 1600, hit at 2400. */
START_TEST(a_copy_that_another_SM_has_overwritten_is_hit_and_counted)
{
    g_autoptr(Machine) machine = machine_with("", reader, writer);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "hits"), 2);
    ck_assert_uint_eq(count(machine, "hits"), 2);
    ck_assert_uint_eq(count(machine, "writes"), 1);
    ck_assert_uint_eq(count(machine, "stale_hits"), 1);
    ck_assert_uint_eq(count(machine, "conflicting_writes"), 0);
    ck_assert_uint_eq(worst_line(machine, "stalest"), LINE);
}
END_TEST

/* The reader's line is in its coalescer's cache alone: a store of an SM of the same one takes it
 * out on its way, that of another SM leaves it there. */
START_TEST(a_copy_behind_L1_is_stale_to_SMs_of_another_coalescer)
{
    static const struct {
        const char *coalescers;
        guint hits, stale;
    } machines[] = {{"machine.request_coalescers = 1", 1, 0},
                    {"machine.request_coalescers = 2", 2, 1}};
    g_autofree char *settings = g_strconcat(
        "l1.cached = none; request_coalescer.capacity = 8 KiB; ", machines[_i].coalescers, NULL);
    g_autoptr(Machine) machine = machine_with(settings, reader, writer);
    ck_assert_uint_eq(small_machine_sum(machine, "request_coalescer", "hits"), machines[_i].hits);
    ck_assert_uint_eq(count(machine, "hits"), machines[_i].hits);
    ck_assert_uint_eq(count(machine, "stale_hits"), machines[_i].stale);
}
END_TEST

START_TEST(a_kernel_may_leave_L1_more_or_less_than_it_had)
{
    g_autoptr(Machine) machine =
        machine_of("l1.capacity = 4 KiB; l1.sets = 4", reader, writer, 2048);
    ck_assert_uint_eq(count(machine, "hits"), 2);
    ck_assert_uint_eq(count(machine, "stale_hits"), 1);
}
END_TEST

START_TEST(lines_are_named_by_their_virtual_address)
{
    g_autoptr(Machine) machine = machine_with(
        "pages.frames = scattered; pages.page_bytes = 4 KiB; mmu.enabled = yes; mmu.walk_level_latency = 10 cycles",
        reader, writer);
    ck_assert_uint_eq(count(machine, "stale_hits"), 1);
    ck_assert_uint_eq(worst_line(machine, "stalest"), LINE);
}
END_TEST

START_TEST(who_writes_his_own_copy_finds_it_fresh)
{
    static const Instruction both[] = {LOAD_LINE, WAIT, STORE_LINE, WAIT, LOAD_LINE, END};
    g_autoptr(Machine) machine = machine_with("", both, idle);
    ck_assert_uint_eq(count(machine, "hits"), 1);
    ck_assert_uint_eq(count(machine, "stale_hits"), 0);
}
END_TEST

START_TEST(a_copy_that_was_read_after_the_write_is_fresh)
{
    g_autoptr(Machine) machine = machine_with("", late_reader, early_writer);
    ck_assert_uint_eq(count(machine, "hits"), 1);
    ck_assert_uint_eq(count(machine, "writes"), 1);
    ck_assert_uint_eq(count(machine, "stale_hits"), 0);
}
END_TEST

#define THROUGH_TEXTURE "load_store.through_texture = everything; texture.cache = own"

/* The same, of copies in the texture units' caches, which are read by groups of 16 lanes. */
START_TEST(copies_in_the_texture_units_cache_are_judged_as_well)
{
    g_autoptr(Machine) machine = machine_with(THROUGH_TEXTURE, reader, writer);
    ck_assert_uint_eq(small_machine_sum(machine, "texture", "data_hits"), 4);
    ck_assert_uint_eq(count(machine, "hits"), 4);
    ck_assert_uint_eq(count(machine, "stale_hits"), 2);
    ck_assert_uint_eq(worst_line(machine, "stalest"), LINE);
}
END_TEST

START_TEST(what_the_texture_unit_read_after_the_write_is_fresh)
{
    g_autoptr(Machine) machine = machine_with(THROUGH_TEXTURE, late_reader, early_writer);
    ck_assert_uint_eq(count(machine, "hits"), 2);
    ck_assert_uint_eq(count(machine, "stale_hits"), 0);
}
END_TEST

/* The line that is kept whole of the store was never read: it is as old as the store, and what the
 * other wrote before is no matter. */
START_TEST(what_the_texture_unit_keeps_of_a_store_is_fresh_until_another_writes)
{
    static const Instruction keeper[] = {WAIT, WAIT, STORE_LINE, LOAD_LINE, WAIT,
                                         WAIT, WAIT, LOAD_LINE,  END};
    static const Instruction other[] = {STORE_LINE, WAIT, WAIT, WAIT, WAIT, STORE_LINE, END};
    g_autoptr(Machine) machine = machine_with(THROUGH_TEXTURE, keeper, other);
    ck_assert_uint_eq(count(machine, "hits"), 4);
    ck_assert_uint_eq(count(machine, "stale_hits"), 2);
}
END_TEST

#define LOAD_READ_ONLY                                                                             \
    {                                                                                              \
        .operation = OPERATION_LOAD, .hint = CACHE_READ_ONLY, .base = LINE, .stride = 4,           \
        .width = 4, .destination = 1, .destination_count = 1                                       \
    }
#define READ_ONLY_THROUGH_TEXTURE "load_store.through_texture = read_only; texture.cache = own"

/* Kepler's read-only loads: what the SM stores itself goes past the texture unit's copy, which is
 * read by two groups of lanes. */
START_TEST(own_stores_do_not_reach_the_texture_units_copies)
{
    static const Instruction both[] = {
        LOAD_READ_ONLY, WAIT, LOAD_READ_ONLY, WAIT, STORE_LINE, WAIT, LOAD_READ_ONLY, WAIT, END};
    g_autoptr(Machine) machine = machine_with(READ_ONLY_THROUGH_TEXTURE, both, idle);
    ck_assert_uint_eq(small_machine_sum(machine, "texture", "data_hits"), 4);
    ck_assert_uint_eq(count(machine, "stale_hits"), 2);
    ck_assert_uint_eq(worst_line(machine, "stalest"), LINE);
}
END_TEST

#define KEPT "l1.global_write = back; l1.global_allocate = yes;"

/* Read and missed at 0, hit at 800, kept by the other at 1600, hit at 2400: L2 hears of the store
 * when the kernel has ended. */
START_TEST(a_copy_is_stale_beside_what_another_L1_keeps)
{
    g_autoptr(Machine) machine = machine_with(KEPT, reader, writer);
    ck_assert_uint_eq(count(machine, "hits"), 2);
    ck_assert_uint_eq(count(machine, "kept_stores"), 1);
    ck_assert_uint_eq(count(machine, "writes"), 1);
    ck_assert_uint_eq(count(machine, "stale_hits"), 1);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "cleaned"), 1);
}
END_TEST

/* The texture unit's copy, read before the SM's own L1 keeps a store of it, is stale; one that is
 * read afterwards is not, since L1 lets go what it keeps before. */
START_TEST(what_L1_keeps_goes_before_the_texture_unit_reads)
{
    static const Instruction before[] = {LOAD_READ_ONLY, WAIT,           STORE_LINE,
                                         WAIT,           LOAD_READ_ONLY, END};
    static const Instruction after[] = {STORE_LINE, WAIT,           LOAD_READ_ONLY,
                                        WAIT,       LOAD_READ_ONLY, END};
    g_autoptr(Machine) machine =
        machine_with(KEPT READ_ONLY_THROUGH_TEXTURE, _i ? after : before, idle);
    ck_assert_uint_eq(small_machine_sum(machine, "texture", "data_hits"), 2);
    ck_assert_uint_eq(count(machine, "stale_hits"), _i ? 0 : 2);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "flushed"), _i ? 1 : 0);
}
END_TEST

/* Without L1 there are no copies; with it, both write the same line. */
START_TEST(writes_of_two_SMs_conflict)
{
    g_autoptr(Machine) machine = machine_with("l1.cached = none", early_writer, writer);
    ck_assert_uint_eq(count(machine, "hits"), 0);
    ck_assert_uint_eq(count(machine, "conflicting_writes"), 1);
    ck_assert_uint_eq(count(machine, "partial_conflicts"), 0);
    ck_assert_uint_eq(worst_line(machine, "most_conflicting"), LINE);
}
END_TEST

START_TEST(nothing_is_reported_when_it_is_off)
{
    g_autoptr(Machine) machine = machine_with("coherence_monitor.enabled = no", reader, writer);
    ck_assert_uint_eq(count(machine, "reports"), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("coherence");
    tcase_add_test(cases, a_copy_that_another_SM_has_overwritten_is_hit_and_counted);
    tcase_add_loop_test(cases, a_copy_behind_L1_is_stale_to_SMs_of_another_coalescer, 0, 2);
    tcase_add_test(cases, a_kernel_may_leave_L1_more_or_less_than_it_had);
    tcase_add_test(cases, lines_are_named_by_their_virtual_address);
    tcase_add_test(cases, who_writes_his_own_copy_finds_it_fresh);
    tcase_add_test(cases, a_copy_that_was_read_after_the_write_is_fresh);
    tcase_add_test(cases, copies_in_the_texture_units_cache_are_judged_as_well);
    tcase_add_test(cases, what_the_texture_unit_read_after_the_write_is_fresh);
    tcase_add_test(cases, what_the_texture_unit_keeps_of_a_store_is_fresh_until_another_writes);
    tcase_add_test(cases, own_stores_do_not_reach_the_texture_units_copies);
    tcase_add_test(cases, a_copy_is_stale_beside_what_another_L1_keeps);
    tcase_add_loop_test(cases, what_L1_keeps_goes_before_the_texture_unit_reads, 0, 2);
    tcase_add_test(cases, writes_of_two_SMs_conflict);
    tcase_add_test(cases, nothing_is_reported_when_it_is_off);
    return harness_run_cases("coherence", cases);
}

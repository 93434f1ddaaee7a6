#include "rigs/harness.h"
#include "rigs/instructions.h"

/* --- stream ----------------------------------------------------------------------------------- */

START_TEST(a_triad_loads_both_arrays_computes_and_stores)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=stream\nworkload.operation=triad\n"
                    "workload.array_bytes=4 KiB\nworkload.alignment=8 KiB\n"
                    "workload.base=1 MiB\nworkload.threads_per_cta=128\n"
                    "workload.index_instructions=5\n");
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->ctas, 4); /* 512 elements / 128 threads */
    g_autoptr(GArray) warp = fetch_warp(kernel, 2, 3, NULL);
    ck_assert_uint_eq(warp->len, 6);
    const uint64_t first = (2 * 128 + 3 * 32) * 8;
    ck_assert_uint_eq(fetched_at(warp, 0)->in.operation, OPERATION_ALU);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.repeat, 5);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.operation, OPERATION_LOAD);
    ck_assert_uint_eq(fetched_at(warp, 1)->address[0], (1 << 20) + 8192 + first);            /* B */
    ck_assert_uint_eq(fetched_at(warp, 2)->address[31], (1 << 20) + 16384 + first + 31 * 8); /* C */
    const Instruction *compute = &fetched_at(warp, 3)->in;
    ck_assert_uint_eq(compute->unit, EXECUTE_FP64);
    ck_assert_uint_eq(compute->source_count, 4);
    ck_assert_uint_eq(compute->sources[0], fetched_at(warp, 1)->in.destination);
    ck_assert_uint_eq(compute->sources[2], fetched_at(warp, 2)->in.destination);
    ck_assert_uint_eq(fetched_at(warp, 4)->in.operation, OPERATION_STORE);
    ck_assert_uint_eq(fetched_at(warp, 4)->address[0], (1 << 20) + first); /* A */
    ck_assert_uint_eq(fetched_at(warp, 4)->in.sources[2], compute->destination);
}
END_TEST

START_TEST(a_read_ends_only_when_its_load_has_come)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=stream\nworkload.operation=read\n"
                                             "workload.index_instructions=0\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(warp->len, 3);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.operation, OPERATION_LOAD);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.operation, OPERATION_ALU);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.sources[0], fetched_at(warp, 0)->in.destination);
}
END_TEST

START_TEST(the_remainder_cta_has_only_the_lanes_that_are_left)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=stream\nworkload.operation=init\n"
                                             "workload.array_bytes=2120 B\n" /* 265 elements */
                                             "workload.threads_per_cta=64\n");
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->ctas, 5);
    g_autoptr(GArray) whole = fetch_warp(kernel, 3, 1, NULL);
    g_autoptr(GArray) partial = fetch_warp(kernel, 4, 0, NULL);
    g_autoptr(GArray) idle = fetch_warp(kernel, 4, 1, NULL);
    ck_assert_uint_eq(fetched_at(whole, 1)->in.mask, UINT32_MAX);
    ck_assert_uint_eq(fetched_at(partial, 1)->in.mask, 0x1ff); /* 265 - 256 = 9 lanes */
    ck_assert_uint_eq(idle->len, 2);                           /* index arithmetic, EXIT */
}
END_TEST

START_TEST(a_partial_warp_stays_inside_its_cta)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=stream\nworkload.array_bytes=8 KiB\n"
                                             "workload.threads_per_cta=48\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 1, 1, NULL);
    ck_assert_uint_eq(kernel->ctas, 22); /* 1024 / 48 = 21.3 */
    ck_assert_uint_eq(fetched_at(warp, 1)->in.mask, 0xffff);
    ck_assert_uint_eq(fetched_at(warp, 1)->address[0], (48 + 32) * 8);
}
END_TEST

START_TEST(unrolled_elements_are_loaded_before_the_first_is_used)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=stream\nworkload.operation=scale\n"
                    "workload.array_bytes=64 KiB\nworkload.alignment=64 KiB\n"
                    "workload.elements_per_thread=3\nworkload.unroll=2\n"
                    "workload.threads_per_cta=32\n"
                    "workload.index_instructions=0\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 1, 0, NULL);
    static const struct {
        uint8_t operation;
        uint64_t element;
    } expected[] = {{OPERATION_LOAD, 0},  {OPERATION_LOAD, 1}, {OPERATION_ALU, 0},
                    {OPERATION_STORE, 0}, {OPERATION_ALU, 1},  {OPERATION_STORE, 1},
                    {OPERATION_LOAD, 2},  {OPERATION_ALU, 2},  {OPERATION_STORE, 2},
                    {OPERATION_EXIT, 0}};
    ck_assert_uint_eq(warp->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < warp->len; i++) {
        const Fetched *f = fetched_at(warp, i);
        ck_assert_uint_eq(f->in.operation, expected[i].operation);
        if (!f->in.width) continue;
        const uint64_t array = f->in.operation == OPERATION_LOAD ? 65536 : 0;
        ck_assert_uint_eq(f->address[0], array + (3 + expected[i].element) * 32 * 8);
    }
    ck_assert_uint_ne(fetched_at(warp, 0)->in.destination, fetched_at(warp, 1)->in.destination);
}
END_TEST

static const struct {
    const char *operation;
    uint64_t arrays, ctas, loads, stores;
} operations[] = {
    {"init", 1, 8192, 0, 1},  {"read", 1, 8192, 1, 0}, {"scale", 2, 8192, 1, 1},
    {"triad", 3, 8192, 2, 1}, {"copy", 2, 8192, 1, 1},
};

START_TEST(counted_bytes_are_those_of_the_benchmark)
{
    g_autofree char *text = g_strdup_printf(
        "workload.pattern=stream\nworkload.operation=%s\nworkload.array_bytes=16 MiB\n",
        operations[_i].operation);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->counted_bytes, operations[_i].arrays << 24);
    ck_assert_uint_eq(kernel->ctas, operations[_i].ctas);
    g_autoptr(GArray) warp = fetch_warp(kernel, 7, 7, NULL);
    uint64_t loads = 0, stores = 0;
    for (guint i = 0; i < warp->len; i++) {
        loads += fetched_at(warp, i)->in.operation == OPERATION_LOAD;
        stores += fetched_at(warp, i)->in.operation == OPERATION_STORE;
    }
    ck_assert_uint_eq(loads, operations[_i].loads);
    ck_assert_uint_eq(stores, operations[_i].stores);
}
END_TEST

/* --- strided ---------------------------------------------------------------------------------- */

/* 4 CTAs of 2 warps, 3 iterations, lanes 8 B apart: a warp's block is 256 B. Address of CTA 2,
 * warp 1, iteration 2, lane 1. */
static const struct {
    const char *layout, *strides;
    uint64_t address;
} layouts[] = {
    {"blocked", "", ((2 * 2 + 1) * 3 + 2) * 256 + 8},
    {"interleaved", "", (2 * 8 + 2 * 2 + 1) * 256 + 8},
    {"shared", "", (2 * 2 + 1) * 256 + 8},
    {"given",
     "workload.iteration_stride=4 KiB\nworkload.warp_stride=64 B\nworkload.cta_stride=1 MiB",
     2 * 4096 + 64 + 2 * 1048576 + 8},
};

START_TEST(strides_of_a_layout_are_as_computed_by_hand)
{
    g_autofree char *text =
        g_strdup_printf("workload.pattern=strided\nworkload.ctas=4\nworkload.threads_per_cta=64\n"
                        "workload.iterations=3\nworkload.lane_stride=8 B\nworkload.layout=%s\n%s\n",
                        layouts[_i].layout, layouts[_i].strides);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 2, 1, NULL);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.operation, OPERATION_LOAD);
    ck_assert_uint_eq(fetched_at(warp, 2)->address[1], layouts[_i].address);
    ck_assert_uint_eq(kernel->counted_bytes, 4 * 64 * 3 * 4);
}
END_TEST

START_TEST(offsets_wrap_around_at_the_footprint)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=strided\nworkload.ctas=1\nworkload.threads_per_cta=32\n"
                    "workload.iterations=2\nworkload.footprint=192 B\nworkload.base=4 KiB\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    const Fetched *second = fetched_at(warp, 1); /* begins at 128 B: lanes 0..15 fit */
    ck_assert_uint_eq(second->address[15], 4096 + 188);
    ck_assert_uint_eq(second->address[16], 4096);
    ck_assert_uint_eq(second->address[31], 4096 + 60);
}
END_TEST

START_TEST(a_loop_computes_accesses_and_reads_what_it_loaded)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=strided\nworkload.iterations=10\nworkload.in_flight=8\n"
                    "workload.compute_instructions=7\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(warp->len,
                      2 * 10 + 2 + 1); /* 8 live registers are read by two instructions */
    ck_assert_uint_eq(fetched_at(warp, 0)->in.repeat, 7);
    ck_assert_uint_eq(fetched_at(warp, 20)->in.source_count, 6);
    ck_assert_uint_eq(fetched_at(warp, 21)->in.source_count, 2);
    const uint8_t first = fetched_at(warp, 1)->in.destination;
    ck_assert_uint_ne(fetched_at(warp, 3)->in.destination, first);
    ck_assert_uint_eq(fetched_at(warp, 17)->in.destination, first); /* iteration 8 waits for 0 */
    ck_assert_uint_eq(fetched_at(warp, 17)->in.sources[2], first);
}
END_TEST

START_TEST(load_store_writes_back_what_it_loaded)
{
    g_autoptr(LaunchList) list = launches_of(
        "workload.pattern=strided\nworkload.iterations=2\nworkload.operation=load_store\n"
        "workload.element_bytes=16 B\nworkload.lane_stride=16 B\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 1, 0, NULL);
    ck_assert_uint_eq(warp->len, 5);
    const Fetched *load = fetched_at(warp, 2), *store = fetched_at(warp, 3);
    ck_assert_uint_eq(load->in.destination_count, 4);
    ck_assert_uint_eq(store->in.operation, OPERATION_STORE);
    ck_assert_uint_eq(store->in.source_count, 6); /* address pair, data quad */
    ck_assert_uint_eq(store->in.sources[2], load->in.destination);
    ck_assert_uint_eq(store->address[5], load->address[5]);
    ck_assert_uint_eq(kernel->counted_bytes, 160 * 256 * 2 * 16 * 2);
}
END_TEST

/* --- random ----------------------------------------------------------------------------------- */

#define RANDOM "workload.pattern=random\nworkload.footprint=1 MiB\nworkload.base=1 GiB\n"

START_TEST(random_lanes_stay_inside_and_are_the_same_each_time)
{
    g_autoptr(LaunchList) list = launches_of(RANDOM);
    g_autoptr(LaunchList) again = launches_of(RANDOM);
    g_autoptr(LaunchList) other = launches_of(RANDOM "workload.seed=5\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 3, 2, NULL);
    g_autoptr(GArray) same = fetch_warp(kernel_of(again, 0), 3, 2, NULL);
    g_autoptr(GArray) different = fetch_warp(kernel_of(other, 0), 3, 2, NULL);
    uint64_t upper = 0, equal = 0;
    for (guint i = 0; i < 16; i++) {
        const Fetched *f = fetched_at(warp, i);
        for (uint32_t n = 0; n < f->lanes; n++) {
            ck_assert_uint_ge(f->address[n], 1 << 30);
            ck_assert_uint_lt(f->address[n], (1 << 30) + (1 << 20));
            ck_assert_uint_eq(f->address[n] % 4, 0);
            upper += f->address[n] >= (1 << 30) + (1 << 19);
            equal += f->address[n] == fetched_at(different, i)->address[n];
        }
        assert_same_instruction(f, fetched_at(same, i));
    }
    ck_assert_uint_ge(upper, 200); /* of 512, 256 expected, deviation 11 */
    ck_assert_uint_le(upper, 312);
    ck_assert_uint_le(equal, 2);
}
END_TEST

START_TEST(random_warps_read_aligned_blocks)
{
    g_autoptr(LaunchList) list = launches_of(RANDOM "workload.grain=warp\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 3, 2, NULL);
    for (guint i = 0; i < 16; i++) {
        const Fetched *f = fetched_at(warp, i);
        ck_assert_uint_eq(f->address[0] % 128, 0);
        ck_assert_uint_eq(f->address[31], f->address[0] + 124);
        ck_assert_uint_lt(f->address[31] - (UINT64_C(1) << 30), 1 << 20);
    }
    ck_assert_uint_ne(fetched_at(warp, 0)->address[0], fetched_at(warp, 1)->address[0]);
}
END_TEST

START_TEST(an_instruction_is_a_function_of_its_position)
{
    g_autoptr(LaunchList) list = launches_of(RANDOM);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 3, 2, NULL);
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = 3, .warp = 2, .position = 11};
    const Fetched alone = fetch_one(kernel, &cursor);
    assert_same_instruction(&alone, fetched_at(warp, 11));
}
END_TEST

/* --- pointer chase ---------------------------------------------------------------------------- */

START_TEST(the_chain_is_one_cycle_through_all_nodes)
{
    g_autoptr(LaunchList) list = launches_of(
        "workload.pattern=pointer_chase\nworkload.working_set=64 KiB\nworkload.loads=1025\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 0, 0, NULL);
    ck_assert_uint_eq(warp->len, 1025 + 1);
    bool seen[1024] = {false};
    uint64_t neighbours = 0;
    for (guint i = 0; i < 1024; i++) {
        const uint64_t address = fetched_at(warp, i)->address[0];
        ck_assert_uint_eq(address % 64, 0);
        ck_assert_uint_lt(address, 65536);
        ck_assert(!seen[address / 64]);
        seen[address / 64] = true;
        neighbours += i && address == fetched_at(warp, i - 1)->address[0] + 64;
    }
    ck_assert_uint_eq(fetched_at(warp, 0)->address[0], 0);
    ck_assert_uint_eq(fetched_at(warp, 1024)->address[0], 0); /* closed */
    ck_assert_uint_le(neighbours, 8);                         /* 1 expected */
    ck_assert_uint_eq(kernel->dependent_loads, 1025);
}
END_TEST

START_TEST(each_load_needs_the_one_before)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=pointer_chase\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    const Fetched *load = fetched_at(warp, 5);
    ck_assert_uint_eq(load->in.operation, OPERATION_LOAD);
    ck_assert_uint_eq(load->in.width, 8);
    ck_assert_uint_eq(load->in.destination, load->in.sources[0]);
    ck_assert_uint_eq(load->in.destination_count, 2);
    ck_assert_uint_eq(load->in.stride, 0); /* all lanes at one address */
}
END_TEST

START_TEST(an_index_becomes_an_address_before_the_next_load)
{
    g_autoptr(LaunchList) list = launches_of("workload.pattern=pointer_chase\nworkload.loads=3\n"
                                             "workload.index_instructions=2\n");
    g_autoptr(LaunchList) pointers = launches_of("workload.pattern=pointer_chase\n"
                                                 "workload.loads=3\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    g_autoptr(GArray) plain = fetch_warp(kernel_of(pointers, 0), 0, 0, NULL);
    ck_assert_uint_eq(warp->len, 2 * 3 + 1);
    for (guint i = 0; i < 3; i++) {
        const Instruction *load = &fetched_at(warp, 2 * i)->in,
                          *index = &fetched_at(warp, 2 * i + 1)->in;
        ck_assert_uint_eq(load->operation, OPERATION_LOAD);
        ck_assert_uint_eq(fetched_at(warp, 2 * i)->address[0], fetched_at(plain, i)->address[0]);
        ck_assert_uint_eq(index->unit, EXECUTE_INT);
        ck_assert_uint_eq(index->repeat, 2);
        ck_assert_uint_eq(index->sources[0], load->destination);
        ck_assert_uint_eq(index->destination, load->sources[0]);
    }
}
END_TEST

START_TEST(all_warps_walk_the_chain_and_a_second_kernel_goes_on_with_it)
{
    g_autoptr(LaunchList) list = launches_of(
        "workload.sequence=warm_up, main\n"
        "kernel warm_up.pattern=pointer_chase\nkernel warm_up.working_set=8 KiB\n"
        "kernel warm_up.loads=200\nkernel warm_up.measure=no\n"
        "kernel main.pattern=pointer_chase\nkernel main.working_set=8 KiB\n"
        "kernel main.start_load=100\nkernel main.loads=50\nkernel main.active_lanes=1\n");
    g_autoptr(GArray) first = fetch_warp(kernel_of(list, 0), 0, 1, NULL);
    g_autoptr(GArray) second = fetch_warp(kernel_of(list, 1), 0, 0, NULL);
    for (guint i = 0; i < 50; i++)
        ck_assert_uint_eq(fetched_at(second, i)->address[0],
                          fetched_at(first, 100 + i)->address[0]);
    ck_assert_uint_eq(fetched_at(second, 0)->in.mask, 1);
    ck_assert_uint_eq(kernel_warps(kernel_of(list, 1)), 2);
    ck_assert(!g_array_index(list->launches, Launch, 0).measured);
    ck_assert(g_array_index(list->launches, Launch, 1).measured);
}
END_TEST

/* A warp of 64 lanes is as two of 32 that stand side by side. */
static const char *const twice[] = {
    "workload.pattern=stream\nworkload.operation=read\nworkload.array_bytes=1000 B\n"
    "workload.element_bytes=4 B\nworkload.threads_per_cta=192\n",
    "workload.pattern=strided\nworkload.threads_per_cta=192\nworkload.layout=shared\n",
    "workload.pattern=strided\nworkload.threads_per_cta=192\n",
    "workload.pattern=strided\nworkload.threads_per_cta=192\nworkload.footprint=640 B\n",
};

static const Fetched *first_access(const GArray *warp)
{
    guint i = 0;
    while (!fetched_at(warp, i)->in.width) i++;
    return fetched_at(warp, i);
}

START_TEST(a_warp_of_64_lanes_accesses_what_two_of_32_do)
{
    g_autoptr(LaunchList) wide = launches_with(twice[_i], 64);
    g_autoptr(LaunchList) narrow = launches_with(twice[_i], 32);
    ck_assert_uint_eq(kernel_warps(kernel_of(wide, 0)), 3);
    for (uint32_t w = 0; w < 6; w++) {
        g_autoptr(GArray) one = fetch_warp(kernel_of(wide, 0), 0, w / 2, NULL);
        g_autoptr(GArray) half = fetch_warp(kernel_of(narrow, 0), 0, w, NULL);
        const Fetched *both = first_access(one), *own = first_access(half);
        ck_assert_uint_eq(own->in.mask, both->in.mask >> 32 * (w % 2) & UINT32_MAX);
        for (uint32_t lane = 0; lane < own->lanes; lane++)
            ck_assert_uint_eq(own->address[lane], both->address[32 * (w % 2) + lane]);
    }
}
END_TEST

START_TEST(random_and_chasing_warps_may_have_64_lanes)
{
    g_autoptr(LaunchList) lanes = launches_with(
        "workload.pattern=random\nworkload.threads_per_cta=100\nworkload.footprint=1 KiB\n", 64);
    g_autoptr(LaunchList) blocks =
        launches_with("workload.pattern=random\nworkload.grain=warp\n", 64);
    g_autoptr(LaunchList) chase =
        launches_with("workload.pattern=pointer_chase\nworkload.active_lanes=40\n", 64);
    g_autoptr(GArray) last = fetch_warp(kernel_of(lanes, 0), 0, 1, NULL);
    g_autoptr(GArray) block = fetch_warp(kernel_of(blocks, 0), 0, 1, NULL);
    g_autoptr(GArray) walk = fetch_warp(kernel_of(chase, 0), 0, 1, NULL);
    ck_assert_uint_eq(first_access(last)->in.mask, UINT64_C(0xfffffffff));
    for (uint32_t lane = 0; lane < 36; lane++)
        ck_assert_uint_lt(first_access(last)->address[lane], 1024);
    ck_assert_uint_ne(first_access(last)->address[35], first_access(last)->address[3]);
    ck_assert_uint_eq(first_access(block)->in.base % 256, 0);
    ck_assert_uint_eq(first_access(block)->in.mask, UINT64_MAX);
    ck_assert_uint_eq(first_access(walk)->in.mask, UINT64_C(0xffffffffff));
    ck_assert_uint_eq(kernel_of(chase, 0)->threads_per_cta, 128);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("patterns");
    tcase_add_test(cases, a_triad_loads_both_arrays_computes_and_stores);
    tcase_add_test(cases, a_read_ends_only_when_its_load_has_come);
    tcase_add_test(cases, the_remainder_cta_has_only_the_lanes_that_are_left);
    tcase_add_test(cases, a_partial_warp_stays_inside_its_cta);
    tcase_add_test(cases, unrolled_elements_are_loaded_before_the_first_is_used);
    tcase_add_loop_test(cases, counted_bytes_are_those_of_the_benchmark, 0,
                        G_N_ELEMENTS(operations));
    tcase_add_loop_test(cases, strides_of_a_layout_are_as_computed_by_hand, 0,
                        G_N_ELEMENTS(layouts));
    tcase_add_test(cases, offsets_wrap_around_at_the_footprint);
    tcase_add_test(cases, a_loop_computes_accesses_and_reads_what_it_loaded);
    tcase_add_test(cases, load_store_writes_back_what_it_loaded);
    tcase_add_test(cases, random_lanes_stay_inside_and_are_the_same_each_time);
    tcase_add_test(cases, random_warps_read_aligned_blocks);
    tcase_add_test(cases, an_instruction_is_a_function_of_its_position);
    tcase_add_test(cases, the_chain_is_one_cycle_through_all_nodes);
    tcase_add_test(cases, each_load_needs_the_one_before);
    tcase_add_test(cases, an_index_becomes_an_address_before_the_next_load);
    tcase_add_test(cases, all_warps_walk_the_chain_and_a_second_kernel_goes_on_with_it);
    tcase_add_loop_test(cases, a_warp_of_64_lanes_accesses_what_two_of_32_do, 0,
                        G_N_ELEMENTS(twice));
    tcase_add_test(cases, random_and_chasing_warps_may_have_64_lanes);
    Suite *suite = suite_create("patterns");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

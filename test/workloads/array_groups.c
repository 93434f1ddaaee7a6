/* Arrays by name: what patterns call theirs, and that all they touch is in one of them. */
#include <inttypes.h>

#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/program.h"

#define PATTERN(text) "workload.pattern=" text

/* What a pattern calls its arrays, in the order in which it names them. */
typedef struct {
    const char *workload, *names;
    bool
        filled; /* the first access is at the first array's beginning, the last at the last's end */
} Case;

static const char program_text[] =
    "workload.pattern=program\nworkload.ctas=2\nworkload.threads_per_cta=64\n"
    "workload.code=param n = 2; global a[128]; global b[64, 2] of 8 at 0x40000000; shared s[64]; "
    "texture t[16, 16]; if n == 2 { global inner[32]; store inner[lane]; } "
    "x = load a[cta * 64 + thread]; store s[thread], x; store b[thread, cta], x; "
    "y = sample t[lane, warp]\n";

static const Case cases[] = {
    {PATTERN("pointer_chase\nworkload.working_set=4 KiB\nworkload.base=1 MiB\n"), "nodes", true},
    {PATTERN("strided\nworkload.ctas=3\nworkload.threads_per_cta=64\nworkload.iterations=4\n"
             "workload.lane_stride=12 B\nworkload.base=4 KiB\n"),
     "data", true},
    {PATTERN("strided\nworkload.ctas=3\nworkload.threads_per_cta=64\nworkload.iterations=4\n"
             "workload.lane_stride=12 B\nworkload.footprint=1000 B\n"),
     "data", false},
    {PATTERN("random\nworkload.ctas=2\nworkload.threads_per_cta=64\nworkload.footprint=4 KiB\n"
             "workload.operation=load_store\nworkload.base=4 KiB\n"),
     "data", false},
    {PATTERN("random\nworkload.ctas=2\nworkload.threads_per_cta=64\nworkload.footprint=4 KiB\n"
             "workload.grain=warp\n"),
     "data", false},
    {PATTERN("offered_load\nworkload.load=90 %\nworkload.write_share=40 %\nworkload.ctas=3\n"
             "workload.warps=2\nworkload.probe_warps=2\nworkload.duration=600 cycles\n"
             "workload.settle=100 cycles\nworkload.probe_bytes=4 KiB\nworkload.fill=2 KiB\n"
             "workload.array_bytes=8 KiB\nworkload.base=1 MiB\n"),
     "loaded stored chain", false},
    {PATTERN("texture_chase\nworkload.footprint=4 KiB\n"), "texture", false},
    {PATTERN("texture_random\nworkload.footprint=4 KiB\nworkload.textures=2\n"
             "workload.ctas=1\nworkload.texture_base=1 MiB\n"),
     "texture[0] texture[1]", false},
    {PATTERN("texture_lookup\nworkload.ctas=1\n"), "texture", false},
    {PATTERN("blit\nworkload.width=32\nworkload.height=16\nworkload.textures=2\n"),
     "texture[0] texture[1] target", false},
    {PATTERN("blit\nworkload.width=32\nworkload.height=16\nworkload.target_layout=none\n"),
     "texture", false},
    {PATTERN("convolution\nworkload.width=32\nworkload.height=16\nworkload.path=global\n"),
     "texture target", false},
    {PATTERN("raster\nworkload.scene=soup\nworkload.screen_width=64\nworkload.screen_height=64\n"
             "workload.textures=2\n"),
     "texture[0] texture[1] target", false},
    {program_text, "a b t inner", false},
};

static char *names_of(const LaunchList *list)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < list->arrays->len; i++)
        g_string_append_printf(names, "%s%s", i ? " " : "",
                               g_array_index(list->arrays, MemoryArray, i).name);
    return g_string_free(names, FALSE);
}

static const MemoryArray *find_array(const LaunchList *list, uint64_t address, uint64_t bytes)
{
    for (guint i = 0; i < list->arrays->len; i++) {
        const MemoryArray *array = &g_array_index(list->arrays, MemoryArray, i);
        if (address >= array->address && address + bytes <= array->address + array->bytes)
            return array;
    }
    ck_abort_msg("0x%" PRIx64 " is in no array", address);
}

/* What was touched, from the lowest byte to behind the highest. */
typedef struct {
    uint64_t first, end;
    bool used[8]; /* arrays */
} Touched;

static void touch(Touched *touched, const LaunchList *list, uint64_t address, uint64_t bytes)
{
    const MemoryArray *array = find_array(list, address, bytes);
    touched->first = MIN(touched->first, address);
    touched->end = MAX(touched->end, address + bytes);
    touched->used[array - (const MemoryArray *)(void *)list->arrays->data] = true;
}

static void touch_all(Touched *touched, const LaunchList *list, const Fetched *f)
{
    if (!instruction_is_memory(&f->in) || f->in.space == SPACE_SHARED) return;
    if (f->in.binding) {
        touch(touched, list, f->in.binding->texture.address, f->in.binding->texture.bytes);
        return;
    }
    for (uint32_t i = 0; i < f->lanes; i++) touch(touched, list, f->address[i], f->in.width);
}

static Touched touch_kernels(const LaunchList *list)
{
    Touched touched = {.first = UINT64_MAX};
    for (guint k = 0; k < list->kernels->len; k++) {
        const Kernel *kernel = list->kernels->pdata[k];
        for (uint64_t cta = 0; cta < kernel->ctas; cta++)
            for (uint32_t warp = 0; warp < kernel_warps(kernel); warp++) {
                g_autoptr(GArray) all = fetch_warp(kernel, cta, warp, NULL);
                for (guint i = 0; i < all->len; i++) touch_all(&touched, list, fetched_at(all, i));
            }
    }
    return touched;
}

static LaunchList *build(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1,
                                     .warp_lanes = 32,
                                     .sms = 3,
                                     .core_clock = UINT64_C(1000000000),
                                     .dram_bandwidth = UINT64_C(100000000000)};
    LaunchList *list = workload_build(configuration, &context, &error);
    ck_assert_msg(list != NULL, "%s", error ? error->message : "");
    return list;
}

START_TEST(all_that_a_pattern_touches_is_in_the_arrays_that_it_names)
{
    g_autoptr(LaunchList) list = build(cases[_i].workload);
    g_autofree char *names = names_of(list);
    ck_assert_str_eq(names, cases[_i].names);
    const Touched touched = touch_kernels(list);
    const MemoryArray *first = &g_array_index(list->arrays, MemoryArray, 0);
    const MemoryArray *last = &g_array_index(list->arrays, MemoryArray, list->arrays->len - 1);
    for (guint i = 0; i < list->arrays->len; i++) ck_assert(touched.used[i]);
    if (!cases[_i].filled) return;
    ck_assert_uint_eq(touched.first, first->address);
    ck_assert_uint_eq(touched.end, last->address + last->bytes);
}
END_TEST

START_TEST(kernels_that_share_an_array_name_it_once)
{
    g_autoptr(LaunchList) list =
        build("workload.sequence=first, second, third\n"
              "kernel first.pattern=pointer_chase\nkernel first.working_set=4 KiB\n"
              "kernel second.pattern=pointer_chase\nkernel second.working_set=4 KiB\n"
              "kernel third.pattern=random\nkernel third.footprint=8 KiB\n");
    g_autofree char *names = names_of(list);
    ck_assert_str_eq(names, "nodes data");
}
END_TEST

/* --- [array NAME] ----------------------------------------------------------------------------- */

#define CHASE PATTERN("pointer_chase\nworkload.working_set=4 KiB\nworkload.base=1 MiB\n")

START_TEST(groups_of_a_scenario_name_further_arrays)
{
    g_autoptr(LaunchList) list = build(CHASE "array in front.bytes=1 MiB\n"
                                             "array in front.address=0 B\n"
                                             "array far.address=0x7F3000000100\n"
                                             "array far.bytes=0x10\n");
    g_autofree char *names = names_of(list);
    ck_assert_str_eq(names, "nodes in front far");
    const MemoryArray *far = &g_array_index(list->arrays, MemoryArray, 2);
    ck_assert_uint_eq(far->address, UINT64_C(0x7f3000000100));
    ck_assert_uint_eq(far->bytes, 16);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    {CHASE "array x.address=0 B\n", "test.ini:4: array x.address = 0 B: [array x] has no 'bytes'"},
    {CHASE "array x.bytes=4 B\n", "test.ini:4: array x.bytes = 4 B: [array x] has no 'address'"},
    {CHASE "array x.adress=0 B\n",
     "test.ini:4: array x.adress = 0 B: an array has no 'adress'; did you mean 'address'?"},
    {CHASE "array x.bytes=4 B\narray x.address=0 B\narray x.length=3\n",
     "test.ini:6: array x.length = 3: an array has no 'length'; it has address and bytes"},
    {CHASE "array x.bytes=0 B\narray x.address=0 B\n", "test.ini:4: array x.bytes = 0 B: "},
    {CHASE "array x.bytes=4\narray x.address=0 B\n", "test.ini:4: array x.bytes = 4: "},
    {CHASE "array x.bytes=16 B\narray x.address=0 B\n"
           "array y.address=0xf\narray y.bytes=8 B\n",
     "test.ini:6: array y.address = 0xf: overlaps the array 'x', 16 B from 0x0 on"},
    {CHASE "array x.bytes=2 B\narray x.address=1048575 B\n",
     "test.ini:5: array x.address = 1048575 B: overlaps the array 'nodes', 4040 B from 0x100000"},
};

START_TEST(a_group_that_names_no_region_of_its_own_is_refused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure(wrong[_i].text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_msg(g_str_has_prefix(error->message, wrong[_i].error), "%s", error->message);
}
END_TEST

START_TEST(a_scenario_shows_and_checks_its_arrays)
{
    const Outcome shown = warpmem(NULL, "show trace");
    ck_assert_int_eq(shown.status, 0);
    ck_assert_ptr_nonnull(strstr(shown.out, "[array c]"));
    ck_assert_ptr_nonnull(strstr(shown.out, "0x40003000"));
    const Outcome explained = warpmem(NULL, "explain array.address");
    ck_assert_int_eq(explained.status, 0);
    const Outcome wrong_key = warpmem(NULL, "check trace --set 'array c.byte=1 B'");
    ck_assert_int_eq(wrong_key.status, 2);
    ck_assert_ptr_nonnull(strstr(wrong_key.errors, "did you mean 'bytes'?"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("arrays");
    tcase_add_loop_test(tests, all_that_a_pattern_touches_is_in_the_arrays_that_it_names, 0,
                        G_N_ELEMENTS(cases));
    tcase_add_test(tests, kernels_that_share_an_array_name_it_once);
    tcase_add_test(tests, groups_of_a_scenario_name_further_arrays);
    tcase_add_loop_test(tests, a_group_that_names_no_region_of_its_own_is_refused, 0,
                        G_N_ELEMENTS(wrong));
    tcase_add_test(tests, a_scenario_shows_and_checks_its_arrays);
    return harness_run_cases("arrays", tests);
}

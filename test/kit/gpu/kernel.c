/* Kernels in the list of launches. */
#include "kit/gpu/kernel.h"
#include "rigs/harness.h"

static void add_kernel(LaunchList *list, const char *name)
{
    static const KernelClass kernel_class = {.free = NULL};
    Kernel *kernel = g_new0(Kernel, 1);
    kernel->class = &kernel_class;
    kernel->name = g_strdup(name);
    launch_list_add_kernel(list, kernel);
}

static void assert_numbers(const LaunchList *list, const uint32_t *numbers, guint count)
{
    ck_assert_uint_eq(list->kernels->len, count);
    for (guint i = 0; i < count; i++)
        ck_assert_uint_eq(((const Kernel *)list->kernels->pdata[i])->number, numbers[i]);
}

START_TEST(kernels_of_one_name_have_one_number)
{
    static const uint32_t numbers[] = {0, 1, 0, 3, 1};
    g_autoptr(LaunchList) list = launch_list_new();
    add_kernel(list, "load");
    add_kernel(list, "store");
    add_kernel(list, "load");
    add_kernel(list, "add");
    add_kernel(list, "store");
    assert_numbers(list, numbers, G_N_ELEMENTS(numbers));
}
END_TEST

START_TEST(kernels_that_move_are_numbered_by_where_they_are)
{
    static const uint32_t before[] = {0, 1}, after[] = {0, 1, 0};
    g_autoptr(LaunchList) from = launch_list_new(), to = launch_list_new();
    add_kernel(to, "load");
    add_kernel(from, "store");
    add_kernel(from, "load");
    assert_numbers(from, before, 2);
    launch_list_move_kernels(to, from);
    assert_numbers(to, after, 3);
    ck_assert_uint_eq(from->kernels->len, 0);
    add_kernel(from, "store");
    assert_numbers(from, before, 1);
}
END_TEST

HARNESS_MAIN("kernel", kernels_of_one_name_have_one_number,
             kernels_that_move_are_numbered_by_where_they_are)

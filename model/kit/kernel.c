#include "kit/kernel.h"

void kernel_free(Kernel *kernel)
{
    if (!kernel) return;
    g_free(kernel->name);
    if (kernel->class->free)
        kernel->class->free(kernel);
    else
        g_free(kernel);
}

LaunchList *launch_list_new(void)
{
    LaunchList *list = g_new0(LaunchList, 1);
    list->launches = g_array_new(FALSE, TRUE, sizeof(Launch));
    list->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)kernel_free);
    list->copies = g_array_new(FALSE, TRUE, sizeof(MemoryCopy));
    return list;
}

void launch_list_free(LaunchList *list)
{
    if (!list) return;
    g_array_unref(list->launches);
    g_ptr_array_unref(list->kernels);
    g_array_unref(list->copies);
    g_free(list);
}

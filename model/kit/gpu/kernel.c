#include "kit/gpu/kernel.h"

#include <math.h>
#include <string.h>

static void free_note(gpointer note)
{
    g_free(((KernelNote *)note)->name);
    g_free(note);
}

void kernel_note(Kernel *kernel, NoteKind kind, const char *name)
{
    if (!kernel->notes) kernel->notes = g_ptr_array_new_with_free_func(free_note);
    for (guint i = 0; i < kernel->notes->len; i++) {
        KernelNote *note = kernel->notes->pdata[i];
        if (note->kind != kind || strcmp(note->name, name) != 0) continue;
        note->count++;
        return;
    }
    KernelNote *note = g_new(KernelNote, 1);
    *note = (KernelNote){kind, g_strdup(name), 1};
    g_ptr_array_add(kernel->notes, note);
}

void kernel_free(Kernel *kernel)
{
    if (!kernel) return;
    g_free(kernel->name);
    g_free(kernel->origin);
    g_clear_pointer(&kernel->notes, g_ptr_array_unref);
    if (kernel->class->free)
        kernel->class->free(kernel);
    else
        g_free(kernel);
}

bool kernel_reject(const Kernel *kernel, GError **error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error) *error = g_error_new_valist(KERNEL_ERROR, code, format, arguments);
    va_end(arguments);
    if (kernel->origin) g_prefix_error(error, "%s: ", kernel->origin);
    return false;
}

double kernel_fact(const Kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->fact_count; i++)
        if (!strcmp(kernel->facts[i].name, name)) return kernel->facts[i].value;
    return NAN;
}

static void clear_array(gpointer array)
{
    g_free(((MemoryArray *)array)->name);
}

LaunchList *launch_list_new(void)
{
    LaunchList *list = g_new0(LaunchList, 1);
    list->launches = g_array_new(FALSE, TRUE, sizeof(Launch));
    list->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)kernel_free);
    list->named = g_hash_table_new(g_str_hash, g_str_equal);
    list->copies = g_array_new(FALSE, TRUE, sizeof(MemoryCopy));
    list->commands = g_array_new(FALSE, TRUE, sizeof(HostCommand));
    list->arrays = g_array_new(FALSE, TRUE, sizeof(MemoryArray));
    g_array_set_clear_func(list->arrays, clear_array);
    return list;
}

void launch_list_free(LaunchList *list)
{
    if (!list) return;
    g_array_unref(list->launches);
    g_hash_table_unref(list->named);
    g_ptr_array_unref(list->kernels);
    g_array_unref(list->copies);
    g_array_unref(list->commands);
    g_array_unref(list->arrays);
    g_free(list);
}

void launch_list_add_kernel(LaunchList *list, Kernel *kernel)
{
    const Kernel *same = g_hash_table_lookup(list->named, kernel->name);
    kernel->number = same ? same->number : list->kernels->len;
    if (!same) g_hash_table_insert(list->named, kernel->name, kernel);
    g_ptr_array_add(list->kernels, kernel);
}

void launch_list_move_kernels(LaunchList *to, LaunchList *from)
{
    gsize count;
    g_autofree gpointer *kernels = g_ptr_array_steal(from->kernels, &count);
    g_hash_table_remove_all(from->named);
    for (gsize i = 0; i < count; i++) launch_list_add_kernel(to, kernels[i]);
}

void launch_list_add_array(LaunchList *list, const char *name, uint64_t address, uint64_t bytes)
{
    for (guint i = 0; i < list->arrays->len; i++) {
        const MemoryArray *array = &g_array_index(list->arrays, MemoryArray, i);
        if (array->address == address && array->bytes == bytes) return;
    }
    const MemoryArray array = {g_strdup(name), address, bytes};
    g_array_append_val(list->arrays, array);
}

guint launch_list_together(const LaunchList *list, guint first)
{
    guint end = first + 1;
    while (end < list->launches->len && launch_list_at(list, end)->concurrent) end++;
    return end - first;
}

guint launch_list_measured(const LaunchList *list)
{
    guint measured = 0;
    for (guint i = 0; i < list->launches->len; i++) measured += launch_list_at(list, i)->measured;
    return measured;
}

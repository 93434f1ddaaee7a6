#include "kit/observe/phases.h"

#include "kit/observe/phase_names.h"

typedef struct {
    KernelPhase kernel;  /* of what lies between kernels only the times and sums are used */
    guint left;          /* units that have still to come to its end */
    bool shared;         /* its sums are those of all phases that it is added to, at once */
    PhaseFigures before; /* ... and these are what they were */
} OpenPhase;

struct Phases {
    const LaunchList *launches;
    PhaseLayout layout;
    guint units;
    guint measured_left; /* launches that have not ended */

    /* as announced */
    guint running, running_measured;
    guint group, group_launches; /* the launches that run together */
    bool begun, inside;          /* the region; a kernel's phase */
    bool stopped;                /* the run, within the region */
    bool at_once;                /* all units come to a phase's end together */

    GQueue open; /* of OpenPhase; the last one has no end yet */
    guint first; /* number of the first of them */

    PhaseFigurePlan *figures; /* NULL: not made yet, since not all units are there */
    GArray *kernels;          /* of KernelPhase */
    guint in_region;          /* of these; the others come behind the last measured one's end */
    guint kept[PHASES_KEPT], kept_count; /* of these, those whose sums are kept */
    GArray *names;                       /* of PhaseName */
    GHashTable *name_number;
    PhaseSums *others, *unmeasured, *between; /* NULL: nothing */
    GPtrArray *spare;                         /* of PhaseSums: as many as were in use at once */
};

/* --- names ------------------------------------------------------------------------------------ */

/* Known beforehand: a name that was chosen later would lack its first launches. */
static void choose_names(Phases *phases)
{
    GPtrArray *names = phase_names_choose(phases->launches, PHASE_NAMES);
    for (guint i = 0; i < names->len; i++) {
        const PhaseName name = {.name = names->pdata[i]};
        g_array_append_val(phases->names, name);
        g_hash_table_insert(phases->name_number, name.name, GUINT_TO_POINTER(i + 1));
    }
    g_free(g_ptr_array_free(names, FALSE));
}

char *phases_describe(const Phases *phases, const KernelPhase *kernel)
{
    return phase_name_new(phases->launches, kernel->first, kernel->launches);
}

/* The number of names for one that has none. */
static guint find_name(const Phases *phases, const KernelPhase *kernel)
{
    g_autofree char *name = phases_describe(phases, kernel);
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(phases->name_number, name));
    return found ? found - 1 : phases->names->len;
}

/* --- life ------------------------------------------------------------------------------------- */

static guint count_measured_groups(const LaunchList *list)
{
    guint groups = 0;
    for (guint i = 0, length; i < list->launches->len; i += length) {
        length = launch_list_together(list, i);
        groups += phase_group_is_measured(list, i, length);
    }
    return groups;
}

Phases *phases_new(const LaunchList *launches)
{
    if (!launches || count_measured_groups(launches) < 2) return NULL;
    Phases *phases = g_new0(Phases, 1);
    phases->launches = launches;
    phases->measured_left = launch_list_measured(launches);
    phase_layout_init(&phases->layout);
    g_queue_init(&phases->open);
    phases->kernels = g_array_new(FALSE, TRUE, sizeof(KernelPhase));
    phases->names = g_array_new(FALSE, TRUE, sizeof(PhaseName));
    phases->name_number = g_hash_table_new(g_str_hash, g_str_equal);
    phases->spare = g_ptr_array_new_with_free_func((GDestroyNotify)phase_sums_free);
    choose_names(phases);
    return phases;
}

static void free_open(gpointer data)
{
    OpenPhase *open = data;
    if (!open->shared) phase_sums_free(open->kernel.sums);
    g_free(open);
}

void phases_free(Phases *phases)
{
    if (!phases) return;
    g_queue_clear_full(&phases->open, free_open);
    for (guint i = 0; i < phases->kept_count; i++)
        phase_sums_free(g_array_index(phases->kernels, KernelPhase, phases->kept[i]).sums);
    g_array_unref(phases->kernels);
    g_clear_pointer(&phases->figures, phase_figure_plan_free);
    g_hash_table_unref(phases->name_number);
    for (guint i = 0; i < phases->names->len; i++) {
        PhaseName *name = &g_array_index(phases->names, PhaseName, i);
        g_free(name->name);
        phase_sums_free(name->sums);
    }
    g_array_unref(phases->names);
    phase_sums_free(phases->others);
    phase_sums_free(phases->unmeasured);
    phase_sums_free(phases->between);
    g_ptr_array_unref(phases->spare);
    phase_layout_finish(&phases->layout);
    g_free(phases);
}

PhasePlace phases_add_unit(Phases *phases, const PhaseGroup *group, uint32_t meters)
{
    phases->units++;
    return phase_layout_add(&phases->layout, group, meters);
}

void phases_come_at_once(Phases *phases)
{
    phases->at_once = true;
}

/* --- as announced ----------------------------------------------------------------------------- */

static PhaseSums *new_sums(Phases *phases)
{
    GPtrArray *spare = phases->spare;
    return spare->len ? g_ptr_array_steal_index_fast(spare, spare->len - 1)
                      : phase_sums_new(&phases->layout);
}

static void give_back(Phases *phases, PhaseSums *sums)
{
    phase_sums_clear(sums);
    g_ptr_array_add(phases->spare, sums);
}

static OpenPhase *last_open(const Phases *phases)
{
    return g_queue_peek_tail((GQueue *)&phases->open);
}

/* The last one ends at `at`, and the next begins. */
static void open_next(Phases *phases, Time at)
{
    OpenPhase *last = last_open(phases), *next = g_new0(OpenPhase, 1);
    if (last) last->kernel.until = at;
    next->kernel.from = at;
    next->kernel.until = TIME_NEVER;
    next->left = phases->units;
    g_queue_push_tail(&phases->open, next);
}

static void note_launches(Phases *phases)
{
    KernelPhase *kernel = &last_open(phases)->kernel;
    kernel->first = phases->group;
    kernel->launches = phases->group_launches;
    kernel->measured = phases->running_measured > 0;
}

static PhaseEdge announce_start(Phases *phases, const Boundary *boundary)
{
    const guint index =
        (guint)(boundary->launch - (const Launch *)(void *)phases->launches->launches->data);
    if (!phases->running++) {
        phases->group = index;
        phases->group_launches = 0;
    }
    phases->group_launches++;
    phases->running_measured += boundary->launch->measured;
    phases->begun |= boundary->opens_region;
    if (!phases->begun || !phases->measured_left) return PHASE_GOES_ON;
    const bool begins = !phases->inside;
    if (begins) open_next(phases, boundary->at);
    phases->inside = true;
    note_launches(phases);
    return begins ? PHASE_BEGINS : PHASE_GOES_ON;
}

/* Measured launches decide when a phase ends: what is not measured may run on. */
static PhaseEdge announce_end(Phases *phases, const Boundary *boundary)
{
    phases->running--;
    phases->running_measured -= boundary->launch->measured;
    phases->measured_left -= boundary->launch->measured;
    if (!phases->inside) return PHASE_GOES_ON;
    const bool measured = last_open(phases)->kernel.measured;
    if (measured ? phases->running_measured : phases->running) return PHASE_GOES_ON;
    phases->inside = false;
    open_next(phases, boundary->at);
    return PHASE_ENDS;
}

PhaseEdge phases_announce(Phases *phases, const Boundary *boundary)
{
    return boundary->kind == BOUNDARY_KERNEL_START ? announce_start(phases, boundary)
                                                   : announce_end(phases, boundary);
}

/* --- what is complete ------------------------------------------------------------------------- */

static Time length_of(const KernelPhase *kernel)
{
    return kernel->until - kernel->from;
}

static KernelPhase *kernel_at(const Phases *phases, guint index)
{
    return &g_array_index(phases->kernels, KernelPhase, index);
}

/* Of those that are kept; of equally long ones the last. */
static guint find_shortest(const Phases *phases)
{
    guint shortest = 0;
    for (guint i = 1; i < phases->kept_count; i++)
        if (length_of(kernel_at(phases, phases->kept[i]))
            <= length_of(kernel_at(phases, phases->kept[shortest])))
            shortest = i;
    return shortest;
}

/* Among the longest so far; of equally long ones the first stay. */
static bool is_kept(const Phases *phases, const KernelPhase *kernel)
{
    if (!kernel->measured) return false;
    if (phases->kept_count < PHASES_KEPT) return true;
    const guint shortest = phases->kept[find_shortest(phases)];
    return length_of(kernel) > length_of(kernel_at(phases, shortest));
}

/* The last kernel, in place of the shortest. */
static void keep_last(Phases *phases)
{
    const guint index = phases->kernels->len - 1;
    if (phases->kept_count < PHASES_KEPT) {
        phases->kept[phases->kept_count++] = index;
        return;
    }
    guint *place = &phases->kept[find_shortest(phases)];
    give_back(phases, g_steal_pointer(&kernel_at(phases, *place)->sums));
    *place = index;
}

/* What a phase is added to; its name is known. */
static PhaseSums **sums_of_all(Phases *phases, const KernelPhase *kernel, bool is_kernel)
{
    if (!is_kernel) return &phases->between;
    if (!kernel->measured) return &phases->unmeasured;
    if (kernel->name == phases->names->len) return &phases->others;
    return &g_array_index(phases->names, PhaseName, kernel->name).sums;
}

static PhaseSums *make(Phases *phases, PhaseSums **sums)
{
    if (!*sums) *sums = new_sums(phases);
    return *sums;
}

static PhaseFigures figures_of(Phases *phases, const PhaseSums *sums)
{
    if (!phases->figures) phases->figures = phase_figure_plan_new(&phases->layout);
    return phase_figures(phases->figures, sums);
}

/* What is known of it at its end. */
static void choose_sums(Phases *phases, OpenPhase *open, bool is_kernel)
{
    KernelPhase *kernel = &open->kernel;
    kernel->name = phases->names->len;
    if (is_kernel && kernel->measured) kernel->name = find_name(phases, kernel);
    open->shared = phases->at_once && !(is_kernel && is_kept(phases, kernel));
    if (!open->shared) {
        kernel->sums = new_sums(phases);
        return;
    }
    kernel->sums = make(phases, sums_of_all(phases, kernel, is_kernel));
    if (is_kernel) open->before = figures_of(phases, kernel->sums);
}

/* Returns whether its sums are kept. */
static bool note_kernel(Phases *phases, const OpenPhase *open)
{
    KernelPhase kernel = open->kernel;
    const bool keeps = !open->shared && is_kept(phases, &kernel);
    kernel.figures = figures_of(phases, kernel.sums);
    if (open->shared) phase_figures_subtract(&kernel.figures, &open->before);
    if (!keeps) kernel.sums = NULL;
    g_array_append_val(phases->kernels, kernel);
    if (kernel.measured) phases->in_region = phases->kernels->len;
    if (keeps) keep_last(phases);
    return keeps;
}

static OpenPhase *open_at(const Phases *phases, guint number)
{
    return g_queue_peek_nth((GQueue *)&phases->open, number - phases->first);
}

PhaseSums *phases_sums(Phases *phases, guint number)
{
    OpenPhase *open = open_at(phases, number);
    if (!open->kernel.sums) choose_sums(phases, open, phase_is_kernel(number));
    return open->kernel.sums;
}

static void complete_first(Phases *phases)
{
    const bool is_kernel = phase_is_kernel(phases->first);
    PhaseSums *sums = phases_sums(phases, phases->first);
    OpenPhase *open = g_queue_pop_head(&phases->open);
    phases->first++;
    sums->length += length_of(&open->kernel);
    if (!open->shared)
        phase_sums_merge(make(phases, sums_of_all(phases, &open->kernel, is_kernel)), sums);
    const bool keeps = is_kernel && note_kernel(phases, open);
    if (!open->shared && !keeps) give_back(phases, sums);
    g_free(open);
}

void phases_add_units(Phases *phases, guint number, guint units)
{
    open_at(phases, number)->left -= units;
    while (phases->open.length && !((OpenPhase *)phases->open.head->data)->left)
        complete_first(phases);
}

Time phases_end_of_open(const Phases *phases)
{
    const OpenPhase *first = g_queue_peek_head((GQueue *)&phases->open);
    return first ? first->kernel.until : TIME_NEVER;
}

/* What came until then is all of interest. */
bool phases_stop(Phases *phases, guint number, Time at)
{
    if (!phases->open.length) return false;
    KernelPhase *kernel = &open_at(phases, number)->kernel;
    kernel->until = at;
    kernel->stopped = phases->stopped = true;
    return true;
}

/* --- after a run ------------------------------------------------------------------------------ */

void phases_end(Phases *phases)
{
    g_ptr_array_set_size(phases->spare, 0);
    if (!phases->stopped) g_array_set_size(phases->kernels, phases->in_region);
}

const PhaseLayout *phases_layout(const Phases *phases)
{
    return &phases->layout;
}

const GArray *phases_kernels(const Phases *phases)
{
    return phases->kernels;
}

const GArray *phases_names(const Phases *phases)
{
    return phases->names;
}

const PhaseSums *phases_others(const Phases *phases)
{
    return phases->others;
}

const PhaseSums *phases_unmeasured(const Phases *phases)
{
    return phases->unmeasured;
}

const PhaseSums *phases_between(const Phases *phases)
{
    return phases->between;
}

PhaseSums *phases_sum_measured(const Phases *phases)
{
    if (!phases->unmeasured) return NULL;
    PhaseSums *sums = phase_sums_new(&phases->layout);
    for (guint i = 0; i < phases->names->len; i++) {
        const PhaseName *name = &g_array_index(phases->names, PhaseName, i);
        if (name->sums) phase_sums_merge(sums, name->sums);
    }
    if (phases->others) phase_sums_merge(sums, phases->others);
    if (phases->between) phase_sums_merge(sums, phases->between);
    return sums;
}

#include "kit/observe/phases.h"

#include "kit/observe/phase_names.h"

typedef struct {
    KernelPhase kernel; /* of what lies between kernels only the times and sums are used */
    guint left;         /* units that have still to come to its end */
} OpenPhase;

/* What is known to be part of the region only when another measured kernel has ended. */
typedef struct {
    PhaseSums *sure, *pending; /* NULL: nothing */
} Share;

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

    GQueue open; /* of OpenPhase; the last one has no end yet */
    guint first; /* number of the first of them */

    PhaseFigurePlan *figures; /* NULL: not made yet, since not all units are there */
    GArray *kernels;          /* of KernelPhase */
    guint in_region;          /* of these; the others come behind the last measured one's end */
    guint kept[PHASES_KEPT], kept_count; /* of these, those whose sums are kept */
    GArray *names;                       /* of PhaseName */
    GHashTable *name_number;
    PhaseSums *others;
    Share unmeasured, between;
    GPtrArray *spare; /* of PhaseSums: as many as were in use at once */
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
        length = phase_group_length(list, i);
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

static void free_share(Share *share)
{
    phase_sums_free(share->sure);
    phase_sums_free(share->pending);
}

static void free_open(gpointer data)
{
    phase_sums_free(((OpenPhase *)data)->kernel.sums);
    g_free(data);
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
    free_share(&phases->unmeasured);
    free_share(&phases->between);
    g_ptr_array_unref(phases->spare);
    phase_layout_finish(&phases->layout);
    g_free(phases);
}

PhasePlace phases_add_unit(Phases *phases, const PhaseGroup *group, uint32_t meters)
{
    phases->units++;
    return phase_layout_add(&phases->layout, group, meters);
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
    if (!sums) return;
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

/* The last kernel's sums stay if it is among the longest; of equally long ones the first stay. */
static void keep_longest(Phases *phases)
{
    const guint index = phases->kernels->len - 1;
    KernelPhase *kernel = kernel_at(phases, index);
    if (phases->kept_count < PHASES_KEPT) {
        phases->kept[phases->kept_count++] = index;
        return;
    }
    const guint place = find_shortest(phases);
    KernelPhase *shortest = kernel_at(phases, phases->kept[place]);
    if (length_of(kernel) > length_of(shortest))
        phases->kept[place] = index;
    else
        shortest = kernel;
    give_back(phases, g_steal_pointer(&shortest->sums));
}

static void add_to(Phases *phases, PhaseSums **sums, const PhaseSums *added)
{
    if (!*sums) *sums = new_sums(phases);
    phase_sums_merge(*sums, added);
}

static void add_to_name(Phases *phases, const KernelPhase *kernel)
{
    if (kernel->name == phases->names->len) {
        add_to(phases, &phases->others, kernel->sums);
        return;
    }
    PhaseName *name = &g_array_index(phases->names, PhaseName, kernel->name);
    name->launches++;
    add_to(phases, &name->sums, kernel->sums);
}

/* Takes the sums over. */
static void add_pending(Phases *phases, Share *share, PhaseSums *sums)
{
    if (!share->pending) {
        share->pending = sums;
        return;
    }
    phase_sums_merge(share->pending, sums);
    give_back(phases, sums);
}

static void make_sure(Phases *phases, Share *share)
{
    if (!share->pending) return;
    if (!share->sure) {
        share->sure = g_steal_pointer(&share->pending);
        return;
    }
    phase_sums_merge(share->sure, share->pending);
    give_back(phases, g_steal_pointer(&share->pending));
}

static void complete_kernel(Phases *phases, const OpenPhase *open)
{
    KernelPhase kernel = open->kernel;
    if (!phases->figures) phases->figures = phase_figure_plan_new(&phases->layout);
    kernel.figures = phase_figures(phases->figures, kernel.sums);
    kernel.name = phases->names->len;
    if (!kernel.measured) {
        add_pending(phases, &phases->unmeasured, g_steal_pointer(&kernel.sums));
        g_array_append_val(phases->kernels, kernel);
        return;
    }
    make_sure(phases, &phases->unmeasured);
    make_sure(phases, &phases->between);
    kernel.name = find_name(phases, &kernel);
    add_to_name(phases, &kernel);
    g_array_append_val(phases->kernels, kernel);
    phases->in_region = phases->kernels->len;
    keep_longest(phases);
}

static void complete_first(Phases *phases)
{
    OpenPhase *open = g_queue_pop_head(&phases->open);
    PhaseSums *sums = open->kernel.sums;
    if (!sums) sums = open->kernel.sums = new_sums(phases);
    sums->length = length_of(&open->kernel);
    if (phase_is_kernel(phases->first++))
        complete_kernel(phases, open);
    else
        add_pending(phases, &phases->between, sums);
    g_free(open);
}

static OpenPhase *open_at(const Phases *phases, guint number)
{
    return g_queue_peek_nth((GQueue *)&phases->open, number - phases->first);
}

PhaseSums *phases_sums(Phases *phases, guint number)
{
    OpenPhase *open = open_at(phases, number);
    if (!open->kernel.sums) open->kernel.sums = new_sums(phases);
    return open->kernel.sums;
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
    if (!phases->stopped) {
        g_array_set_size(phases->kernels, phases->in_region);
        return;
    }
    make_sure(phases, &phases->unmeasured);
    make_sure(phases, &phases->between);
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
    return phases->unmeasured.sure;
}

const PhaseSums *phases_between(const Phases *phases)
{
    return phases->between.sure;
}

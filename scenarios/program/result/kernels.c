/* `kernels`, `kernel_names` and what else of a result tells kernels apart. An entry has the members
 * that a brief result of that kernel alone would have: whoever reads a result can read it. */
#include "scenarios/program/result/kernels.h"

#include <math.h>

#include "kit/describe/decimal.h"
#include "kit/describe/role.h"
#include "scenarios/program/result/kernel_parts.h"
#include "scenarios/program/say/json_text.h"

typedef struct {
    const Run *run;
    const Phases *phases;
    Time span; /* of all measured launches */
    JsonBuilder *json;
    GPtrArray *bound; /* of each phase in words, where it is known */
    const char *cache[PHASE_CACHES];
    guint caches;
    PartsMaker maker;
} Writer;

/* --- which launches --------------------------------------------------------------------------- */

static bool *new_choice(const Writer *writer)
{
    return g_new0(bool, writer->run->launches->launches->len);
}

static const Launch *launch_at(const Writer *writer, guint index)
{
    return &g_array_index(writer->run->launches->launches, Launch, index);
}

static void choose(bool *chosen, const KernelPhase *kernel)
{
    for (guint i = 0; i < kernel->launches; i++) chosen[kernel->first + i] = true;
}

static const KernelPhase *kernel_at(const Writer *writer, guint index)
{
    return phases_kernel(writer->phases, index);
}

static bool *new_choice_of_name(const Writer *writer, guint name)
{
    bool *chosen = new_choice(writer);
    for (guint i = 0; i < phases_kernels(writer->phases)->len; i++)
        if (kernel_at(writer, i)->measured && kernel_at(writer, i)->name == name)
            choose(chosen, kernel_at(writer, i));
    return chosen;
}

/* --- one line --------------------------------------------------------------------------------- */

typedef struct {
    Time begin, end;
} Stretch;

/* One that had ended when the run was stopped, although units had still to come to its end, was
 * not. */
static bool was_stopped(const Writer *writer, const KernelPhase *kernel)
{
    const GArray *times = machine_kernel_times(writer->run->machine);
    return kernel->stopped && kernel->first + kernel->launches > times->len;
}

/* From its first CTA until the memory's end of the last launch that is measured; of one that was
 * stopped until then. */
static Stretch stretch_of(const Writer *writer, const KernelPhase *kernel)
{
    const GArray *times = machine_kernel_times(writer->run->machine);
    Stretch stretch = {TIME_NEVER, 0};
    for (guint i = kernel->first; i < MIN(kernel->first + kernel->launches, times->len); i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        stretch.begin = MIN(stretch.begin, time->start);
        if (kernel->measured && !time->launch->measured) continue;
        stretch.end = MAX(stretch.end, time->end);
    }
    return stretch.end && !was_stopped(writer, kernel) ? stretch
                                                       : (Stretch){kernel->from, kernel->until};
}

/* Names of the caches that summaries tell of, in the order of the figures. */
static void list_caches(Writer *writer)
{
    const PhaseLayout *layout = phases_layout(writer->phases);
    for (guint i = 0; i < layout->groups->len; i++) {
        const Stat *stats = phase_layout_group(layout, i)->stats;
        const Stat *stat = stat_with_role(stats, ROLE(member), NULL);
        for (; stat && writer->caches < PHASE_CACHES;
             stat = stat_with_role(stat + 1, ROLE(member), NULL))
            writer->cache[writer->caches++] = stat->member;
    }
}

static char *name_rate(const Writer *writer, guint cache)
{
    return g_strconcat(writer->cache[cache], "_hit_rate", NULL);
}

/* Not a number: there were no accesses. */
static double hit_rate(const PhaseFigures *figures, guint cache)
{
    const uint64_t of = figures->cache[cache].of;
    return of ? (double)figures->cache[cache].hits / (double)of : NAN;
}

static void put_rates(const Writer *writer, const PhaseFigures *figures)
{
    for (guint i = 0; i < writer->caches; i++) {
        if (!figures->cache[i].of) continue;
        g_autofree char *name = name_rate(writer, i);
        json_put_real(writer->json, name, hit_rate(figures, i));
    }
}

static double gigabytes(uint64_t bytes, Time span)
{
    return aggregate_ratio((double)bytes, time_to_ns(span));
}

static double dram_gigabytes(const Writer *writer, const PhaseFigures *figures, Time span)
{
    const uint64_t bytes = figures->dram_bytes;
    return gigabytes(bytes, result_dram_span(writer->run, bytes, span));
}

/* Warp instructions an SM and cycle. */
static double rate_of_instructions(const Writer *writer, const PhaseFigures *figures, Time span)
{
    const Machine *machine = writer->run->machine;
    const double cycles = time_to_cycles(machine_clock(machine, "core"), span);
    return aggregate_ratio((double)figures->instructions,
                           cycles * (double)machine_params(machine)->sms);
}

static void put_figures(const Writer *writer, const PhaseFigures *figures, Time span)
{
    json_put_real(writer->json, "time_ns", time_to_ns(span));
    json_put_real(writer->json, "time_share", aggregate_ratio((double)span, (double)writer->span));
    json_put_real(writer->json, "requested_gbps", gigabytes(figures->requested_bytes, span));
    json_put_real(writer->json, "dram_gbps", dram_gigabytes(writer, figures, span));
    put_rates(writer, figures);
    json_put_real(writer->json, "instructions_per_cycle",
                  rate_of_instructions(writer, figures, span));
}

static void put_place(const Writer *writer, const KernelPhase *kernel)
{
    const Stretch stretch = stretch_of(writer, kernel);
    json_put_number(writer->json, "launch", launch_at(writer, kernel->first)->number);
    if (kernel->launches > 1) json_put_number(writer->json, "launches", kernel->launches);
    json_put_bool(writer->json, "measured", kernel->measured);
    if (was_stopped(writer, kernel)) json_put_bool(writer->json, "finished", FALSE);
    json_put_real(writer->json, "begin_ns", time_to_ns(stretch.begin));
    json_put_real(writer->json, "end_ns", time_to_ns(stretch.end));
    put_figures(writer, &kernel->figures, stretch.end - stretch.begin);
}

static void put_name(const Writer *writer, const KernelPhase *kernel)
{
    g_autofree char *name = phases_describe(writer->phases, kernel);
    json_put_text(writer->json, "name", name);
}

/* --- everything of it ------------------------------------------------------------------------- */

/* What bounds the launches of a name is told of each that has no verdict of its own. */
static void note_bound(const Writer *writer, guint kernel, const char *bound)
{
    gpointer *noted = &writer->bound->pdata[kernel];
    if (!*noted) *noted = g_strdup(bound);
}

static void put_verdict(const Writer *writer, const Verdict *verdict, const bool *launches)
{
    for (guint i = 0; i < writer->bound->len; i++)
        if (launches[kernel_at(writer, i)->first]) note_bound(writer, i, verdict->bound);
    json_put_text(writer->json, "bound", verdict->bound);
    json_put_text(writer->json, "verdict", verdict->sentence);
}

static void put_kernel(const Writer *writer, const KernelPhase *kernel)
{
    g_autofree bool *chosen = new_choice(writer);
    choose(chosen, kernel);
    g_autoptr(KernelParts) parts = kernel_parts_new(&writer->maker, kernel->sums, chosen, false);
    json_builder_begin_object(writer->json);
    put_name(writer, kernel);
    put_place(writer, kernel);
    put_verdict(writer, parts->verdict, chosen);
    kernel_parts_put(parts, writer->json);
    json_builder_end_object(writer->json);
}

static void put_kernels(const Writer *writer)
{
    const GArray *kernels = phases_kernels(writer->phases);
    json_builder_set_member_name(writer->json, "kernels");
    json_builder_begin_array(writer->json);
    for (guint i = 0; i < kernels->len; i++)
        if (kernel_at(writer, i)->sums) put_kernel(writer, kernel_at(writer, i));
    json_builder_end_array(writer->json);
}

/* --- names ------------------------------------------------------------------------------------ */

static void add_figures(PhaseFigures *into, const PhaseFigures *from)
{
    into->instructions += from->instructions;
    into->requested_bytes += from->requested_bytes;
    into->dram_bytes += from->dram_bytes;
    into->written_back_bytes += from->written_back_bytes;
    into->dram_written_bytes += from->dram_written_bytes;
    for (guint i = 0; i < PHASE_CACHES; i++) {
        into->cache[i].hits += from->cache[i].hits;
        into->cache[i].of += from->cache[i].of;
    }
}

/* All launches of a name. */
typedef struct {
    PhaseFigures figures;
    Time span;
    guint launches;
} NameSums;

static NameSums sum_name(const Writer *writer, guint name)
{
    NameSums sums = {.span = 0};
    for (guint i = 0; i < phases_kernels(writer->phases)->len; i++) {
        const KernelPhase *kernel = kernel_at(writer, i);
        if (!kernel->measured || kernel->name != name) continue;
        const Stretch stretch = stretch_of(writer, kernel);
        sums.span += stretch.end - stretch.begin;
        add_figures(&sums.figures, &kernel->figures);
        sums.launches++;
    }
    return sums;
}

static void put_sums(const Writer *writer, const NameSums *sums)
{
    json_put_number(writer->json, "launches", sums->launches);
    put_figures(writer, &sums->figures, sums->span);
}

/* The one launch of a name, among `kernels`. */
static bool is_kept(const Writer *writer, guint name)
{
    for (guint i = 0; i < phases_kernels(writer->phases)->len; i++)
        if (kernel_at(writer, i)->name == name && kernel_at(writer, i)->sums) return true;
    return false;
}

static void put_kernel_name(const Writer *writer, guint number, const PhaseName *name)
{
    const NameSums sums = sum_name(writer, number);
    const bool several = sums.launches > 1;
    g_autofree bool *chosen = new_choice_of_name(writer, number);
    g_autoptr(KernelParts) parts = kernel_parts_new(&writer->maker, name->sums, chosen, several);
    json_builder_begin_object(writer->json);
    json_put_text(writer->json, "name", name->name);
    put_sums(writer, &sums);
    put_verdict(writer, parts->verdict, chosen);
    if (several || !is_kept(writer, number)) kernel_parts_put(parts, writer->json);
    json_builder_end_object(writer->json);
}

static void put_kernel_names(const Writer *writer)
{
    const GArray *names = phases_names(writer->phases);
    json_builder_set_member_name(writer->json, "kernel_names");
    json_builder_begin_array(writer->json);
    for (guint i = 0; i < names->len; i++) {
        const PhaseName *name = &g_array_index(names, PhaseName, i);
        if (name->sums) put_kernel_name(writer, i, name);
    }
    json_builder_end_array(writer->json);
}

/* --- all, a line each ------------------------------------------------------------------------- */

static void put_columns(const Writer *writer)
{
    static const char *const columns[] = {"name",     "launch",    "measured",
                                          "begin_ns", "end_ns",    "time_share",
                                          "bound",    "dram_gbps", "instructions_per_cycle"};
    json_builder_set_member_name(writer->json, "columns");
    json_builder_begin_array(writer->json);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        json_builder_add_string_value(writer->json, columns[i]);
    for (guint i = 0; i < writer->caches; i++) {
        g_autofree char *name = name_rate(writer, i);
        json_builder_add_string_value(writer->json, name);
    }
    json_builder_end_array(writer->json);
}

static void write_row(const Writer *writer, JsonWriter *rows, guint number)
{
    const KernelPhase *kernel = kernel_at(writer, number);
    const Stretch stretch = stretch_of(writer, kernel);
    const Time span = stretch.end - stretch.begin;
    const char *bound = writer->bound->pdata[number];
    g_autofree char *name = phases_describe(writer->phases, kernel);
    JsonWriter row = json_open_row(rows, NULL);
    json_write_text(&row, NULL, name);
    json_write_integer(&row, NULL, (gint64)launch_at(writer, kernel->first)->number);
    json_write_bool(&row, NULL, kernel->measured);
    json_write_real(&row, NULL, time_to_ns(stretch.begin));
    json_write_real(&row, NULL, time_to_ns(stretch.end));
    json_write_real(&row, NULL, aggregate_ratio((double)span, (double)writer->span));
    json_write_text(&row, NULL, bound ? bound : "");
    json_write_real(&row, NULL, dram_gigabytes(writer, &kernel->figures, span));
    json_write_real(&row, NULL, rate_of_instructions(writer, &kernel->figures, span));
    for (guint i = 0; i < writer->caches; i++)
        json_write_real(&row, NULL, hit_rate(&kernel->figures, i));
    json_end(&row, ']');
}

/* How deep `rows` lies in a result. */
enum { ROWS_DEPTH = 2 };

/* Where all are among `kernels` it would say the same again. */
static void put_kernel_rows(const Writer *writer)
{
    const guint count = phases_kernels(writer->phases)->len;
    if (count <= PHASES_KEPT) return;
    GString *text = g_string_new(NULL);
    JsonWriter rows = json_begin(text, '[', ROWS_DEPTH);
    for (guint i = 0; i < count; i++) write_row(writer, &rows, i);
    json_end(&rows, ']');
    json_builder_set_member_name(writer->json, "kernel_rows");
    json_builder_begin_object(writer->json);
    put_columns(writer);
    json_put_written(writer->json, "rows", text);
    json_builder_end_object(writer->json);
}

/* --- the rest --------------------------------------------------------------------------------- */

/* Ends what has been begun. */
static void put_parts(const Writer *writer, const PhaseSums *sums)
{
    g_autoptr(KernelParts) parts = kernel_parts_new(&writer->maker, sums, NULL, true);
    kernel_parts_put(parts, writer->json);
    json_builder_end_object(writer->json);
}

static void put_rest(const Writer *writer, const char *name, const PhaseSums *sums)
{
    if (!sums) return;
    json_builder_set_member_name(writer->json, name);
    json_builder_begin_object(writer->json);
    json_put_real(writer->json, "time_ns", time_to_ns(sums->length));
    put_parts(writer, sums);
}

/* Launches of further names. */
static void put_others(const Writer *writer)
{
    const PhaseSums *others = phases_others(writer->phases);
    if (!others) return;
    const NameSums sums = sum_name(writer, phases_names(writer->phases)->len);
    json_builder_set_member_name(writer->json, "others");
    json_builder_begin_object(writer->json);
    put_sums(writer, &sums);
    put_parts(writer, others);
}

static void put_kernel_rest(const Writer *writer)
{
    json_builder_set_member_name(writer->json, "kernel_rest");
    json_builder_begin_object(writer->json);
    put_others(writer);
    put_rest(writer, "unmeasured", phases_unmeasured(writer->phases));
    put_rest(writer, "between", phases_between(writer->phases));
    json_builder_end_object(writer->json);
}

JsonNode *result_kernels(const Run *run, ResultExtent extent)
{
    const Phases *phases = simulation_phases(machine_simulation(run->machine));
    if (!phases || !phases_kernels(phases)->len) return NULL;
    g_autoptr(GPtrArray) bound = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(JsonBuilder) json = json_builder_new();
    g_ptr_array_set_size(bound, (gint)phases_kernels(phases)->len);
    const Time span = machine_measured_span(run->machine, NULL) + run_unfinished_span(run);
    Writer writer = {.run = run, .phases = phases, .span = span, .json = json, .bound = bound};
    parts_maker_init(&writer.maker, run);
    list_caches(&writer);
    json_builder_begin_object(json);
    put_kernels(&writer);
    put_kernel_names(&writer);
    if (extent == RESULT_WHOLE) put_kernel_rows(&writer);
    put_kernel_rest(&writer);
    parts_maker_finish(&writer.maker);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

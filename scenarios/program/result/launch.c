#include "kit/observe/phase_names.h"
#include "platform/machine/residency.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* --- of which it is told ---------------------------------------------------------------------- */

static Time span_of(const KernelTime *time)
{
    return time->end - time->start;
}

/* The longest first; of equal ones the earlier. */
static gint compare_spans(gconstpointer a, gconstpointer b)
{
    const KernelTime *x = *(const KernelTime *const *)a, *y = *(const KernelTime *const *)b;
    if (span_of(x) != span_of(y)) return span_of(x) < span_of(y) ? 1 : -1;
    return x < y ? -1 : 1;
}

bool *result_launches_told(const GArray *times)
{
    g_autoptr(GPtrArray) longest = g_ptr_array_new();
    bool *told = g_new0(bool, times->len + 1);
    for (guint i = 0; i < times->len; i++)
        g_ptr_array_add(longest, &g_array_index(times, KernelTime, i));
    g_ptr_array_sort(longest, compare_spans);
    for (guint i = 0; i < MIN(longest->len, LAUNCHES_TOLD); i++)
        told[(const KernelTime *)longest->pdata[i] - (const KernelTime *)(void *)times->data] =
            true;
    return told;
}

/* --- what is told ----------------------------------------------------------------------------- */

static void put_limits(JsonBuilder *json, const Residency *residency)
{
    json_builder_set_member_name(json, "limits");
    json_builder_begin_object(json);
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (residency->by[i] != OCCUPANCY_ANY)
            json_put_number(json, residency_limit_names[i].key, residency->by[i]);
    json_builder_end_object(json);
}

static void put_limited_by(JsonBuilder *json, const Residency *residency)
{
    json_builder_set_member_name(json, "limited_by");
    json_builder_begin_array(json);
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (residency_limited_by(residency, i))
            json_builder_add_string_value(json, residency_limit_names[i].key);
    json_builder_end_array(json);
}

static void put_residency(JsonBuilder *json, const Residency *residency, const Kernel *kernel)
{
    json_put_number(json, "registers_per_thread", kernel->registers_per_thread);
    json_put_number(json, "shared_bytes_per_cta", kernel->shared_bytes_per_cta);
    json_put_number(json, "ctas_per_sm", residency->ctas);
    put_limited_by(json, residency);
    put_limits(json, residency);
    if (residency->next != OCCUPANCY_ANY)
        json_put_number(json, "next_ctas_per_sm", residency->next);
    json_put_real(json, "waves", residency->waves);
    json_put_real(json, "full_wave_gain", residency_full_wave_gain(residency));
}

/* Shares of the time of all SMs, of one SM, and of all places for such CTAs. */
static void put_spread(JsonBuilder *json, const Residency *residency, const KernelTime *time)
{
    const CtaSpread *spread = &time->spread;
    const double span = (double)(time->end - time->start);
    const double sms = (double)residency->sms * span;
    const double drain = (double)(time->end - time->issued) / span; /* no SM has a CTA */
    json_put_number(json, "sms_with_ctas", spread->sms);
    json_put_number(json, "most_ctas_of_an_sm", spread->most);
    json_put_number(json, "least_ctas_of_an_sm", spread->least);
    if (time->end <= time->start) return;
    json_put_real(json, "head_share", (double)spread->before / sms);
    json_put_real(json, "tail_share", (double)spread->after / sms - drain);
    json_put_real(json, "drain_share", drain);
    json_put_real(json, "longest_sm_share", (double)spread->longest / span);
    json_put_real(json, "mean_sm_share",
                  1 - ((double)spread->before + (double)spread->after) / sms);
    json_put_real(json, "places_taken_share",
                  (double)spread->stayed / ((double)residency->places * span));
}

JsonNode *result_launch(const Machine *machine, const Launch *launch, const KernelTime *time)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    const Residency residency = machine_residency(machine, launch);
    json_builder_begin_object(json);
    put_residency(json, &residency, launch->kernel);
    if (time) put_spread(json, &residency, time);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* --- which ran -------------------------------------------------------------------------------- */

static guint number_at(const GArray *launches, guint index)
{
    return g_array_index(launches, Launch, index).number;
}

static bool is_told(const LaunchList *list, guint index)
{
    return !list->in_place || g_array_index(list->launches, Launch, index).measured;
}

/* Of those that are told and follow each other: behind the last one. */
static guint end_of_told(const LaunchList *list, guint first)
{
    const guint number = number_at(list->launches, first);
    guint end = first;
    while (end < list->launches->len && is_told(list, end)
           && number_at(list->launches, end) == number + end - first)
        end++;
    return end;
}

/* "3-7, 9" */
static char *list_numbers(const LaunchList *list)
{
    GString *text = g_string_new(NULL);
    for (guint first = 0, end; first < list->launches->len; first = MAX(end, first + 1)) {
        const guint number = number_at(list->launches, first);
        end = end_of_told(list, first);
        if (end == first) continue;
        g_string_append_printf(text, "%s%u", text->len ? ", " : "", number);
        if (end - first > 1) g_string_append_printf(text, "-%u", number + end - first - 1);
    }
    return g_string_free(text, FALSE);
}

static bool any_is_beside(const LaunchList *list)
{
    for (guint i = 0; i < list->launches->len; i++)
        if (phase_launch_is_beside(list, i)) return true;
    return false;
}

void result_put_chosen(JsonBuilder *json, const LaunchList *launches)
{
    if (launches->launches->len >= launches->total && !launches->in_place) return;
    g_autofree char *numbers = list_numbers(launches);
    json_builder_set_member_name(json, "chosen");
    json_builder_begin_object(json);
    json_put_text(json, "kernels", numbers);
    json_put_number(json, "of", launches->total);
    if (launches->in_place) json_put_bool(json, "in_place", true);
    if (any_is_beside(launches)) json_put_bool(json, "beside", true);
    json_builder_end_object(json);
}

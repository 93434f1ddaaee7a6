#include "platform/machine/first_level.h"

#include <string.h>

#include "kit/describe/quantity.h"

#define AUTOMATIC UINT64_MAX

static const Param first_level_params[] = {
    PARAM_NUMBER(FirstLevel, array, PARAM_BYTES, "0 B", 0, 16777216,
                 "unified array of L1 and shared memory; 0 B: each has an array of its own, "
                 "l1.capacity and sm.shared_memory",
                 .perfect = PERFECT(IN("l1_capacity", ">= 4 MiB", .only_if = "array != 0 B")),
                 .doubling = TWICE),
    PARAM_NUMBER(FirstLevel, reserved, PARAM_BYTES, "0 B", 0, 16777216,
                 "of the unified array: what neither of the two can use",
                 .only_if = "array != 0 B"),
    PARAM_STRING(FirstLevel, carve_outs, "16 KiB, 32 KiB, 48 KiB",
                 "sizes that shared memory can have in the unified array, ascending",
                 .only_if = "array != 0 B"),
    PARAM_STRING(
        FirstLevel, carve_out, "automatic",
        "one of carve_outs, or automatic: for each kernel the smallest that does not limit "
        "its CTAs on an SM",
        .only_if = "array != 0 B"),
    PARAM_END};

const ParamGroup first_level_group = {
    .name = "first_level",
    .summary = "division of an SM's memory array into shared memory and L1",
    .params = first_level_params};

static bool reject(GError **error, const char *key, const char *value, const char *reason)
{
    g_set_error(error, PARAM_ERROR, 0, "first_level.%s = %s: %s", key, value, reason);
    return false;
}

static bool parse_bytes(const char *text, uint64_t *bytes)
{
    static const Param bytes_param = {
        .name = "carve_outs", .type = PARAM_BYTES, .default_text = "0 B", .maximum = 16777216};
    return param_parse(&bytes_param, text, bytes, NULL);
}

static bool read_sizes(FirstLevel *self, GError **error)
{
    g_auto(GStrv) words = g_strsplit(self->carve_outs, ",", -1);
    self->sizes = 0;
    for (char **word = words; *word; word++) {
        uint64_t bytes;
        if (!parse_bytes(g_strstrip(*word), &bytes))
            return reject(error, "carve_outs", self->carve_outs,
                          "not a list of sizes like '0 B, 16 KiB, 32 KiB'");
        if (self->sizes && bytes <= self->size[self->sizes - 1])
            return reject(error, "carve_outs", self->carve_outs, "the sizes do not ascend");
        if (bytes + self->reserved >= self->array)
            return reject(error, "carve_outs", self->carve_outs,
                          "a size leaves L1 nothing of the array without what is reserved");
        if (self->sizes == CARVE_OUTS_MAX)
            return reject(error, "carve_outs", self->carve_outs, "more than 32 sizes");
        self->size[self->sizes++] = bytes;
    }
    return self->sizes || reject(error, "carve_outs", self->carve_outs, "there is no size");
}

static bool read_choice(FirstLevel *self, GError **error)
{
    self->fixed = AUTOMATIC;
    if (!strcmp(self->carve_out, "automatic")) return true;
    uint64_t bytes;
    if (parse_bytes(self->carve_out, &bytes))
        for (uint32_t i = 0; i < self->sizes; i++)
            if (self->size[i] == bytes) {
                self->fixed = bytes;
                return true;
            }
    g_autofree char *reason =
        g_strdup_printf("neither 'automatic' nor one of carve_outs (%s)", self->carve_outs);
    return reject(error, "carve_out", self->carve_out, reason);
}

bool first_level_setup(FirstLevel *self, GError **error)
{
    return !self->array || (read_sizes(self, error) && read_choice(self, error));
}

/* --- L1's part -------------------------------------------------------------------------------- */

static uint64_t left_to_l1(const FirstLevel *self, uint64_t shared)
{
    return self->array - self->reserved - shared;
}

static uint64_t most_shared(const FirstLevel *self)
{
    return self->fixed != AUTOMATIC ? self->fixed : self->size[self->sizes - 1];
}

bool first_level_size(const FirstLevel *self, Unit *l1, uint64_t line_bytes, GError **error)
{
    const DividedCache *cache = l1->class->divided;
    if (!self->array || !cache) return true;
    const bool has_ways = unit_number(l1, cache->ways, PARAM_COUNT);
    const uint64_t sets = has_ways ? 1 : unit_number(l1, cache->sets, PARAM_COUNT);
    const uint64_t set_line = sets * line_bytes;
    const bool is_fixed = self->fixed != AUTOMATIC;
    const uint64_t most = most_shared(self);
    const uint64_t least = is_fixed ? self->fixed : self->size[0];
    if (left_to_l1(self, most) < set_line) {
        g_autofree char *reason =
            g_strdup_printf("%" G_GUINT64_FORMAT " B of shared memory leave L1 %" G_GUINT64_FORMAT
                            " B of array without reserved, less than a line of %" G_GUINT64_FORMAT
                            " B (machine.line_bytes) for each of %" G_GUINT64_FORMAT
                            " sets (%s.%s, where %s.%s = 0)",
                            most, left_to_l1(self, most), line_bytes, sets, l1->class->name,
                            cache->sets, l1->class->name, cache->ways);
        return is_fixed ? reject(error, "carve_out", self->carve_out, reason)
                        : reject(error, "carve_outs", self->carve_outs, reason);
    }
    *(uint64_t *)(uintptr_t)unit_parameter(l1, cache->capacity, PARAM_BYTES) =
        left_to_l1(self, least) / set_line * set_line;
    return true;
}

/* --- by launch -------------------------------------------------------------------------------- */

/* CTAs of the kernel that an SM holds with this much shared memory; 0: not one. */
static uint64_t count_ctas(OccupancyLimits limits, const Kernel *kernel, uint64_t shared_bytes)
{
    limits.shared_bytes = shared_bytes;
    return occupancy_ctas(&limits, kernel, NULL, NULL);
}

static uint64_t choose(const FirstLevel *self, OccupancyLimits sm, const Kernel *kernel)
{
    const uint64_t largest = most_shared(self);
    if (self->fixed != AUTOMATIC) return largest;
    const uint64_t ctas = count_ctas(sm, kernel, largest);
    if (!ctas) return largest;
    uint32_t i = 0;
    while (i + 1 < self->sizes && count_ctas(sm, kernel, self->size[i]) < ctas) i++;
    return self->size[i];
}

/* Launches that run side by side have one division: the largest that one of them chooses. */
void first_level_divide(const FirstLevel *self, OccupancyLimits sm, LaunchList *launches)
{
    if (!self->array) return;
    for (guint first = 0, end; first < launches->launches->len; first = end) {
        uint64_t shared = choose(self, sm, launch_list_at(launches, first)->kernel);
        end = first + launch_list_together(launches, first);
        for (guint i = first + 1; i < end; i++)
            shared = MAX(shared, choose(self, sm, launch_list_at(launches, i)->kernel));
        for (guint i = first; i < end; i++) {
            launch_list_at(launches, i)->shared_carve_out = shared;
            launch_list_at(launches, i)->shared_most = most_shared(self);
            launch_list_at(launches, i)->l1_capacity = left_to_l1(self, shared);
        }
    }
}

/* The DRAM parts that come with the program, read as the program reads them. Numbers are places in
 * the sorted list of platform/dram. */
#pragma once

#include "rig.h"

#include "kit/describe/quantity.h"
#include "platform/machine/shared_groups.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/dram_part.h"

typedef struct {
    char name[32];
    DramTiming timing;
    double burst; /* cycles of the data bus */
    double gap;   /* cycles from burst to burst of a stream that alternates between groups */
} Part;

/* Hz that a part states. */
static inline uint64_t clock_of_part(const Configuration *configuration)
{
    const Setting *setting = configuration_find(configuration, "machine", "dram_clock");
    const char *unit;
    uint64_t hertz = 0;
    ck_assert_int_eq(quantity_read(PARAM_FREQUENCY, setting->value, &hertz, &unit), QUANTITY_OK);
    return hertz;
}

/* As it is shipped. */
static inline Part read_part(int number)
{
    g_autofree char *directory = catalogue_part_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    Part part = {.name = ""};
    g_strlcpy(part.name, names[number], sizeof part.name);
    g_autoptr(Configuration) configuration = configuration_new();
    g_autoptr(GError) error = NULL;
    ck_assert_msg(dram_part_select(configuration, part.name, NULL, 0, &error)
                      && configuration_apply(configuration, &dram_group, &part.timing, &error)
                      && shared_groups_settle(&part.timing, clock_of_part(configuration), &error),
                  "%s", error ? error->message : "");
    param_clear(dram_group.params, &part.timing); /* its texts only */
    const DramTiming *t = &part.timing;
    part.burst = (double)t->burst_length / (double)t->data_rate;
    part.gap = MAX(part.burst, (double)t->tCCD_S);
    part.gap = MAX(part.gap, (double)t->tCCD_L / (double)t->interleaved_groups);
    return part;
}

static inline int count_parts(void)
{
    g_autofree char *directory = catalogue_part_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    return (int)g_strv_length(names);
}

/* Without refresh. */
static inline Part part_without_refresh(int number)
{
    Part part = read_part(number);
    part.timing.refresh = DRAM_REFRESH_OFF;
    return part;
}

static inline uint64_t bytes_of_burst(const DramTiming *timing)
{
    return timing->channel_width * timing->burst_length;
}

static inline Part find_part(const char *name)
{
    for (int i = 0; i < count_parts(); i++) {
        Part part = part_without_refresh(i);
        if (!strcmp(part.name, name)) return part;
    }
    ck_abort_msg("no part %s", name);
    return (Part){.name = ""};
}

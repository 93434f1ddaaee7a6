/* The scenario language: a machine, a workload and the variants of both, from INI text with
 * `extends=` and overrides. */
#pragma once

#include <stdbool.h>

#include "kit/describe/configuration.h"
#include "kit/gpu/kernel.h"
#include "platform/machine/machine.h"

typedef struct {
    char *name; /* also the folder of its results; the first one is "baseline" */
    Configuration *configuration;
} Variant;

typedef struct {
    char *title;
    char *file;
    bool template_only;  /* `baseline = no`: the first variant is only what the others start from */
    GPtrArray *variants; /* of Variant; never empty */
    char *machine; /* what the baseline starts from, a preset or the full path of a file; or NULL */
    /* `[study]` of the file and of the scenarios that it extends, the keys as they are written;
     * empty when there is none */
    Configuration *study;
} Scenario;

/* Reads the file, what it extends, and `sets` ("group.key=value", NULL-terminated or NULL), which
 * go over everything else. `path` may be the name of a scenario in the catalogue. The error says
 * file:line, the value, the nearest valid name. */
Scenario *scenario_load(const char *path, const char *const *sets, GError **error);
/* The same with `upper` (may be NULL), settings that go over everything and keep their places:
 * parameters, `dram.part` and `scenario.extends`. */
Scenario *scenario_load_under(const char *path, const char *const *sets, const Configuration *upper,
                              GError **error);
void scenario_free(Scenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Scenario, scenario_free)

/* The variant of that name; the error names the nearest one. */
const Variant *scenario_find_variant(const Scenario *scenario, const char *name, GError **error);
/* The same, or without a name (NULL) the first that is to be run. */
const Variant *scenario_choose_variant(const Scenario *scenario, const char *name, GError **error);

/* Whether a scenario may have such a group; the error names the nearest one. */
bool scenario_check_group(const char *name, GError **error);

/* Every key known, every value in its range, machine and workload plausible. */
bool variant_check(const Variant *variant, GError **error);

/* The same of the machine alone. */
bool variant_check_machine(const Variant *variant, GError **error);

/* Every key known; nothing is said of values. */
bool variant_check_names(const Variant *variant, GError **error);

/* Names the settings that an error of the variant is about, each with its place. Returns false. */
bool variant_locate_error(const Variant *variant, GError **error);

/* The launches of the variant's workload. Relative file names in it are relative to the file they
 * are written in, from --set to the present folder. */
LaunchList *variant_build_launches(const Variant *variant, GError **error);

/* The machine as a run has it before its first event, good for nothing else; it takes over the
 * launches, which are the variant's, or NULL. */
Machine *variant_try(const Variant *variant, LaunchList *launches, GError **error);

/* Everything that can be said without simulating: the same, with names and launches checked. */
Machine *variant_try_launches(const Variant *variant, GError **error);

/* Whether a group is the machine's: all but the workload's are. */
bool variant_is_machine_group(const char *group);

/* Whether nothing is said of a workload. */
bool variant_is_machine(const Variant *variant);

/* Whether the parameter's value is the name of a file. */
bool variant_reads_file(const char *group, const char *key);

/* Writes the names of files that it reads as absolute ones. */
void variant_make_files_absolute(Variant *variant);

/* The settings that are the machine's. */
Configuration *variant_machine_configuration(const Variant *variant);

/* `[simulation] seed`; the configuration has been checked. */
uint64_t variant_seed(const Variant *variant);

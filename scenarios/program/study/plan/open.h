/* A plan without a design: points are added one after the other, each with a configuration of its
 * own, by who chooses the next ones when the last have been run. Nothing is written. */
#pragma once

#include "scenarios/program/language/scenario.h"
#include "scenarios/program/study/plan/manifest.h"

typedef struct OpenPlan OpenPlan;

/* Of the scenario's variant of that name; its keys hold for this build of the program only. Both
 * must outlive it. */
OpenPlan *open_plan_new(const Scenario *scenario, const char *variant);
void open_plan_free(OpenPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OpenPlan, open_plan_free)

/* Takes over the configuration, whose file names are absolute. False with error when it cannot be
 * resolved, or a file that it names cannot be read. */
bool open_plan_add(OpenPlan *plan, Configuration *configuration, guint *point, GError **error);

/* It grows with every point. */
const Manifest *open_plan_manifest(const OpenPlan *plan);

/* The point's configuration, and all its values: of ResolvedValue. */
const Configuration *open_plan_configuration(const OpenPlan *plan, guint point);
const GPtrArray *open_plan_values(const OpenPlan *plan, guint point);

/* What --set says to come from one point to another: "mmu.enabled=no"; of char *, newly allocated. */
GPtrArray *open_plan_changes(const OpenPlan *plan, guint from, guint to);

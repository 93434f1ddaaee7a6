/* The plan of a study, written once and never changed: what its points are, and a key for each.
 *
 * DIRECTORY/manifest.jsonl has a line of JSON for the study, one for each base (a resolved
 * configuration that points start from), one for each point, and one at the end with the number of
 * lines and the SHA-256 of the text before it. A point needs nothing but its base and the values
 * of its dimensions: later changes to the scenario do not reach a planned study. */
#pragma once

#include "kit/describe/configuration.h"

#define STUDY_ERROR (g_quark_from_static_string("warpmem-study"))

enum { MANIFEST_SCHEMA_VERSION = 1, KEY_LENGTH = 32 };

/* One column of the plan: a parameter that varies. */
typedef struct {
    char *name;     /* "l2_slice.capacity", or "variant", "scenario.extends" */
    char *baseline; /* the scenario's own value, canonical */
    /* the value has gone into the points' bases and is not set again: variants, presets, parts */
    bool structural;
    char *file; /* where the study names it, for messages; NULL: the command line */
    int line;
} Dimension;

/* A result that the study makes of others and of parameters. */
typedef struct {
    char *name; /* "cost" */
    char *expression;
    char *unit;   /* "bits"; "" */
    char *better; /* "lower", "higher", "neither" */
    char *summary;
} Derived;

/* A file that a base's workload or platform reads. */
typedef struct {
    char *path;   /* absolute */
    char *sha256; /* of its content */
} BaseFile;

typedef struct {
    char *variant;
    Configuration *configuration; /* file names in it are absolute */
    GPtrArray *files;             /* of BaseFile */
} Base;

typedef struct {
    char key[KEY_LENGTH + 1]; /* hexadecimal; points that are the same run have the same one */
    guint base;
    guint replication; /* from 0 */
    guint64 seed;      /* simulation.seed */
    char **values;     /* canonical, one for each dimension */
    char *role;        /* what the design says of it (design.h); "" */
} Point;

typedef struct {
    char *title;
    char *scenario; /* the file, as it was named */
    char *program;  /* "warpmem 0.1.0" */
    char *build;    /* the program's build identifier; segments of others are refused */
    char *design;   /* "grid" ... */
    guint64 seed;   /* of the design */
    guint replications;
    bool peak_power;       /* points have that result */
    GPtrArray *statistics; /* of char *: "l1.refused_prt"; results beside the usual ones */
    GPtrArray *derived;    /* of Derived, each made of those before it */
    guint planned;         /* of them, the plan's; others are of own_results.h */
    GPtrArray *dimensions; /* of Dimension */
    GPtrArray *bases;      /* of Base */
    GPtrArray *points;     /* of Point */
    char *identity;        /* of the whole file, hexadecimal; NULL before it is written or read */
    char *own_identity;    /* of own_results.h */
} Manifest;

Manifest *manifest_new(void);
void manifest_free(Manifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Manifest, manifest_free)

/* New members, owned by the manifest; the caller fills their strings with what may be freed. */
Dimension *manifest_add_dimension(Manifest *manifest);
Derived *manifest_add_derived(Manifest *manifest);
Base *manifest_add_base(Manifest *manifest);
Point *manifest_add_point(Manifest *manifest);

/* Writes DIRECTORY/manifest.jsonl, complete or not at all; makes the folder if need be. Fails if
 * there is another manifest already; one with the same content is left as it is. */
bool manifest_write(Manifest *manifest, const char *directory, GError **error);

/* NULL with error when there is none, or it is not complete, or of another schema. Has results that
 * were defined later. */
Manifest *manifest_read(const char *directory, GError **error);
/* Of the file as it is, newly allocated; NULL when there is none. */
char *manifest_identity(const char *directory);

/* Whether the folder has one: it is a study's. */
bool manifest_exists(const char *directory);

/* The values of the point's dimensions, but for those that its base has. */
void manifest_set_values(const Manifest *manifest, const Point *point,
                         Configuration *configuration);
/* The point's configuration, newly allocated: its base with its values and its seed. */
Configuration *manifest_configuration(const Manifest *manifest, const Point *point);

/* "l2_slice.capacity = 96 KiB, variant = chase, replication 1", newly allocated. */
char *manifest_describe_values(const Manifest *manifest, const Point *point);

/* The position of a dimension, or -1. */
int manifest_find_dimension(const Manifest *manifest, const char *name);

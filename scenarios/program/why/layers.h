/* Bounds in layers: what gains most when it is perfect; and with that perfect, what then; and so
 * on. */
#pragma once

#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/why/probe.h"

/* A change of a layer's machine. */
typedef struct {
    const PerfectComponent *component; /* which is perfect, or which the step relieves */
    char *parameter, *from, *to;       /* what is changed; NULL: the component is perfect */
    guint point;
    double gain;        /* share of the layer's time that is gone; NaN: see `probe` */
    const Probe *probe; /* NULL: it was not tried */
} Candidate;

/* Components that gain much more together than one by one. */
typedef struct {
    GPtrArray *components; /* of const PerfectComponent *: the most strained first */
    guint point;           /* all of them are perfect */
    double gain;
    /* What is full of them, each twice as large or fast; NULL: some of it cannot be, or that was
     * not tried. */
    Candidate *twice;
} Together;

typedef struct {
    guint point; /* the machine with the bounds of the layers before perfect */
    const Probe *probe;
    GPtrArray *perfect; /* of Candidate: the greatest gain first, then what has none */
    /* of Candidate, likewise: steps towards what gains most */
    GPtrArray *doublings;
    GPtrArray *choices; /* ... other designs of a part */
    /* Of `perfect`: what gains most by itself, or most of those that together gain more than twice
     * as much; NULL: nothing gains enough. */
    const Candidate *bound;
    GPtrArray *beside;  /* of `perfect`, not owned: no part of the bound, and gain much of it */
    const Part *part;   /* see layer_find_part */
    Together *together; /* NULL: what is strained gains no more together */
} Layer;

typedef struct {
    OpenPlan *plan;
    Trials *trials;
    GPtrArray *layers; /* of Layer; the first has a probe with a time */
} Layers;

/* Less is no bound. */
#define LAYER_LEAST_GAIN 0.01

/* What gains so many times as much together as its best part does is the answer, whatever that part
 * gains. */
#define LAYER_HELD_UP 2

/* What nobody has stated of what bounds the layer, where the verdict names the same as the trial:
 * "rests on mmu.walkers = 32, a default that v100 does not state"; NULL: nothing is known. */
const char *layer_rests(const Layer *layer);

/* NULL: it was not tried, or has no time. */
const Candidate *layer_find_tried(const Layer *layer, const PerfectComponent *component);

/* What was strained of the layer's bound; of a component of components, of what gains most by
 * itself, unless that is little of the whole. NULL: nothing that can be full. */
const Part *layer_find_part(const Layer *layer);

/* Asks at most `most` times. The variant is the scenario's and has been checked. False with error
 * when the machine as it is has no time; what was found before an end of the trials stays. */
bool layers_ask(Layers *layers, const Scenario *scenario, const Variant *variant,
                const TrialSettings *settings, guint most, GError **error);
void layers_finish(Layers *layers);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Layers, layers_finish)

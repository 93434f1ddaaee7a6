/* What is kept of a run that asks why another takes its time: how long it took, what bound it, and
 * which parts were strained. As text it is one line of JSON. */
#pragma once

#include "scenarios/program/study/trials/trials.h"

/* A perfect component, by the resource of it that was strained most. */
typedef struct {
    char *component;
    char *resource; /* "mmu.ports"; `title` in words */
    char *title;
    bool server;
    double strain; /* how busy it was, or how full */
    char *link;    /* SimGrid's name of the busiest, of a network; NULL: it has none */
    double link_strain;
} Part;

/* What was full: the component that relieves it, how full it was, and the parameters that it rests
 * on, names as "l1.data_ports". */
typedef struct {
    char *component;
    double strain;
    char **rests_on;
} FullResource;

/* Of traffic at a set rate, whose time is set as well, `time_ns` is its mean latency. */
typedef struct {
    double time_ns;
    double area_mm2, power_w; /* of SRAM; on average; NaN: the run has none */
    bool latency;
    bool rejected;  /* its input was bad */
    char *problem;  /* why there is no time; else NULL */
    char *verdict;  /* the sentence */
    char *chain;    /* NULL: there is none */
    char *rests;    /* "rests on mmu.walkers = 32, a default ..."; NULL: all of it is stated */
    char **classes; /* of units that can be full, "l1": the machine has some */
    GArray *parts;  /* of Part: the verdict's, its neighbours, then the others by strain */
    GArray *full;   /* of FullResource, by strain */
} Probe;

/* Trials whose answers are probes. */
const TrialForm *probe_form(void);

/* Whether the machine of a probe has units of the class, as far as is known. */
bool probe_has(const char *class, gconstpointer probe);

/* The part of the component; NULL: nothing of it can be full. */
const Part *probe_find(const Probe *probe, const char *component);

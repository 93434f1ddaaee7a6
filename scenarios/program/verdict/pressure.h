/* Everything of a run that can be full, and where each hands on what it holds: the way along which
 * pressure comes back to the warps. */
#pragma once

#include <json-glib/json-glib.h>

#include "platform/machine/channels.h"
#include "platform/machine/machine.h"

typedef struct {
    char *name;  /* "l1.prt", of a network "crossbar[request].outputs" */
    char *title; /* "pending request table"; of a channel "way from l1 to mmu" */
    const UnitClass *class;
    const ResourceRow *row;    /* NULL: a channel */
    const ChannelRow *channel; /* NULL: a row */
    gboolean server;
    double capacity, mean, use, full; /* of one instance; shares of 1 */
    double refused;
    const char *busiest; /* path of the busiest instance; NULL: there is one */
    double most_use, most_full;
    char *link;    /* SimGrid's name of the busiest, a link of a network; NULL: it has none */
    GArray *next;  /* pressure_next; NULL: nobody has asked */
    unsigned runs; /* of UnitRuns, that the run of all of them may be; 0: the same */
    guint number;  /* of its use, where it is one of a list of them */
} Pressure;

/* Of Pressure *, in the order of the result, which must outlive it; empty where the result has
 * none. */
GPtrArray *pressure_list(JsonNode *result);

/* Of the resources of a machine, which were as full as this says: again and again, of each phase.
 * `fills` must outlive what is done with the list. */
GPtrArray *pressure_list_of(const GArray *table);
void pressure_fill(GPtrArray *list, const GArray *fills);

/* Those of the list that it waits for when it is full: of guint, places in the list. */
const GArray *pressure_next(const GPtrArray *list, const Pressure *pressure);

/* What `other` does is part of what keeps `pressure` busy: both are of one unit. */
gboolean pressure_refuses(const Pressure *other, const Pressure *pressure);

/* How much of the time it could take no more: of a server how busy it is. Of the busiest instance
 * if that is more. */
double pressure_strain(const Pressure *pressure);

/* As if all were as busy as they are on average. */
Pressure pressure_of_all(const Pressure *pressure);

/* Its busiest instance is the bound, not all of them. */
bool pressure_is_uneven(const Pressure *pressure);

/* The perfect component that relieves it; NULL: none is known. */
const char *pressure_component(const Pressure *pressure);

/* The one that makes a channel shorter, which then needs less room; NULL: none does. */
const char *pressure_of_length(const Pressure *pressure);

/* Name of what a summary shows, newly allocated: "DRAM bus", "request network"; NULL: it does
 * not. */
char *pressure_headline(const Pressure *pressure);

/* That, or else its title, newly allocated. */
char *pressure_words(const Pressure *pressure);

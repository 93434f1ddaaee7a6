/* Traffic as a workload has it: the one kernel of its list, of which nothing runs on an SM. */
#pragma once

#include "kit/traffic/traffic.h"
#include "workloads/generator.h"

/* Takes over what `traffic` owns. `offered` is bytes a second that it asks for, 0: not known. */
void traffic_launch(LaunchList *list, const char *name, const Traffic *traffic, double offered);

/* Bytes of one request, which are whole sectors of a line. */
bool traffic_check_bytes(uint64_t bytes, const char *key, const WorkloadContext *context,
                         GError **error);

/* The machine's shape is part of the traffic. */
bool traffic_check_machine(const WorkloadContext *context, GError **error);

/* The file of a key, "file", newly allocated; NULL with error: there is none. */
char *traffic_find_file(const char *name, const WorkloadContext *context, GError **error);
/* Appends it, if one is named. */
bool traffic_list_file(const char *name, const WorkloadContext *context, GPtrArray *files,
                       GError **error);

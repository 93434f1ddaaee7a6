/* What a run keeps of all of its completed requests, for reports: of each request class how latency
 * is distributed and, in each bucket of that distribution, its stages; sums by instruction and by
 * array; the slowest requests themselves. A tile has one of its own, and what it keeps goes into
 * the run's at the ends of measured kernels. All of it commutes: sums, maxima, and the best
 * of a total order. */
#pragma once

#include "kit/observe/profile_plan.h"
#include "kit/observe/request_table.h"
#include "kit/observe/timeline.h"

enum { PROFILE_SLOWEST = 32 };

/* Of one class. The sums of its buckets are those of the class. */
typedef struct {
    Time minimum, maximum;
    uint32_t used;
    uint16_t bucket[HISTOGRAM_BUCKETS]; /* that hold any, in no order */
    StageSums sums[HISTOGRAM_BUCKETS];
} RequestDistribution;

typedef struct {
    const ProfilePlan *plan;
    RequestDistribution **class; /* by number; NULL: no request yet */
    RequestTable table;
    TimelineHeap slowest;
} Profile;

Profile *profile_new(const ProfilePlan *plan);
void profile_free(Profile *profile);

/* Forgets everything, at a cost that depends on how much that is. */
void profile_clear(Profile *profile);

/* The stages go to the request's sums, too. False: its times decrease somewhere. */
bool profile_record(Profile *profile, unsigned class, const CompletedRequest *request);

void profile_merge(Profile *into, const Profile *from);

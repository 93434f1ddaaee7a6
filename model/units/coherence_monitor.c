/* An observer of what caches of SMs that are not coherent do to a program: loads that hit a copy
 * which another SM has overwritten meanwhile, or its own past the texture unit's cache, and writes
 * of several SMs to the same place.
 *
 *   L2 slices ──────from_l2[j]──────> [last write of each sector] ──> counts, and the lines that
 *   L1s ────────────from_l1[i]──────>                                 are worst
 *   texture units ──from_texture[i]─>
 *   coalescers ──from_coalescer[i]──>
 *
 * Each L1, and each texture unit and request coalescer with a cache of its own, tells of every line
 * that a load hits, with the time at which each sector was read at its slice; an L1 that keeps
 * global stores of these; each slice tells of every write as it does it. The paths to the monitor
 * are equally long, so what it hears is in the order of what happened. It sends nothing and holds
 * up nobody: with it or without, the rest of the machine does the same.
 *
 * Not modelled: data. What is watched is sectors; two SMs that write different bytes of one sector
 * count as a conflict and are counted apart. Sources: L1 caches of NVIDIA GPUs are not coherent
 * (Aamodt, Fung, Rogers 2018, 4.1). */
#include "kit/engine/unit.h"
#include "kit/gpu/access_report.h"
#include "parts/address/frames.h"
#include "parts/cache/write_history.h"
#include "parts/sm/coalescer.h"

typedef struct {
    Unit unit;
    PortArray from_l2, from_l1, from_texture, from_coalescer;
    const LineShape *line;
    const Frames *pages;

    bool enabled;

    uint64_t reports, hits, writes, kept_stores, stale_hits, stale_lines;
    uint64_t conflicting_writes, partial_conflicts, conflicting_lines;
    Histogram stale_age;
    Ranking stalest, most_conflicting;

    WriteHistory history;
    uint64_t epoch;                    /* since the statistics were last set to zero */
    Time kernel_start, previous_start; /* a report may come after the next kernel's start */
} CoherenceMonitor;

static const Param params[] = {PARAM_SWITCH(CoherenceMonitor, enabled, "no",
                                            "no: nothing is reported, and nothing is counted"),
                               PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(CoherenceMonitor, reports, STAT_COUNT, NULL, "hits and writes heard of"),
    STAT_NUMBER(CoherenceMonitor, hits, STAT_COUNT, NULL,
                "loads that hit L1, the texture unit's cache or a request coalescer's"),
    STAT_NUMBER(CoherenceMonitor, writes, STAT_COUNT, NULL, "stores and atomics that L2 did"),
    STAT_NUMBER(CoherenceMonitor, kept_stores, STAT_COUNT, NULL,
                "lines of stores that L1s kept (l1.global_write = back)"),
    STAT_NUMBER(CoherenceMonitor, stale_hits, STAT_COUNT, NULL,
                "hits on a sector that another SM had written since it was read at L2, or the same "
                "SM past the cache that was hit",
                .suspect = "stale hits"),
    STAT_NUMBER(CoherenceMonitor, stale_lines, STAT_COUNT, NULL, "lines with such hits"),
    STAT_NUMBER(CoherenceMonitor, conflicting_writes, STAT_COUNT, NULL,
                "writes of a sector that another SM had written in the same kernel",
                .suspect = "conflicting writes"),
    STAT_NUMBER(CoherenceMonitor, partial_conflicts, STAT_COUNT, NULL,
                "of these, writes where only parts of sectors are written: perhaps other bytes"),
    STAT_NUMBER(CoherenceMonitor, conflicting_lines, STAT_COUNT, NULL, "lines with such writes"),
    STAT_DISTRIBUTION(CoherenceMonitor, stale_age, NULL, "from the write to the stale hit"),
    STAT_TOP_LIST(CoherenceMonitor, stalest, "lines with the most stale hits, by virtual address",
                  .part_of = "stale_hits"),
    STAT_TOP_LIST(CoherenceMonitor, most_conflicting,
                  "lines with the most conflicting writes, by virtual address",
                  .part_of = "conflicting_writes"),
    STAT_END};

/* At one time, writes are seen before hits. */
static const PortRow ports[] = {
    PORT_INPUTS(CoherenceMonitor, from_l2, "writes"),
    PORT_INPUTS(CoherenceMonitor, from_l1, "hits"),
    PORT_INPUTS(CoherenceMonitor, from_texture, "hits in texture units' own caches"),
    PORT_INPUTS(CoherenceMonitor, from_coalescer, "hits in request coalescers' caches"), PORT_END};

static const SharedRow shared[] = {SHARED(CoherenceMonitor, line), SHARED(CoherenceMonitor, pages),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    CoherenceMonitor *self = (CoherenceMonitor *)unit;
    if (self->enabled)
        write_history_init(&self->history, self->line->line_bytes / self->line->sector_bytes);
    return true;
}

static void teardown(Unit *unit)
{
    write_history_finish(&((CoherenceMonitor *)unit)->history);
}

/* The line, with its counts of the present epoch. */
static WrittenLine *line_at(CoherenceMonitor *self, uint32_t index)
{
    WrittenLine *line = &self->history.lines[index];
    if (line->epoch != self->epoch) *line = (WrittenLine){.line = line->line, .epoch = self->epoch};
    return line;
}

/* --- hits ------------------------------------------------------------------------------------- */

/* The SM's own stores are in its copy, where they passed the cache that has it. They leave none
 * behind in a request coalescer, where it is a read that came to L2 before them. */
static bool has_own(const SectorWrite *write, const AccessReport *hit)
{
    return write->writer == hit->source && write->in_texture_unit == hit->in_texture_unit
           && !hit->behind_l1;
}

static bool misses_write(const SectorWrite *write, const AccessReport *hit, Time read_at)
{
    return write->written && !has_own(write, hit) && write->at > read_at && write->at < hit->at;
}

/* What an L1 keeps is in no other copy, whenever that was read. */
static bool misses_kept(const SectorWrite *write, const AccessReport *hit)
{
    return write->kept && (write->keeper != hit->source || hit->in_texture_unit)
           && write->kept_at < hit->at;
}

/* When the latest of what the copy lacks was written; 0: the copy is good. */
static Time missed_write(const CoherenceMonitor *self, const AccessReport *hit, uint32_t index)
{
    Time missed = 0;
    for (uint32_t s = 0; s < self->history.sectors_per_line; s++) {
        if (!(hit->sectors >> s & 1)) continue;
        const SectorWrite *write = write_history_sector(&self->history, index, s);
        if (misses_write(write, hit, hit->read_at[s])) missed = MAX(missed, write->at);
        if (misses_kept(write, hit)) missed = MAX(missed, write->kept_at);
    }
    return missed;
}

static void see_hit(CoherenceMonitor *self, const AccessReport *hit)
{
    self->hits++;
    const uint32_t index = write_history_find(&self->history, hit->line);
    if (index == WRITE_HISTORY_NONE) return;
    const Time missed = missed_write(self, hit, index);
    if (!missed) return;
    WrittenLine *line = line_at(self, index);
    self->stale_hits++;
    self->stale_lines += !line->stale_hits++;
    histogram_add(&self->stale_age, hit->at - missed);
    ranking_raise(&self->stalest, frames_virtual(self->pages, hit->line), line->stale_hits);
}

/* --- writes ----------------------------------------------------------------------------------- */

static Time start_of_kernel(const CoherenceMonitor *self, Time at)
{
    return at >= self->kernel_start ? self->kernel_start : self->previous_start;
}

/* Atomics of several SMs are in order by themselves. */
static bool conflicts(const CoherenceMonitor *self, const SectorWrite *earlier,
                      const AccessReport *write)
{
    return earlier->written && earlier->writer != write->source
           && earlier->at >= start_of_kernel(self, write->at)
           && !(earlier->atomic && write->kind == REPORT_ATOMIC);
}

/* L2 has what was kept until the write left. */
static void note_write(SectorWrite *sector, const AccessReport *write, bool partial)
{
    const bool brings = sector->keeper == write->source && sector->kept_at <= write->left;
    sector->at = write->at;
    sector->writer = write->source;
    sector->written = true;
    sector->partial = partial;
    sector->atomic = write->kind == REPORT_ATOMIC;
    sector->in_texture_unit = write->in_texture_unit;
    sector->kept = sector->kept && !brings;
}

static void see_write(CoherenceMonitor *self, const AccessReport *write)
{
    const uint32_t index = write_history_find_or_add(&self->history, write->line);
    bool conflict = false, whole = false;
    self->writes++;
    for (uint32_t s = 0; s < self->history.sectors_per_line; s++) {
        if (!(write->sectors >> s & 1)) continue;
        SectorWrite *sector = write_history_sector(&self->history, index, s);
        const bool partial = write->kind == REPORT_ATOMIC || (write->partial >> s & 1);
        if (conflicts(self, sector, write)) {
            conflict = true;
            whole |= !partial || !sector->partial;
        }
        note_write(sector, write, partial);
    }
    if (!conflict) return;
    WrittenLine *line = line_at(self, index);
    self->conflicting_writes++;
    self->partial_conflicts += !whole;
    self->conflicting_lines += !line->conflicts++;
    ranking_raise(&self->most_conflicting, frames_virtual(self->pages, write->line),
                  line->conflicts);
}

static void see_kept(CoherenceMonitor *self, const AccessReport *store)
{
    const uint32_t index = write_history_find_or_add(&self->history, store->line);
    self->kept_stores++;
    for (uint32_t s = 0; s < self->history.sectors_per_line; s++) {
        if (!(store->sectors >> s & 1)) continue;
        SectorWrite *sector = write_history_sector(&self->history, index, s);
        sector->kept = true;
        sector->keeper = store->source;
        sector->kept_at = store->at;
    }
}

static void see(CoherenceMonitor *self, const AccessReport *report)
{
    if (!self->reports++) self->epoch++;
    switch ((ReportKind)report->kind) {
    case REPORT_HIT: see_hit(self, report); break;
    case REPORT_KEPT: see_kept(self, report); break;
    case REPORT_WRITE:
    case REPORT_ATOMIC: see_write(self, report); break;
    }
}

static void step(Unit *unit, Time now)
{
    CoherenceMonitor *self = (CoherenceMonitor *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        Message *message;
        while ((message = port_take(unit->ports[unit->fresh[k]], now))) {
            see(self, (const AccessReport *)message);
            unit_free_message(unit, message);
        }
    }
}

static Counted boundary(Unit *unit, const Boundary *boundary)
{
    CoherenceMonitor *self = (CoherenceMonitor *)unit;
    if (boundary->kind != BOUNDARY_KERNEL_START) return COUNTED_NOTHING;
    self->previous_start = self->kernel_start;
    self->kernel_start = boundary->at;
    return COUNTED_NOTHING;
}

const UnitClass coherence_monitor_class = {
    .name = "coherence_monitor",
    .summary = "counts stale hits and conflicting writes of SMs' caches that are not coherent",
    .per = PER_MACHINE,
    .clock = CLOCK_CORE,
    .place = PLACE_SHARED,
    .path = "coherence_monitor",
    .size = sizeof(CoherenceMonitor),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .boundary = boundary};

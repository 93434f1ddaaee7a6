/* The request coalescer's cache: a read whose sectors are all there is answered from here. */
#include "kit/gpu/access_report.h"
#include "parts/sparse.h"
#include "units/request_coalescer/private.h"

static bool reject_capacity(const RequestCoalescer *self, GError **error)
{
    g_set_error(error, PARAM_ERROR, 0,
                "request_coalescer.capacity = %" G_GUINT64_FORMAT
                " B: not a whole number of sets of %" G_GUINT64_FORMAT
                " ways of lines of %u B (machine.l2_line_bytes or machine.line_bytes)",
                self->capacity, self->ways, self->line->line_bytes);
    return false;
}

bool coalescer_cache_init(RequestCoalescer *self, GError **error)
{
    if (!self->capacity) return true;
    const uint64_t sets = coalescer_sets(self, self->line->line_bytes);
    if (!sets || sets * self->ways * self->line->line_bytes != self->capacity)
        return reject_capacity(self, error);
    self->ports_of_tags = self->lookups;
    self->arrays = 1;
    tag_array_init(&self->tags,
                   &(TagArrayShape){.sets = sets,
                                    .ways = self->ways,
                                    .set_index = (SetIndex)self->set_index,
                                    .replacement = (ReplacementPolicy)self->replacement,
                                    .candidates = self->candidates,
                                    .seed = unit_random(&self->unit)});
    evicted_tags_init(&self->evicted, sets * self->ways);
    if (channel_connected(&self->to_monitor))
        self->read_at = SPARSE_ARRAY(Time, sets * self->ways * SECTORS_MAX);
    return true;
}

void coalescer_cache_finish(RequestCoalescer *self)
{
    while (self->hits_ahead.first)
        unit_free_message(&self->unit, message_list_take(&self->hits_ahead));
    if (self->tags.lines) tag_array_finish(&self->tags);
    evicted_tags_finish(&self->evicted);
    sparse_free(self->read_at);
}

void coalescer_cache_empty(RequestCoalescer *self)
{
    tag_array_invalidate(&self->tags);
    evicted_tags_forget(&self->evicted);
    self->invalidations++;
}

static uint32_t find(const RequestCoalescer *self, uint64_t line)
{
    return tag_array_find(&self->tags, line / self->line->line_bytes);
}

static uint64_t bytes_of(const RequestCoalescer *self, uint16_t sectors)
{
    return (uint64_t)__builtin_popcount(sectors) * self->line->sector_bytes;
}

/* --- look-ups --------------------------------------------------------------------------------- */

/* The array is read from some time of the cycle on in which its line is looked up. */
bool coalescer_cache_ready(RequestCoalescer *self, Time now)
{
    const Time cycle = self->unit.clock->period;
    if (self->looked_up == self->lookups) {
        unit_wake_at(&self->unit, now + cycle);
        return false;
    }
    if (self->array_free < now + cycle) return true;
    unit_wake_at(&self->unit, clock_ceil(self->unit.clock, self->array_free - cycle + 1));
    return false;
}

uint32_t coalescer_cache_find(const RequestCoalescer *self, const Transaction *read)
{
    const uint32_t place = find(self, read->line);
    const bool all = place != TAG_NONE && !(read->sectors & ~self->tags.lines[place].valid);
    return all ? place : TAG_NONE;
}

void coalescer_cache_look_up(RequestCoalescer *self, Time now)
{
    self->looked_up++;
    self->tag_lookups++;
    server_book_share(&self->tag_ports, now, self->unit.clock->period, self->lookups);
}

/* For the coherence monitor; to whoever gets the data it is as old as the oldest of it. */
static void report_hit(RequestCoalescer *self, Transaction *read, uint32_t place, Time now)
{
    const Time *read_at = &self->read_at[(uint64_t)place * SECTORS_MAX];
    AccessReport *report = access_report_of_hit(
        &self->unit.messages, &(AccessedSectors){{read->line, now}, read->source, read->sectors},
        read_at);
    report->in_texture_unit = read->for_texture;
    report->behind_l1 = true;
    channel_send(&self->to_monitor, &report->message, now);
    read->read_at = TIME_NEVER;
    for (uint32_t rest = read->sectors; rest; rest &= rest - 1)
        read->read_at = MIN(read->read_at, read_at[__builtin_ctz(rest)]);
}

void coalescer_cache_hit(RequestCoalescer *self, Transaction *read, uint32_t place, Time now)
{
    const uint64_t bytes = bytes_of(self, read->sectors);
    const Time took = bytes * self->unit.clock->period / self->data_bandwidth;
    coalescer_cache_look_up(self, now);
    tag_array_touch(&self->tags, place);
    server_book(&self->data_array, MAX(now, self->array_free), took);
    self->array_free = MAX(now, self->array_free) + took;
    self->accesses++;
    self->hits++;
    self->hit_bytes += bytes;
    read->served_by = SERVED_SHARED_L1;
    if (self->read_at) report_hit(self, read, place, now);
    transaction_enter(read, STAGE_L1_TAG, now);
    read->entered = now + clock_cycles(self->unit.clock, self->hit_latency);
    level_enter(&self->leaving, now);
    message_list_append(&self->hits_ahead, &read->message);
    unit_wake_at(&self->unit, read->entered);
}

/* --- what is there ---------------------------------------------------------------------------- */

void coalescer_cache_write(RequestCoalescer *self, const Transaction *write)
{
    const uint32_t place = find(self, write->line);
    if (place == TAG_NONE) return;
    TagLine *line = &self->tags.lines[place];
    self->written_over += (line->valid & write->sectors) != 0;
    line->valid &= (uint16_t)~write->sectors;
}

static uint32_t make_place(RequestCoalescer *self, uint64_t line)
{
    const uint32_t place = tag_array_victim(&self->tags, line);
    const TagLine *old = &self->tags.lines[place];
    self->evictions += old->used;
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, line, old->used, old->line);
    tag_array_replace(&self->tags, place, line);
    return place;
}

void coalescer_cache_fill(RequestCoalescer *self, const Transaction *reply, uint16_t sectors)
{
    if (!sectors || !coalescer_cache_concerns(reply)) return;
    uint32_t place = find(self, reply->line);
    if (place == TAG_NONE)
        place = make_place(self, reply->line / self->line->line_bytes);
    else
        tag_array_touch(&self->tags, place);
    self->tags.lines[place].valid |= sectors;
    self->fill_bytes += bytes_of(self, sectors);
    if (!self->read_at) return;
    const Time at = transaction_read_at(reply);
    for (uint32_t rest = sectors; rest; rest &= rest - 1)
        self->read_at[(uint64_t)place * SECTORS_MAX + (uint32_t)__builtin_ctz(rest)] = at;
}

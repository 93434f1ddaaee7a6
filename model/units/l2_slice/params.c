/* The L2 slice's parameters, and which of them go together. */
#include "units/l2_slice/private.h"

static const char *const completions[] = {"out_of_order", "in_order", "blocking", NULL};
static const char *const partial_writes[] = {"fetch", "mask", "bypass", NULL};
static const char *const written_data[] = {"scheduler", "line", "store_queue", NULL};
static const char *const cleans_ahead[] = {"none", "row", NULL};

#define STORE_QUEUE .only_if = "written_data = store_queue"
#define PAGED .only_if = "paging.mode = demand"

const Param l2_slice_params[] = {
    PARAM_NUMBER(L2Slice, capacity, PARAM_BYTES, "96 KiB", 1024, 268435456,
                 "bytes of data of one slice", .perfect = PERFECT(IN("l2_capacity", ">= 4 MiB")),
                 .doubling = TWICE),
    PARAM_NUMBER(L2Slice, ways, PARAM_COUNT, "16", 1, 1024,
                 "ways; the sets follow from the capacity"),
    PARAM_ONE_OF(L2Slice, replacement, replacement_names, "lru", "which line of a set goes next",
                 .relieves = "l2_capacity"),
    PARAM_NUMBER(L2Slice, candidates, PARAM_COUNT, "5", 1, 64, "lines sampled_lru draws",
                 .only_if = "replacement = sampled_lru"),
    PARAM_NUMBER(L2Slice, hit_latency, PARAM_CYCLES, "31 cycles", 1, 10000,
                 "tag look-up and data array of a hit",
                 .perfect = PERFECT(IN("l2_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, miss_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "tag look-up until a miss leaves", .perfect = PERFECT(IN("l2_latency", "1 cycle")),
                 .doubling = HALF),
    PARAM_NUMBER(L2Slice, fill_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "from the fill until its data may leave",
                 .perfect = PERFECT(IN("l2_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles in which lookups_per_interval requests are looked up",
                 .perfect = PERFECT(IN("l2_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L2Slice, lookups_per_interval, PARAM_COUNT, "1", 1, 64,
                 "requests looked up in lookup_interval",
                 .perfect = PERFECT(IN("l2_bandwidth", "64")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, data_bandwidth, PARAM_BANDWIDTH, "32 B/cycle", 1, 4096,
                 "bytes a data port reads a cycle; other than whole sectors: on average",
                 .perfect = PERFECT(IN("l2_bandwidth", ">= 4096 B/cycle")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, data_ports, PARAM_COUNT, "1", 1, 64,
                 "accesses that each port of array_ports serves side by side",
                 .perfect = PERFECT(IN("l2_bandwidth", "64")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, fill_bytes, PARAM_BYTES, "64 B", 16, 512,
                 "aligned bytes a miss fetches at least"),
    PARAM_NUMBER(L2Slice, pending_entries, PARAM_COUNT, "192", 1, 65536, "outstanding fills",
                 .perfect = PERFECT(IN("l2_pending", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(L2Slice, pending_merges, PARAM_COUNT, "64", 0, 65536,
                 "further requests that may wait for one fill",
                 .perfect = PERFECT(IN("l2_pending", ">= 65536")), .doubling = TWICE),
    PARAM_ONE_OF(L2Slice, completion, completions, "out_of_order",
                 "whether requests proceed under misses, and when their replies leave",
                 .perfect = PERFECT(IN("l2_pending", "out_of_order")), .relieves = "l2_pending"),
    PARAM_NUMBER(L2Slice, reply_entries, PARAM_COUNT, "64", 1, 65536,
                 "in_order: replies that may wait for earlier ones", .doubling = TWICE,
                 .only_if = "completion = in_order"),
    PARAM_NUMBER(L2Slice, load_queue_entries, PARAM_COUNT, "0", 0, 65536,
                 "misses that wait for room in front of the scheduler; 0: the head waits",
                 .perfect = PERFECT(IN("l2_pending", ">= 16384")), .doubling = TWICE),
    PARAM_ONE_OF(L2Slice, written_data, written_data, "scheduler",
                 "where evicted data waits for its write: with it, in the line, in a store queue",
                 .perfect =
                     PERFECT(IN("l2_pending", "scheduler", .only_if = "written_data = line")),
                 .relieves = "l2_pending scheduler_queue"),
    PARAM_NUMBER(L2Slice, clean_ways, PARAM_COUNT, "4", 1, 1024,
                 "line: ways of a set that stores leave clean or begin to write",
                 .only_if = "written_data = line"),
    PARAM_ONE_OF(L2Slice, clean_ahead, cleans_ahead, "none",
                 "scheduler: what is written with a written line that is evicted or would be next: "
                 "nothing, or the other written lines of its DRAM row; they stay",
                 .relieves = "dram_bandwidth dram_timing dram"),
    PARAM_NUMBER(L2Slice, clean_rows, PARAM_COUNT, "16", 1, 1024,
                 "clean_ahead: rows that wait to be written", .only_if = "clean_ahead = row"),
    PARAM_NUMBER(L2Slice, store_queue_entries, PARAM_COUNT, "16", 1, 1024,
                 "store_queue: evicted lines that wait for their write or its end",
                 .perfect = PERFECT(IN("l2_pending", ">= 1024", STORE_QUEUE)), .doubling = TWICE,
                 STORE_QUEUE),
    PARAM_NUMBER(
        L2Slice,
        store_data_sectors, PARAM_COUNT, "0", 0, 65536,
        "store_queue: sectors of data in the store data queue, beside as many addresses as "
        "store_queue_entries; 0: a line for each",
        .perfect = PERFECT(IN("l2_pending", "0", STORE_QUEUE)), .doubling = TWICE, STORE_QUEUE),
    PARAM_NUMBER(L2Slice, store_queue_threshold, PARAM_COUNT, "8", 0, 1024,
                 "store_queue: with more entries writes go before waiting misses", STORE_QUEUE),
    PARAM_ONE_OF(L2Slice, partial_write, partial_writes, "fetch",
                 "a store of a part of a sector fetches the rest, keeps a mask, or goes past L2",
                 .relieves = "dram_bandwidth dram_timing dram"),
    PARAM_NUMBER(L2Slice, address_bits, PARAM_COUNT, "40", 32, 64,
                 "bits of a physical address, for what a queue costs"),
    PARAM_ONE_OF(L2Slice, array_ports, array_port_names, "1R1W",
                 "ports of the data array: to read and to write",
                 .perfect = PERFECT(IN("l2_bandwidth", "2R1W")), .relieves = "l2_bandwidth"),
    PARAM_NUMBER(L2Slice, write_buffer, PARAM_COUNT, "64", 1, 65536,
                 "lines of data of stores that wait for the write port",
                 .perfect = PERFECT(IN("store_buffers", ">= 65536")), .doubling = TWICE),
    PARAM_NUMBER(
        L2Slice,
        cross_bandwidth, PARAM_BANDWIDTH, "32 B/cycle", 1, 4096,
        "with halves (machine.l2_halves): each of the slice's two links towards the others, for "
        "requests and for replies; a packet without data takes a cycle",
        .perfect = PERFECT(IN("l2_halves", ">= 4096 B/cycle", .needs = "machine.l2_halves != 1")),
        .doubling = TWICE, .only_if = "machine.l2_halves != 1"),
    PARAM_NUMBER(L2Slice, cross_links, PARAM_COUNT, "1", 1, 64,
                 "links of this width each way, side by side",
                 .perfect = PERFECT(IN("l2_halves", "64")), .doubling = TWICE,
                 .only_if = "machine.l2_halves != 1"),
    PARAM_NUMBER(L2Slice, cross_entries, PARAM_COUNT, "64", 1, 65536,
                 "stores and atomics under way to other halves and back, and as many invalidations",
                 .perfect = PERFECT(IN("l2_halves", ">= 16384")), .doubling = TWICE,
                 .only_if = "machine.l2_halves != 1"),
    PARAM_NUMBER(L2Slice, page_entries, PARAM_COUNT, "32", 1, 4096,
                 "paging: absent pages that requests of the slice can wait for", .doubling = TWICE,
                 PAGED),
    PARAM_NUMBER(L2Slice, page_requests, PARAM_COUNT, "512", 1, 65536,
                 "paging: requests of the slice that can wait for them", .doubling = TWICE, PAGED),
    PARAM_END};

static bool reject(GError **error, const char *key, const char *value, const char *reason)
{
    g_set_error(error, PARAM_ERROR, 0, "l2_slice.%s = %s: %s", key, value, reason);
    return false;
}

static bool check_blocking(const L2Slice *self, GError **error)
{
    return self->completion != COMPLETION_BLOCKING || self->written_data == WRITTEN_SCHEDULER
           || reject(error, "written_data", written_data[self->written_data],
                     "with completion = blocking the cache waits for each write-back, so that only "
                     "'scheduler' makes sense");
}

/* Elsewhere written data has a place of its own, and the row's lines would not follow at once. */
static bool check_clean_ahead(const L2Slice *self, GError **error)
{
    return self->clean_ahead == CLEAN_NONE
           || (self->written_data == WRITTEN_SCHEDULER && self->completion != COMPLETION_BLOCKING)
           || reject(error, "clean_ahead", cleans_ahead[self->clean_ahead],
                     "only with written_data = scheduler, and a completion that is not 'blocking'");
}

/* Replies in order could wait for each other across the halves. */
static bool check_halves(const L2Slice *self, GError **error)
{
    return self->address_map->halves < 2 || self->completion == COMPLETION_OUT_OF_ORDER
           || reject(error, "completion", completions[self->completion],
                     "halves (machine.l2_halves) need 'out_of_order'");
}

bool l2_slice_check(const L2Slice *self, GError **error)
{
    return check_blocking(self, error) && check_clean_ahead(self, error)
           && check_halves(self, error);
}

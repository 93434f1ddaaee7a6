/* Why one result takes another time than the other: only what the two prove. */
#include "scenarios/program/compare/reason.h"
#include "program/compare/result_pair.h"

typedef struct {
    Case before, after;
    const char *reason; /* NULL: none */
} Row;

#define BYTES(read, written) "\"bytes_read\": " #read ", \"bytes_written\": " #written
#define CLOCK(mhz) "\"machine\": {\"dram_clock\": \"" #mhz " MHz\"}"

#define SMS(count) "\"machine\": {\"sms\": \"" #count "\"}"
#define LAUNCH(begin, end)                                                                         \
    "{\"measured\": true, \"begin_ns\": " #begin ", \"memory_end_ns\": " #end "}"
#define KERNEL(kernel, time, threads, ctas, limit)                                                 \
    "{\"name\": \"" #kernel "\", \"measured\": true, \"time_ns\": " #time                          \
    ", \"threads_per_cta\": " #threads ", \"launch\": {\"ctas_per_sm\": " #ctas                    \
    ", \"limited_by\": [\"" #limit "\"]}}"

/* L2's ports, which its way into the network waits for, and the links behind that. */
#define RESOURCE(kind, capacity, use)                                                              \
    "{\"kind\": \"" #kind "\", \"instances\": 4, \"capacity\": " #capacity                         \
    ", \"mean\": 0.9, \"use\": " #use ", \"full\": " #use ", \"refused\": 7}"
#define LINKS(use)                                                                                 \
    ", \"to_reply_network\": " RESOURCE(                                                           \
        place, 8, 0.9) "}, "                                                                       \
                       "\"crossbar[reply]\": {\"source_links\": " RESOURCE(server, 1, use)
#define TWO(ports, link)                                                                           \
    "\"l2_slice\": {\"data_bandwidth\": \"" #ports " B/cycle\"}, "                                 \
    "\"network\": {\"reply_source_bandwidth\": \"" #link " B/cycle\"}"
#define PORTS(time, busy, links, wide)                                                             \
    {                                                                                              \
        .time_us = time, .use = busy, .unit = "l2_slice", .resource = "read_ports", .more = links, \
        .parameters = wide                                                                         \
    }

static const Row rows[] = {
    /* busy as before for less: fewer bytes, of which those written moved most */
    {{.time_us = 100, .use = 0.9, .total = BYTES(2000000, 1000000)},
     {.time_us = 80, .use = 0.9, .total = BYTES(1950000, 450000)},
     "fewer bytes written to DRAM (1.00 MB -> 450 kB)"},
    /* the same the other way round: what bounds the slower one counts */
    {{.time_us = 80, .use = 0.5, .total = BYTES(2000000, 0)},
     {.time_us = 100, .use = 0.9, .total = BYTES(4500000, 0)},
     "more bytes read from DRAM (2.00 MB -> 4.50 MB)"},
    /* the same bytes in less time at work, and the clock has changed */
    {{.time_us = 100, .use = 0.9, .total = BYTES(10, 10), .parameters = CLOCK(800)},
     {.time_us = 80, .use = 0.9, .total = BYTES(10, 10), .parameters = CLOCK(1000)},
     "faster DRAM bus (machine.dram_clock 800 MHz -> 1000 MHz)"},
    /* ports at work half as long, being twice as many, though that is more than the change */
    {{.time_us = 100,
      .use = 0.99,
      .unit = "mmu",
      .resource = "tlb_ports",
      .capacity = 4,
      .total = "\"requests\": 10",
      .parameters = "\"mmu\": {\"lookups_per_cycle\": \"4\"}"},
     {.time_us = 90,
      .use = 0.55,
      .unit = "mmu",
      .resource = "tlb_ports",
      .capacity = 8,
      .total = "\"requests\": 10",
      .parameters = "\"mmu\": {\"lookups_per_cycle\": \"8\"}"},
     "faster ports of the L2 TLB (mmu.lookups_per_cycle 4 -> 8)"},
    /* two that are as busy, one behind the other: both are faster, or the one behind */
    {PORTS(100, 0.9, LINKS(0.92), TWO(32, 32)), PORTS(50, 0.9, LINKS(0.92), TWO(64, 64)),
     "faster reply network's links from sources (network.reply_source_bandwidth 32 B/cycle -> 64 "
     "B/cycle) and L2 data (l2_slice.data_bandwidth 32 B/cycle -> 64 B/cycle)"},
    {PORTS(100, 0.9, LINKS(0.92), TWO(32, 32)), PORTS(60, 0.99, LINKS(0.7), TWO(32, 64)),
     "faster reply network's links from sources (network.reply_source_bandwidth 32 B/cycle -> 64 "
     "B/cycle)"},
    /* less to do, and nothing that is counted says of what */
    {{.time_us = 100, .use = 0.9}, {.time_us = 80, .use = 0.9}, "DRAM bus with 20 % less to do"},
    /* as much work in less time */
    {{.time_us = 100, .use = 0.76, .total = BYTES(10, 10)},
     {.time_us = 80, .use = 0.95, .total = BYTES(10, 10)},
     "DRAM bus busy 95 % of the time instead of 76 %"},
    /* a bus that is turned more often; no work any more; work where there was none */
    {{.time_us = 80, .use = 0.8, .total = BYTES(10, 10)},
     {.time_us = 100, .use = 0.8, .total = BYTES(10, 10)},
     "DRAM bus at work 25 % longer for as much"},
    {{.time_us = 100, .use = 0.9, .total = BYTES(2000000, 0)},
     {.time_us = 50, .use = 0, .total = BYTES(0, 0)},
     "fewer bytes read from DRAM (2.00 MB -> 0 B)"},
    {{.time_us = 50, .use = 0, .total = BYTES(0, 0), .latency_ns = 5000},
     {.time_us = 100, .use = 0.9, .total = BYTES(2000000, 0), .latency_ns = 10000},
     "more bytes read from DRAM (0 B -> 2.00 MB)"},
    {{.time_us = 50, .use = 0}, {.time_us = 100, .use = 0.9}, "DRAM bus with something to do"},
    /* as much work, of which one has most */
    {{.time_us = 20, .use = 0.9},
     {.time_us = 150, .use = 0.12, .busiest = 0.98},
     "DRAM bus busy 12 % of the time instead of 90 %, since one has most of the work"},
    {{.time_us = 150, .use = 0.12, .busiest = 0.98},
     {.time_us = 20, .use = 0.9},
     "DRAM bus busy 90 % of the time instead of 12 %, since one no longer has most of the work"},
    /* accesses that keep their places for longer */
    {{.time_us = 50, .use = 0.05, .unit = "l1", .resource = "replay_room", .kind = "place"},
     {.time_us = 100, .use = 0.9, .unit = "l1", .resource = "replay_room", .kind = "place"},
     "0.9 of 1 places in instruction buffer are taken instead of 0.05"},
    /* as many core cycles */
    {{.time_us = 100, .use = 0.9, .clock_mhz = 1000},
     {.time_us = 80, .use = 0.9, .clock_mhz = 1250},
     "faster clock: 1000 MHz -> 1250 MHz"},
    /* a slower clock, and fewer cycles: what it was worth nobody can tell from two results */
    {{.time_us = 100, .use = 0.1, .clock_mhz = 1400},
     {.time_us = 115, .use = 0.1, .clock_mhz = 700},
     NULL},
    /* as much to do for half of them */
    {{.time_us = 50, .use = 0.9, .instances = 16},
     {.time_us = 100, .use = 0.9, .instances = 8},
     "DRAM bus: 8 of them instead of 16"},
    /* fewer of them that are faster; fewer and slower, neither of which is half of the change */
    {{.time_us = 50, .use = 0.9, .instances = 64, .total = BYTES(10, 10), .parameters = CLOCK(800)},
     {.time_us = 200,
      .use = 0.9,
      .instances = 12,
      .total = BYTES(10, 10),
      .parameters = CLOCK(1000)},
     "DRAM bus: 12 of them instead of 64"},
    {{.time_us = 50,
      .use = 0.95,
      .instances = 10,
      .total = BYTES(10, 10),
      .parameters = CLOCK(800)},
     {.time_us = 100,
      .use = 0.76,
      .instances = 8,
      .total = BYTES(10, 10),
      .parameters = CLOCK(600)},
     "DRAM bus: 8 of them instead of 10, and others (machine.dram_clock 800 MHz -> 600 MHz)"},
    /* a table that is larger, and one that is not */
    {{.time_us = 100,
      .use = 0.99,
      .unit = "l1",
      .resource = "prt",
      .kind = "place",
      .capacity = 16,
      .parameters = "\"l1\": {\"prt_entries\": \"16\"}"},
     {.time_us = 80,
      .use = 0.7,
      .unit = "l1",
      .resource = "prt",
      .kind = "place",
      .capacity = 64,
      .parameters = "\"l1\": {\"prt_entries\": \"64\"}"},
     "more room: outstanding misses (l1.prt_entries 16 -> 64)"},
    {{.time_us = 100,
      .use = 0.99,
      .unit = "l1",
      .resource = "prt",
      .kind = "place",
      .capacity = 16,
      .latency_ns = 10000},
     {.time_us = 80,
      .use = 0.99,
      .unit = "l1",
      .resource = "prt",
      .kind = "place",
      .capacity = 16,
      .latency_ns = 8000},
     "less time in dram_bus (-20 cycles a request of 100)"},
    /* nothing is full */
    {{.time_us = 80, .use = 0.1, .latency_ns = 8000},
     {.time_us = 100, .use = 0.1, .latency_ns = 10000},
     "more time in dram_bus (+20 cycles a request of 80)"},
    /* fewer threads on an SM, so it is less busy; of the kernel that takes longest */
    {{.time_us = 80,
      .use = 0.9,
      .kernels = KERNEL(a, 10, 64, 16, warps) ", " KERNEL(b, 70, 256, 8, warps)},
     {.time_us = 100,
      .use = 0.72,
      .kernels = KERNEL(a, 10, 64, 16, warps) ", " KERNEL(b, 90, 256, 2, registers)},
     "fewer CTAs an SM: 2 instead of 8 (registers)"},
    {{.time_us = 100, .use = 0.1, .kernels = KERNEL(a, 100, 256, 2, shared_memory)},
     {.time_us = 80, .use = 0.1, .kernels = KERNEL(a, 80, 256, 3, registers)},
     "more CTAs an SM: 3 instead of 2 (shared memory)"},
    /* as many on an SM, of which there are fewer; or others of another size */
    {{.time_us = 80, .use = 0.9, .parameters = SMS(10), .kernels = KERNEL(a, 80, 256, 8, warps)},
     {.time_us = 100, .use = 0.72, .parameters = SMS(5), .kernels = KERNEL(a, 100, 256, 8, warps)},
     "fewer SMs: 5 instead of 10"},
    {{.time_us = 80, .use = 0.1, .parameters = SMS(10), .kernels = KERNEL(a, 80, 256, 8, ctas)},
     {.time_us = 100, .use = 0.1, .parameters = SMS(10), .kernels = KERNEL(a, 100, 128, 8, ctas)},
     NULL},
    /* as many threads; too few less; more, and yet it takes longer; another kernel */
    {{.time_us = 80, .use = 0.1, .kernels = KERNEL(a, 80, 128, 8, warps)},
     {.time_us = 100, .use = 0.1, .kernels = KERNEL(a, 100, 256, 4, warps)},
     NULL},
    {{.time_us = 80, .use = 0.1, .kernels = KERNEL(a, 80, 32, 32, ctas)},
     {.time_us = 100, .use = 0.1, .kernels = KERNEL(a, 100, 32, 30, registers)},
     NULL},
    {{.time_us = 80, .use = 0.1, .kernels = KERNEL(a, 80, 128, 4, registers)},
     {.time_us = 100, .use = 0.1, .kernels = KERNEL(a, 100, 128, 8, registers)},
     NULL},
    {{.time_us = 80, .use = 0.1, .kernels = KERNEL(a, 80, 128, 8, warps)},
     {.time_us = 100, .use = 0.1, .kernels = KERNEL(b, 100, 128, 2, registers)},
     NULL},
    /* one behind the other with a gap, and together for the half of it; together as before */
    {{.time_us = 100, .use = 0.1, .latency_ns = 1e4, .kernels = LAUNCH(5, 45) ", " LAUNCH(65, 125)},
     {.time_us = 80, .use = 0.1, .latency_ns = 8000, .kernels = LAUNCH(5, 55) ", " LAUNCH(15, 85)},
     "more launches run together: 1.50 at once instead of 1.00"},
    {{.time_us = 100, .use = 0.1, .kernels = LAUNCH(5, 100) ", " LAUNCH(5, 105)},
     {.time_us = 80, .use = 0.1, .kernels = LAUNCH(5, 80) ", " LAUNCH(5, 85)},
     NULL},
    /* nothing moved with the time */
    {{.time_us = 80, .use = 0.1}, {.time_us = 100, .use = 0.1}, NULL},
    {{.time_us = 100, .use = 0.9}, {.time_us = 99.5, .use = 0.1}, NULL},
};

START_TEST(the_reason_is_what_moved_with_the_time)
{
    const Row *row = &rows[_i];
    g_autoptr(JsonNode) before = result_of(&row->before), after = result_of(&row->after);
    g_autofree char *reason = reason_new(before, after);
    ck_assert_msg(!g_strcmp0(reason, row->reason), "'%s', not '%s'", reason ? reason : "none",
                  row->reason ? row->reason : "none");
}
END_TEST

/* requested_gbps falls with the time where the bytes stay. */
START_TEST(other_work_is_said_before_anything_else)
{
    g_autoptr(JsonNode) before = result_of(&(Case){.time_us = 100, .use = 0.9}),
                        after = result_of(&(Case){.time_us = 50, .use = 0.9});
    json_object_set_double_member(json_node_get_object(result_member(after, "summary")),
                                  "requested_gbps", 10);
    g_autofree char *reason = reason_new(before, after);
    ck_assert_str_eq(reason, "less work: lanes ask for 500 kB instead of 1.00 MB");
}
END_TEST

START_TEST(what_was_not_measured_has_no_change)
{
    g_autoptr(JsonNode) before = result_of(&(Case){.time_us = 100, .use = 0.9}),
                        after = result_of(&(Case){.time_us = 50, .use = 0.9});
    json_object_set_boolean_member(json_node_get_object(after), "measured", FALSE);
    ck_assert_ptr_null(reason_new(before, after));
    ck_assert(reason_change(before, after) != reason_change(before, after));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("reason");
    tcase_add_loop_test(cases, the_reason_is_what_moved_with_the_time, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, other_work_is_said_before_anything_else);
    tcase_add_test(cases, what_was_not_measured_has_no_change);
    return harness_run_cases("reason", cases);
}

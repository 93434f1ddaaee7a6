/* Packets that a test sends one by one through the crossbar of rig.h. */
#pragma once

#include "rig.h"
#include "rigs/packet_script.h"

static inline void run_scripts(Rig *rig, Script *scripts)
{
    for (uint32_t i = 0; i < rig->sources; i++) {
        scripts[i].from = (uint16_t)i;
        scripts[i].role = rig->crossbar->number;
        harness_generate(rig->source[i], make_packet, &scripts[i]);
    }
    rig_run(rig);
    uint64_t arrived = 0, sent = 0;
    for (uint32_t i = 0; i < rig->sources; i++) {
        check_arrivals(rig->sink, rig->source[i], &scripts[i]);
        sent += scripts[i].count;
    }
    for (uint32_t j = 0; j < rig->sinks; j++) arrived += harness_arrivals(rig->sink[j]);
    ck_assert_uint_eq(arrived, sent);
    ck_assert_uint_eq(unit_count(rig->crossbar, "packets"), sent);
}

#define VIRTUAL(order) "queueing = virtual_output; arbitration = " order

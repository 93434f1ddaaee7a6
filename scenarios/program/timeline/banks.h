/* DRAM commands of requests that are kept one by one, and the states of their banks. */
#pragma once

#include "scenarios/program/result/result.h"

BankLogs *bank_logs_new(const Run *run, const Timeline *timeline);
void bank_logs_free(BankLogs *logs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BankLogs, bank_logs_free)

/* Members `channel`, `bank` and `dram_row` of a request that DRAM has served; nothing where its
 * command was not kept. */
void bank_logs_put_place(JsonBuilder *json, BankLogs *logs, const TimelineRow *row);

/* The list of banks of such requests, with their states while any of these was there. */
void bank_logs_put_states(JsonBuilder *json, const BankLogs *logs, guint rows);

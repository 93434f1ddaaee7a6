/* DRAM commands of requests that are kept one by one, and the states of their banks. */
#pragma once

#include "scenarios/program/result/result.h"

BankLogs *bank_logs_new(const Run *run, const Timeline *timeline);
void bank_logs_free(BankLogs *logs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BankLogs, bank_logs_free)

/* Members `channel`, `bank`, `dram_row` and `command` of a request that DRAM has served; nothing
 * where its command was not kept. */
void bank_logs_write_place(JsonWriter *request, BankLogs *logs, const TimelineRow *row);

/* Members: the list of banks of such requests, with their states while any of these was there. */
void bank_logs_write_states(JsonWriter *writer, const BankLogs *logs, guint rows);

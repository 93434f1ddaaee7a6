#include "kit/gpu/access_report.h"

static AccessReport *new_report(Unit *unit, ReportKind kind, const Transaction *transaction,
                                uint64_t line)
{
    AccessReport *report = unit_new(unit, MESSAGE_ACCESS_REPORT);
    report->line = line;
    report->at = unit->stepping;
    report->source = transaction->source;
    report->sectors = transaction->sectors;
    report->partial = transaction->partial;
    report->kind = (uint8_t)kind;
    return report;
}

void unit_report_write(Unit *unit, Channel *to_monitor, const Transaction *write, uint64_t line)
{
    if (write->type == TRANSACTION_READ) return;
    const ReportKind kind = write->type == TRANSACTION_ATOMIC ? REPORT_ATOMIC : REPORT_WRITE;
    channel_send(to_monitor, &new_report(unit, kind, write, line)->message, unit->stepping);
}

void unit_report_hit(Unit *unit, Channel *to_monitor, const Transaction *hit, uint64_t line,
                     const Time *read_at)
{
    AccessReport *report = new_report(unit, REPORT_HIT, hit, line);
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        report->read_at[sector] = hit->sectors >> sector & 1 ? read_at[sector] : 0;
    channel_send(to_monitor, &report->message, unit->stepping);
}

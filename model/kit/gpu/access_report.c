#include "kit/gpu/access_report.h"

/* A message of its own, for whatever it reports of goes on. */
static AccessReport *new_report(MessageSource *messages, ReportKind kind,
                                const AccessedSectors *access)
{
    AccessReport *report = message_new(messages, MESSAGE_ACCESS_REPORT);
    report->kind = (uint8_t)kind;
    report->line = access->place.line;
    report->at = access->place.at;
    report->source = access->source;
    report->sectors = access->sectors;
    report->partial = 0;
    report->left = 0;
    report->in_texture_unit = report->behind_l1 = false;
    return report;
}

AccessReport *access_report_of_write(MessageSource *messages, const Transaction *write,
                                     const AccessPlace *place)
{
    const AccessedSectors access = {*place, write->source, write->sectors};
    AccessReport *report = new_report(
        messages, write->type == TRANSACTION_ATOMIC ? REPORT_ATOMIC : REPORT_WRITE, &access);
    report->partial = write->partial;
    report->left = write->left;
    report->in_texture_unit = write->for_texture;
    return report;
}

AccessReport *access_report_of_kept(MessageSource *messages, const AccessedSectors *kept)
{
    return new_report(messages, REPORT_KEPT, kept);
}

AccessReport *access_report_of_hit(MessageSource *messages, const AccessedSectors *hit,
                                   const Time *read_at)
{
    AccessReport *report = new_report(messages, REPORT_HIT, hit);
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        report->read_at[sector] = hit->sectors >> sector & 1 ? read_at[sector] : 0;
    return report;
}

#include "kit/gpu/access_report.h"

/* A message of its own, for the transaction goes on and will be freed where it came from. */
static AccessReport *new_report(MessageSource *messages, const Transaction *transaction,
                                const AccessPlace *place)
{
    AccessReport *report = message_new(messages, MESSAGE_ACCESS_REPORT);
    report->line = place->line;
    report->at = place->at;
    report->source = transaction->source;
    report->sectors = transaction->sectors;
    report->partial = transaction->partial;
    return report;
}

AccessReport *access_report_of_write(MessageSource *messages, const Transaction *write,
                                     const AccessPlace *place)
{
    AccessReport *report = new_report(messages, write, place);
    report->kind = write->type == TRANSACTION_ATOMIC ? REPORT_ATOMIC : REPORT_WRITE;
    return report;
}

AccessReport *access_report_of_hit(MessageSource *messages, const Transaction *hit,
                                   const AccessPlace *place, const Time *read_at)
{
    AccessReport *report = new_report(messages, hit, place);
    report->kind = REPORT_HIT;
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        report->read_at[sector] = hit->sectors >> sector & 1 ? read_at[sector] : 0;
    return report;
}

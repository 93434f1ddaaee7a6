/* An L1 TLB and those who wait for a translation that it lacks: by page, in order of arrival, in
 * a bounded number of places. When a translation comes, its waiters are ready to go on; a place is
 * free again when its waiter has left.
 *
 * What waits is the owner's: the queue only hands it back. */
#pragma once

#include "parts/address/tlb.h"

typedef enum {
    TRANSLATION_KNOWN,   /* the TLB holds it */
    TRANSLATION_PENDING, /* it has been asked for: join those who wait */
    TRANSLATION_UNKNOWN, /* wait, and ask for it */
    TRANSLATION_FULL     /* no place to wait */
} TranslationState;

typedef struct {
    void *waiter;
    uint32_t next;
} TranslationPlace;

typedef struct {
    uint64_t range; /* tlb_range */
    uint32_t first, last;
} PendingTranslation;

typedef struct {
    Tlb tlb;
    TranslationPlace *places;
    PendingTranslation *pages; /* asked for, the first `page_count` */
    uint32_t capacity, used, free, page_count;
    uint32_t ready, ready_last; /* list of places whose translation has come */
} TranslationQueue;

/* `places` at least 1; the error is about l1.tlb_... */
bool translation_queue_init(TranslationQueue *queue, TlbShape shape, uint64_t places,
                            GError **error);
void translation_queue_finish(TranslationQueue *queue);

/* What is known of the address's page; changes nothing. */
TranslationState translation_queue_state(const TranslationQueue *queue, uint64_t address);

/* First byte of what the TLB's entry for the address covers. */
uint64_t translation_queue_page(const TranslationQueue *queue, uint64_t address);

/* Not when the state is TRANSLATION_FULL. */
void translation_queue_wait(TranslationQueue *queue, uint64_t address, void *waiter);

/* The translation has come: into the TLB, and who waited for it is ready. False: nobody asked. */
bool translation_queue_arrive(TranslationQueue *queue, uint64_t address);

/* The first that is ready, or NULL; it stays until translation_queue_leave. */
void *translation_queue_ready(const TranslationQueue *queue);
void translation_queue_leave(TranslationQueue *queue);

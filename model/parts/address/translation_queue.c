#include "parts/address/translation_queue.h"
#include "parts/sparse.h"

#include <string.h>

enum { NONE = UINT32_MAX };

bool translation_queue_init(TranslationQueue *queue, TlbShape shape, uint64_t places,
                            GError **error)
{
    *queue = (TranslationQueue){.capacity = (uint32_t)places, .ready = NONE};
    if (!tlb_init(&queue->tlb, "tlb", shape, error)) return false;
    queue->places = SPARSE_ARRAY(TranslationPlace, places);
    queue->pages = SPARSE_ARRAY(PendingTranslation, places);
    for (uint32_t i = 0; i < places; i++) queue->places[i].next = i + 1 < places ? i + 1 : NONE;
    return true;
}

void translation_queue_finish(TranslationQueue *queue)
{
    tlb_finish(&queue->tlb);
    sparse_free(queue->places);
    sparse_free(queue->pages);
    memset(queue, 0, sizeof *queue);
}

static PendingTranslation *find_page(const TranslationQueue *queue, uint64_t address)
{
    const uint64_t range = tlb_range(&queue->tlb, address);
    for (uint32_t i = 0; i < queue->page_count; i++)
        if (queue->pages[i].range == range) return &queue->pages[i];
    return NULL;
}

TranslationState translation_queue_state(const TranslationQueue *queue, uint64_t address)
{
    if (tlb_holds(&queue->tlb, address)) return TRANSLATION_KNOWN;
    if (queue->used == queue->capacity) return TRANSLATION_FULL;
    return find_page(queue, address) ? TRANSLATION_PENDING : TRANSLATION_UNKNOWN;
}

uint64_t translation_queue_page(const TranslationQueue *queue, uint64_t address)
{
    return tlb_range(&queue->tlb, address) << queue->tlb.shift;
}

void translation_queue_wait(TranslationQueue *queue, uint64_t address, void *waiter)
{
    const uint32_t place = queue->free;
    PendingTranslation *page = find_page(queue, address);
    queue->free = queue->places[place].next;
    queue->places[place] = (TranslationPlace){waiter, NONE};
    queue->used++;
    if (page) {
        queue->places[page->last].next = place;
        page->last = place;
        return;
    }
    queue->pages[queue->page_count++] =
        (PendingTranslation){tlb_range(&queue->tlb, address), place, place};
}

bool translation_queue_arrive(TranslationQueue *queue, uint64_t address)
{
    PendingTranslation *page = find_page(queue, address);
    if (!page) return false;
    tlb_fill(&queue->tlb, address);
    *(queue->ready == NONE ? &queue->ready : &queue->places[queue->ready_last].next) = page->first;
    queue->ready_last = page->last;
    *page = queue->pages[--queue->page_count];
    return true;
}

void *translation_queue_ready(const TranslationQueue *queue)
{
    return queue->ready == NONE ? NULL : queue->places[queue->ready].waiter;
}

void translation_queue_leave(TranslationQueue *queue)
{
    const uint32_t place = queue->ready;
    queue->ready = queue->places[place].next;
    queue->places[place].next = queue->free;
    queue->free = place;
    queue->used--;
}

/* The L2 slice: requests for pages that are with the host. A slice has a copy of what is in DRAM,
 * which the pager keeps up to date; a request whose page is not there goes aside, and the pager is
 * told of the page once. When it has come, its requests go before those in the port, in the order
 * in which they came. When a page is about to go the slice answers, and lets no request at it from
 * then on.
 *
 * What L2 has of a page that goes stays there: its dirty lines are written to DRAM as ever. */
#include "units/l2_slice/private.h"

void l2_slice_set_up_pages(L2Slice *self)
{
    self->paged = channel_connected(&self->to_pager);
    if (!self->paged) return;
    word_table_init(&self->pages.place, 6);
    self->pages.blocks = g_array_new(FALSE, TRUE, sizeof(PageBlock));
    self->pages.absent = g_new0(AbsentPage, self->page_entries);
}

void l2_slice_free_pages(L2Slice *self)
{
    if (!self->paged) return;
    word_table_finish(&self->pages.place);
    g_array_unref(self->pages.blocks);
    g_free(self->pages.absent);
}

static PageBlock *find_block(HostedPages *pages, uint64_t block)
{
    uint32_t place = word_table_read(&pages->place, block);
    if (!place) {
        g_array_set_size(pages->blocks, pages->blocks->len + 1);
        place = pages->blocks->len;
        word_table_write(&pages->place, block, place);
    }
    return &g_array_index(pages->blocks, PageBlock, place - 1);
}

static void tell_pager(L2Slice *self, PageNews news, uint64_t block, uint64_t pages, Time now)
{
    PageNotice *notice = unit_new(&self->unit, MESSAGE_PAGE_NOTICE);
    notice->news = news;
    notice->block = block;
    notice->pages = pages;
    notice->marked = 0;
    channel_send(&self->to_pager, &notice->message, now);
}

/* --- requests --------------------------------------------------------------------------------- */

/* Local memory is the GPU's own. */
static bool may_be_absent(const Transaction *request)
{
    return request->space != SPACE_LOCAL;
}

/* A request is let at a page. */
static void use_page(L2Slice *self, uint64_t address, bool writes, Time now)
{
    const uint64_t block = paging_block(self->pages.shape, address);
    const uint64_t page = paging_page(self->pages.shape, address);
    PageBlock *known = find_block(&self->pages, block);
    if (writes) known->written |= page;
    if (!(known->unused & page)) return;
    known->unused &= ~page;
    tell_pager(self, PAGES_USED, block, page, now);
}

/* NULL: no room for another one. */
static AbsentPage *find_absent(L2Slice *self, uint64_t block, uint64_t page, Time now)
{
    AbsentPage *absent = self->pages.absent;
    const uint64_t count = self->absent_pages.now;
    for (uint64_t i = 0; i < count; i++)
        if (absent[i].block == block && absent[i].page == page) return &absent[i];
    if (count == self->page_entries) return NULL;
    absent[count] = (AbsentPage){.block = block, .page = page, .came = now};
    level_enter(&self->absent_pages, now);
    self->page_faults++;
    tell_pager(self, PAGES_ABSENT, block, page, now);
    return &absent[count];
}

/* The head goes aside. */
static bool set_aside(L2Slice *self, Transaction *head, uint64_t block, uint64_t page, Time now)
{
    AbsentPage *absent = self->waiting_for_pages.now < self->page_requests
                             ? find_absent(self, block, page, now)
                             : NULL;
    if (!absent) return l2_slice_refuse(self, &self->refused_page);
    port_take(&self->from_network, now);
    self->seen--;
    self->page_waits++;
    level_leave(&self->queue, now, head->entered);
    level_enter(&self->waiting_for_pages, now);
    head->entered = now;
    transaction_enter(head, STAGE_PAGE, now);
    message_list_append(&absent->waiting, &head->message);
    return true;
}

/* It keeps its room aside until it has been looked up; the queue is what waits in front of that. */
static bool serve_admitted(L2Slice *self, Time now)
{
    Message *head = message_list_take(&self->pages.admitted);
    Transaction *request = (Transaction *)head;
    const Time came = request->entered;
    level_enter(&self->queue, now);
    request->entered = now;
    if (!l2_slice_handle(self, request, now)) {
        level_leave(&self->queue, now, now);
        request->entered = came;
        message_list_prepend(&self->pages.admitted, head);
        return false;
    }
    level_leave(&self->waiting_for_pages, now, came);
    self->admitted--;
    return true;
}

/* Those in front of it whose page is absent go aside. NULL: there is none, or no room aside. */
static Transaction *find_with_page(L2Slice *self, Time now)
{
    for (Transaction *head; (head = (Transaction *)port_peek(&self->from_network));) {
        const uint64_t block = paging_block(self->pages.shape, head->virtual_line);
        const uint64_t page = paging_page(self->pages.shape, head->virtual_line);
        if (!may_be_absent(head) || find_block(&self->pages, block)->here & page) return head;
        if (!set_aside(self, head, block, page, now)) return NULL;
    }
    return NULL;
}

bool l2_slice_serve_with_page(L2Slice *self, Time now)
{
    if (self->refused) return false;
    if (self->admitted) return serve_admitted(self, now);
    Transaction *head = find_with_page(self, now);
    if (!head) return false;
    const uint64_t address = head->virtual_line;
    const bool writes = head->type != TRANSACTION_READ, hosted = may_be_absent(head);
    if (!l2_slice_handle(self, head, now)) return false;
    port_take(&self->from_network, now);
    self->seen--;
    if (hosted) use_page(self, address, writes, now);
    return true;
}

/* --- the pager -------------------------------------------------------------------------------- */

/* From here on nothing keeps them from DRAM: they have used the page. */
static void admit(L2Slice *self, AbsentPage *absent, Time now)
{
    while (absent->waiting.first) {
        Transaction *request = (Transaction *)message_list_take(&absent->waiting);
        use_page(self, request->virtual_line, request->type != TRANSACTION_READ, now);
        transaction_enter_slowly(request, STAGE_L2_QUEUE, now);
        message_list_append(&self->pages.admitted, &request->message);
        self->admitted++;
    }
}

static void take_pages(L2Slice *self, const PageNotice *notice, Time now)
{
    PageBlock *block = find_block(&self->pages, notice->block);
    block->here |= notice->pages;
    block->unused |= notice->marked;
    AbsentPage *absent = self->pages.absent;
    uint64_t kept = 0;
    Time came = 0;
    for (uint64_t i = 0; i < self->absent_pages.now; i++) {
        if (absent[i].block == notice->block && (absent[i].page & notice->pages)) {
            admit(self, &absent[i], now);
            came += absent[i].came;
        } else {
            absent[kept++] = absent[i];
        }
    }
    level_leave_together(&self->absent_pages, now, self->absent_pages.now - kept, came);
    l2_slice_resume(self);
}

/* The notice goes back as the answer. */
static void give_pages(L2Slice *self, PageNotice *notice, Time now)
{
    PageBlock *block = find_block(&self->pages, notice->block);
    notice->news = PAGES_LEFT;
    notice->marked = block->written & notice->pages;
    block->here &= ~notice->pages;
    block->written &= ~notice->pages;
    block->unused &= ~notice->pages;
    channel_send(&self->to_pager, &notice->message, now);
}

void l2_slice_take_from_pager(L2Slice *self, Time now)
{
    PageNotice *notice;
    while ((notice = (PageNotice *)port_take(&self->from_pager, now))) {
        if (notice->news == PAGES_LEAVE) {
            give_pages(self, notice, now);
            continue;
        }
        take_pages(self, notice, now);
        unit_free_message(&self->unit, &notice->message);
    }
}

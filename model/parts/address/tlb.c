#include "parts/address/tlb.h"

#include "parts/bits.h"

#include <string.h>

static bool reject(GError **error, const char *what, uint64_t value, const char *reason)
{
    g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0,
                "%s = %" G_GUINT64_FORMAT ": %s", what, value, reason);
    return false;
}

bool tlb_init(Tlb *tlb, const char *what, TlbShape shape, GError **error)
{
    *tlb = (Tlb){.empty = !shape.entries};
    if (!is_power_of_two(shape.entry_bytes)) {
        g_autofree char *key = g_strconcat(what, "_entry_bytes", NULL);
        return reject(error, key, shape.entry_bytes, "must be a power of two");
    }
    tlb->shift = (uint32_t)__builtin_ctzll(shape.entry_bytes);
    if (!shape.entries) return true;
    const uint64_t ways = shape.ways ? shape.ways : shape.entries;
    if (shape.entries % ways) {
        g_autofree char *key = g_strconcat(what, "_ways", NULL);
        g_autofree char *reason =
            g_strdup_printf("must divide %s_entries (%" G_GUINT64_FORMAT ")", what, shape.entries);
        return reject(error, key, ways, reason);
    }
    tag_array_init(&tlb->tags, &(TagArrayShape){.sets = shape.entries / ways, .ways = ways});
    return true;
}

void tlb_finish(Tlb *tlb)
{
    if (tlb->tags.lines) tag_array_finish(&tlb->tags);
    memset(tlb, 0, sizeof *tlb);
}

uint32_t tlb_find(const Tlb *tlb, uint64_t range)
{
    return tlb->empty ? TAG_NONE : tag_array_find(&tlb->tags, range);
}

void tlb_use(Tlb *tlb, uint32_t entry)
{
    tag_array_touch(&tlb->tags, entry);
    tlb->newest = entry + 1;
}

void tlb_fill(Tlb *tlb, uint64_t address)
{
    if (tlb->empty || tlb_look_up(tlb, address)) return;
    const uint64_t range = tlb_range(tlb, address);
    const uint32_t entry = tag_array_victim(&tlb->tags, range);
    tag_array_replace(&tlb->tags, entry, range);
    tlb->newest = entry + 1;
}

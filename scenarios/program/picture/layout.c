#include "scenarios/program/picture/layout.h"

#include <stdlib.h>
#include <string.h>

#include "kit/gpu/network.h"

/* --- boxes ------------------------------------------------------------------------------------ */

static guint count_of_network(const GPtrArray *units, guint network)
{
    guint count = 0;
    for (guint i = 0; i < units->len; i++)
        count += ((const Unit *)units->pdata[i])->number % NETWORKS == network;
    return count;
}

/* Networks are two, one for requests and one for replies, or one that both share. */
static void add_boxes(Layout *layout, const Machine *machine, UnitPlace place)
{
    static const char *const parts[NETWORKS] = {"request", "reply"};
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++) {
        const GPtrArray *units = machine_instances(machine, (*class)->name);
        const guint count = units->len, replies = count_of_network(units, NETWORK_REPLY);
        if ((*class)->place != place || !count) continue;
        Box box = {.class = *class, .count = count, .off = true};
        if (place != PLACE_NETWORK) g_array_append_val(layout->boxes, box);
        for (guint n = 0; place == PLACE_NETWORK && n < NETWORKS; n++) {
            box.part = replies ? parts[n] : "shared";
            box.count = count_of_network(units, n);
            if (box.count) g_array_append_val(layout->boxes, box);
        }
    }
}

/* The first, or of networks the one of this role if there are two. */
static guint find_box(const Layout *layout, const char *name, NetworkRole role)
{
    guint i = 0;
    while (strcmp(layout_box(layout, i)->class->name, name)) i++;
    const char *part = layout_box(layout, i)->part;
    return part && strcmp(part, "shared") != 0 ? i + role : i;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void add_line(Layout *layout, const ChannelRow *row, NetworkRole role)
{
    const guint to = find_box(layout, row->to, role);
    const guint from = row->from ? find_box(layout, row->from, role) : to;
    const Line line = {
        .row = row, .from = from, .to = to, .side = from > to ? SIDE_LEFT : SIDE_RIGHT};
    layout_box(layout, from)->off = layout_box(layout, to)->off = false;
    g_array_append_val(layout->lines, line);
}

static void add_lines(Layout *layout, const Machine *machine)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        if (!machine_has_channel(machine, row)) continue;
        switch (row->mapping) {
        case CHANNEL_SAME_NUMBER:
        case CHANNEL_IN_PARTITION:
        case CHANNEL_IN_SHARE:
        case CHANNEL_INTO_LINK:
        case CHANNEL_OUT_OF_LINK:
        case CHANNEL_INTO_NETWORK:
        case CHANNEL_OUT_OF_NETWORK: add_line(layout, row, row->role); break;
        case CHANNEL_NEIGHBOURS:
        case CHANNEL_FROM_SIMGRID:
            for (guint n = 0; n < NETWORKS; n++)
                if (!n || find_box(layout, row->to, (NetworkRole)n) != find_box(layout, row->to, 0))
                    add_line(layout, row, (NetworkRole)n);
            break;
        }
    }
}

/* --- rows of boxes ---------------------------------------------------------------------------- */

typedef struct {
    int *height; /* of the line's end, to be set */
    gint64 key;
} End;

/* From the top: ends of lines that come from above or lead there, nearest first; then those below,
 * farthest first. So lines with the same two boxes, and shorter ones, lie within the others. */
static gint64 key_of(guint line, guint box, guint other, bool last)
{
    if (other < box) return 1000 * (gint64)(box - other) + (999 - line);
    if (other == box) return 1000000 + 2 * line + last;
    return 2000000 + 1000 * (gint64)(999 - (other - box)) + line;
}

static int compare_ends(gconstpointer a, gconstpointer b)
{
    const End *left = a, *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

/* The number of rows. */
static guint lay_out_ends(Layout *layout, guint box, Side side, int top)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(End));
    for (guint i = 0; i < layout->lines->len; i++) {
        Line *line = layout_line(layout, i);
        const End start = {&line->start, key_of(i, box, line->to, false)};
        const End end = {&line->end, key_of(i, box, line->from, true)};
        if (line->side != side) continue;
        if (line->from == box && line->row->from) g_array_append_val(ends, start);
        if (line->to == box) g_array_append_val(ends, end);
    }
    g_array_sort(ends, compare_ends);
    for (guint i = 0; i < ends->len; i++)
        *g_array_index(ends, End, i).height = top + (int)i * PICTURE_ROW;
    return ends->len;
}

static void lay_out_boxes(Layout *layout, int top)
{
    for (guint i = 0; i < layout->boxes->len; i++) {
        Box *box = layout_box(layout, i);
        const UnitPlace before = i ? layout_box(layout, i - 1)->class->place : box->class->place;
        box->top = top += box->class->place == before ? 0 : PICTURE_GAP;
        const guint left = lay_out_ends(layout, i, SIDE_LEFT, top + PICTURE_HEADER + 8);
        const guint right = lay_out_ends(layout, i, SIDE_RIGHT, top + PICTURE_HEADER + 8);
        box->height = PICTURE_HEADER + (int)MAX(left, right) * PICTURE_ROW + 4;
        top += box->height + PICTURE_GAP;
    }
    layout->height = top;
}

/* --- lanes ------------------------------------------------------------------------------------ */

static int length_of(const Line *line)
{
    return abs(line->end - line->start);
}

static bool meet(const Line *a, const Line *b)
{
    return a->side == b->side && a->lane == b->lane
           && MIN(a->start, a->end) <= MAX(b->start, b->end)
           && MIN(b->start, b->end) <= MAX(a->start, a->end);
}

static int compare_lengths(gconstpointer a, gconstpointer b)
{
    const Line *const *left = a, *const *right = b;
    return length_of(*left) - length_of(*right);
}

static bool meets_one(const Line *line, const GPtrArray *others, guint count)
{
    for (guint i = 0; i < count; i++)
        if (meet(line, others->pdata[i])) return true;
    return false;
}

/* Short lines first, so that they are next to the boxes. */
static void choose_lanes(Layout *layout)
{
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    for (guint i = 0; i < layout->lines->len; i++)
        if (layout_line(layout, i)->row->from) g_ptr_array_add(order, layout_line(layout, i));
    g_ptr_array_sort(order, compare_lengths);
    for (guint i = 0; i < order->len; i++) {
        Line *line = order->pdata[i];
        while (meets_one(line, order, i)) line->lane++;
        layout->lanes[line->side] = MAX(layout->lanes[line->side], line->lane + 1);
    }
}

Layout *layout_new(const Machine *machine, int top)
{
    Layout *layout = g_new0(Layout, 1);
    layout->boxes = g_array_new(FALSE, TRUE, sizeof(Box));
    layout->lines = g_array_new(FALSE, TRUE, sizeof(Line));
    for (UnitPlace place = PLACE_DISPATCHER; place <= PLACE_MEMORY; place++)
        add_boxes(layout, machine, place);
    add_lines(layout, machine);
    lay_out_boxes(layout, top);
    choose_lanes(layout);
    return layout;
}

void layout_free(Layout *layout)
{
    if (!layout) return;
    g_array_unref(layout->boxes);
    g_array_unref(layout->lines);
    g_free(layout);
}

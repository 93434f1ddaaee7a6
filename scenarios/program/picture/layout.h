/* Where the boxes and lines of a machine's picture are, in pixels. Boxes stand in one column, by
 * place; a channel leaves its box and enters another on the right if it leads down, on the left if
 * it leads up. Each end has a row of its box for itself, and each line a lane beside the column
 * that it shares with none that it would meet: nothing can overlap, whatever units there are. */
#pragma once

#include "platform/machine/channels.h"

enum { PICTURE_ROW = 16, PICTURE_HEADER = 44, PICTURE_LANE = 11, PICTURE_GAP = 26 };

typedef enum { SIDE_LEFT, SIDE_RIGHT, SIDES } Side;

typedef struct {
    const UnitClass *class;
    const char *part; /* which of the two networks; NULL: it is none */
    guint count;
    bool off; /* it has no channels in this machine */
    int top, height;
} Box;

typedef struct {
    const ChannelRow *row;
    guint from, to; /* boxes; the same where SimGrid sends */
    Side side;
    int start, end; /* heights */
    guint lane;     /* 0: next to the boxes */
} Line;

typedef struct {
    GArray *boxes, *lines;
    guint lanes[SIDES];
    int height;
} Layout;

/* `top`: where the first box stands. */
Layout *layout_new(const Machine *machine, int top);
void layout_free(Layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Layout, layout_free)

static inline Box *layout_box(const Layout *layout, guint i)
{
    return &g_array_index(layout->boxes, Box, i);
}

static inline Line *layout_line(const Layout *layout, guint i)
{
    return &g_array_index(layout->lines, Line, i);
}

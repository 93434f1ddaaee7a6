#include "scenarios/program/picture/picture.h"

#include <string.h>

#include "scenarios/program/language/house_words.h"
#include "scenarios/program/picture/layout.h"

/* Colours of paper and ink are those of the page that it is seen in. */
static const char style[] =
    "<style>\n"
    "svg{--paper:#fff;--ink:#1f2933;--soft:#5b6875;--box:#f3f5f8;--edge:#9aa7b4;--band:#e9edf2;"
    "--down:#0b5cad;--up:#b3541e}\n"
    "@media(prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e6ebf0;--soft:#a3b0bd;"
    "--box:#232a32;--edge:#6b7885;--band:#1b2128;--down:#6cb2ff;--up:#ffab70}}\n"
    "text{font-family:sans-serif;font-size:11px;fill:var(--ink)}\n"
    ".title{font-size:16px;font-weight:bold}.name{font-size:13px;font-weight:bold}\n"
    ".soft,.label{fill:var(--soft)}.label{font-size:10px}\n"
    ".paper{fill:var(--paper)}.band{fill:var(--band)}.box{fill:var(--box);stroke:var(--edge)}\n"
    ".line{fill:none;stroke-width:1.4}.down{stroke:var(--down)}.up{stroke:var(--up)}\n"
    ".head.down{stroke:none;fill:var(--down)}.head.up{stroke:none;fill:var(--up)}\n"
    "</style>\n";

static const char *const legend[] = {
    "A channel that leads down is on the right, one that leads up on the left.",
    "Where it begins, its delay; where it ends, the places of its queue: without a number",
    "the receiver has reserved room for what it will be sent."};

enum { MARGIN = 40, TOP = 100, NARROWEST = 560 };

typedef struct {
    const Machine *machine;
    Layout *layout;
    GString *svg;
    int label;       /* the room for a number beside a box */
    int left, right; /* edges of boxes */
    int width;
} Picture;

/* --- what is written -------------------------------------------------------------------------- */

static char *escape(const char *text)
{
    return g_markup_escape_text(text, -1);
}

/* "4 cycles", "5 places", or nothing; newly allocated. */
static char *number_of(const Picture *picture, const ChannelParam *param, ParamType type,
                       const char *unit)
{
    const uint64_t number = machine_channel_number(picture->machine, param, type);
    if (!param->name) return g_strdup("");
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s%s", number, unit, number == 1 ? "" : "s");
}

static char *describe_box(const Box *box)
{
    return g_strdup_printf("%u, %s%s", box->count, unit_clock_name(box->class->clock),
                           box->off ? ", off" : "");
}

/* Roughly, and rather more than less: nobody knows the font. */
static int width_of(const char *text, double letter)
{
    return (int)((double)strlen(text) * letter) + 1;
}

static int width_of_names(const Layout *layout)
{
    int width = 0, widest[SIDES] = {0};
    for (guint i = 0; i < layout->lines->len; i++) {
        const Line *line = layout_line(layout, i);
        const char *const names[] = {line->row->from ? line->row->output : "", line->row->input};
        for (guint k = 0; k < G_N_ELEMENTS(names); k++)
            widest[line->side] = MAX(widest[line->side], width_of(names[k], 6.4));
    }
    for (guint i = 0; i < layout->boxes->len; i++)
        width = MAX(width, width_of(layout_box(layout, i)->class->name, 9) + 90);
    return MAX(width, widest[SIDE_LEFT] + widest[SIDE_RIGHT] + 40);
}

static int width_of_labels(const Picture *picture)
{
    int width = 0;
    for (guint i = 0; i < picture->layout->lines->len; i++) {
        const ChannelRow *row = layout_line(picture->layout, i)->row;
        g_autofree char *delay = number_of(picture, &row->delay, PARAM_CYCLES, "cycle");
        g_autofree char *places = number_of(picture, &row->capacity, PARAM_COUNT, "place");
        width = MAX(width, MAX(width_of(delay, 6), width_of(places, 6)));
    }
    return width + 20;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void draw_text(GString *svg, int x, int y, const char *class, const char *anchor,
                      const char *text)
{
    g_autofree char *escaped = escape(text);
    g_string_append_printf(svg,
                           "<text x=\"%d\" y=\"%d\" class=\"%s\" text-anchor=\"%s\">%s</text>\n", x,
                           y, class, anchor, escaped);
}

static void draw_box(const Picture *picture, const Box *box)
{
    const int width = picture->right - picture->left, middle = (picture->left + picture->right) / 2;
    g_autofree char *name = g_strdup_printf("%s%s%s", box->class->name, box->part ? ", " : "",
                                            box->part ? box->part : "");
    g_autofree char *summary = escape(box->class->summary), *about = describe_box(box);
    for (int sheet = box->count > 1 ? 2 : 0; sheet > 0; sheet--)
        g_string_append_printf(
            picture->svg,
            "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\" rx=\"5\"/>\n",
            picture->left + 4 * sheet, box->top - 4 * sheet, width - 8 * sheet);
    g_string_append_printf(
        picture->svg,
        "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"><title>%s</title></rect>\n",
        picture->left, box->top, width, box->height, summary);
    draw_text(picture->svg, middle, box->top + 18, "name", "middle", name);
    draw_text(picture->svg, middle, box->top + 33, "soft", "middle", about);
}

/* All boxes of one place, from the first of them. */
static guint draw_band(const Picture *picture, guint first)
{
    const Layout *layout = picture->layout;
    const Box *box = layout_box(layout, first);
    const UnitPlace place = box->class->place;
    guint end = first;
    while (end < layout->boxes->len && layout_box(layout, end)->class->place == place) end++;
    const Box *last = layout_box(layout, end - 1);
    const int top = box->top - 18, bottom = last->top + last->height + 12;
    g_string_append_printf(
        picture->svg,
        "<rect class=\"band\" x=\"8\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", top,
        picture->width - 16, bottom - top);
    g_string_append_printf(
        picture->svg,
        "<text class=\"soft\" transform=\"translate(24 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
        (top + bottom) / 2, unit_place_name(place));
    return end;
}

static void draw_end(const Picture *picture, const Line *line, int y, const char *port,
                     const char *label)
{
    const bool left = line->side == SIDE_LEFT;
    const int edge = left ? picture->left : picture->right, out = left ? -1 : 1;
    draw_text(picture->svg, edge - 8 * out, y + 4, "port", left ? "start" : "end", port);
    draw_text(picture->svg, edge + 10 * out, y - 3, "label", left ? "end" : "start", label);
}

static void draw_title(const Picture *picture, const ChannelRow *row)
{
    g_autofree char *name = channel_name(row), *end = channel_end(row);
    g_string_append_printf(picture->svg, "<title>%s to %s", row->from ? name : "SimGrid", end);
    const char *const params[] = {row->delay.name, row->capacity.name, row->credit.name};
    for (guint i = 0; i < G_N_ELEMENTS(params); i++)
        if (params[i]) g_string_append_printf(picture->svg, "; %s", params[i]);
    g_string_append(picture->svg, "</title>");
}

static void draw_head(const Picture *picture, int edge, int y, int out, const char *class)
{
    g_string_append_printf(picture->svg, "<path class=\"head %s\" d=\"M%d %dl%d -3.5v7z\"/>\n",
                           class, edge, y, 7 * out);
}

static void draw_line(const Picture *picture, const Line *line)
{
    const ChannelRow *row = line->row;
    const bool left = line->side == SIDE_LEFT;
    const char *class = left ? "up" : "down";
    const int out = left ? -1 : 1, edge = left ? picture->left : picture->right;
    const int lane = edge + out * (picture->label + (int)line->lane * PICTURE_LANE);
    const int turn = line->end > line->start ? 5 : -5;
    g_autofree char *delay = number_of(picture, &row->delay, PARAM_CYCLES, "cycle");
    g_autofree char *places = number_of(picture, &row->capacity, PARAM_COUNT, "place");
    g_string_append_printf(picture->svg, "<path class=\"line %s\" d=\"M%d %d", class, edge,
                           row->from ? line->start : line->end);
    if (row->from)
        g_string_append_printf(picture->svg, "H%dq%d 0 %d %dV%dq0 %d %d %dH%d", lane - 5 * out,
                               5 * out, 5 * out, turn, line->end - turn, turn, -5 * out, turn,
                               edge);
    else
        g_string_append_printf(picture->svg, "h%d", out * (picture->label - 14));
    g_string_append(picture->svg, "\">");
    draw_title(picture, row);
    g_string_append(picture->svg, "</path>\n");
    draw_head(picture, edge, line->end, out, class);
    if (row->from) draw_end(picture, line, line->start, row->output, delay);
    draw_end(picture, line, line->end, row->input, row->from ? places : "SimGrid");
}

static void draw_frame(const Picture *picture, const char *title)
{
    const int height = picture->layout->height;
    g_string_append_printf(
        picture->svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s"
        "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n",
        picture->width, height, picture->width, height, style, picture->width, height);
    draw_text(picture->svg, 12, 26, "title", "start", title);
    for (guint i = 0; i < G_N_ELEMENTS(legend); i++)
        draw_text(picture->svg, 12, 44 + 14 * (int)i, "soft", "start", legend[i]);
}

static char *title_of(const Machine *machine)
{
    const MachineParams *params = machine_params(machine);
    return g_strdup_printf("%s: %" G_GUINT64_FORMAT " SMs, %" G_GUINT64_FORMAT " slices",
                           params->name && *params->name ? params->name : "a machine", params->sms,
                           params->partitions * params->slices_per_partition);
}

GString *picture_of_machine(const Machine *machine)
{
    g_autoptr(Layout) layout = layout_new(machine, TOP);
    g_autofree char *title = title_of(machine);
    Picture picture = {machine, layout, g_string_new(NULL), .label = 0};
    picture.label = width_of_labels(&picture);
    picture.left = MARGIN + picture.label + (int)layout->lanes[SIDE_LEFT] * PICTURE_LANE;
    picture.right = picture.left + width_of_names(layout);
    picture.width = MAX(NARROWEST, picture.right + picture.label
                                       + (int)layout->lanes[SIDE_RIGHT] * PICTURE_LANE + 16);
    draw_frame(&picture, title);
    for (guint i = 0; i < layout->boxes->len;) i = draw_band(&picture, i);
    for (guint i = 0; i < layout->boxes->len; i++) draw_box(&picture, layout_box(layout, i));
    for (guint i = 0; i < layout->lines->len; i++) draw_line(&picture, layout_line(layout, i));
    g_string_append(picture.svg, "</svg>\n");
    return picture.svg;
}

#include "scenarios/program/time/change.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/say/table.h"
#include "scenarios/program/time/stack.h"

static TimeChange *find_change(const GArray *changes, const char *name)
{
    for (guint i = 0; i < changes->len; i++) {
        TimeChange *change = &g_array_index(changes, TimeChange, i);
        if (!strcmp(change->name, name)) return change;
    }
    return NULL;
}

static void add_before(GArray *changes, const GArray *parts)
{
    for (guint i = 0; i < parts->len; i++) {
        const TimePart *part = &g_array_index(parts, TimePart, i);
        g_array_append_val(changes, ((TimeChange){part->name, part->title, part->fs, 0}));
    }
}

static void add_after(GArray *changes, const GArray *parts)
{
    for (guint i = 0; i < parts->len; i++) {
        const TimePart *part = &g_array_index(parts, TimePart, i);
        TimeChange *change = find_change(changes, part->name);
        if (change)
            change->after = part->fs;
        else
            g_array_append_val(changes, ((TimeChange){part->name, part->title, 0, part->fs}));
    }
}

/* Of equal ones by name, so that a comparison is the same on every run. */
static gint compare_changes(gconstpointer a, gconstpointer b)
{
    const TimeChange *x = a, *y = b;
    const gint64 left = ABS(time_change(x)), right = ABS(time_change(y));
    if (left != right) return left < right ? 1 : -1;
    return strcmp(x->name, y->name);
}

GArray *time_changes_new(JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) first = time_stack_new(before), second = time_stack_new(after);
    if (!first || !second) return NULL;
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(TimeChange));
    add_before(changes, first);
    add_after(changes, second);
    g_array_sort(changes, compare_changes);
    return changes;
}

TimeChange time_changes_sum(const GArray *changes)
{
    TimeChange sum = {"sum", "sum", 0, 0};
    for (guint i = 0; i < changes->len; i++) {
        sum.before += g_array_index(changes, TimeChange, i).before;
        sum.after += g_array_index(changes, TimeChange, i).after;
    }
    return sum;
}

/* --- in a terminal ---------------------------------------------------------------------------- */

enum { BRIEF_STEPS = 4, STEPS = 14, BAR_WIDTH = 24 };
/* A step that is less than this share of all that moved is told with others. */
static const double SMALL = 0.01;
/* fs; what is shorter would be told as none: shares of a machine's time are rounded. */
static const double LEAST_TOLD = 5000;

static double sum_of_sizes(const GArray *changes)
{
    double sum = 0;
    for (guint i = 0; i < changes->len; i++)
        sum += fabs((double)time_change(&g_array_index(changes, TimeChange, i)));
    return sum;
}

/* How many of them are worth a step of their own. */
static guint count_steps(const GArray *changes, guint most)
{
    const double least = SMALL * sum_of_sizes(changes);
    guint count = 0;
    while (count < MIN(changes->len, most)
           && fabs((double)time_change(&g_array_index(changes, TimeChange, count))) > least)
        count++;
    return count;
}

static TimeChange take_rest(const GArray *changes, guint first)
{
    TimeChange rest = {"others", "all others", 0, 0};
    for (guint i = first; i < changes->len; i++) {
        rest.before += g_array_index(changes, TimeChange, i).before;
        rest.after += g_array_index(changes, TimeChange, i).after;
    }
    return rest;
}

/* "-8.3 us", newly allocated. */
static char *signed_time(gint64 fs)
{
    g_autofree char *time = text_time(fabs((double)fs) * 1e-6);
    return g_strdup_printf("%c%s", fs < 0 ? '-' : '+', time);
}

static void print_step(const char *title, gint64 fs, FILE *out)
{
    g_autofree char *time = signed_time(fs);
    fprintf(out, "%s %s", title, time);
}

void time_changes_print_brief(const Comparison *comparison, guint index, FILE *out)
{
    g_autoptr(GArray) changes =
        time_changes_new(comparison->results[0], comparison->results[index]);
    if (!changes) return;
    const TimeChange sum = time_changes_sum(changes);
    const guint count = count_steps(changes, BRIEF_STEPS);
    const TimeChange rest = take_rest(changes, count);
    fprintf(out, "  ");
    print_step(compare_label(comparison, index), time_change(&sum), out);
    for (guint i = 0; i < count; i++) {
        const TimeChange *change = &g_array_index(changes, TimeChange, i);
        fprintf(out, "%s ", i ? ";" : ":");
        print_step(change->title, time_change(change), out);
    }
    if (count && fabs((double)time_change(&rest)) >= LEAST_TOLD) {
        fprintf(out, "; ");
        print_step("others", time_change(&rest), out);
    }
    fprintf(out, "\n");
}

/* The bars of a waterfall hang where the one before has ended; all of them are in a width of
 * BAR_WIDTH characters. */
typedef struct {
    Table *table;
    gint64 at, most; /* where the next one begins; the highest that one comes to, fs */
} Waterfall;

static guint place_of(const Waterfall *waterfall, gint64 at)
{
    return waterfall->most ? (guint)llround((double)at / (double)waterfall->most * BAR_WIDTH) : 0;
}

/* Between two times, of this character. */
static void add_bar(const Waterfall *waterfall, gint64 from, gint64 to, char mark)
{
    const guint begin = place_of(waterfall, MIN(from, to)),
                end = place_of(waterfall, MAX(from, to));
    g_autofree char *bar = g_strnfill(end - begin, mark);
    table_note(waterfall->table, "%*s%s", (int)begin, "", bar);
}

static void add_times(Table *table, const TimeChange *change)
{
    g_autofree char *before = text_grouped((double)change->before * 1e-6, 1),
                    *after = text_grouped((double)change->after * 1e-6, 1),
                    *moved = text_grouped((double)time_change(change) * 1e-6, 1);
    table_row(table);
    table_cell(table, "    %s", change->title);
    table_cell(table, "%s", before);
    table_cell(table, "%s", after);
    table_cell(table, "%s%s", time_change(change) > 0 ? "+" : "", moved);
}

static void add_step(Waterfall *waterfall, const TimeChange *change)
{
    const gint64 to = waterfall->at + time_change(change);
    add_times(waterfall->table, change);
    add_bar(waterfall, waterfall->at, to, to < waterfall->at ? '-' : '+');
    waterfall->at = to;
}

static void add_end(Waterfall *waterfall, const char *label, gint64 time)
{
    g_autofree char *text = text_grouped((double)time * 1e-6, 1);
    table_row(waterfall->table);
    table_cell(waterfall->table, "    %s", label);
    for (guint i = 0; i < 2; i++) table_cell(waterfall->table, " ");
    table_cell(waterfall->table, "%s", text);
    add_bar(waterfall, 0, time, '|');
}

static gint64 highest_of(const GArray *changes, guint steps, gint64 from)
{
    gint64 highest = from;
    for (guint i = 0; i < steps; i++) {
        from += time_change(&g_array_index(changes, TimeChange, i));
        highest = MAX(highest, from);
    }
    const TimeChange rest = take_rest(changes, steps);
    return MAX(highest, from + time_change(&rest));
}

static void add_heads(Table *table)
{
    static const char *const heads[] = {"before", "after", "change"};
    table_row(table);
    table_cell(table, "    a scheduler's time, ns");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
}

void time_changes_print(const Comparison *comparison, guint index, FILE *out)
{
    g_autoptr(GArray) changes =
        time_changes_new(comparison->results[0], comparison->results[index]);
    g_autoptr(Table) table = table_new();
    if (!changes) return;
    const TimeChange sum = time_changes_sum(changes);
    const guint steps = count_steps(changes, STEPS);
    const TimeChange rest = take_rest(changes, steps);
    Waterfall waterfall = {table, sum.before, highest_of(changes, steps, sum.before)};
    fprintf(out, "    time: where the change comes from\n");
    add_heads(table);
    add_end(&waterfall, compare_label(comparison, 0), sum.before);
    for (guint i = 0; i < steps; i++) add_step(&waterfall, &g_array_index(changes, TimeChange, i));
    if (rest.before || rest.after) add_step(&waterfall, &rest);
    add_end(&waterfall, compare_label(comparison, index), sum.after);
    table_print(table, out);
}

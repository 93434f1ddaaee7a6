#include "scenarios/program/study/trials/trials.h"

#include <stdio.h>

#include "scenarios/program/run/status_line.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/points/run.h"
#include "scenarios/program/study/trials/store.h"

struct Trials {
    const OpenPlan *plan;
    const TrialForm *form;
    TrialSettings settings;
    TrialsEnd end;
    char *folder;
    bool warned;
    gint64 until;
    GHashTable *known; /* key -> what the form reads; NULL: it is to be simulated */
    guint count, done;
};

Trials *trials_new(const OpenPlan *plan, const TrialForm *form, const TrialSettings *settings)
{
    Trials *trials = g_new0(Trials, 1);
    const gint64 limit = (gint64)(settings->time_s * G_USEC_PER_SEC);
    *trials = (Trials){.plan = plan,
                       .form = form,
                       .settings = *settings,
                       .folder = store_folder(form->name),
                       .until = limit ? g_get_monotonic_time() + limit : G_MAXINT64,
                       .known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, form->free)};
    return trials;
}

void trials_free(Trials *trials)
{
    if (!trials) return;
    g_hash_table_unref(trials->known);
    g_free(trials->folder);
    g_free(trials);
}

static const char *key_of(const Trials *trials, guint point)
{
    return ((const Point *)open_plan_manifest(trials->plan)->points->pdata[point])->key;
}

const void *trials_find(const Trials *trials, guint point)
{
    return g_hash_table_lookup(trials->known, key_of(trials, point));
}

TrialsEnd trials_end(const Trials *trials)
{
    return trials->end;
}

guint trials_count(const Trials *trials)
{
    return trials->done;
}

/* --- what is known ---------------------------------------------------------------------------- */

static void keep(Trials *trials, guint point, void *answer)
{
    g_hash_table_insert(trials->known, g_strdup(key_of(trials, point)), answer);
    trials->done++;
}

static bool recall(Trials *trials, guint point)
{
    g_autofree char *payload = store_read(trials->folder, key_of(trials, point));
    void *answer = payload ? trials->form->parse(payload) : NULL;
    if (answer) keep(trials, point, answer);
    return answer != NULL;
}

/* The points that are to be simulated, of guint. A point that is the same run as another counts
 * once. */
static GArray *choose(Trials *trials, const GArray *points)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < points->len; i++) {
        const guint point = g_array_index(points, guint, i);
        if (g_hash_table_contains(trials->known, key_of(trials, point))) continue;
        if (trials->count == trials->settings.most) {
            trials->end = MAX(trials->end, TRIALS_ENOUGH);
            break;
        }
        trials->count++;
        if (recall(trials, point)) continue;
        g_hash_table_insert(trials->known, g_strdup(key_of(trials, point)), NULL);
        g_array_append_val(chosen, point);
    }
    return chosen;
}

/* --- simulating ------------------------------------------------------------------------------- */

static void store(Trials *trials, guint point, const char *payload)
{
    int code = 0;
    if (store_write(trials->folder, key_of(trials, point), payload, &code) || trials->warned)
        return;
    trials->warned = true;
    fprintf(stderr,
            "warpmem: warning: %s: cannot be written, so nothing is kept for the next time: %s\n",
            trials->folder, g_strerror(code));
}

char *trial_problem(const char *message, bool rejected)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "problem", message);
    if (rejected) json_put_bool(json, "rejected", TRUE);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return json_to_string(root, FALSE);
}

/* What another attempt may end otherwise is not kept. */
static void take(Trials *trials, const PoolEnd *ended)
{
    const WorkerEnd *end = &ended->end;
    g_autofree char *payload = end->status == POINT_DONE
                                   ? g_strdup(end->payload)
                                   : trial_problem(end->payload, end->status == POINT_REJECTED);
    void *answer = trials->form->parse(payload);
    if (!answer) return;
    if (point_status_is_final(end->status)) store(trials, ended->point, payload);
    keep(trials, ended->point, answer);
}

static void take_ends(Trials *trials, GArray *ends)
{
    for (guint i = 0; i < ends->len; i++) {
        take(trials, &g_array_index(ends, PoolEnd, i));
        worker_end_clear(&g_array_index(ends, PoolEnd, i).end);
    }
    g_array_set_size(ends, 0);
}

static void show(const Trials *trials, const char *what)
{
    const bool asked = interrupts_take_request(), progress = trials->settings.progress;
    g_autofree char *line = g_strdup_printf("%s: %u of %u runs", what, trials->done, trials->count);
    if (asked && progress) status_line_hide();
    if (asked) fprintf(stderr, "%s\n", line);
    if (progress) status_line_show(line);
}

static bool is_over(Trials *trials)
{
    if (interrupts_came())
        trials->end = TRIALS_INTERRUPTED;
    else if (g_get_monotonic_time() >= trials->until)
        trials->end = TRIALS_LATE;
    return trials->end > TRIALS_ENOUGH;
}

static bool simulate(Trials *trials, const char *what, const GArray *points, GError **error)
{
    const PoolSettings settings = {.manifest = open_plan_manifest(trials->plan),
                                   .simulate = trials->form->simulate,
                                   .processes = MIN(points->len, trials->settings.processes)};
    g_autoptr(Pool) pool = pool_new(&settings, error);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    guint next = 0;
    while (pool && !is_over(trials)) {
        for (; next < points->len && !pool_is_full(pool); next++)
            if (!pool_start(pool, g_array_index(points, guint, next), error)) return false;
        if (!pool_running(pool)) return true;
        show(trials, what);
        pool_wait(pool, trials->until, interrupts_mask(), ends);
        take_ends(trials, ends);
    }
    return pool != NULL;
}

bool trials_run(Trials *trials, const char *what, const GArray *points, GError **error)
{
    g_autoptr(GArray) chosen = choose(trials, points);
    const bool good = !chosen->len || simulate(trials, what, chosen, error);
    if (trials->settings.progress) status_line_hide();
    return good;
}

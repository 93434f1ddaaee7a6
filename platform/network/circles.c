#include "platform/network/circles.h"

#include <stdbool.h>

typedef struct {
    uint32_t to;
    bool dateline;
} Dependency;

typedef enum { UNSEEN, OPEN, DONE } Visit;

typedef struct {
    GArray **next; /* of Dependency, by link */
    uint8_t *visit;
    GArray *path; /* links, from the search's beginning */
    GArray *circle;
} Search;

static Dependency *find_dependency(const Search *search, uint32_t from, uint32_t to)
{
    GArray *next = search->next[from];
    for (guint k = 0; k < next->len; k++)
        if (g_array_index(next, Dependency, k).to == to) return &g_array_index(next, Dependency, k);
    return NULL;
}

static void add_dependencies(const Search *search, const LinkRoutes *routes)
{
    for (uint32_t r = 0; r < routes->routes; r++) {
        for (uint32_t k = routes->first[r] + 1; k < routes->first[r + 1]; k++) {
            const uint32_t from = routes->hop[k - 1], to = routes->hop[k];
            if (find_dependency(search, from, to)) continue;
            g_array_append_val(search->next[from], ((Dependency){to, false}));
        }
    }
}

/* From the link on the path that the last one leads back to. */
static void note_circle(Search *search, uint32_t back)
{
    guint begin = search->path->len;
    while (g_array_index(search->path, uint32_t, begin - 1) != back) begin--;
    const guint length = search->path->len - begin + 1;
    if (search->circle->len && search->circle->len <= length) return;
    g_array_set_size(search->circle, 0);
    g_array_append_vals(search->circle, &g_array_index(search->path, uint32_t, begin - 1), length);
}

/* Depth first, without a stack of calls: a path may be as long as there are links. */
static void search_from(Search *search, uint32_t link, guint *step)
{
    g_array_append_val(search->path, link);
    search->visit[link] = OPEN;
    while (search->path->len) {
        const uint32_t here = g_array_index(search->path, uint32_t, search->path->len - 1);
        if (step[here] == search->next[here]->len) {
            search->visit[here] = DONE;
            g_array_set_size(search->path, search->path->len - 1);
            continue;
        }
        Dependency *next = &g_array_index(search->next[here], Dependency, step[here]++);
        if (search->visit[next->to] == OPEN) {
            next->dateline = true;
            note_circle(search, next->to);
        } else if (search->visit[next->to] == UNSEEN) {
            search->visit[next->to] = OPEN;
            g_array_append_val(search->path, next->to);
        }
    }
}

static uint32_t count_datelines(const Search *search, const LinkRoutes *routes, uint8_t *channel)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < routes->routes; r++) {
        uint32_t crossed = 0;
        for (uint32_t k = routes->first[r]; k < routes->first[r + 1]; k++) {
            if (k > routes->first[r]
                && find_dependency(search, routes->hop[k - 1], routes->hop[k])->dateline)
                crossed++;
            channel[k] = (uint8_t)MIN(crossed, UINT8_MAX);
        }
        most = MAX(most, crossed);
    }
    return most + 1;
}

uint32_t circles_break(const LinkRoutes *routes, uint8_t *channel, GArray *circle)
{
    Search search = {.next = g_new(GArray *, routes->links),
                     .visit = g_new0(uint8_t, routes->links),
                     .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     .circle = circle};
    g_autofree guint *step = g_new0(guint, routes->links);
    for (uint32_t k = 0; k < routes->links; k++)
        search.next[k] = g_array_new(FALSE, FALSE, sizeof(Dependency));
    add_dependencies(&search, routes);
    for (uint32_t k = 0; k < routes->links; k++)
        if (search.visit[k] == UNSEEN) search_from(&search, k, step);
    const uint32_t channels = count_datelines(&search, routes, channel);
    for (uint32_t k = 0; k < routes->links; k++) g_array_unref(search.next[k]);
    g_free(search.next);
    g_free(search.visit);
    g_array_unref(search.path);
    return channels;
}

#include "parts/dram/checker.h"

enum { KINDS = DRAM_STEP_AUTO_PRECHARGE + 1, RULES_MAX = 48, RECENT = 32 };

typedef enum { SCOPE_BANK, SCOPE_GROUP, SCOPE_CHANNEL } Scope;

typedef struct {
    const char *name;
    DramStepKind first, second;
    Scope scope;
    uint64_t cycles;
} Rule;

typedef struct {
    bool seen;
    uint64_t cycle;
} Last;

typedef struct {
    bool open;
    uint32_t row;
    uint64_t refreshes;
} CheckedBank;

struct DramChecker {
    const DramTiming *timing;
    uint64_t burst_cycles;
    Rule rule[RULES_MAX];
    uint32_t rules;
    Last last_of_bank[DRAM_BANKS_MAX][KINDS];
    Last last_of_group[DRAM_GROUPS_MAX][KINDS];
    Last last_of_channel[KINDS];
    CheckedBank bank[DRAM_BANKS_MAX];
    uint64_t activate[RECENT], activates;
    uint64_t data_begin[RECENT], transfers;
    uint64_t latest;
    char text[200];
};

static void add_rule(DramChecker *checker, Rule rule)
{
    g_assert(checker->rules < RULES_MAX);
    checker->rule[checker->rules++] = rule;
}

static void add_row_rules(DramChecker *c)
{
    const DramTiming *t = c->timing;
    const DramStepKind act = DRAM_STEP_ACTIVATE, pre = DRAM_STEP_PRECHARGE;
    const uint64_t activate_bus = t->activate_cycles * t->row_bus_sharers;
    const uint64_t precharge_bus = t->precharge_cycles * t->row_bus_sharers;
    add_rule(c, (Rule){"tRC", act, act, SCOPE_BANK, t->tRC});
    add_rule(c, (Rule){"tRAS", act, pre, SCOPE_BANK, t->tRAS});
    add_rule(c, (Rule){"tRP", pre, act, SCOPE_BANK, t->tRP});
    add_rule(c, (Rule){"tRRD_L", act, act, SCOPE_GROUP, t->tRRD_L});
    add_rule(c, (Rule){"tRRD_S", act, act, SCOPE_CHANNEL, t->tRRD_S});
    add_rule(c, (Rule){"row bus", act, act, SCOPE_CHANNEL, activate_bus});
    add_rule(c, (Rule){"row bus", act, pre, SCOPE_CHANNEL, activate_bus});
    add_rule(c, (Rule){"row bus", pre, act, SCOPE_CHANNEL, precharge_bus});
    add_rule(c, (Rule){"row bus", pre, pre, SCOPE_CHANNEL, precharge_bus});
}

static void add_column_rules(DramChecker *c)
{
    const DramTiming *t = c->timing;
    const DramStepKind act = DRAM_STEP_ACTIVATE, pre = DRAM_STEP_PRECHARGE;
    const DramStepKind rd = DRAM_STEP_READ, wr = DRAM_STEP_WRITE;
    const uint64_t written = t->CWL + c->burst_cycles;
    const uint64_t turn = t->tRTW ? t->tRTW : t->CL + c->burst_cycles + 2;
    add_rule(c, (Rule){"tRCDRD", act, rd, SCOPE_BANK, t->tRCDRD});
    add_rule(c, (Rule){"tRCDWR", act, wr, SCOPE_BANK, t->tRCDWR});
    add_rule(c, (Rule){"tCCD_L", rd, rd, SCOPE_GROUP, t->tCCD_L});
    add_rule(c, (Rule){"tCCD_L", wr, wr, SCOPE_GROUP, t->tCCD_L});
    add_rule(c, (Rule){"tCCD_S", rd, rd, SCOPE_CHANNEL, t->tCCD_S});
    add_rule(c, (Rule){"tCCD_S", wr, wr, SCOPE_CHANNEL, t->tCCD_S});
    add_rule(c,
             (Rule){"tRTW", rd, wr, SCOPE_CHANNEL, t->tRTW ? turn : turn - MIN(turn - 1, t->CWL)});
    add_rule(c, (Rule){"tWTR_L", wr, rd, SCOPE_GROUP, written + t->tWTR_L});
    add_rule(c, (Rule){"tWTR_S", wr, rd, SCOPE_CHANNEL, written + t->tWTR_S});
    add_rule(c, (Rule){"tRTP", rd, pre, SCOPE_BANK, t->tRTP});
    add_rule(c, (Rule){"tWR", wr, pre, SCOPE_BANK, written + t->tWR});
}

/* Where all commands have one bus, no two of them are on it at once. */
static void add_shared_bus_rules(DramChecker *c)
{
    if (c->timing->command_buses != 1) return;
    const DramStepKind rows[] = {DRAM_STEP_ACTIVATE, DRAM_STEP_PRECHARGE};
    const DramStepKind columns[] = {DRAM_STEP_READ, DRAM_STEP_WRITE};
    const uint64_t length[] = {c->timing->activate_cycles, c->timing->precharge_cycles};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        for (guint k = 0; k < G_N_ELEMENTS(columns); k++) {
            add_rule(c, (Rule){"command bus", rows[i], columns[k], SCOPE_CHANNEL, length[i]});
            add_rule(c, (Rule){"command bus", columns[k], rows[i], SCOPE_CHANNEL, 1});
        }
}

/* As an ordinary precharge, without a place on the row bus. */
static void add_auto_precharge_rules(DramChecker *c)
{
    const DramTiming *t = c->timing;
    const DramStepKind automatic = DRAM_STEP_AUTO_PRECHARGE;
    const uint64_t written = t->CWL + c->burst_cycles + t->tWR;
    add_rule(c, (Rule){"tRAS", DRAM_STEP_ACTIVATE, automatic, SCOPE_BANK, t->tRAS});
    add_rule(c, (Rule){"tRTP", DRAM_STEP_READ, automatic, SCOPE_BANK, t->tRTP});
    add_rule(c, (Rule){"tWR", DRAM_STEP_WRITE, automatic, SCOPE_BANK, written});
    add_rule(c, (Rule){"tRP", automatic, DRAM_STEP_ACTIVATE, SCOPE_BANK, t->tRP});
}

static void add_refresh_rules(DramChecker *c)
{
    const DramTiming *t = c->timing;
    const DramStepKind act = DRAM_STEP_ACTIVATE, rd = DRAM_STEP_READ, wr = DRAM_STEP_WRITE;
    const uint64_t written = t->CWL + c->burst_cycles + t->tWR;
    const struct {
        DramStepKind kind;
        Scope scope;
        uint64_t busy;
    } kinds[] = {{DRAM_STEP_REFRESH_BANK, SCOPE_BANK, t->tRFCpb},
                 {DRAM_STEP_REFRESH_ALL, SCOPE_CHANNEL, t->tRFC}};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const DramStepKind ref = kinds[i].kind;
        const Scope scope = kinds[i].scope;
        add_rule(c, (Rule){"tRFC", ref, act, scope, t->tRP + kinds[i].busy});
        add_rule(c, (Rule){"tRFC", ref, ref, scope, t->tRP + kinds[i].busy});
        add_rule(c, (Rule){"tRAS before refresh", act, ref, scope, t->tRAS});
        add_rule(c, (Rule){"tRTP before refresh", rd, ref, scope, t->tRTP});
        add_rule(c, (Rule){"tWR before refresh", wr, ref, scope, written});
    }
}

DramChecker *dram_checker_new(const DramTiming *timing)
{
    DramChecker *checker = g_new0(DramChecker, 1);
    checker->timing = timing;
    checker->burst_cycles = timing->burst_length / timing->data_rate;
    add_row_rules(checker);
    add_column_rules(checker);
    add_shared_bus_rules(checker);
    add_auto_precharge_rules(checker);
    add_refresh_rules(checker);
    return checker;
}

void dram_checker_free(DramChecker *checker)
{
    g_free(checker);
}

G_GNUC_PRINTF(3, 4)
static const char *violation(DramChecker *checker, const DramStep *step, const char *format, ...)
{
    static const char *const names[KINDS] = {"PRE",   "ACT",   "RD",      "WR",
                                             "REFpb", "REFab", "auto PRE"};
    const int length = g_snprintf(checker->text, sizeof checker->text,
                                  "%s bank %u row %u at cycle %" G_GUINT64_FORMAT ": ",
                                  names[step->kind], step->bank, step->row, step->cycle);
    va_list arguments;
    va_start(arguments, format);
    g_vsnprintf(checker->text + length, sizeof checker->text - (gulong)length, format, arguments);
    va_end(arguments);
    return checker->text;
}

static uint64_t group_number(const DramChecker *checker, const DramStep *step)
{
    return step->bank / checker->timing->banks_per_group;
}

static const Last *last_in_scope(const DramChecker *checker, const Rule *rule, const DramStep *step)
{
    switch (rule->scope) {
    case SCOPE_BANK: return &checker->last_of_bank[step->bank][rule->first];
    case SCOPE_GROUP: return &checker->last_of_group[group_number(checker, step)][rule->first];
    case SCOPE_CHANNEL: break;
    }
    return &checker->last_of_channel[rule->first];
}

static const char *check_distances(DramChecker *checker, const DramStep *step)
{
    for (uint32_t i = 0; i < checker->rules; i++) {
        const Rule *rule = &checker->rule[i];
        if (rule->second != step->kind) continue;
        const Last *last = last_in_scope(checker, rule, step);
        if (last->seen && step->cycle - last->cycle < rule->cycles)
            return violation(checker, step,
                             "%s: %" G_GUINT64_FORMAT " cycles after, not %" G_GUINT64_FORMAT,
                             rule->name, step->cycle - last->cycle, rule->cycles);
    }
    return NULL;
}

static const char *check_row(DramChecker *checker, const DramStep *step)
{
    if (step->bank == DRAM_ALL_BANKS) return NULL;
    const CheckedBank *bank = &checker->bank[step->bank];
    switch ((DramStepKind)step->kind) {
    case DRAM_STEP_ACTIVATE:
        return bank->open ? violation(checker, step, "row %u is still open", bank->row) : NULL;
    case DRAM_STEP_AUTO_PRECHARGE:
    case DRAM_STEP_PRECHARGE: return bank->open ? NULL : violation(checker, step, "no row is open");
    case DRAM_STEP_READ:
    case DRAM_STEP_WRITE:
        if (!bank->open) return violation(checker, step, "no row is open");
        return bank->row == step->row ? NULL
                                      : violation(checker, step, "row %u is open", bank->row);
    case DRAM_STEP_REFRESH_BANK:
    case DRAM_STEP_REFRESH_ALL: break;
    }
    return NULL;
}

static const char *check_activates(DramChecker *checker, const DramStep *step, uint64_t count,
                                   uint64_t window, const char *name)
{
    if (!window || step->kind != DRAM_STEP_ACTIVATE || checker->activates < count) return NULL;
    const uint64_t before = checker->activate[(checker->activates - count) % RECENT];
    if (step->cycle - before >= window) return NULL;
    return violation(checker, step,
                     "%s: one more than %" G_GUINT64_FORMAT " activates in %" G_GUINT64_FORMAT
                     " cycles",
                     name, count, step->cycle - before);
}

static uint64_t data_begin(const DramChecker *checker, const DramStep *step)
{
    return step->cycle
           + (step->kind == DRAM_STEP_READ ? checker->timing->CL : checker->timing->CWL);
}

static const char *check_data(DramChecker *checker, const DramStep *step)
{
    if (!dram_step_is_column(step)) return NULL;
    const uint64_t begin = data_begin(checker, step);
    for (uint64_t i = 0; i < MIN(checker->transfers, RECENT); i++) {
        const uint64_t other = checker->data_begin[i];
        if (begin < other + checker->burst_cycles && other < begin + checker->burst_cycles)
            return violation(checker, step, "data bus: overlaps data at cycle %" G_GUINT64_FORMAT,
                             other);
    }
    return NULL;
}

/* A command may find its bank's refresh due but not yet done; two of them never. */
static const char *check_refresh(DramChecker *checker, const DramStep *step)
{
    const DramTiming *t = checker->timing;
    if (t->refresh == DRAM_REFRESH_OFF || step->bank == DRAM_ALL_BANKS) return NULL;
    const bool all = t->refresh == DRAM_REFRESH_ALL_BANK;
    const uint64_t interval = all ? t->tREFI : t->tREFIpb * t->bank_groups * t->banks_per_group;
    const uint64_t first = all ? t->tREFI : (step->bank + 1u) * t->tREFIpb;
    const uint64_t due = step->cycle < first ? 0 : (step->cycle - first) / interval + 1;
    if (step->kind == DRAM_STEP_REFRESH_BANK || due <= checker->bank[step->bank].refreshes + 1)
        return NULL;
    return violation(checker, step,
                     "tREFI: %" G_GUINT64_FORMAT " refreshes are due, %" G_GUINT64_FORMAT " done",
                     due, checker->bank[step->bank].refreshes);
}

static void close_all(DramChecker *checker, const DramStep *step)
{
    for (uint64_t i = 0; i < DRAM_BANKS_MAX; i++) {
        checker->bank[i].open = false;
        checker->bank[i].refreshes += step->row;
    }
}

static void apply(DramChecker *checker, const DramStep *step)
{
    if (step->kind == DRAM_STEP_REFRESH_ALL) {
        close_all(checker, step);
        return;
    }
    CheckedBank *bank = &checker->bank[step->bank];
    if (step->kind == DRAM_STEP_REFRESH_BANK) bank->refreshes += step->row;
    if (step->kind == DRAM_STEP_ACTIVATE) bank->row = step->row;
    if (!dram_step_is_column(step)) bank->open = step->kind == DRAM_STEP_ACTIVATE;
}

static void remember(DramChecker *checker, const DramStep *step)
{
    const Last last = {true, step->cycle};
    checker->last_of_channel[step->kind] = last;
    if (step->bank != DRAM_ALL_BANKS) {
        checker->last_of_bank[step->bank][step->kind] = last;
        checker->last_of_group[group_number(checker, step)][step->kind] = last;
    }
    if (step->kind == DRAM_STEP_ACTIVATE)
        checker->activate[checker->activates++ % RECENT] = step->cycle;
    if (dram_step_is_column(step))
        checker->data_begin[checker->transfers++ % RECENT] = data_begin(checker, step);
    checker->latest = step->cycle;
}

static bool is_known_bank(const DramChecker *checker, const DramStep *step)
{
    if (step->kind == DRAM_STEP_REFRESH_ALL) return step->bank == DRAM_ALL_BANKS;
    return step->bank < checker->timing->bank_groups * checker->timing->banks_per_group;
}

/* Of an ideal channel: columns, and what is left of the data bus. */
static const char *check_ideal(DramChecker *checker, const DramStep *step)
{
    if (!dram_step_is_column(step))
        return violation(checker, step, "an ideal channel's rows are open");
    return checker->timing->ideal == DRAM_IDEAL_TIMING ? check_data(checker, step) : NULL;
}

static const char *check_real(DramChecker *checker, const DramStep *step)
{
    const char *wrong = check_row(checker, step);
    if (!wrong) wrong = check_distances(checker, step);
    if (!wrong) wrong = check_activates(checker, step, 4, checker->timing->tFAW, "tFAW");
    if (!wrong) wrong = check_activates(checker, step, 32, checker->timing->t32AW, "t32AW");
    if (!wrong) wrong = check_data(checker, step);
    if (!wrong) wrong = check_refresh(checker, step);
    return wrong;
}

const char *dram_checker_feed(DramChecker *checker, const DramStep *step)
{
    if (step->cycle < checker->latest)
        return violation(checker, step, "order: the log is at cycle %" G_GUINT64_FORMAT,
                         checker->latest);
    if (!is_known_bank(checker, step)) return violation(checker, step, "no such bank");
    const bool ideal = checker->timing->ideal != DRAM_IDEAL_NO;
    const char *wrong = ideal ? check_ideal(checker, step) : check_real(checker, step);
    apply(checker, step);
    remember(checker, step);
    return wrong;
}

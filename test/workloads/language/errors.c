/* The kernel language: every mistake is named, with its place and what would be right. */
#include "code.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/language/scenario.h"

/* A program, and its error behind "test.ini:4: workload.code: ". */
static const struct {
    const char *code, *message;
} mistakes[] = {
    {"x = lod A[1]", "x = lod A[1]: 'lod' is no instruction; did you mean 'load'?"},
    {"global A[10]; x = load A[10]",
     "x = load A[10]: goes from 10 to 10, but A has elements 0 to 9"},
    {"global A[10]; x = load A[lane]",
     "x = load A[lane]: goes from 0 to 31, but A has elements 0 to 9"},
    {"global A[10]; x = load A[thred]",
     "x = load A[thred]: nothing here is called 'thred'; did you mean 'thread'?"},
    {"global A[10]; if lane < 10 { x = load A[lane] }; fp32 x",
     "fp32 x: nothing has been assigned to 'x' here; 'register x' declares a variable with some value"},
    {"x = fp32 y",
     "x = fp32 y: nothing has been assigned to 'y' here; 'register y' declares a variable with some value"},
    {"for i in 0..lane { int }",
     "for i in 0..lane { int }: depends on the lane, but the lanes of a warp go through a loop together; use 'if' inside"},
    {"if lane < 3 { barrier }",
     "if lane < 3 { barrier }: a barrier that some lanes of a CTA do not reach"},
    {"if warp < 1 { barrier }",
     "if warp < 1 { barrier }: a barrier that some warps of a CTA do not reach"},
    {"global A[32] of 4 B; x = load.16 A[lane]",
     "x = load.16 A[lane]: 16 B at a time, but the addresses are multiples of 4 B only; a GPU refuses misaligned accesses"},
    {"global A[32] of 4 B; x = load.32 A[lane]",
     "x = load.32 A[lane]: expected a cache hint (ca, cg, nc, cs) or a width in bytes (1, 2, 4, 8, 16), not '32'"},
    {"global A[32] of 4 B; x = load.cx A[lane]",
     "x = load.cx A[lane]: expected a cache hint (ca, cg, nc, cs) or a width in bytes (1, 2, 4, 8, 16), not 'cx'"},
    {"global A[32] of 4 B; store B[lane]",
     "store B[lane]: nothing here is called 'B'; there are lane, warp, thread, cta, warps, threads, ctas, A"},
    {"global A[32] of 4 B; A = fp32",
     "A = fp32: 'A' is an array and cannot be assigned; memory is written by 'store'"},
    {"load A[3]", "load A[3]: a result is missing: 'x = load ...'"},
    {"reduc A[3]", "reduc A[3]: 'reduc' begins no statement; did you mean 'reduce'?"},
    {"for i in 0..4 { int",
     "for i in 0..4 { int: expected a statement, not the end of the program"},
    {"let x = 1; let x = 2", "let x = 2: 'x' has a meaning already"},
    {"let lane = 2", "let lane = 2: 'lane' has a meaning already"},
    {"global A[64]; x = load A[lane]; y = load A[x]",
     "y = load A[x]: the value of 'x' is not known: the array that it was loaded from has no content; declare one: 'content cycle' or 'content random(n)'"},
    {"global A[64] content cycle; p = 0; for i in 0..4 { p = p + 1; x = load A[p] }",
     "for i in 0..4 { p = p + 1: the value of 'p' is not known: it changes from iteration to iteration; only 'p = load a[p]' through an array with 'content cycle' or 'content index + constant' is followed"},
    {"param n = 3 from 4 to 5", "param n = 3 from 4 to 5: is 3; allowed: from 4 to 5"},
    {"param n = 99999999999999999999",
     "param n = 99999999999999999999: 99999999999999999999 is too large"},
    {"x = 3 +", "x = 3 +: expected a number or a name, not the end of the program"},
    {"x = (3 + 4", "x = (3 + 4: expected ')', not the end of the program"},
    {"x = fp32 times lane",
     "x = fp32 times lane: must be the same number for all lanes, warps and iterations"},
    {"x = 3 / 0", "x = 3 / 0: a divisor must be 1 or more; this one may be 0"},
    {"x = random(4, 1,2,3,4,5,6,7)", "x = random(4, 1,2,3,4,5,6,7): random takes 1 to 6 arguments"},
    {"x = random(0)", "x = random(0): random is among 1 number or more, not 0"},
    {"x = permute(lane, 0 - 3)",
     "x = permute(lane, 0 - 3): permute is among 1 number or more, not -3"},
    {"x = rando(4)", "x = rando(4): no function is called 'rando'; did you mean 'random'?"},
    {"register a[4]; a[lane] = fp32",
     "a[lane] = fp32: must be the same number for all lanes, warps and iterations"},
    {"register a[4]; a[4] = fp32", "a[4] = fp32: is 4; allowed: from 0 to 3"},
    {"register a[4]; a = fp32", "a = fp32: a is an array of registers; an element is written x[0]"},
    {"global A[64, 2]; x = load A[lane]",
     "x = load A[lane]: A has 2 dimensions, but 1 index is given"},
    {"local L[4]; x = atomic L[0]", "x = atomic L[0]: there are no atomics on local memory"},
    {"global A[64] readonly; store A[lane]", "store A[lane]: A is read only"},
    {"$", "$: '$' means nothing here"},
    {"ä = fp32", "ä = fp32: 'ä' means nothing here"},
    {"for i in 0..4 unroll all { global Q[4] }",
     "for i in 0..4 unroll all { global Q[4] }: arrays stand outside of loops and conditions"},
    {"pressure 300", "pressure 300: is 300; allowed: from 0 to 255"},
    {"wait 3", "wait 3: expected an array, or the end of the statement, not '3'"},
    {"global A[4]; wait A[0] + 1",
     "wait A[0] + 1: expected a comparison (==, !=, <, <=, >, >=), not '+'"},
    {"global A[64]; wait A[lane * lane] > 0",
     "wait A[lane * lane] > 0: the words that a warp waits for are linear in the lane"},
    {"global A[4]; reduce A[0] by lane * lane",
     "reduce A[0] by lane * lane: the operand of an atomic is linear in the lane: base + lane * stride"},
    {"global A[4]; x = atomic.sub A[0]",
     "x = atomic.sub A[0]: expected an operation (add, inc, min, max, exch, cas, and, or, xor), a cache hint or a width, not 'sub'"},
    {"global A[4]; x = atomic.cas A[0] by 1",
     "x = atomic.cas A[0] by 1: expected 'from', not 'by'"},
    {"global A[4] of 8 B; reduce A[0] by 1",
     "reduce A[0] by 1: atomics with values are of 4 B, not 8 B"},
    {"shared S[4]; wait S[0] > 1", "wait S[0] > 1: S is not in global memory"},
    {"shared S[4]; blend S[0]", "blend S[0]: S is not in global memory"},
    {"global A[4]; x = blend A[0]", "x = blend A[0]: 'blend' has no result"},
    {"global A[4] surface half 60 quarter 50",
     "global A[4] surface half 60 quarter 50: expected the end of the statement, not 'quarter'"},
    {"global A[4] surface quarter 50 half 60",
     "global A[4] surface quarter 50 half 60: is 60; allowed: from 0 to 50"},
    {"shared S[4] surface half 50", "shared S[4] surface half 50: a surface is in global memory"},
    {"x = tex y",
     "x = tex y: nothing has been assigned to 'y' here; 'register y' declares a variable with some value"},
    {"x = log2(lane)",
     "x = log2(lane): log2 takes a positive number that is the same for all warps"},
    {"if lane { param z = 1 }",
     "if lane { param z = 1 }: parameters stand outside of loops and conditions"},
    {"let y = 1 << 70", "let y = 1 << 70: shifts go from 0 to 61 bits; this one from 70 to 70"},
    {"global A[32] of 3 B; x = load A[lane]",
     "x = load A[lane]: elements of A have 3 B; how many of them are accessed? load.8: 1, 2, 4, 8, 16"},
    {"for i in 0..8 { for j in 0..8 { for k in 0..8 { for l in 0..8 { for m in 0..8 { for n in 0..8 { for o in 0..8 { for p in 0..8 { for q in 0..8 { for r in 0..8 { for s in 0..8 { int }}}}}}}}}}}",
     "for i in 0..8 { for j in 0..8 { for k in 0..8 { for l in 0..8 { for m in 0..8 { for n in 0..8 { for o in 0..8 { for p in 0..8 { for q in 0..8 { for r in 0..8 { for s in 0..8 { int }}}}}}}}}}}: loops and conditions are nested too deeply: 10 at most"},
    {"param z = random(4)",
     "param z = random(4): must be the same number for all lanes, warps and iterations"},
    {"param ctas = 3", "param ctas = 3: 'ctas' is a key of every kernel"},
    {"x = store A[0]", "x = store A[0]: 'store' has no result"},
    {"x = reduce A[0]", "x = reduce A[0]: 'reduce' has no result; with a result it is 'atomic'"},
    {"global A[64] of 8 B; x = fp32; x = load A[lane]",
     "x = load A[lane]: x has 4 B, but 8 B are assigned"},
    {"global A[64] content cycle; p = 0; for i in 0..4 { if lane < 3 { p = load A[p] } }",
     "for i in 0..4 { if lane < 3 { p = load A[p] } }: 'p' walks through 'A' and may not do so for some lanes only; put the whole walk under the condition"},
    {"global A[64] content cycle; p = 0; q = 0; for i in 0..4 { let r = p + 1; p = load A[p]; for j in 0..3 { p = load A[p] }; x = load A[r % 64] }",
     "x = load A[r % 64] }: the value of 'r' is not known: it depends on a pointer that moves on"},
    {"global A[64]; if cta == 1 { y = 3 } else { y = 4 }; x = load A[y]",
     "x = load A[y]: nothing here is called 'y'; there are lane, warp, thread, cta, warps, threads, ctas, A"},
    {"global A[64]; y = 3; if cta == 1 { y = 4 }; x = load A[y]",
     "x = load A[y]: the value of 'y' is not known: it is assigned under a condition"},
    {"for i in 0..5000 unroll all { int }",
     "for i in 0..5000 unroll all { int }: 'unroll all' is for loops of a known number of iterations, at most 4096"},
    {"for i in 0..100 unroll all { for j in 0..1000 unroll all { int } }",
     "for i in 0..100 unroll all { for j in 0..1000 unroll all { int } }: the program has more than 65536 instructions; unroll less"},
    {"register a[8] of 16 B; x = fma a[0], a[1]",
     "x = fma a[0], a[1]: reads 8 registers of 4 B; an instruction reads up to 6"},
    {"for i in 0..ctas step 0 { int }",
     "for i in 0..ctas step 0 { int }: is 0; allowed: from 1 to 1099511627776"},
    {"global A[2, 3, 4, 5]", "global A[2, 3, 4, 5]: an array has 1 to 3 dimensions, not 4"},
    {"constant C[4]; store C[0]", "store C[0]: C is read only"},
    {"shared s[4]; x = load.cg s[0]",
     "x = load.cg s[0]: a cache hint is for global and local arrays"},
    {"x = (1 + 2)) + 3", "x = (1 + 2)) + 3: expected the end of the statement, not ')'"},
    {"barrier 7", "barrier 7: expected the end of the statement, not '7'"},
    {"global A[64]; x = load A[0] y",
     "x = load A[0] y: expected the end of the statement, not 'y'"},
    {"global A[64]; x = load A[(lane]", "x = load A[(lane]: expected ')', not ']'"},
    {"global A[64] content cycle; p = 0; for i in 0..4 { p = load A[p] }; let q = p; for i in 0..4 { x = load A[q]; p = load A[p] }",
     "for i in 0..4 { x = load A[q]: the value of 'q' is not known: it depends on a pointer that moves on"},
};

START_TEST(a_mistake_in_the_code_is_named)
{
    g_autofree char *message = error_of_code(mistakes[_i].code, NULL);
    g_autofree char *expected =
        g_strconcat("test.ini:4: workload.code: ", mistakes[_i].message, NULL);
    ck_assert_str_eq(message, expected);
}
END_TEST

/* Keys beside the code; the program has a parameter n. */
static const struct {
    const char *keys, *message;
} key_mistakes[] = {
    {"workload.m=3\n",
     "test.ini:5: workload.m = 3: pattern 'program' has no parameter 'm'; it knows pattern, "
     "sequence, kernels, kernel_name, launches, warm_up_launches, measure, keep_l1, concurrent, "
     "caches, code, ctas, threads_per_cta, registers_per_thread, shared_bytes_per_cta, counted_bytes, "
     "dependent_loads, seed, number"},
    {"workload.numbr=3\n", "test.ini:5: workload.numbr = 3: pattern 'program' has no parameter "
                           "'numbr'; did you mean 'number'?"},
    {"workload.number=9\n", "test.ini:5: workload.number: 9: is 9; allowed: from 1 to 8"},
    {"workload.number=2 *\n", "test.ini:5: workload.number: 2 *: expected a number or a name, not "
                              "the end of the program"},
    {"workload.number=thread\n", "test.ini:5: workload.number: thread: nothing here is called "
                                 "'thread'; there are no names yet"},
    {"workload.counted_bytes=numer\n", "test.ini:5: workload.counted_bytes: numer: nothing here is "
                                       "called 'numer'; did you mean 'number'?"},
    {"workload.registers_per_thread=300\n",
     "test.ini:5: workload.registers_per_thread: 300: is 300; allowed: from 1 to 255"},
    {"workload.shared_bytes_per_cta=2 MiB\n",
     "test.ini:5: workload.shared_bytes_per_cta: 2 MiB: is 2097152; allowed: from 0 to 1048576"},
};

START_TEST(a_mistake_in_a_key_is_named)
{
    g_autofree char *message =
        error_of_code("param number = 4 from 1 to 8; int times number", key_mistakes[_i].keys);
    ck_assert_str_eq(message, key_mistakes[_i].message);
}
END_TEST

static char *repeat(const char *begin, const char *part, guint times)
{
    GString *code = g_string_new(begin);
    for (guint i = 0; i < times; i++) g_string_append(code, part);
    return g_string_free(code, FALSE);
}

/* Each so often that walking it by recursion would need more stack than there is. */
static const struct {
    const char *begin, *part, *message;
} deep[] = {
    {"let x = lane", " ^ (lane + cta)", "more than 2000 functions are one in another here"},
    {"if lane + warp < 5 { int }", " else if lane + warp < 6 { int }",
     "expected fewer 'else if', not 'if'"},
    {"let x = ", "(", "expected an expression that is nested less deeply, not '('"},
    {"", "if cta < 1 {", "expected blocks that are nested less deeply, not '{'"},
};

START_TEST(what_is_too_deep_is_refused)
{
    g_autofree char *code = repeat(deep[_i].begin, deep[_i].part, 100000),
                    *message = error_of_code(code, NULL);
    ck_assert_msg(strstr(message, deep[_i].message) != NULL, "...%s",
                  message + MAX(strlen(message), 200) - 200);
}
END_TEST

START_TEST(a_program_must_be_there)
{
    g_autofree char *message = error_of_code("", NULL);
    ck_assert_str_eq(message, "test.ini:4: workload.code = : the program is empty");
}
END_TEST

static char *load_and_build(const char *text)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *file = temporary_file(folder, "x.ini", text);
    g_autoptr(Scenario) scenario = scenario_load(file, NULL, &error);
    ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
    g_autoptr(LaunchList) list = variant_build_launches(scenario->variants->pdata[0], &error);
    char *message = error ? g_strdup(error->message + strlen(folder)) : NULL;
    temporary_remove(folder);
    return message;
}

START_TEST(lines_are_counted_as_in_the_file)
{
    g_autofree char *message = load_and_build("[workload]\n"
                                              "pattern = program\n"
                                              "code =\n"
                                              "  # why\n"
                                              "\n"
                                              "  global A[64]\n"
                                              "# not indented\n"
                                              "  for i in 0..4 {  # here\n"
                                              "\tx = load A[i +\n"
                                              "             q]   # and there\n"
                                              "  }\n"
                                              "\n"
                                              "ctas = 3\n");
    ck_assert_str_eq(message, "/x.ini:10: workload.code: q]: nothing here is called 'q'; there "
                              "are lane, warp, thread, cta, warps, threads, ctas, A, i");
}
END_TEST

START_TEST(a_value_ends_where_the_next_key_begins)
{
    g_autofree char *message = load_and_build("[workload]\n"
                                              "  pattern = program\n"
                                              "\n"
                                              "[variant two]\n"
                                              "workload.ctas = 2\n");
    ck_assert_str_eq(message, "/x.ini:2: workload.code is not set: the program is empty");
    g_autofree char *none = load_and_build("[workload]\n"
                                           "pattern = program\n"
                                           "code = param n = 2\n"
                                           "  int times n\n"
                                           "n = 3\n"
                                           "[variant two]\n"
                                           "workload.n = 2\n");
    ck_assert_ptr_null(none);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_errors");
    tcase_add_loop_test(cases, a_mistake_in_the_code_is_named, 0, G_N_ELEMENTS(mistakes));
    tcase_add_loop_test(cases, a_mistake_in_a_key_is_named, 0, G_N_ELEMENTS(key_mistakes));
    tcase_add_loop_test(cases, what_is_too_deep_is_refused, 0, G_N_ELEMENTS(deep));
    tcase_add_test(cases, a_program_must_be_there);
    tcase_add_test(cases, lines_are_counted_as_in_the_file);
    tcase_add_test(cases, a_value_ends_where_the_next_key_begins);
    Suite *suite = suite_create("program_errors");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

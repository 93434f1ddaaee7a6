/* How an L1 divides its lines into sets, and which of a set goes next: one thread loads, and each
 * load's time says whether it hit.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o tags tags.cu
 *   ./tags set | ./tags sweep
 *
 * set: random loads of five to eight lines of one set, a letter a line, upper case where it missed.
 * sweep: lines, and how many miss in each sweep, six to eight of them.
 *
 * An eviction set of H100's L1, by halving 1500 random lines as long as they evict another, has four
 * lines; those of the first 4096 that can stand for one are 625, 1051, 2422 and what these XOR to.
 * So a set is the lowest nine bits of the line, with 625 for bit 9, 1051 for bit 10 and 2422 for bit
 * 11 XORed in. Without shared memory 1736 lines stay, with some of it fewer; sets have four always. */
#include <random>

#include "common.cuh"

enum { LINE = 128, LOADS_MOST = 15000, HIT_MOST = 120 };

__constant__ uint32_t order[LOADS_MOST];

__device__ static uint32_t clock_now()
{
    uint32_t now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}

/* What was loaded is zero; the next address and the clock wait for it. Bits leave past L1. */
__global__ void load_in_order(const char *buffer, int loads, uint32_t *missed)
{
    uint32_t value = 0, word = 0;
    for (int i = 0; i < loads; i++) {
        const char *at = buffer + (size_t)order[i] * LINE + value;
        const uint32_t start = clock_now();
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
        asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 1; @p trap;}" ::"r"(value));
        word |= (uint32_t)(clock_now() - start > HIT_MOST) << i % 32;
        if (i % 32 < 31 && i + 1 < loads) continue;
        atomicOr(&missed[i / 32], word);
        word = 0;
    }
}

static std::vector<bool> load_all(const std::vector<uint32_t> &lines)
{
    static char *buffer;
    static uint32_t *missed;
    if (!buffer) {
        check(cudaMalloc(&buffer, (size_t)64 << 20));
        check(cudaMemset(buffer, 0, (size_t)64 << 20));
        check(cudaMallocManaged(&missed, LOADS_MOST / 8 + 4));
    }
    memset(missed, 0, LOADS_MOST / 8 + 4);
    check(cudaMemcpyToSymbol(order, lines.data(), lines.size() * sizeof lines[0]));
    load_in_order<<<1, 1>>>(buffer, (int)lines.size(), missed);
    check(cudaDeviceSynchronize());
    std::vector<bool> result(lines.size());
    for (size_t i = 0; i < lines.size(); i++) result[i] = missed[i / 32] >> i % 32 & 1;
    return result;
}

/* The line of set 0 among 512 of them. */
static uint32_t line_of_set(uint32_t block)
{
    uint32_t line = 0;
    if (block & 1) line ^= 625;
    if (block & 2) line ^= 1051;
    if (block & 4) line ^= 2422;
    return line;
}

static void show_set(int count)
{
    std::mt19937 random(count);
    std::vector<uint32_t> lines, letters;
    for (int i = 0; i < 600; i++) letters.push_back(i < count ? i : random() % count);
    for (uint32_t letter : letters) lines.push_back(line_of_set(letter));
    const auto missed = load_all(lines);
    for (size_t i = 0; i < lines.size(); i++) putchar((missed[i] ? 'A' : 'a') + letters[i]);
    putchar('\n');
}

static void show_sweeps(uint32_t count)
{
    std::vector<uint32_t> lines;
    while (lines.size() + count <= LOADS_MOST)
        for (uint32_t line = 0; line < count; line++) lines.push_back(line);
    const auto missed = load_all(lines);
    printf("%u:", count);
    for (size_t i = 0; i < lines.size(); i += count) {
        int misses = 0;
        for (size_t k = i; k < i + count; k++) misses += missed[k];
        printf(" %d", misses);
    }
    putchar('\n');
}

int main(int count, char **words)
{
    if (count == 2 && !strcmp(words[1], "set")) {
        for (int lines = 5; lines <= 8; lines++) show_set(lines);
        return 0;
    }
    if (count == 2 && !strcmp(words[1], "sweep")) {
        for (uint32_t lines : {1736, 1744, 1760, 1800, 1850, 1900, 2000, 2100, 2200, 2300, 2400})
            show_sweeps(lines);
        return 0;
    }
    fprintf(stderr, "usage: tags set|sweep\n");
    return 2;
}

/* What lies between the kernels of a list: the gap from one to the next, the launches of CTAs, and copies
 * from and to the host.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o between between.cu
 *   ./between gaps && ./between ctas && ./between copies
 */
#include "common.cuh"

enum { SOME = 200 };

static __device__ uint64_t nanoseconds()
{
    uint64_t value;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
    return value;
}

/* --- from the end of a kernel to the start of the next ----------------------------------------- */

struct Times {
    uint64_t begin, end, sm, begin_ns, end_ns;
};

/* A block that lasts, so that the host is never behind. */
__global__ void last(Times *times, long at, long cycles)
{
    Times mine;
    mine.begin_ns = nanoseconds();
    mine.begin = clock64();
    mine.end = mine.begin;
    while (mine.end - mine.begin < (uint64_t)cycles) mine.end = clock64();
    mine.sm = this_sm();
    mine.end_ns = nanoseconds();
    if (!threadIdx.x) times[at * gridDim.x + blockIdx.x] = mine;
}

/* Median, in core cycles, of the gaps on the same SM. */
static void print_gaps(const char *name, int blocks, const Times *times)
{
    std::vector<Times> host(SOME * blocks);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(host.data(), times, host.size() * sizeof(Times), cudaMemcpyDeviceToHost));
    std::vector<int64_t> gaps, ns;
    for (int k = 1; k < SOME; k++) {
        uint64_t begin = UINT64_MAX, end = 0;
        std::vector<uint64_t> last_end(1024, 0);
        for (int b = 0; b < blocks; b++) {
            const Times &before = host[(k - 1) * blocks + b], &after = host[k * blocks + b];
            last_end[before.sm] = std::max(last_end[before.sm], before.end);
            end = std::max(end, before.end_ns);
            begin = std::min(begin, after.begin_ns);
        }
        ns.push_back((int64_t)(begin - end));
        for (int b = 0; b < blocks; b++) {
            const Times &after = host[k * blocks + b];
            if (last_end[after.sm]) gaps.push_back(after.begin - last_end[after.sm]);
        }
    }
    std::sort(ns.begin(), ns.end());
    std::sort(gaps.begin(), gaps.end());
    printf("gap %s, %d blocks, of one SM %ld cycles (least %ld), of all %ld ns (least %ld)\n", name,
           blocks, gaps.empty() ? 0 : (long)gaps[gaps.size() / 2], gaps.empty() ? 0 : (long)gaps[0],
           (long)ns[ns.size() / 2], (long)ns[0]);
}

static void run_gaps(long)
{
    cudaStream_t stream, other;
    cudaEvent_t event[2];
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    for (cudaEvent_t &each : event) check(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
    for (int blocks : {1, sms, 8 * sms}) {
        Times *times = reserve<Times>(sizeof(Times) * SOME * blocks);
        char *some = reserve<char>(1 << 20);
        const long cycles = 20000;
        const auto launch = [&](cudaStream_t in, int k) {
            last<<<blocks, 128, 0, in>>>(times, k, cycles);
        };
        for (int k = 0; k < SOME; k++) launch(stream, k);
        print_gaps("in a stream", blocks, times);

        cudaGraph_t graph;
        cudaGraphExec_t instance;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int k = 0; k < SOME; k++) launch(stream, k);
        check(cudaStreamEndCapture(stream, &graph));
        check(cudaGraphInstantiate(&instance, graph, 0));
        for (int i = 0; i < 2; i++) check(cudaGraphLaunch(instance, stream));
        print_gaps("in a graph", blocks, times);

        for (int k = 0; k < SOME; k++) {
            const cudaStream_t in = k % 2 ? other : stream;
            if (k) check(cudaStreamWaitEvent(in, event[(k - 1) % 2], 0));
            launch(in, k);
            check(cudaEventRecord(event[k % 2], in));
        }
        print_gaps("behind another stream's event", blocks, times);

        for (int k = 0; k < SOME; k++) {
            launch(stream, k);
            check(cudaMemsetAsync(some, 0, 1024, stream));
        }
        print_gaps("with a memset of 1 KiB between", blocks, times);
        for (int k = 0; k < SOME; k++) {
            launch(stream, k);
            check(cudaMemcpyAsync(some, some + (1 << 19), 1024, cudaMemcpyDeviceToDevice, stream));
        }
        print_gaps("with a copy of 1 KiB within the GPU between", blocks, times);
        char *host;
        check(cudaMallocHost(&host, 1 << 20));
        for (const bool up : {true, false}) {
            for (int k = 0; k < SOME; k++) {
                launch(stream, k);
                check(cudaMemcpyAsync(up ? some : host, up ? host : some, 1024, cudaMemcpyDefault,
                                      stream));
            }
            print_gaps(up ? "with 1 KiB from the host between" : "with 1 KiB to the host between",
                       blocks, times);
        }
        for (int k = 0; k < SOME; k++) {
            launch(stream, k);
            if (k % 20 == 19) check(cudaStreamSynchronize(stream));
        }
        print_gaps("in a stream, waited for every 20", blocks, times);
        check(cudaFreeHost(host));
    }
}

/* --- launches of CTAs --------------------------------------------------------------------------- */

__global__ void nothing()
{
}

static void run_ctas(long)
{
    int khz;
    check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    for (int threads : {32, 64, 128, 256, 512, 1024})
        for (long blocks : {1l, 132l, 1000l, 10000l, 100000l, 1000000l, 4000000l}) {
            const auto times = timed(9, [&] { nothing<<<blocks, threads>>>(); });
            printf("ctas of %d threads, %ld, %.2f us, %.3f cycles each at %d MHz\n", threads,
                   blocks, times[4] * 1e3, times[4] * khz / blocks, khz / 1000);
        }
    /* the starts of one grid's blocks, by each SM's first */
    const int blocks = 16 * sms;
    Times *times = reserve<Times>(sizeof(Times) * blocks);
    for (int threads : {32, 128, 1024}) {
        for (int i = 0; i < 2; i++) last<<<blocks, threads>>>(times, 0, 100000);
        std::vector<Times> host(blocks);
        check(cudaMemcpy(host.data(), times, blocks * sizeof(Times), cudaMemcpyDeviceToHost));
        uint64_t first = UINT64_MAX;
        for (const Times &each : host) first = std::min(first, each.begin_ns);
        std::vector<uint64_t> starts;
        for (const Times &each : host) starts.push_back(each.begin_ns - first);
        for (int b = 0; b < blocks; b = b ? b * 2 : 1)
            printf("start of block, %d threads, %d, sm %ld, %ld ns\n", threads, b, (long)host[b].sm,
                   (long)starts[b]);
        /* of one SM, by its own clock */
        std::vector<uint64_t> own;
        for (const Times &each : host)
            if (each.sm == 0) own.push_back(each.begin);
        std::sort(own.begin(), own.end());
        for (size_t i = 0; i < own.size(); i++)
            printf("start on SM 0, %d threads, %zu, %ld cycles\n", threads, i,
                   (long)(own[i] - own[0]));
    }
}

/* --- copies ------------------------------------------------------------------------------------- */

static void run_copies(long)
{
    const size_t most = 1l << 30;
    char *memory = reserve<char>(most), *second = reserve<char>(most), *pinned,
         *pageable = (char *)malloc(most);
    check(cudaMallocHost(&pinned, most));
    memset(pageable, 1, most);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    const struct {
        const char *name;
        char *to, *from;
    } ways[] = {{"host to device", memory, pinned},
                {"device to host", pinned, memory},
                {"pageable host to device", memory, pageable},
                {"device to pageable host", pageable, memory},
                {"device to device", memory, second}};
    for (const auto &way : ways)
        for (size_t bytes = 4; bytes <= most; bytes *= 8) {
            const int copies = bytes < 1 << 20 ? 100 : 4;
            std::vector<float> each;
            cudaEvent_t begin, end;
            check(cudaEventCreate(&begin));
            check(cudaEventCreate(&end));
            for (int run = 0; run < 5; run++) {
                float ms;
                check(cudaEventRecord(begin, stream));
                for (int i = 0; i < copies; i++)
                    check(cudaMemcpyAsync(way.to, way.from, bytes, cudaMemcpyDefault, stream));
                check(cudaEventRecord(end, stream));
                check(cudaEventSynchronize(end));
                check(cudaEventElapsedTime(&ms, begin, end));
                each.push_back(ms / copies);
            }
            std::sort(each.begin(), each.end());
            printf("copy %s, %zu, %.3f us, %.2f GB/s\n", way.name, bytes, each[2] * 1e3,
                   bytes / each[2] / 1e6);
        }
}

int main(int count, char **arguments)
{
    const Benchmark benchmarks[] = {{"gaps", run_gaps}, {"ctas", run_ctas}, {"copies", run_copies}};
    return run_named(benchmarks, count, arguments);
}

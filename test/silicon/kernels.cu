/* What scenarios/measured/published/h100-sxm.txt says of whole kernels was measured with this: each does what
 * the kernel of its name in scenarios/measured/kernels.ini does. It is not built with the project:
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o kernels kernels.cu
 *   ncu --clock-control none --metrics gpu__time_duration.sum,dram__bytes_read.sum ./kernels once
 *   ./kernels
 *
 * ncu empties the caches before a kernel. `once` runs each kernel once; without it the median of groups of
 * launches one behind the other is printed, less that of a kernel that does nothing, in microseconds. */
#include <numeric>
#include <random>

#include "common.cuh"

static bool once;
static double nothing_us;

static void time_kernel(const char *name, const std::function<void()> &launch)
{
    enum { GROUPS = 15, LAUNCHES = 20 };
    if (once) {
        launch();
        check(cudaDeviceSynchronize());
        return;
    }
    const auto times = timed(GROUPS, [&] {
        for (int i = 0; i < LAUNCHES; i++) launch();
    });
    const double us = times[GROUPS / 2] * 1e3 / LAUNCHES;
    printf("%s, %.2f\n", name, us - nothing_us);
    if (!strcmp(name, "nothing")) nothing_us = us;
}

__global__ void nothing()
{
}

/* --- streams ---------------------------------------------------------------------------------- */

__global__ void copy(const float4 *__restrict__ a, float4 *__restrict__ b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void saxpy(const float *__restrict__ x, float *__restrict__ y, float a)
{
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 60; k += 4) {
        float u[4], v[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            u[j] = x[first + (k + j) * stride];
            v[j] = y[first + (k + j) * stride];
        }
#pragma unroll
        for (int j = 0; j < 4; j++) y[first + (k + j) * stride] = a * u[j] + v[j];
    }
}

/* a row of eight floats a thread */
__global__ void structures(const float *__restrict__ a, float *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float value;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(a + i * 8 + k));
        sum += value;
    }
    sums[i] = sum;
}

/* a thread for each column */
__global__ void columns(const float *__restrict__ a, float *__restrict__ sums)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 8
    for (int row = 0; row < 4096; row++) sum += a[row * 4096 + column];
    sums[column] = sum;
}

__global__ void reduction(const float *__restrict__ a, float *__restrict__ total)
{
    __shared__ float part[512];
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < 64; k++) sum += a[first + k * stride];
    part[threadIdx.x] = sum;
    for (int half = 256; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (!threadIdx.x) atomicAdd(total, part[0]);
}

/* --- transposes of 4096 x 4096 ---------------------------------------------------------------- */

enum { SIDE = 4096 };

__global__ void transpose(const float *__restrict__ a, float *__restrict__ b)
{
    const int x = blockIdx.x % 128 * 32 + threadIdx.x % 32;
    const int y = blockIdx.x / 128 * 32 + threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 32; k += 8) b[x * SIDE + y + k] = a[(y + k) * SIDE + x];
}

template <int PAD>
__global__ void transpose_tile(const float *__restrict__ a, float *__restrict__ b)
{
    __shared__ float tile[32][32 + PAD];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const int column = blockIdx.x % 128 * 32, row = blockIdx.x / 128 * 32;
#pragma unroll
    for (int k = 0; k < 32; k += 8) tile[y + k][x] = a[(row + y + k) * SIDE + column + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 8) b[(column + y + k) * SIDE + row + x] = tile[x][y + k];
}

/* --- products of n x n ------------------------------------------------------------------------ */

enum { N = 512 };

static __device__ float shared_load(const float *at)
{
    float value;
    asm volatile("ld.shared.f32 %0, [%1];"
                 : "=f"(value)
                 : "r"((uint32_t)__cvta_generic_to_shared(at)));
    return value;
}

__global__ void product_tile(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c)
{
    __shared__ float p[32][32], q[32][32];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const int row = blockIdx.x / (N / 32) * 32 + y, column = blockIdx.x % (N / 32) * 32 + x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < N; k += 32) {
        p[y][x] = a[row * N + k + x];
        q[y][x] = b[(k + y) * N + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += 8) {
            float u[8], v[8];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                u[j] = shared_load(&p[y][i + j]);
                v[j] = shared_load(&q[i + j][x]);
            }
#pragma unroll
            for (int j = 0; j < 8; j++) sum += u[j] * v[j];
        }
        __syncthreads();
    }
    c[row * N + column] = sum;
}

__global__ void product(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ c)
{
    const int row = blockIdx.x / (N / 16) * 16 + threadIdx.x / 16;
    const int column = blockIdx.x % (N / 16) * 16 + threadIdx.x % 16;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < N; k += 8) {
        float u[8], v[8];
#pragma unroll
        for (int j = 0; j < 8; j++) {
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(u[j]) : "l"(a + row * N + k + j));
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[j]) : "l"(b + (k + j) * N + column));
        }
#pragma unroll
        for (int j = 0; j < 8; j++) sum += u[j] * v[j];
    }
    c[row * N + column] = sum;
}

/* --- stencils --------------------------------------------------------------------------------- */

/* seven points of 256 x 256 x 256, a thread for each inner one */
__global__ void stencil(const float *__restrict__ a, float *__restrict__ b)
{
    const int x = threadIdx.x % 32 + blockIdx.x % 8 * 32;
    const int y = threadIdx.x / 32 + blockIdx.x / 8 % 32 * 8;
    const int z = blockIdx.x / 256 + 1;
    const int i = (z * 256 + y) * 256 + x;
    b[i] =
        a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - 256] + a[i + 256] + a[i - 65536] + a[i + 65536]);
}

/* 5 x 5 of 2048 x 2048 */
__global__ void convolution(const float *__restrict__ a, float *__restrict__ b)
{
    const int x = threadIdx.x % 32 + blockIdx.x % 64 * 32;
    const int y = threadIdx.x / 32 + blockIdx.x / 64 * 8;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 5; j++) {
#pragma unroll
        for (int i = 0; i < 5; i++) sum += a[(y + j) * 2056 + x + i] * (0.1f * i + j);
    }
    b[y * 2048 + x] = sum;
}

/* --- without order ---------------------------------------------------------------------------- */

__global__ void gather(const uint32_t *__restrict__ index, const float *__restrict__ table,
                       float *__restrict__ out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}

__global__ void scatter(const uint32_t *__restrict__ index, float *__restrict__ table)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    table[index[i]] = 1;
}

/* sixteen elements a row, column by column, a thread for each row */
__global__ void sparse(const uint32_t *__restrict__ index, const float *__restrict__ value,
                       const float *__restrict__ x, float *__restrict__ y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, rows = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < 16; k++) sum += value[k * rows + row] * x[index[k * rows + row]];
    y[row] = sum;
}

__global__ void walk(const uint64_t *__restrict__ next, uint64_t *__restrict__ out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t at = i * 2654435761u % (32u << 20);
#pragma unroll 1
    for (int k = 0; k < 16; k++) at = next[at];
    out[i] = at;
}

/* --- histograms of bytes ---------------------------------------------------------------------- */

__global__ void histogram(const uint32_t *__restrict__ value, unsigned *__restrict__ bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[value[i]], 1);
}

__global__ void histogram_tile(const uint32_t *__restrict__ value, unsigned *__restrict__ bins)
{
    __shared__ unsigned part[256];
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; k += 8) {
        uint32_t bin[8];
#pragma unroll
        for (int j = 0; j < 8; j++) bin[j] = value[first + (k + j) * stride];
#pragma unroll
        for (int j = 0; j < 8; j++) atomicAdd(&part[bin[j]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

/* --- */

static uint32_t *reserve_random(size_t count, uint32_t below)
{
    std::vector<uint32_t> host(count);
    std::mt19937 random(1);
    for (uint32_t &each : host) each = (uint64_t)random() * below >> 32;
    uint32_t *memory = reserve<uint32_t>(count * 4);
    check(cudaMemcpy(memory, host.data(), count * 4, cudaMemcpyHostToDevice));
    return memory;
}

/* One random cycle through all. */
static uint64_t *reserve_cycle(size_t count)
{
    std::vector<uint32_t> order(count);
    std::vector<uint64_t> host(count);
    std::mt19937_64 random(1);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), random);
    for (size_t i = 0; i < count; i++) host[order[i]] = order[(i + 1) % count];
    uint64_t *memory = reserve<uint64_t>(count * 8);
    check(cudaMemcpy(memory, host.data(), count * 8, cudaMemcpyHostToDevice));
    return memory;
}

int main(int count, char **arguments)
{
    once = count > 1 && !strcmp(arguments[1], "once");
    float *a = reserve<float>(80l << 20), *b = reserve<float>(80l << 20),
          *c = reserve<float>(16l << 20);
    time_kernel("nothing", [&] { nothing<<<132, 256>>>(); });
    time_kernel("copy", [&] { copy<<<16384, 256>>>((float4 *)a, (float4 *)b); });
    time_kernel("saxpy", [&] { saxpy<<<1056, 256>>>(a, b, 2); });
    time_kernel("structures", [&] { structures<<<8192, 256>>>(a, c); });
    time_kernel("columns", [&] { columns<<<16, 256>>>(a, c); });
    time_kernel("reduction", [&] { reduction<<<512, 512>>>(a, c); });
    time_kernel("transpose", [&] { transpose<<<16384, 256>>>(a, b); });
    time_kernel("transpose-tile", [&] { transpose_tile<0><<<16384, 256>>>(a, b); });
    time_kernel("transpose-padded", [&] { transpose_tile<1><<<16384, 256>>>(a, b); });
    time_kernel("product", [&] { product<<<1024, 256>>>(a, b, c); });
    time_kernel("product-tile", [&] { product_tile<<<256, 1024>>>(a, b, c); });
    time_kernel("stencil", [&] { stencil<<<65024, 256>>>(a, b); });
    time_kernel("convolution", [&] { convolution<<<16384, 256>>>(a, b); });

    float *table = reserve<float>(1024l << 20);
    uint32_t *near = reserve_random(4 << 20, 4 << 20), *far = reserve_random(4 << 20, 256 << 20);
    uint32_t *bytes = reserve_random(4 << 20, 256), *vector = reserve_random(4 << 20, 1 << 20);
    unsigned *bins = reserve<unsigned>(1024);
    uint64_t *next = reserve_cycle(32 << 20), *out = reserve<uint64_t>(8 << 20);
    time_kernel("gather-near", [&] { gather<<<16384, 256>>>(near, table, b); });
    time_kernel("gather", [&] { gather<<<16384, 256>>>(far, table, b); });
    time_kernel("scatter", [&] { scatter<<<16384, 256>>>(far, table); });
    time_kernel("sparse", [&] { sparse<<<1024, 256>>>(vector, a, table, b); });
    time_kernel("walk", [&] { walk<<<528, 128>>>(next, out); });
    time_kernel("histogram", [&] { histogram<<<16384, 256>>>(bytes, bins); });
    time_kernel("histogram-tile", [&] { histogram_tile<<<1024, 256>>>(bytes, bins); });
    return 0;
}

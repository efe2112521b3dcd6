// The operations that differ between a GPU and the emulation: 16-bit types, warp operations and tensor-core
// products. Fragment layouts are those of the PTX ISA, "Matrix multiply-accumulate operation using mma
// instruction", m16n8k16, and "ldmatrix".
#pragma once

#ifdef VERIDIC_EMULATION
#include "../emulation/emulation.h"
#else

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define DEVICE __device__ __forceinline__
#define SHARED_MEMORY(name) extern __shared__ __align__(16) unsigned char name[]

using f16 = __half;
using bf16 = __nv_bfloat16;

DEVICE float to_float(f16 x) { return __half2float(x); }
DEVICE float to_float(bf16 x) { return __bfloat162float(x); }
template <class T> DEVICE T from_float(float x);
template <> DEVICE f16 from_float<f16>(float x) { return __float2half_rn(x); }
template <> DEVICE bf16 from_float<bf16>(float x) { return __float2bfloat16_rn(x); }

DEVICE float exponential(float x) {  // 2^x
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float shuffle_xor(float x, int lanes) { return __shfl_xor_sync(0xffffffffu, x, lanes); }
DEVICE void sync_warp() { __syncwarp(); }
DEVICE void sync_block() { __syncthreads(); }

// Loads four 8 x 8 matrices: lane l passes the address of row l % 8 of matrix l / 8.
template <class T> DEVICE void load_matrices(unsigned (&parts)[4], const T* row) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "r"(address)
                 : "memory");
}

template <class T> DEVICE void load_transposed(unsigned (&parts)[4], const T* row) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "r"(address)
                 : "memory");
}

// sum (16, 8) += a (16, 16) b (16, 8).
template <class T> DEVICE void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);
template <>
DEVICE void multiply<f16>(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <>
DEVICE void multiply<bf16>(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Copies 16 bytes into shared memory asynchronously; zeros unless `is_there`.
DEVICE void copy_async(void* shared, const void* global, bool is_there) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(global),
                 "r"(is_there ? 16 : 0)
                 : "memory");
}
DEVICE void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#endif

// Two values in one register, the first in the low half.
template <class T> DEVICE unsigned pack(float low, float high) {
    const T pair[2] = {from_float<T>(low), from_float<T>(high)};
    unsigned both;
    memcpy(&both, pair, sizeof both);
    return both;
}

DEVICE float sum_of_warp(float x) {
    for (int lanes = 16; lanes > 0; lanes /= 2) x += shuffle_xor(x, lanes);
    return x;
}

// Eight 16-bit values, 16 bytes.
template <class T> struct alignas(16) Eight {
    T at[8];
};

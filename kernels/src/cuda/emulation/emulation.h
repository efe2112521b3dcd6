// The GPU operations of kernels, emulated on the host: the threads of a block are fibers of one host thread, which
// run until a barrier. This checks logic and layouts. Since fibers can run in either order and shared memory starts
// as NaN, it also detects missing barriers within a block. It does not emulate timing, races between blocks, or a
// GPU's behaviour on invalid code.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#define DEVICE inline
#define SHARED_MEMORY(name) unsigned char* name = emulation::shared_memory()

struct Index {
    unsigned x, y, z;
};

namespace emulation {

struct Warp {
    uint64_t given[32];  // the value that each lane passes to the others
};

Index thread_index();
Index block_index();
Index grid_size();
unsigned char* shared_memory();
void wait_for_block();
void wait_for_warp();
Warp& warp();

}  // namespace emulation

#define threadIdx (emulation::thread_index())
#define blockIdx (emulation::block_index())
#define gridDim (emulation::grid_size())

struct f16 {
    _Float16 value;
};

struct bf16 {
    uint16_t bits;
};

inline float to_float(f16 x) { return static_cast<float>(x.value); }
inline float to_float(bf16 x) {
    const uint32_t bits = static_cast<uint32_t>(x.bits) << 16;
    float wide;
    std::memcpy(&wide, &bits, sizeof wide);
    return wide;
}

template <class T> T from_float(float x);
template <> inline float from_float<float>(float x) { return x; }
template <> inline f16 from_float<f16>(float x) { return f16{static_cast<_Float16>(x)}; }
template <> inline bf16 from_float<bf16>(float x) {  // to nearest, ties to even
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    if (x != x) return bf16{0x7fff};
    return bf16{static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline float exponential(float x) { return std::exp2(x); }
inline void sync_warp() { emulation::wait_for_warp(); }
inline void sync_block() { emulation::wait_for_block(); }

// Passes `mine` to the warp, calls `take` with a function that returns the value of a lane, and waits until all lanes
// are done.
template <class Value, class Take> inline auto exchange(const Value& mine, Take take) {
    static_assert(sizeof(Value) <= sizeof(uint64_t), "at most one word per lane");
    emulation::Warp& warp = emulation::warp();
    std::memcpy(&warp.given[threadIdx.x % 32], &mine, sizeof mine);
    emulation::wait_for_warp();
    auto given = [&](int lane) {
        Value value;
        std::memcpy(&value, &warp.given[lane], sizeof value);
        return value;
    };
    auto taken = take(given);
    emulation::wait_for_warp();
    return taken;
}

inline float shuffle_xor(float x, int lanes) {
    const int from = threadIdx.x % 32 ^ lanes;
    return exchange(x, [&](auto given) { return given(from); });
}

// ldmatrix: lane l passes the address of row l % 8 of matrix l / 8. Part i of a lane is from matrix i: row lane / 4,
// columns 2 (lane % 4) and the next. Transposed: rows 2 (lane % 4) and the next, column lane / 4.
template <bool IS_TRANSPOSED, class T> inline void load_parts(unsigned (&parts)[4], const T* row) {
    static_assert(sizeof(T) == 2, "16-bit values");
    const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
    exchange(row, [&](auto given) {
        for (int matrix = 0; matrix < 4; ++matrix) {
            uint16_t both[2];
            for (int i = 0; i < 2; ++i) {
                const int from = matrix * 8 + (IS_TRANSPOSED ? pair + i : group);
                std::memcpy(&both[i], given(from) + (IS_TRANSPOSED ? group : pair + i), 2);
            }
            std::memcpy(&parts[matrix], both, 4);
        }
        return 0;
    });
}

template <class T> inline void load_matrices(unsigned (&parts)[4], const T* row) {
    load_parts<false>(parts, row);
}
template <class T> inline void load_transposed(unsigned (&parts)[4], const T* row) {
    load_parts<true>(parts, row);
}

// The two values in a register.
template <class T> inline void unpack(unsigned both, float& low, float& high) {
    T pair[2];
    std::memcpy(pair, &both, sizeof pair);
    low = to_float(pair[0]);
    high = to_float(pair[1]);
}

// mma.m16n8k16: with group = lane / 4 and pair = 2 (lane % 4), a lane's registers hold:
// - of a (16, 16): rows group, group + 8, group, group + 8 at columns pair, pair, pair + 8, pair + 8 and the next;
// - of b (16, 8): rows pair and pair + 8 and the next at column group;
// - of the sums (16, 8): rows group, group, group + 8, group + 8 at columns pair, pair + 1, pair, pair + 1.
template <class T>
inline void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
    float left[2][16], right[2][16];
    auto rows = [&](unsigned mine, float* to, int shift, auto lane_of) {
        exchange(mine, [&](auto given) {
            for (int k = 0; k < 8; k += 2) unpack<T>(given(lane_of(k / 2)), to[shift + k], to[shift + k + 1]);
            return 0;
        });
    };
    auto own_row = [&](int quarter) { return group * 4 + quarter; };
    rows(a[0], left[0], 0, own_row);
    rows(a[1], left[1], 0, own_row);
    rows(a[2], left[0], 8, own_row);
    rows(a[3], left[1], 8, own_row);
    for (int column = 0; column < 2; ++column) {
        auto own_column = [&](int quarter) { return (pair + column) * 4 + quarter; };
        rows(b0, right[column], 0, own_column);
        rows(b1, right[column], 8, own_column);
    }
    for (int i = 0; i < 4; ++i) {
        float product = 0.0f;
        for (int k = 0; k < 16; ++k) product += left[i / 2][k] * right[i % 2][k];
        sum[i] += product;
    }
}

inline void copy_async(void* shared, const void* global, bool is_there) {
    if (is_there) {
        std::memcpy(shared, global, 16);
    } else {
        std::memset(shared, 0, 16);
    }
}
inline void wait_for_copies() {}

using std::memcpy;

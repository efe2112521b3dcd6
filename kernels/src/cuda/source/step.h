// A decoding step: one query per row, over keys and values in the key-value cache. A warp processes one row and
// head, in one pass over its keys with a running maximum and sum.
#pragma once

#include "arguments.h"
#include "device.h"

constexpr int STEP_THREADS = 32;
constexpr int LARGEST_STEP_SIZE = 128;

template <class T> DEVICE void step_attention(const StepArguments& a) {
    constexpr int OWN = LARGEST_STEP_SIZE / 32;  // columns per lane: lane, lane + 32, ...
    const int row = blockIdx.x, head = blockIdx.y, heads = gridDim.y, lane = threadIdx.x;
    const int width = heads * a.size;
    const T* query = static_cast<const T*>(a.query) + static_cast<long long>(row) * a.query_stride + head * a.size;
    float own_query[OWN], out[OWN] = {};
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
        const int column = lane + 32 * i;
        own_query[i] = column < a.size ? to_float(query[column]) : 0.0f;
    }
    float largest = -INFINITY, total = 0.0f;
    const unsigned first = a.firsts[row], count = a.counts[row];
    for (unsigned key = 0; key < count; ++key) {
        const unsigned cache_row = a.cache_rows ? a.cache_rows[first + key] : first + key;
        const T* key_value = static_cast<const T*>(a.cache) + static_cast<long long>(cache_row) * 2 * width + head * a.size;
        float score = 0.0f;
#pragma unroll
        for (int i = 0; i < OWN; ++i) {
            const int column = lane + 32 * i;
            if (column < a.size) score += own_query[i] * to_float(key_value[column]);
        }
        score = sum_of_warp(score);
        if (a.bias) score += a.bias[head * a.bias_count + key];
        score *= a.scale;
        const float highest = fmaxf(largest, score);
        const float shrink = exponential(largest - highest), share = exponential(score - highest);
        largest = highest;
        total = total * shrink + share;
#pragma unroll
        for (int i = 0; i < OWN; ++i) {
            const int column = lane + 32 * i;
            if (column < a.size) out[i] = out[i] * shrink + share * to_float(key_value[width + column]);
        }
    }
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
        const int column = lane + 32 * i;
        if (column < a.size) {
            static_cast<T*>(a.out)[static_cast<long long>(row) * width + head * a.size + column] = from_float<T>(out[i] / total);
        }
    }
}

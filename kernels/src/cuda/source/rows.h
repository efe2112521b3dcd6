// Row-wise kernels: sums of table rows with an optional norm, activations, small output layers, unfolding, means.
#pragma once

#include "arguments.h"
#include "device.h"

constexpr int ROW_THREADS = 128;
constexpr int ROWS_PER_BLOCK = ROW_THREADS / 32;

// A sum of rows with a layer norm ((x - mean) / sqrt(variance + epsilon) * weight + bias), an RMS norm, or no
// norm. A warp processes one row; a lane processes eight columns in every 256 and keeps them in shared memory
// in f32, private to the lane: value i of its piece p is at [(8 p + i) * 32 + lane], without bank conflicts.
template <class T> struct RowSum {
    const SumArguments& a;
    const long long row;
    float* values;
    const int lane;
    const bool is_aligned;

    DEVICE RowSum(const SumArguments& arguments, long long row, float* values)
        : a(arguments), row(row), values(values), lane(threadIdx.x % 32), is_aligned(arguments.columns % 8 == 0) {}

    // Calls `job(first column, first value)` for each of the lane's pieces of eight columns.
    template <class Job> DEVICE void pieces(Job job) const {
        float* own = values + lane;
        for (int first = lane * 8; first < a.columns; first += 256, own += 256) job(first, own);
    }

    // Calls `job(column, value)` for each of the lane's columns.
    template <class Job> DEVICE void each(Job job) const {
        pieces([&](int first, float* own) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                if (is_aligned || first + i < a.columns) job(first + i, own[i * 32]);
            }
        });
    }

    DEVICE void add(int table) const {
        const unsigned* indices = a.indices[table];
        const long long from = indices ? indices[row] : row;
        const T* values = static_cast<const T*>(a.tables[table]) + from * a.columns;
        if (is_aligned) {
            pieces([&](int first, float* own) {
                const Eight<T> eight = *reinterpret_cast<const Eight<T>*>(values + first);
#pragma unroll
                for (int i = 0; i < 8; ++i) own[i * 32] += to_float(eight.at[i]);
            });
        } else {
            each([&](int column, float& x) { x += to_float(values[column]); });
        }
    }

    DEVICE void run() const {
        const float* stream = a.stream ? a.stream + row * a.columns : nullptr;
        each([&](int column, float& x) { x = stream ? stream[column] : 0.0f; });
        for (int table = 0; table < 3; ++table) {
            if (a.tables[table]) add(table);
        }
        if (a.stream_out) each([&](int column, float& x) { a.stream_out[row * a.columns + column] = x; });
        if (a.weight) norm();
        if (a.out) write();
    }

    DEVICE void norm() const {
        float mean = 0.0f, squares = 0.0f;
        if (a.bias) {
            each([&](int, float& x) { mean += x; });
            mean = sum_of_warp(mean) / a.columns;
        }
        each([&](int, float& x) { squares += (x - mean) * (x - mean); });
        const float factor = 1.0f / sqrtf(sum_of_warp(squares) / a.columns + a.epsilon);
        each([&](int column, float& x) {
            x = (x - mean) * factor * a.weight[column] + (a.bias ? a.bias[column] : 0.0f);
        });
    }

    DEVICE void write() const {
        T* out = static_cast<T*>(a.out) + row * a.columns;
        if (is_aligned) {
            pieces([&](int first, float* own) {
                Eight<T> eight;
#pragma unroll
                for (int i = 0; i < 8; ++i) eight.at[i] = from_float<T>(own[i * 32]);
                *reinterpret_cast<Eight<T>*>(out + first) = eight;
            });
        } else {
            each([&](int column, float& x) { out[column] = from_float<T>(x); });
        }
    }
};

template <class T> DEVICE void sum_rows(const SumArguments& arguments) {
    SHARED_MEMORY(memory);
    const int warp = threadIdx.x / 32;
    const long long row = static_cast<long long>(blockIdx.x) * ROWS_PER_BLOCK + warp;
    const int padded_columns = (arguments.columns + 255) / 256 * 256;
    if (row < arguments.rows) {
        RowSum<T>(arguments, row, reinterpret_cast<float*>(memory) + warp * padded_columns).run();
    }
}

// `kind` is the index of the variant of Activation in Rust.
DEVICE float activated(float x, int kind) {
    switch (kind) {
        case 0: return 0.5f * x * (1.0f + erff(x * 0.70710678f));  // GELU with the error function
        case 1: return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
        case 2: return x < 0.0f ? 0.0f : x;
        case 3: return x / (1.0f + expf(-x));
        default: return tanhf(x);
    }
}

// A thread processes eight columns of a row.
template <class T> DEVICE void activate(const ActivateArguments& a) {
    const int pieces = (a.columns + 7) / 8;
    const long long index = static_cast<long long>(blockIdx.x) * ROW_THREADS + threadIdx.x;
    const long long row = index / pieces;
    const int column = index % pieces * 8;
    if (row >= a.rows) return;
    const T* x = static_cast<const T*>(a.x) + row * a.stride + column;
    const T* gate = a.gate ? static_cast<const T*>(a.gate) + row * a.stride + column : nullptr;
    T* out = static_cast<T*>(a.out) + row * a.columns + column;
    if (a.columns % 8 == 0 && a.stride % 8 == 0) {
        Eight<T> values = *reinterpret_cast<const Eight<T>*>(x), gates = values;
        if (gate) gates = *reinterpret_cast<const Eight<T>*>(gate);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const float y = activated(to_float(values.at[i]), a.kind);
            values.at[i] = from_float<T>(gate ? y * to_float(gates.at[i]) : y);
        }
        *reinterpret_cast<Eight<T>*>(out) = values;
        return;
    }
    for (int i = 0; i < 8 && column + i < a.columns; ++i) {
        const float y = activated(to_float(x[i]), a.kind);
        out[i] = from_float<T>(gate ? y * to_float(gate[i]) : y);
    }
}

// A warp processes one output of one row.
template <class T> DEVICE void score_rows(const ScoreArguments& a) {
    const long long index = static_cast<long long>(blockIdx.x) * ROWS_PER_BLOCK + threadIdx.x / 32;
    const long long row = index / a.outputs;
    const int output = index % a.outputs;
    if (row >= a.rows) return;
    const T* x = static_cast<const T*>(a.x) + row * a.columns;
    const float* weight = a.weight + static_cast<long long>(output) * a.columns;
    float sum = 0.0f;
    for (int column = threadIdx.x % 32; column < a.columns; column += 32) sum += to_float(x[column]) * weight[column];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) a.out[row * a.outputs + output] = sum + a.bias[output];
}

// A block processes one tap of one token.
template <class T> DEVICE void unfold(const UnfoldArguments& a) {
    const int token = blockIdx.x, tap = blockIdx.y;
    int low = 0, high = a.sequences;  // the token's sequence is in low..high
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (static_cast<int>(a.offsets[middle]) <= token) low = middle; else high = middle;
    }
    const int from = token + tap - a.taps / 2;
    const bool is_there = from >= static_cast<int>(a.offsets[low]) && from < static_cast<int>(a.offsets[low + 1]);
    const T* x = static_cast<const T*>(a.x) + static_cast<long long>(from) * a.columns;
    T* out = static_cast<T*>(a.out) + (static_cast<long long>(token) * a.taps + tap) * a.columns;
    for (int column = threadIdx.x; column < a.columns; column += ROW_THREADS) {
        out[column] = is_there ? x[column] : from_float<T>(0.0f);
    }
}

// A thread computes one column of one sequence.
template <class T> DEVICE void mean_rows(const MeanArguments& a) {
    const int sequence = blockIdx.x, column = blockIdx.y * ROW_THREADS + threadIdx.x;
    if (column >= a.columns) return;
    const unsigned first = a.offsets[sequence], end = a.offsets[sequence + 1];
    const T* x = static_cast<const T*>(a.x) + column;
    float sum = 0.0f;
    for (unsigned row = first; row < end; ++row) sum += to_float(x[static_cast<long long>(row) * a.columns]);
    T* out = static_cast<T*>(a.out) + static_cast<long long>(sequence) * a.columns + column;
    *out = from_float<T>(sum / (end - first));
}

// Attention of packed sequences with DeBERTa's two relative terms (He et al. 2021, equation 4) or T5's
// bias by distance:
//
//   score(i, j) = (q_i . k_j + q_i . pos_key[slot(i - j)] + k_j . pos_query[slot(i - j)]) * scale
//
// A block computes 64 queries of one sequence and head against its keys, 64 at a time, with a running
// maximum and sum (Milakov and Gimelshein 2018; Dao et al. 2022). Keys farther than `reach` from all of the
// block's queries are not read. Nothing of size (length, length) or
// (length, slots) is stored in global memory: a tile spans at most 127 distances, so the products with
// these slots' projections are computed per tile, 64 slots at a time, in f32 in shared memory, from where
// they are added to the scores. Far from the diagonal many distances share a slot, and only the slots that
// occur are multiplied.
//
// A block has four warps. Each computes 16 of the queries, and 16 of the keys in position-to-content products.
#pragma once

#include "arguments.h"
#include "device.h"

constexpr int SIDE = 64;           // of a tile, in tokens and slots
constexpr int ATTENTION_THREADS = 128;
constexpr int WARP_ROWS = 16;
// Row stride of products, chosen for few bank conflicts along rows and diagonals.
constexpr int PRODUCTS_STRIDE = SIDE + 4;
constexpr int DISTANCES = 2 * SIDE;

// Row stride of a tile: rows start in different banks, 16 bytes apart.
template <int SIZE> constexpr int TILE_STRIDE = SIZE + 8;

// The calling thread's position in the fragments.
struct Lane {
    int lane, warp;
    int row, column;  // of its first result in a (16, 8) product
    DEVICE Lane() : lane(threadIdx.x % 32), warp(threadIdx.x / 32), row(lane / 4), column(lane % 4 * 2) {}
};

// A tile in shared memory: `SIDE` rows of `SIZE` values.
template <class T, int SIZE> struct TileOf {
    T* at;

    DEVICE T* row(int row) const { return at + row * TILE_STRIDE<SIZE>; }

    // Loads rows of `source` from `first` on, with zeros from row `end` and column `size` on.
    DEVICE void load(const T* source, int first, int end, int stride, const AttentionArguments& a) const {
        constexpr int PIECES = SIZE / 8;
        for (int index = threadIdx.x; index < SIDE * PIECES; index += ATTENTION_THREADS) {
            const int row = first + index / PIECES, column = index % PIECES * 8;
            T* to = this->row(index / PIECES) + column;
            const T* from = source + static_cast<long long>(row) * stride + column;
            if (a.is_aligned) {
                const bool is_there = row < end && column < a.size;
                copy_async(to, is_there ? from : source, is_there);
            } else {
                for (int i = 0; i < 8; ++i) {
                    to[i] = row < end && column + i < a.size ? from[i] : from_float<T>(0.0f);
                }
            }
        }
    }

    // A left side: 16 rows, 16 columns from `column` on.
    DEVICE void left(unsigned (&parts)[4], int row, int column) const {
        const int lane = threadIdx.x % 32;
        load_matrices(parts, this->row(row + lane % 16) + column + lane / 16 * 8);
    }

    // Two right sides (16 columns, 8 rows) of a product with the tile's transpose, from `row` on.
    DEVICE void right(unsigned (&parts)[4], int row, int column) const {
        const int lane = threadIdx.x % 32;
        load_matrices(parts, this->row(row + lane / 16 * 8 + lane % 8) + column + lane / 8 % 2 * 8);
    }

    // Two right sides (16 rows, 8 columns) of a product with the tile, from `column` on.
    DEVICE void right_plain(unsigned (&parts)[4], int row, int column) const {
        const int lane = threadIdx.x % 32;
        load_transposed(parts, this->row(row + lane % 16) + column + lane / 16 * 8);
    }
};

// Shared memory of a block.
template <class T, int SIZE> struct Shared {
    TileOf<T, SIZE> query, key, value, position_key, position_query;
    float* products;     // (SIDE, PRODUCTS_STRIDE)
    unsigned* slots;     // of the tile's distances in ascending order

    static constexpr int TILE = SIDE * TILE_STRIDE<SIZE>;

    DEVICE explicit Shared(unsigned char* memory) {
        T* tiles = reinterpret_cast<T*>(memory);
        query.at = tiles;
        key.at = tiles + TILE;
        value.at = tiles + 2 * TILE;
        slots = reinterpret_cast<unsigned*>(tiles + 3 * TILE);
        // Only allocated for relative terms.
        position_key.at = reinterpret_cast<T*>(slots + DISTANCES);
        position_query.at = position_key.at + TILE;
        products = reinterpret_cast<float*>(position_query.at + TILE);
    }
};

// The block's sequence and head.
struct Position {
    int head;
    int first_key, length;    // the sequence's keys
    int first_row, queries;   // the sequence's queries
    int first_query;          // the block's first query within the sequence
    int begin, end;           // keys within reach of the block's queries
};

template <class T, int SIZE> struct Attention {
    const AttentionArguments& a;
    const Shared<T, SIZE> shared;
    const Lane lane;
    Position position;
    float score[SIDE / 8][4];
    float out[SIZE / 8][4];
    float largest[2], total[2];  // of the thread's two rows

    DEVICE Attention(const AttentionArguments& arguments, unsigned char* memory) : a(arguments), shared(memory) {
        const Tile tile = a.tiles[blockIdx.x];
        position.head = blockIdx.y;
        position.first_key = a.offsets[tile.sequence];
        position.length = a.offsets[tile.sequence + 1] - position.first_key;
        position.first_row = a.query_offsets[tile.sequence];
        position.queries = a.query_offsets[tile.sequence + 1] - position.first_row;
        position.first_query = tile.first_query;
        position.begin = max(position.first_query - a.reach, 0);
        position.end = min(min(position.first_query + SIDE, position.queries) + a.reach, position.length);
    }

    DEVICE void run() {
        for (int row = 0; row < 2; ++row) {
            largest[row] = -INFINITY;
            total[row] = 0.0f;
        }
        for (int n = 0; n < SIZE / 8; ++n) {
            for (int i = 0; i < 4; ++i) out[n][i] = 0.0f;
        }
        const int column = position.head * a.size;
        const T* query = static_cast<const T*>(a.query) + static_cast<long long>(position.first_row) * a.query_stride;
        shared.query.load(query + column, position.first_query, position.queries, a.query_stride, a);
        for (int first = position.begin; first < position.end; first += SIDE) {
            load_keys(first, column);
            score_contents();
            if (a.position_key || a.position_query) add_positions();
            if (a.bias) add_bias();
            if (abs(first - position.first_query) + SIDE - 1 > a.reach) exclude_far_keys(first);
            make_probabilities(first);
            add_values();
            sync_block();  // before the next tile overwrites this one
        }
        write();
    }

    DEVICE void load_keys(int first, int column) {
        const long long start = static_cast<long long>(position.first_key) * a.key_stride + column;
        shared.key.load(static_cast<const T*>(a.key) + start, first, position.end, a.key_stride, a);
        shared.value.load(static_cast<const T*>(a.value) + start, first, position.end, a.key_stride, a);
        if (a.slots) {
            // Distances beyond the sequence are clamped; they belong to rows beyond its end.
            const int furthest = position.length - 1;
            const int distance = position.first_query - first - (SIDE - 1) + static_cast<int>(threadIdx.x);
            const int within = min(max(distance, -furthest), furthest);
            shared.slots[threadIdx.x] = a.slots[within + a.longest - 1];
        }
        wait_for_copies();
        sync_block();
    }

    DEVICE void score_contents() {
        for (int n = 0; n < SIDE / 8; ++n) {
            for (int i = 0; i < 4; ++i) score[n][i] = 0.0f;
        }
#pragma unroll
        for (int k = 0; k < SIZE; k += 16) {
            unsigned left[4], right[4];
            shared.query.left(left, lane.warp * WARP_ROWS, k);
#pragma unroll
            for (int n = 0; n < SIDE / 8; n += 2) {
                shared.key.right(right, n * 8, k);
                multiply<T>(score[n], left, right[0], right[1]);
                multiply<T>(score[n + 1], left, right[2], right[3]);
            }
        }
    }

    // Adds the relative terms of the tile, 64 slots at a time.
    DEVICE void add_positions() {
        const int lowest = shared.slots[0], highest = shared.slots[DISTANCES - 2];
        const long long head = static_cast<long long>(position.head) * a.slot_count * a.size;
        for (int first = lowest; first <= highest; first += SIDE) {
            const int count = min(highest - first + 1, SIDE);
            if (a.position_key) {
                shared.position_key.load(static_cast<const T*>(a.position_key) + head, first, first + count, a.size, a);
            }
            if (a.position_query) {
                shared.position_query.load(static_cast<const T*>(a.position_query) + head, first, first + count, a.size, a);
            }
            wait_for_copies();
            sync_block();
            if (a.position_key) {
                multiply_slots(shared.query, shared.position_key, count);
                sync_warp();  // a warp only reads its own rows
                add_products<false>(first);
                sync_warp();
            }
            if (a.position_query) {
                multiply_slots(shared.key, shared.position_query, count);
                sync_block();
                add_products<true>(first);
            }
            sync_block();
        }
    }

    // Multiplies the warp's 16 rows by `count` slots into the same rows of `products`.
    DEVICE void multiply_slots(const TileOf<T, SIZE>& rows, const TileOf<T, SIZE>& slots, int count) const {
        unsigned left[SIZE / 16][4];
#pragma unroll
        for (int k = 0; k < SIZE / 16; ++k) rows.left(left[k], lane.warp * WARP_ROWS, k * 16);
        for (int n = 0; n < count; n += 16) {
            float sums[2][4] = {};
#pragma unroll
            for (int k = 0; k < SIZE / 16; ++k) {
                unsigned right[4];
                slots.right(right, n, k * 16);
                multiply<T>(sums[0], left[k], right[0], right[1]);
                multiply<T>(sums[1], left[k], right[2], right[3]);
            }
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                float* to = shared.products + (lane.warp * WARP_ROWS + lane.row) * PRODUCTS_STRIDE + n + half * 8 + lane.column;
                to[0] = sums[half][0];
                to[1] = sums[half][1];
                to[8 * PRODUCTS_STRIDE] = sums[half][2];
                to[8 * PRODUCTS_STRIDE + 1] = sums[half][3];
            }
        }
    }

    // Adds to each score the product of its query or key with its distance's slot.
    template <bool BY_KEY> DEVICE void add_products(int first_slot) {
#pragma unroll
        for (int n = 0; n < SIDE / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int query = lane.warp * WARP_ROWS + lane.row + i / 2 * 8;
                const int key = n * 8 + lane.column + i % 2;
                const unsigned slot = shared.slots[query - key + SIDE - 1] - first_slot;
                if (slot < SIDE) score[n][i] += shared.products[(BY_KEY ? key : query) * PRODUCTS_STRIDE + slot];
            }
        }
    }

    DEVICE void add_bias() {
        const float* bias = a.bias + position.head * a.slot_count;
#pragma unroll
        for (int n = 0; n < SIDE / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int query = lane.warp * WARP_ROWS + lane.row + i / 2 * 8;
                const int key = n * 8 + lane.column + i % 2;
                score[n][i] += bias[shared.slots[query - key + SIDE - 1]];
            }
        }
    }

    // The first tile of keys has one within reach of every query, so that a query's maximum is finite from there on.
    DEVICE void exclude_far_keys(int first_key) {
        const int first_query = position.first_query + lane.warp * WARP_ROWS + lane.row;
#pragma unroll
        for (int n = 0; n < SIDE / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int distance = first_query + i / 2 * 8 - (first_key + n * 8 + lane.column + i % 2);
                if (abs(distance) > a.reach) score[n][i] = -INFINITY;
            }
        }
    }

    // Turns scores into exponentials relative to the row's running maximum, and rescales earlier sums to it.
    DEVICE void make_probabilities(int first_key) {
#pragma unroll
        for (int row = 0; row < 2; ++row) {
            float highest = largest[row];
#pragma unroll
            for (int n = 0; n < SIDE / 8; ++n) {
#pragma unroll
                for (int i = row * 2; i < row * 2 + 2; ++i) {
                    const bool is_key = first_key + n * 8 + lane.column + i % 2 < position.end;
                    score[n][i] = is_key ? score[n][i] * a.scale : -INFINITY;
                    highest = fmaxf(highest, score[n][i]);
                }
            }
            // A row's scores are in four neighbouring lanes.
            highest = fmaxf(highest, shuffle_xor(highest, 1));
            highest = fmaxf(highest, shuffle_xor(highest, 2));
            const float shrink = exponential(largest[row] - highest);
            largest[row] = highest;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < SIDE / 8; ++n) {
#pragma unroll
                for (int i = row * 2; i < row * 2 + 2; ++i) {
                    score[n][i] = exponential(score[n][i] - highest);
                    sum += score[n][i];
                }
            }
            total[row] = total[row] * shrink + sum;
#pragma unroll
            for (int n = 0; n < SIZE / 8; ++n) {
                out[n][row * 2] *= shrink;
                out[n][row * 2 + 1] *= shrink;
            }
        }
    }

    DEVICE void add_values() {
#pragma unroll
        for (int k = 0; k < SIDE / 16; ++k) {
            const unsigned left[4] = {
                pack<T>(score[2 * k][0], score[2 * k][1]),
                pack<T>(score[2 * k][2], score[2 * k][3]),
                pack<T>(score[2 * k + 1][0], score[2 * k + 1][1]),
                pack<T>(score[2 * k + 1][2], score[2 * k + 1][3]),
            };
#pragma unroll
            for (int n = 0; n < SIZE / 8; n += 2) {
                unsigned right[4];
                shared.value.right_plain(right, k * 16, n * 8);
                multiply<T>(out[n], left, right[0], right[1]);
                multiply<T>(out[n + 1], left, right[2], right[3]);
            }
        }
    }

    // Writes the warp's rows through its part of the query tile, which is no longer used.
    DEVICE void write() {
        for (int row = 0; row < 2; ++row) {
            float sum = total[row];
            sum += shuffle_xor(sum, 1);
            sum += shuffle_xor(sum, 2);
            const float factor = 1.0f / sum;
            T* to = shared.query.row(lane.warp * WARP_ROWS + lane.row + row * 8) + lane.column;
#pragma unroll
            for (int n = 0; n < SIZE / 8; ++n) {
                to[n * 8] = from_float<T>(out[n][row * 2] * factor);
                to[n * 8 + 1] = from_float<T>(out[n][row * 2 + 1] * factor);
            }
        }
        sync_warp();
        constexpr int PIECES = SIZE / 8;
        const int width = gridDim.y * a.size;
        for (int index = lane.lane; index < WARP_ROWS * PIECES; index += 32) {
            const int row = lane.warp * WARP_ROWS + index / PIECES, column = index % PIECES * 8;
            if (position.first_query + row >= position.queries) continue;
            const long long start = static_cast<long long>(position.first_row + position.first_query + row) * width;
            T* to = static_cast<T*>(a.out) + start + position.head * a.size + column;
            const T* from = shared.query.row(row) + column;
            if (a.is_aligned) {
                if (column < a.size) *reinterpret_cast<Eight<T>*>(to) = *reinterpret_cast<const Eight<T>*>(from);
            } else {
                for (int i = 0; i < 8 && column + i < a.size; ++i) to[i] = from[i];
            }
        }
    }
};

template <class T, int SIZE> DEVICE void attention(const AttentionArguments& arguments) {
    SHARED_MEMORY(memory);
    Attention<T, SIZE>(arguments, memory).run();
}

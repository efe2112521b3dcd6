// Kernel arguments, one structure per kernel, with the layouts of ../arguments.rs.
// Pointers to absent parts are null.
#pragma once

// A tile: queries of one sequence that a block computes together.
struct Tile {
    unsigned sequence;
    unsigned first_query;
};

// T is the 16-bit dtype for which the kernel is compiled.
struct AttentionArguments {
    const void* query;           // T (queries, query_stride), from the first query column on
    const void* key;             // T (tokens, key_stride)
    const void* value;           // T (tokens, key_stride)
    const void* position_key;    // T (heads, slots, size): content to position
    const void* position_query;  // T (heads, slots, size): position to content
    const float* bias;           // (heads, slots): bias by distance
    const unsigned* slots;       // slot of distance d at [d + longest - 1]
    const unsigned* offsets;     // start of each sequence's keys: (sequences + 1)
    const unsigned* query_offsets;
    const Tile* tiles;           // (blocks in x)
    void* out;                   // T (queries, heads * size)
    int query_stride;
    int key_stride;
    int size;                    // columns per head
    int slot_count;
    int longest;                 // longest sequence that `slots` covers
    int reach;                   // the farthest key that a query attends to
    int is_aligned;              // whether rows may be read 16 bytes at a time
    float scale;                 // times log2(e)
};

// The sum of rows of up to three tables and of a residual stream in f32, with an optional norm.
struct SumArguments {
    const void* tables[3];       // T (.., columns)
    const unsigned* indices[3];  // row indices; null: row i for row i
    const float* stream;         // (rows, columns)
    float* stream_out;           // the sum, (rows, columns)
    const float* weight;         // of the norm: (columns); null: no norm
    const float* bias;           // null: RMS norm
    void* out;                   // T (rows, columns)
    int rows;
    int columns;
    float epsilon;
};

// activation(x), multiplied by `gate` if there is one.
struct ActivateArguments {
    const void* x;     // T (rows, stride)
    const void* gate;  // T (rows, stride)
    void* out;         // T (rows, columns)
    int rows;
    int columns;
    int stride;
    int kind;          // index of Activation
};

// A linear layer with few outputs, in f32.
struct ScoreArguments {
    const void* x;        // T (rows, columns)
    const float* weight;  // (outputs, columns)
    const float* bias;    // (outputs)
    float* out;           // (rows, outputs)
    int rows;
    int columns;
    int outputs;
};

// Unfolding (im2col): for each token, the rows of `taps` neighbours side by side; 0 beyond its sequence.
struct UnfoldArguments {
    const void* x;            // T (tokens, columns)
    const unsigned* offsets;  // (sequences + 1)
    void* out;                // T (tokens, taps * columns)
    int sequences;
    int tokens;
    int columns;
    int taps;
};

// Rotary positions of the queries and keys of each row.
struct RotaryArguments {
    void* x;                    // T (rows, stride): the heads' columns first; turned in place
    const unsigned* positions;  // (rows)
    const float* steps;         // angles of position 1: (size / 2)
    int rows;
    int stride;
    int heads;                  // of queries and keys together
    int size;                   // columns per head
};

// The mean row of each sequence.
struct MeanArguments {
    const void* x;            // T (tokens, columns)
    const unsigned* offsets;  // (sequences + 1)
    void* out;                // T (sequences, columns)
    int columns;
};

// Attention of single queries over the key-value cache (a decoding step).
struct StepArguments {
    const void* query;          // T (rows, query_stride)
    const void* cache;          // T (cache rows, 2 * heads * size): keys, then values
    const unsigned* cache_rows;    // cache rows of all queries' keys, query by query; null: spans
    const unsigned* firsts;     // start of each query's part of cache_rows (or of its span)
    const unsigned* counts;     // keys of each query
    const float* bias;          // (heads, bias_count): bias by key
    void* out;                  // T (rows, heads * size)
    int query_stride;
    int size;
    int bias_count;
    float scale;                // times log2(e)
};

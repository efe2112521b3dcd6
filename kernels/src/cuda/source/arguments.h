// What each kernel is given: one structure a kernel, laid out as its twin in ../arguments.rs.
// Pointers are null where a part is absent.
#pragma once

// Queries of one sequence that a block computes together.
struct Tile {
    unsigned sequence;
    unsigned first_query;
};

// T: the 16-bit numbers that the kernel was compiled for.
struct AttentionArguments {
    const void* query;           // T (queries, query_stride), from the meant columns on
    const void* key;             // T (tokens, key_stride)
    const void* value;           // T (tokens, key_stride)
    const void* position_key;    // T (heads, slots, size): content to position
    const void* position_query;  // T (heads, slots, size): position to content
    const float* bias;           // (heads, slots): by distance alone
    const unsigned* slots;       // slot of distance d at [d + longest - 1]
    const unsigned* offsets;     // where each sequence's keys begin: (sequences + 1)
    const unsigned* query_offsets;
    const Tile* tiles;           // (blocks in x)
    void* out;                   // T (queries, heads * size)
    int query_stride;
    int key_stride;
    int size;                    // columns of a head
    int slot_count;
    int longest;                 // longest sequence that `slots` serves
    int is_aligned;              // whether rows may be read 16 bytes at a time
    float scale;                 // times log2(e)
};

// The sum of rows of up to three tables and of a stream in f32, normed.
struct SumArguments {
    const void* tables[3];       // T (.., columns)
    const unsigned* indices[3];  // rows to take; null: row i for row i
    const float* stream;         // (rows, columns)
    float* stream_out;           // the sum, (rows, columns)
    const float* weight;         // of a norm: (columns); null: no norm
    const float* bias;           // null: RMS norm
    void* out;                   // T (rows, columns)
    int rows;
    int columns;
    float epsilon;
};

// activation(x), times `gate` where there is one.
struct ActivateArguments {
    const void* x;     // T (rows, stride)
    const void* gate;  // T (rows, stride)
    void* out;         // T (rows, columns)
    int rows;
    int columns;
    int stride;
    int kind;          // of Activation
};

// Scores of rows in f32.
struct ScoreArguments {
    const void* x;        // T (rows, columns)
    const float* weight;  // (outputs, columns)
    const float* bias;    // (outputs)
    float* out;           // (rows, outputs)
    int rows;
    int columns;
    int outputs;
};

// For every token the rows of `taps` neighbours side by side; what is beyond its sequence is 0.
struct UnfoldArguments {
    const void* x;            // T (tokens, columns)
    const unsigned* offsets;  // (sequences + 1)
    void* out;                // T (tokens, taps * columns)
    int sequences;
    int tokens;
    int columns;
    int taps;
};

// Attention of single rows over kept keys and values (a decoder's step).
struct StepArguments {
    const void* query;          // T (rows, query_stride)
    const void* cache;          // T (places, 2 * heads * size): keys, then values
    const unsigned* cache_rows;    // places of all rows' keys, one row after the other; null: spans
    const unsigned* firsts;     // where each row's places begin (or its span)
    const unsigned* counts;     // keys of each row
    const float* bias;          // (heads, bias_count): by key
    void* out;                  // T (rows, heads * size)
    int query_stride;
    int size;
    int bias_count;
    float scale;                // times log2(e)
};

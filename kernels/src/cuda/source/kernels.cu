// All kernels by name, for both 16-bit dtypes. KERNELS(X) expands to X(name, arguments, maximum threads,
// function) for each kernel.
#include "attention.h"
#include "rotary.h"
#include "rows.h"
#include "step.h"

#define ATTENTION_OF(X, T, SIZE) \
    X(attention_##T##_##SIZE, AttentionArguments, ATTENTION_THREADS, (attention<T, SIZE>))

#define KERNELS_OF(X, T)                                             \
    ATTENTION_OF(X, T, 32)                                           \
    ATTENTION_OF(X, T, 48)                                           \
    ATTENTION_OF(X, T, 64)                                           \
    ATTENTION_OF(X, T, 96)                                           \
    ATTENTION_OF(X, T, 128)                                          \
    X(sum_rows_##T, SumArguments, ROW_THREADS, (sum_rows<T>))        \
    X(activate_##T, ActivateArguments, ROW_THREADS, (activate<T>))   \
    X(score_rows_##T, ScoreArguments, ROW_THREADS, (score_rows<T>))  \
    X(unfold_##T, UnfoldArguments, ROW_THREADS, (unfold<T>))         \
    X(mean_rows_##T, MeanArguments, ROW_THREADS, (mean_rows<T>))     \
    X(rotary_##T, RotaryArguments, ROTARY_THREADS, (rotary<T>))      \
    X(step_attention_##T, StepArguments, STEP_THREADS, (step_attention<T>))

#define KERNELS(X) KERNELS_OF(X, f16) KERNELS_OF(X, bf16)

#ifndef VERIDIC_EMULATION
#define DEFINE(name, Arguments, threads, function) \
    extern "C" __global__ void __launch_bounds__(threads) name(const __grid_constant__ Arguments arguments) { function(arguments); }
KERNELS(DEFINE)
#endif

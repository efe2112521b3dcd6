//! Kernel arguments, with the layouts of `source/arguments.h`. Addresses are in device memory; 0 stands for an absent
//! part.

/// A kernel's argument structure.
///
/// # Safety
/// The type has the layout of the structure of the same name in `source/arguments.h`.
pub(super) unsafe trait Arguments: Copy {}

macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, Default)]
        pub(super) struct $name {
            $(pub(super) $field: $kind,)*
        }

        // SAFETY: the fields have the same order and representation; the emulation compares the sizes.
        unsafe impl Arguments for $name {}
    )*};
}

arguments! {
    /// Arguments of `attention_*`.
    AttentionArguments {
        query: u64,
        key: u64,
        value: u64,
        position_key: u64,
        position_query: u64,
        bias: u64,
        slots: u64,
        offsets: u64,
        query_offsets: u64,
        tiles: u64,
        out: u64,
        query_stride: i32,
        key_stride: i32,
        size: i32,
        slot_count: i32,
        longest: i32,
        reach: i32,
        is_aligned: i32,
        scale: f32,
    }
    /// Arguments of `sum_rows_*`.
    SumArguments {
        tables: [u64; 3],
        indices: [u64; 3],
        stream: u64,
        stream_out: u64,
        weight: u64,
        bias: u64,
        out: u64,
        rows: i32,
        columns: i32,
        epsilon: f32,
    }
    /// Arguments of `activate_*`.
    ActivateArguments {
        x: u64,
        gate: u64,
        out: u64,
        rows: i32,
        columns: i32,
        stride: i32,
        kind: i32,
    }
    /// Arguments of `score_rows_*`.
    ScoreArguments {
        x: u64,
        weight: u64,
        bias: u64,
        out: u64,
        rows: i32,
        columns: i32,
        outputs: i32,
    }
    /// Arguments of `unfold_*`.
    UnfoldArguments {
        x: u64,
        offsets: u64,
        out: u64,
        sequences: i32,
        tokens: i32,
        columns: i32,
        taps: i32,
    }
    /// Arguments of `rotary_*`.
    RotaryArguments {
        x: u64,
        positions: u64,
        steps: u64,
        rows: i32,
        stride: i32,
        heads: i32,
        size: i32,
    }
    /// Arguments of `mean_rows_*`.
    MeanArguments {
        x: u64,
        offsets: u64,
        out: u64,
        columns: i32,
    }
    /// Arguments of `step_attention_*`.
    StepArguments {
        query: u64,
        cache: u64,
        cache_rows: u64,
        firsts: u64,
        counts: u64,
        bias: u64,
        out: u64,
        query_stride: i32,
        size: i32,
        bias_count: i32,
        scale: f32,
    }
}

//! Benchmarks: one file each, with its format, split and protocol.

pub mod jsonl;
pub mod rose;

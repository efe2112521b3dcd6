//! The laboratory's program `veridic-bench`, driven from outside. One test program, so that everything is linked once.
#![allow(clippy::unwrap_used)]

mod benchmarks;
mod calibrate;
mod compare;
mod extract;
mod files;
mod help;
#[cfg(feature = "judge")]
mod language_model;
mod metrics;
mod no_content;
mod old_results;
mod options;
mod rows;
mod similarity;
mod sumautoeval;

use veridic_testing as common;

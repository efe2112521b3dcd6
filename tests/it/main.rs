//! The program `veridic` and the library, driven from outside. One test program, so that everything is linked once.
#![allow(clippy::unwrap_used)]

mod abstaining;
mod bad_input;
mod claims;
mod contrast;
mod coref;
mod default_model;
mod device;
mod failing_pairs;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(feature = "files")]
mod files;
mod forms;
mod help;
mod hook;
mod install;
mod language;
mod library;
mod limits;
#[cfg(feature = "mcp")]
mod mcp;
mod misspelt;
mod models;
mod nli;
mod no_content;
mod old_results;
mod profiles;
mod regressions;
mod report;
mod rules;
mod run;
mod score;
mod screen;
mod serve;
mod snapshots;
mod sources;
mod spans;
mod stopping;
#[cfg(all(feature = "server", feature = "telemetry", unix))]
mod telemetry;
mod text_as_found;
mod texts;
mod token_classifier;
mod verdicts;
mod walls;

use veridic_testing as common;

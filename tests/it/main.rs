//! The program and the library, driven from outside. One test program, so that everything is linked once.
#![allow(clippy::unwrap_used)]

mod abstaining;
mod bad_input;
mod bench;
mod calibrate;
mod claims;
mod common;
mod compare;
mod contrast;
mod coref;
mod default_model;
mod device;
mod extract;
mod failing_pairs;
mod help;
mod install;
mod language;
#[cfg(feature = "judge")]
mod language_model;
mod library;
mod limits;
#[cfg(feature = "mcp")]
mod mcp;
mod metrics;
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
mod similarity;
mod sources;
mod spans;
mod sumautoeval;
#[cfg(all(feature = "server", feature = "telemetry", unix))]
mod telemetry;
mod text_as_found;
mod texts;
mod token_classifier;
mod verdicts;

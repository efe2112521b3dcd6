//! The store against a test hub on 127.0.0.1, including its failures.

#![allow(clippy::unwrap_used)]

mod concurrent;
mod failures;
mod hf_hub;
mod hub;
mod pulls;
mod records;
mod resume;
mod setup;

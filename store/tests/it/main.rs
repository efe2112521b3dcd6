//! The store against a hub on this machine, failures included. Nothing here leaves 127.0.0.1.

#![allow(clippy::unwrap_used)]

mod failures;
mod hub;
mod pulls;
mod resume;
mod setup;
mod together;
mod trust;

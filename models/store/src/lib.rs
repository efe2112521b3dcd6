//! Models by name: the named models (`manifest`), the local cache (`cache`, `local_model`), pulling from the hub
//! (`client`, `transfer`, `pull`), checking files against recorded digests (`record`, `verify`), suggestions for misspelt
//! names (`nearest`), and what errors say of a file's content (`quoting`).

#![cfg_attr(
    not(feature = "hub"),
    allow(dead_code, reason = "parts of the cache and of the errors serve only pulling")
)]

mod cache;
#[cfg(feature = "hub")]
mod client;
mod contents;
mod digest;
mod error;
mod files;
#[cfg(feature = "hub")]
mod headers;
mod hub_id;
mod hub_model;
mod local_model;
mod manifest;
mod nearest;
mod progress;
#[cfg(feature = "hub")]
mod pull;
pub mod quoting;
mod record;
#[cfg(feature = "hub")]
mod retry;
mod settings;
#[cfg(feature = "hub")]
mod status;
mod store;
#[cfg(feature = "hub")]
mod transfer;
mod verify;

pub use contents::Contents;
pub use error::{Location, Result, StoreError};
pub use files::{WeightFiles, find_weights};
pub use hub_id::{HubId, Revision, Source};
pub use hub_model::HubModel;
pub use local_model::LocalModel;
pub use manifest::{Bundle, Checker, ChunkUnit, Entry, Manifest, Task};
pub use nearest::{did_you_mean, nearest, slip_of};
pub use progress::Progress;
#[cfg(feature = "hub")]
pub use pull::{PullSummary, PullTarget};
pub use record::{FileDigest, Record};
pub use settings::{HubSettings, Token};
pub use store::Store;
pub use verify::{FileState, FileVerification, Verification};

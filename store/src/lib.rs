//! Models by name: which there are (`manifest`), where they lie (`cache`, `found`), how they get there (`client`,
//! `transfer`, `pull`), whether they are still what they were (`record`, `verify`), and which name was meant (`nearest`).

#![cfg_attr(
    not(feature = "hub"),
    allow(dead_code, reason = "a part of the cache and of the errors is for fetching alone")
)]

mod cache;
#[cfg(feature = "hub")]
mod client;
mod digest;
mod error;
mod files;
mod found;
mod hub_id;
mod manifest;
mod nearest;
#[cfg(feature = "hub")]
mod patience;
mod progress;
#[cfg(feature = "hub")]
mod pull;
mod record;
#[cfg(feature = "hub")]
mod refusal;
mod settings;
mod store;
#[cfg(feature = "hub")]
mod transfer;
mod verify;
mod wanted;

pub use error::{Place, Result, StoreError};
pub use files::{WeightFiles, weights_in};
pub use found::Found;
pub use hub_id::{HubId, Revision, Source};
pub use manifest::{Bundle, Checker, ChunkUnit, Entry, Job, Manifest};
pub use nearest::{did_you_mean, nearest};
pub use progress::Progress;
#[cfg(feature = "hub")]
pub use pull::{Pulled, Target};
pub use record::{FileDigest, Record};
pub use settings::{HubSettings, Token};
pub use store::Store;
pub use verify::{FileState, Verification, Verified};
pub use wanted::Wanted;

//! From settings to a scorer: settings are read, models are loaded, rules are resolved. The command line and
//! Python share this: each only collects what it was given.

mod builder;
mod device;
pub(crate) mod table;

pub use self::builder::{Builder, OnNote, nli_source};
pub use self::device::Dtype;
pub use self::table::ModelSettings;

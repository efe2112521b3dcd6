//! Builds a scorer from settings. Shared by the command line and Python, which only collect the given settings.

mod builder;
mod device;
mod loading;
mod table;

pub use self::builder::{Builder, nli_source};
pub use self::device::Dtype;
pub use self::loading::OnNote;
pub use self::table::{ModelSettings, all_settings, find_setting};

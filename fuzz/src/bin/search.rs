//! Searches for inputs of the reader that `VERIDIC_FUZZ` names; `scripts/fuzz.sh` builds and starts it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use veridic_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("VERIDIC_FUZZ").unwrap_or_default();
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("VERIDIC_FUZZ={name}: name one of the folders in fuzz/corpus"))
});

fuzz_target!(|bytes: &[u8]| (TARGET.read)(bytes));

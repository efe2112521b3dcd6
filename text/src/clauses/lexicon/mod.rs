//! What is known of words without their sentence: lists, kinds, verb forms.
//!
//! Decides how a word is looked up. Refuses context, which `tagging` and `reading` know.

pub mod classes;
pub mod names;
mod verb_bases;
pub mod verb_forms;
pub mod verb_kinds;

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words, written with spaces between them, and looked up by hash.
pub struct WordList {
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl WordList {
    pub const fn of(text: &'static str) -> Self {
        Self { text, set: OnceLock::new() }
    }

    pub fn has(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.words().collect()).contains(word)
    }

    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.text.split_whitespace()
    }
}

//! Sets of words that are looked up.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A set of lower-case words, made when it is first used.
pub(super) type WordSet = LazyLock<HashSet<&'static str>>;

/// The words of a list that spaces part.
pub(super) fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_ascii_whitespace().collect()
}

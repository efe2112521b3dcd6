//! Lists of lower-case words that rules look up.
//!
//! Decides how a list is written and searched: words between white space, in the code or in a `.txt` file beside the
//! module, whose lines that start with `#` are comments. Refuses phrases and inflection.

use std::collections::HashSet;
use std::sync::OnceLock;

/// A set of words, built at its first use.
pub(crate) struct WordList {
    text: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl WordList {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, set: OnceLock::new() }
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.words().collect()).contains(word)
    }

    /// The words in the order of the list.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_ascii_whitespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_words() {
        let list = WordList::new("# Two words\n& plus\nplus\n");
        assert_eq!(list.words().collect::<Vec<_>>(), ["&", "plus", "plus"]);
        assert!(list.contains("plus") && list.contains("&"));
        assert!(
            !list.contains("#") && !list.contains("words") && !list.contains("Plus") && !list.contains("")
        );
    }
}

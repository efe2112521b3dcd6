//! The exceptions: chunks whose words are listed; the rules do not apply to them.

use std::collections::HashMap;
use std::ops::Range;

use super::{abbreviations, contractions, emoticons};

/// All exceptions, by their text.
pub(super) struct Exceptions {
    /// The lengths in bytes of each exception's words.
    lengths: HashMap<String, Vec<usize>>,
    /// The length in bytes of the longest exception; longer texts are not looked up.
    longest: usize,
}

impl Exceptions {
    /// Collects them; each with "'" is added with "’" too.
    pub(super) fn new() -> Self {
        let mut exceptions = Self { lengths: HashMap::new(), longest: 0 };
        for words in emoticons::all().chain(abbreviations::all()).chain(contractions::all()) {
            let curly: Vec<String> = words.iter().map(|word| word.replace('\'', "’")).collect();
            exceptions.add(&words);
            exceptions.add(&curly);
        }
        exceptions
    }

    fn add(&mut self, words: &[String]) {
        let text = words.concat();
        self.longest = self.longest.max(text.len());
        self.lengths.insert(text, words.iter().map(String::len).collect());
    }

    /// The words of the stretch of `text`, if it is an exception.
    pub(super) fn words<'a>(
        &'a self,
        text: &str,
        stretch: &Range<usize>,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        if stretch.len() > self.longest {
            return None;
        }
        let lengths = self.lengths.get(&text[stretch.clone()])?;
        let mut end = stretch.start;
        Some(lengths.iter().map(move |length| {
            end += length;
            end - length..end
        }))
    }

    /// The texts of all exceptions, in no order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.lengths.keys().map(String::as_str)
    }
}

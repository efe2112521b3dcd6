//! Cuts one chunk, a stretch without white space, into words. Each round removes one prefix and one suffix, until the rest
//! is an exception. The suffix is searched after the prefix, so that no rule matches inside it.

use std::ops::Range;

use super::exceptions::Exceptions;
use super::{affixes, infixes, urls};

/// Cuts the chunks of a text and collects their words.
pub(super) struct Cutter<'a> {
    text: &'a str,
    /// `None` while the exceptions themselves are cut.
    exceptions: Option<&'a Exceptions>,
    words: Vec<Range<usize>>,
    /// The suffixes of the current chunk, last first.
    suffixes: Vec<Range<usize>>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(text: &'a str, exceptions: Option<&'a Exceptions>) -> Self {
        Self { text, exceptions, words: Vec::new(), suffixes: Vec::new() }
    }

    /// The words so far, in order.
    pub(super) fn finish(self) -> Vec<Range<usize>> {
        self.words
    }

    /// Adds a stretch as one word.
    pub(super) fn keep(&mut self, word: Range<usize>) {
        self.words.push(word);
    }

    /// Cuts a chunk.
    pub(super) fn cut(&mut self, chunk: Range<usize>) {
        let core = self.strip(chunk);
        self.cut_core(core);
        self.words.extend(self.suffixes.drain(..).rev());
    }

    /// Removes prefixes and suffixes until the rest is an exception or has none; returns the rest.
    fn strip(&mut self, mut rest: Range<usize>) -> Range<usize> {
        while self.exception(&rest).is_none() {
            let inner = rest.start + affixes::prefix(&self.text[rest.clone()])..rest.end;
            let prefix = rest.start..inner.start;
            if !prefix.is_empty() && self.exception(&inner).is_some() {
                self.words.push(prefix);
                return inner;
            }
            let outer = rest.start..rest.end - affixes::suffix(&self.text[inner.clone()]);
            let suffix = outer.end..rest.end;
            if !suffix.is_empty() && self.exception(&outer).is_some() {
                self.suffixes.push(suffix);
                return outer;
            }
            if prefix.is_empty() && suffix.is_empty() {
                break;
            }
            rest = prefix.end..suffix.start;
            if !prefix.is_empty() {
                self.words.push(prefix);
            }
            if !suffix.is_empty() {
                self.suffixes.push(suffix);
            }
        }
        rest
    }

    /// Cuts a chunk without affixes.
    fn cut_core(&mut self, core: Range<usize>) {
        let text = &self.text[core.clone()];
        if let Some(words) = self.exception(&core) {
            self.words.extend(words);
        } else if urls::is_url(text) {
            self.words.push(core);
        } else {
            self.cut_at_infixes(core);
        }
    }

    fn cut_at_infixes(&mut self, core: Range<usize>) {
        let mut start = core.start;
        for infix in infixes::infixes(&self.text[core.clone()]) {
            let infix = core.start + infix.start..core.start + infix.end;
            if infix.start == core.start {
                continue;
            }
            if start < infix.start {
                self.words.push(start..infix.start);
            }
            start = infix.end;
            self.words.push(infix);
        }
        if start < core.end {
            self.words.push(start..core.end);
        }
    }

    /// The words of a stretch that is an exception.
    fn exception(&self, stretch: &Range<usize>) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        self.exceptions?.words(self.text, stretch)
    }
}

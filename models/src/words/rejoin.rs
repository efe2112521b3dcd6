//! Puts exceptions back together that the rules cut apart, as in "(see :-))". spaCy looks for the
//! words into which the rules would cut an exception, longest first and then leftmost first, and by
//! word alone: a sequence with spaces between its words is found too, stays as it is, and still keeps
//! shorter or later ones that share its first or last word from being put together.

use std::collections::HashMap;
use std::ops::Range;

use super::chunk::Cutter;
use super::exceptions::Exceptions;

/// The sequences of words that exceptions are cut into, as a tree with the root first.
pub(super) struct Rejoiner {
    nodes: Vec<Node>,
    /// The most words in a sequence.
    longest: usize,
}

#[derive(Default)]
struct Node {
    /// The node behind each next word.
    next: HashMap<String, usize>,
    /// Whether a sequence ends here.
    is_end: bool,
}

/// A run of words by their numbers.
type Run = Range<usize>;

impl Rejoiner {
    pub(super) fn new(exceptions: &Exceptions) -> Self {
        let mut rejoiner = Self { nodes: vec![Node::default()], longest: 0 };
        for text in exceptions.texts() {
            let mut cutter = Cutter::new(text, None);
            cutter.cut(0..text.len());
            let words = cutter.finish();
            // What the rules leave whole is together already.
            if words.len() > 1 {
                rejoiner.add(words.into_iter().map(|word| &text[word]));
            }
        }
        rejoiner
    }

    fn add<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let (mut node, mut count) = (0, 0);
        for word in words {
            let new = self.nodes.len();
            let next = *self.nodes[node].next.entry(word.to_owned()).or_insert(new);
            if next == new {
                self.nodes.push(Node::default());
            }
            (node, count) = (next, count + 1);
        }
        self.nodes[node].is_end = true;
        self.longest = self.longest.max(count);
    }

    /// The words with all that can be put together put together.
    pub(super) fn rejoin(
        &self,
        text: &str,
        words: Vec<Range<usize>>,
        exceptions: &Exceptions,
    ) -> Vec<Range<usize>> {
        let found = self.find(text, &words);
        if found.is_empty() {
            return words;
        }
        let mut rejoined = Vec::with_capacity(words.len());
        let mut copied = 0;
        for run in self.choose(&found, words.len()) {
            let whole = words[run.start].start..words[run.end - 1].end;
            // None where spaces part the words.
            if let Some(exception) = exceptions.words(text, &whole) {
                rejoined.extend_from_slice(&words[copied..run.start]);
                rejoined.extend(exception);
                copied = run.end;
            }
        }
        rejoined.extend_from_slice(&words[copied..]);
        rejoined
    }

    /// All runs of words that are a sequence, by their start.
    fn find(&self, text: &str, words: &[Range<usize>]) -> Vec<Run> {
        let mut found = Vec::new();
        for start in 0..words.len() {
            let mut node = &self.nodes[0];
            for (number, word) in words.iter().enumerate().skip(start) {
                let Some(&next) = node.next.get(&text[word.clone()]) else { break };
                node = &self.nodes[next];
                if node.is_end {
                    found.push(start..number + 1);
                }
            }
        }
        found
    }

    /// The runs that spaCy chooses, by their start. Every run claims its words, chosen or not.
    fn choose(&self, found: &[Run], words: usize) -> Vec<Run> {
        let mut claimed = vec![false; words];
        let mut chosen = Vec::new();
        for length in (2..=self.longest).rev() {
            for run in found.iter().filter(|run| run.len() == length) {
                if !claimed[run.start] && !claimed[run.end - 1] {
                    chosen.push(run.clone());
                }
                claimed[run.clone()].fill(true);
            }
        }
        chosen.sort_unstable_by_key(|run| run.start);
        chosen
    }
}

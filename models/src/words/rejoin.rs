//! Rejoins exceptions that the rules cut, as in "(see :-))". spaCy searches for the words into which the rules cut an
//! exception, longest first, then leftmost first, and ignores spaces: a sequence with spaces between its words is found
//! too and stays cut, but it still blocks shorter or later sequences that share its first or last word.

use std::collections::HashMap;
use std::ops::Range;

use super::chunk::Cutter;
use super::exceptions::Exceptions;

/// The sequences of words into which exceptions are cut, as a tree with the root first.
pub(super) struct Rejoiner {
    nodes: Vec<Node>,
    /// Maximum number of words in a sequence.
    longest: usize,
}

#[derive(Default)]
struct Node {
    /// The node after each next word.
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
            // An exception that the rules do not cut needs no rejoining.
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

    /// The words with their exceptions rejoined.
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
            // `None` if spaces separate the words.
            if let Some(exception) = exceptions.words(text, &whole) {
                rejoined.extend_from_slice(&words[copied..run.start]);
                rejoined.extend(exception);
                copied = run.end;
            }
        }
        rejoined.extend_from_slice(&words[copied..]);
        rejoined
    }

    /// All runs of words that are a sequence, sorted by start.
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

    /// The runs that spaCy chooses, sorted by start. Every run claims its words, chosen or not.
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

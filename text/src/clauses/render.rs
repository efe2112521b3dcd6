//! From phrases to text and spans.
//!
//! Decides spaces, the capital letter at the start and the full stop at the end. Refuses claims without words, and
//! rewording: a word that is not from the sentence is a function word that the rules added.

use std::ops::Range;

use super::super::span::Span;
use super::Clause;
use super::tagging::{Tag, Word};
use super::tree::{Phrase, Piece};
use super::utterances::behind_bullet;

/// Renders the claims of one sentence.
pub(super) struct Renderer<'w, 't> {
    text: &'t str,
    words: &'w [Word<'t>],
    /// The character offsets in the summary at which each word starts and ends.
    places: Vec<(usize, usize)>,
    first: usize,
    /// The subject of an earlier sentence, if this one has none.
    restored: Option<(String, Span)>,
}

impl<'w, 't> Renderer<'w, 't> {
    /// A renderer for the words of `text`, which starts at character `first` of the summary.
    pub(crate) fn new(
        text: &'t str,
        first: usize,
        words: &'w [Word<'t>],
        restored: Option<(String, Span)>,
    ) -> Self {
        let (mut byte, mut character) = (0, first);
        let mut advance = |to: usize| {
            character += text[byte..to].chars().count();
            byte = to;
            character
        };
        let places =
            words.iter().map(|word| (advance(word.token.start), advance(word.token.end()))).collect();
        Self { text, words, places, first, restored }
    }

    /// The sentence as one claim; `None` if it is blank.
    pub(crate) fn whole(&self) -> Option<Clause> {
        let text = self.text.trim();
        if text.is_empty() {
            return None;
        }
        let start = self.first + self.text.chars().take_while(|letter| letter.is_whitespace()).count();
        let span = Span { start, end: start + text.chars().count() };
        Some(Clause { text: text.to_owned(), spans: vec![span] })
    }

    /// The phrase as a claim; `None` if it has no word of the sentence.
    pub(crate) fn claim(&self, phrase: &Phrase) -> Option<Clause> {
        let mut text = String::new();
        let mut spans: Vec<Span> = Vec::new();
        for piece in merge(phrase) {
            match piece {
                Piece::Restored => {
                    let Some((subject, span)) = &self.restored else { continue };
                    append(&mut text, subject);
                    spans.push(*span);
                }
                Piece::Word(word) => append(&mut text, word),
                Piece::Changed(place, word) => {
                    append(&mut text, &word);
                    spans.extend(self.places.get(place).map(|&(start, end)| Span { start, end }));
                }
                Piece::Source(range) => spans.extend(self.append_source(&mut text, range)),
            }
        }
        if !text.contains(char::is_alphanumeric) || spans.is_empty() {
            return None;
        }
        Some(Clause { text: finish(&text), spans })
    }

    /// Appends words of the sentence and returns their span. The capital letter at the start of the sentence becomes small
    /// if other words precede it.
    fn append_source(&self, text: &mut String, range: Range<usize>) -> Option<Span> {
        let (range, start, end) = self.trimmed(range)?;
        let words = &self.text[self.words[range.start].token.start..self.words[range.end - 1].token.end()];
        let recased = range.start == 0 && !text.is_empty() && self.is_small(0);
        match words.chars().next().filter(|_| recased) {
            Some(first) => {
                append(text, &format!("{}{}", small(first), &words[first.len_utf8()..]));
            }
            None => append(text, words),
        }
        Some(Span { start, end })
    }

    /// Whether a content word of the sentence is missing from all claims.
    pub(crate) fn misses_words(&self, claims: &[Clause]) -> bool {
        let joint = |word: &Word| {
            let tag = matches!(
                word.tag,
                Tag::Coordinator | Tag::Relative | Tag::That | Tag::Possessive | Tag::Adverb | Tag::To
            );
            tag || !word.token.text.contains(char::is_alphanumeric)
        };
        let mut spans: Vec<Span> = claims.iter().flat_map(|claim| claim.spans.iter().copied()).collect();
        spans.sort_unstable();
        let (mut next, mut reached) = (0, 0);
        let start = behind_bullet(self.words, 0, self.words.len());
        self.words.iter().zip(&self.places).skip(start).any(|(word, &(start, end))| {
            while next < spans.len() && spans[next].start <= start {
                reached = spans[next].end.max(reached);
                next += 1;
            }
            reached < end && !joint(word)
        })
    }

    /// Whether a word has a capital letter only because it starts the sentence.
    fn is_small(&self, place: usize) -> bool {
        let word = &self.words[place];
        !word.is(Tag::Name) && word.lower() != "i" && !word.token.text.chars().skip(1).any(char::is_uppercase)
    }

    /// The range without full stops and dashes at its end, and its character offsets.
    fn trimmed(&self, range: Range<usize>) -> Option<(Range<usize>, usize, usize)> {
        let mut range = range.start..range.end.min(self.words.len());
        let loose = |place: usize| {
            matches!(self.words[place].tag, Tag::Stop | Tag::Break)
                && !self.words[place].lower().contains('?')
        };
        while range.start < range.end && loose(range.end - 1) {
            range.end -= 1;
        }
        if range.start >= range.end {
            return None;
        }
        let (start, end) = (self.places[range.start].0, self.places[range.end - 1].1);
        Some((range, start, end))
    }
}

/// Joins adjacent ranges.
fn merge(phrase: &Phrase) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::with_capacity(phrase.len());
    for piece in phrase {
        match (merged.last_mut(), piece) {
            (Some(Piece::Source(last)), Piece::Source(next)) if last.end == next.start => last.end = next.end,
            (_, Piece::Source(range)) if range.start >= range.end => {}
            _ => merged.push(piece.clone()),
        }
    }
    merged
}

/// Appends words, each after a single space.
fn append(text: &mut String, words: &str) {
    for word in words.split_whitespace() {
        // The text before a source may already end with a comma.
        let word = if text.ends_with(',') { word.trim_start_matches(',') } else { word };
        if word.is_empty() {
            continue;
        }
        if !text.is_empty() && !word.starts_with([',', '.']) && !matches!(word, "'s" | "’s") {
            text.push(' ');
        }
        text.push_str(word);
    }
}

/// Adds a capital letter at the start and a full stop at the end.
fn finish(text: &str) -> String {
    let text = text
        .trim_end_matches([',', ' ', '-', '–', '—', ':', ';'])
        .trim_start_matches([',', ' ', '-', '–', '—', ';']);
    let mut finished = String::with_capacity(text.len() + 1);
    let first = text.split_whitespace().next().unwrap_or("");
    let plain = !first.chars().skip(1).any(char::is_uppercase);
    let mut letters = text.chars();
    if let Some(letter) = letters.next() {
        finished.push(if plain { capital(letter) } else { letter });
    }
    finished.push_str(letters.as_str());
    if !finished.trim_end_matches(['"', '\'', '”', '’']).ends_with(['.', '!', '?', '…']) {
        finished.push('.');
    }
    finished
}

/// The capital of `letter` if the two map to each other, else `letter`: "ß" and "µ" do not change.
fn capital(letter: char) -> char {
    let mut capitals = letter.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) if capital.to_lowercase().eq([letter]) => capital,
        _ => letter,
    }
}

/// The small form of `letter` if the two map to each other, else `letter`.
fn small(letter: char) -> char {
    let mut letters = letter.to_lowercase();
    match (letters.next(), letters.next()) {
        (Some(small), None) if small.to_uppercase().eq([letter]) => small,
        _ => letter,
    }
}

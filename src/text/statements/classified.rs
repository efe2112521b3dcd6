//! Which blocks of a text state something: decides by headings, footnotes, lists and what introduces them.

use super::block::{Block, FoundInBlocks};
use super::edits::Edits;
use super::remarks::addresses_reader;
use crate::text::assertions::{asserts, has_verb, is_noun_phrase};
use crate::text::lines::blocks;
use crate::text::style::Style;
use crate::text::tagging::{PartOfSpeech, tagged_words};
use crate::text::word_list::WordList;
use crate::text::{Poll, Span, TextIndex, sentences};

/// A longer line without a full stop is not a heading.
const MAX_HEADING_WORDS: usize = 10;

/// Blocks that are classified between two polls: each is tagged.
const BLOCKS_POLLED: usize = 128;

/// Words of the heading of a list of sources.
static SOURCE_WORDS: WordList = WordList::new(
    "and bibliography citations cited endnotes footnotes further links literature reading references sources works",
);

/// Parts of a text that are known from its marks, with positions in the text as given.
pub(super) struct Known {
    pub(super) headings: Vec<Span>,
    /// Footnotes.
    pub(super) notes: Vec<Span>,
    pub(super) others: Vec<Span>,
}

/// What a list or a section begins with.
#[derive(Default)]
enum Introduction {
    #[default]
    None,
    /// A heading, or a line before a list.
    Line(String),
    /// The heading of a list of sources.
    Sources,
}

impl Introduction {
    fn of(line: &str) -> Self {
        let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).peekable();
        let has_words = words.peek().is_some();
        if has_words && words.all(|word| SOURCE_WORDS.contains(&word.to_lowercase())) {
            return Self::Sources;
        }
        if addresses_reader(line) { Self::None } else { Self::Line(line.trim_end_matches(':').to_owned()) }
    }
}

/// The part, of parts in order, in which a place begins.
fn holding(parts: &[Span], place: Span) -> Option<Span> {
    let after = parts.partition_point(|part| part.end <= place.start);
    parts.get(after).filter(|part| part.start <= place.start).copied()
}

/// Classifies the blocks of a text without its marks.
pub(super) fn blocks_of<E>(edits: &Edits<'_>, known: &Known, poll: &Poll<'_, E>) -> Result<FoundInBlocks, E> {
    let read = edits.read();
    let text = read.text();
    let index = TextIndex::new(text);
    let mut reading =
        Reading { edits, known, introduction: Introduction::None, found: FoundInBlocks::default() };
    let all = blocks(text, Style::of(text));
    for (number, place) in all.iter().enumerate() {
        if number % BLOCKS_POLLED == 0 {
            poll()?;
        }
        let begins = index.character(place.start);
        let block = Block { read: &read, begins, index: TextIndex::new(&text[place.clone()]) };
        reading.add(&block, number + 1 == all.len());
    }
    Ok(reading.found)
}

/// The blocks of a text, read in order.
struct Reading<'e> {
    edits: &'e Edits<'e>,
    known: &'e Known,
    introduction: Introduction,
    found: FoundInBlocks,
}

impl Reading<'_> {
    fn add(&mut self, block: &Block<'_>, is_last: bool) {
        let (place, line) = (block.place(), block.text());
        if holding(&self.known.others, place).is_some() {
            return;
        }
        let is_item = self.edits.begins_item(place.start);
        match holding(&self.known.headings, place) {
            Some(heading) if !states_in_heading(line) => {
                self.introduction = Introduction::of(line);
                self.found.others.push(heading);
            }
            None if !is_last && !is_item && is_heading(line) => self.introduce(block),
            Some(_) => {
                self.introduction = Introduction::None;
                self.found.add_sentences(block, &sentences(line));
            }
            None => self.add_line(block, is_item),
        }
    }

    /// A line that is a heading without marks, or whose last sentence introduces what follows.
    fn introduce(&mut self, block: &Block<'_>) {
        let all = sentences(block.text());
        let Some((last, before)) = all.split_last() else { return };
        self.introduction = Introduction::of(block.slice(*last));
        self.found.add_sentences(block, before);
        self.found.add_introduction(block, *last);
    }

    /// A line that may state something.
    fn add_line(&mut self, block: &Block<'_>, is_item: bool) {
        let (place, line) = (block.place(), block.text());
        let note = holding(&self.known.notes, place).filter(|_| !states_in_note(line));
        if let Some(note) = note {
            self.found.others.push(note);
            return;
        }
        match &self.introduction {
            Introduction::Sources if !states_in_source(line) => {
                self.found.others.push(place);
                return;
            }
            Introduction::Line(introduction)
                if is_item && !self.edits.begins_row(place.start) && is_noun_phrase(line) =>
            {
                self.found.introduced.push((place.start, format!("{introduction}: ")));
            }
            _ => {}
        }
        self.found.add_sentences(block, &sentences(line));
    }
}

/// Whether a line is a heading, or introduces the following lines.
fn is_heading(line: &str) -> bool {
    let line = line.trim().trim_end_matches(['"', '”']);
    if line.ends_with(':') {
        return true;
    }
    let words = line.split_whitespace().count();
    let first = line.split_whitespace().next().unwrap_or("").to_lowercase();
    let asks = matches!(first.as_str(), "what" | "who" | "how" | "why" | "when" | "where");
    let is_open = !line.ends_with(['.', '!', '?', ';', ',', '…', ')']) && !line.contains([':', ';', '|']);
    is_open
        && words <= MAX_HEADING_WORDS
        && (asks || !has_verb(line) && !asserts(line) && !line.contains(|c: char| c.is_ascii_digit()))
}

/// Whether a marked heading states something: it has a finite verb, or gives a value.
fn states_in_heading(line: &str) -> bool {
    let value = line.split_once(": ").map_or("", |(_, value)| value);
    asserts(line) || value.contains(|c: char| c.is_ascii_digit())
}

/// Whether a footnote states something: it is a whole sentence rather than a place in a source.
fn states_in_note(line: &str) -> bool {
    asserts(line) || line.trim_end().ends_with('.') && !line.contains(|c: char| c.is_ascii_digit())
}

/// Whether an entry of a list of sources states something: after a colon, or with an auxiliary verb.
fn states_in_source(line: &str) -> bool {
    let after = line.rsplit_once(": ").map_or("", |(_, after)| after);
    asserts(after)
        || asserts(line) && tagged_words(line).iter().any(|word| word.part == PartOfSpeech::Auxiliary)
}

//! Extracts the statements of a text: the text without layout marks, and the parts that are not statements.
//!
//! Layout marks are Markdown ([`markdown`]), list numbers and letters, bullets, checkboxes, time stamps, citation
//! markers ([`markers`]), and the label of a line's writer. Headings, header rows, code, greetings, questions to the
//! reader and lines that introduce others state nothing. An item without a verb is read with the heading or the line
//! that introduces its list: "Present: Amira". Decides by layout and by words; a line that could be a statement is
//! treated as one.

use std::ops::Range;

use super::coreference::is_first_name;
use super::forms::{Stamp, label, time_stamp};
use super::lines::{blocks, is_bullet, is_item_number};
use super::markdown::markdown;
use super::markers::markers;
use super::style::Style;
use super::tagging::{PartOfSpeech, tagged_words};
use super::{Edit, NormalizedText, Span, TextIndex, sentences};

/// A longer line without a full stop is not a heading.
const MAX_HEADING_WORDS: usize = 10;

/// Words with which a writer addresses the reader about the text.
const ADDRESSES: &str = include_str!("statements/addresses.txt");

/// Greetings, alone or with a name.
const GREETINGS: &str = include_str!("statements/greetings.txt");

/// Labels of writers of answers rather than of people in the text.
const ROLES: [&str; 10] =
    ["ai", "answer", "assistant", "bot", "chatbot", "human", "summary", "system", "tl;dr", "user"];

/// The statements of a text.
#[derive(Debug, Clone)]
pub struct Statements<'t> {
    /// The statements as models read them, with their mapping to the text as given.
    pub read: NormalizedText<'t>,
    /// The other parts of the text as given, in order, without parts that consist of marks only.
    pub others: Vec<Span>,
}

/// Extracts the statements of a text. Labels of these speakers are part of the statements: "Amira: It closes."
#[must_use]
pub fn statements<'t>(given: &'t str, speakers: &[String]) -> Statements<'t> {
    let mut edits = Edits::of(given);
    let found = markdown(given);
    found.edits.into_iter().for_each(|(part, text)| edits.add(part, text));
    let (headings, mut others) = (edits.spans(&found.headings), edits.spans(&found.others));
    edits.leave_out_marks(speakers);
    let found = blocks_of(&edits, &headings, &others);
    others.extend(headings.into_iter().chain(found.others));
    others.iter_mut().for_each(|span| *span = edits.trimmed(*span));
    others.retain(|span| !span.is_empty());
    others.sort_unstable();
    edits.insert(found.introduced);
    edits.leave_out(&others);
    Statements { read: edits.read(), others }
}

/// Findings in the blocks of a text, with positions in the text as given.
#[derive(Default)]
struct FoundInBlocks {
    /// Lines and sentences that state nothing.
    others: Vec<Span>,
    /// Texts to insert before items without a verb.
    introduced: Vec<(usize, String)>,
}

/// Classifies the blocks of a text without its marks. `headings` and `others` are known from the marks.
fn blocks_of(edits: &Edits<'_>, headings: &[Span], others: &[Span]) -> FoundInBlocks {
    let read = edits.read();
    let text = read.text();
    let index = TextIndex::new(text);
    let is_in =
        |list: &[Span], span: Span| list.iter().any(|part| part.start <= span.start && span.start < part.end);
    let mut found = FoundInBlocks::default();
    let mut introduction: Option<String> = None;
    let all = blocks(text, Style::of(text));
    for (number, block) in all.iter().enumerate() {
        let begins = index.character(block.start);
        let place = read.given_span(Span { start: begins, end: index.character(block.end) });
        let line = &text[block.clone()];
        if is_in(others, place) {
            continue;
        }
        let is_last = number + 1 == all.len();
        let is_marked = is_in(headings, place);
        let is_item = edits.begins_item(place.start);
        if is_marked || !is_last && !is_item && is_heading(line) {
            introduction = (!addresses_reader(line)).then(|| line.trim_end_matches(':').to_owned());
            found.others.extend((!is_marked).then_some(place));
            continue;
        }
        if let Some(introduction) =
            introduction.as_ref().filter(|_| is_item && !edits.begins_row(place.start) && !has_verb(line))
        {
            found.introduced.push((place.start, format!("{introduction}: ")));
        }
        let silent = sentences(line).into_iter().filter(|sentence| states_nothing(sentence.slice(line)));
        let moved = |span: Span| Span { start: span.start + begins, end: span.end + begins };
        found.others.extend(silent.map(|span| read.given_span(moved(span))));
    }
    found
}

/// A single statement without its layout marks.
#[must_use]
pub fn read_alone(statement: &str) -> String {
    let mut edits = Edits::of(statement);
    markdown(statement).edits.into_iter().for_each(|(part, text)| edits.add(part, text));
    edits.leave_out_marks(&[]);
    let read = edits.read().text().trim().to_owned();
    if read.contains(char::is_alphanumeric) { read } else { statement.to_owned() }
}

/// Edits of a text, in order and without overlap.
struct Edits<'t> {
    given: &'t str,
    index: TextIndex<'t>,
    list: Vec<Edit>,
}

impl<'t> Edits<'t> {
    fn of(given: &'t str) -> Self {
        Self { given, index: TextIndex::new(given), list: Vec::new() }
    }

    fn read(&self) -> NormalizedText<'t> {
        NormalizedText::edited(self.given, &self.list)
    }

    fn span(&self, part: &Range<usize>) -> Span {
        Span { start: self.index.character(part.start), end: self.index.character(part.end) }
    }

    fn spans(&self, parts: &[Range<usize>]) -> Vec<Span> {
        parts.iter().map(|part| self.span(part)).collect()
    }

    fn add(&mut self, part: Range<usize>, text: String) {
        self.list.push(Edit { span: self.span(&part), text });
    }

    /// Removes the leading marks of each sentence, time stamps in brackets, and citation markers.
    fn leave_out_marks(&mut self, speakers: &[String]) {
        let read = self.read();
        let text = read.text();
        let index = TextIndex::new(text);
        let mut parts: Vec<Edit> = Vec::new();
        for sentence in sentences(text) {
            let begins = index.byte(sentence.start);
            let length = leading_marks(index.slice(sentence), speakers);
            let end = index.character(begins + length);
            if end > sentence.start {
                parts.push(Edit { span: Span { start: sentence.start, end }, text: String::new() });
            }
        }
        parts.extend(markers(text, &[]).into_iter().map(|marker| marker.left_out));
        parts.extend(time_stamps(text).map(|part| Edit {
            span: Span { start: index.character(part.start), end: index.character(part.end) },
            text: String::new(),
        }));
        for part in &mut parts {
            part.span = read.given_span(part.span);
        }
        self.merge(parts);
    }

    /// Whether the mark of a list item, or of a row, ends at a character of the text as given.
    fn begins_item(&self, at: usize) -> bool {
        self.list.iter().filter(|edit| edit.span.end == at).any(|edit| {
            let marks = self.index.slice(edit.span);
            let of_line = marks.rsplit('\n').next().unwrap_or("");
            of_line.ends_with(char::is_whitespace) && !of_line.trim().is_empty()
        })
    }

    /// Whether a cell's header is inserted before a character of the text as given.
    fn begins_row(&self, at: usize) -> bool {
        self.list.iter().any(|edit| edit.span.end == at && edit.text.ends_with(": "))
    }

    /// A part without the white space around it.
    fn trimmed(&self, part: Span) -> Span {
        let text = self.index.slice(part);
        let start = part.start + text.chars().count() - text.trim_start().chars().count();
        Span { start, end: start + text.trim().chars().count() }
    }

    /// Inserts these texts before the characters at these positions.
    fn insert(&mut self, texts: Vec<(usize, String)>) {
        for (at, text) in texts {
            // Appends to an edit that ends here.
            match self.list.iter_mut().find(|edit| edit.span.end == at) {
                Some(edit) => edit.text += &text,
                None => self.list.push(Edit { span: Span { start: at, end: at }, text }),
            }
        }
        self.list.sort_by_key(|edit| edit.span);
    }

    /// Removes these parts; the blocks around them stay separate.
    fn leave_out(&mut self, parts: &[Span]) {
        let edit = |span: &Span| Edit { span: *span, text: "\n\n".into() };
        self.merge(parts.iter().map(edit).collect());
    }

    /// Adds edits, merging those that overlap.
    fn merge(&mut self, parts: Vec<Edit>) {
        self.list.extend(parts.into_iter().filter(|edit| !edit.span.is_empty()));
        self.list.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
        let mut merged: Vec<Edit> = Vec::with_capacity(self.list.len());
        for edit in self.list.drain(..) {
            match merged.last_mut().filter(|last| edit.span.start < last.span.end) {
                Some(last) if edit.span.end > last.span.end => {
                    last.span.end = edit.span.end;
                    last.text += &edit.text;
                }
                Some(_) => {}
                None => merged.push(edit),
            }
        }
        self.list = merged;
    }
}

/// The length in bytes of a sentence's leading marks: list numbers and letters, bullets, checkboxes, time stamps, and
/// labels of speakers other than these.
fn leading_marks(sentence: &str, speakers: &[String]) -> usize {
    let (mut at, mut is_timed) = (0, false);
    loop {
        let rest = &sentence[at..];
        let next = rest.split(char::is_whitespace).next().unwrap_or("");
        let is_mark = is_bullet(next) || is_checkbox(rest) || is_item_number(next);
        let length = match time_stamp(rest) {
            _ if rest.starts_with('[') && is_checkbox(rest) => "[ ]".len(),
            _ if is_mark => next.len(),
            Some(Stamp { end, .. }) if is_whole_stamp(&rest[..end]) => {
                is_timed = true;
                end
            }
            _ => match label(rest) {
                Some(label) if is_writer(label.name, is_timed, speakers) => label.end,
                _ => return at,
            },
        };
        let after =
            rest[length..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | ':'));
        if !after.contains(char::is_alphanumeric) {
            return at;
        }
        at = sentence.len() - after.len();
    }
}

fn is_checkbox(text: &str) -> bool {
    let boxed = ["[ ]", "[x]", "[X]"].iter().any(|mark| text.starts_with(mark));
    boxed || text.starts_with(['☐', '☑', '☒', '✓', '✔', '✅'])
}

/// Whether a time stamp is more than a time of day: in brackets, or with seconds.
fn is_whole_stamp(stamp: &str) -> bool {
    stamp.starts_with(['[', '(']) || stamp.matches(':').count() > 1
}

/// Whether a label names the writer of the line: a writer of answers, or a person other than these speakers.
fn is_writer(label: &str, is_timed: bool, speakers: &[String]) -> bool {
    let first = label.split_whitespace().next().unwrap_or("");
    let is_role = ROLES.contains(&&*label.to_lowercase()) || label.to_lowercase().starts_with("speaker ");
    let is_person = is_timed || is_first_name(first);
    is_role || is_person && !speakers.iter().any(|speaker| speaker.split_whitespace().next() == Some(first))
}

/// Time stamps in square brackets, with the white space before them.
fn time_stamps(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('[').filter_map(|(at, _)| {
        let end = at + time_stamp(&text[at..])?.end;
        let before = text[..at].trim_end_matches(' ');
        let is_first = before.is_empty() || before.ends_with('\n');
        Some(if is_first { at..end } else { before.len()..end })
    })
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
        && (asks || !has_verb(line) && !line.contains(|c: char| c.is_ascii_digit()))
}

fn has_verb(line: &str) -> bool {
    let is_verb = |part: PartOfSpeech| matches!(part, PartOfSpeech::Verb | PartOfSpeech::Auxiliary);
    let words = tagged_words(line);
    words.is_empty() || words.iter().any(|word| is_verb(word.part))
}

/// Whether a sentence is a question, a greeting, or a writer's remark about the text.
fn states_nothing(sentence: &str) -> bool {
    is_question(sentence) || addresses_reader(sentence)
}

/// Whether a sentence is a question; one that ends with somebody else's question is not.
fn is_question(sentence: &str) -> bool {
    let is_quote = |c: char| matches!(c, '"' | '”' | '’' | '\'' | '“' | '‘');
    let quoted = sentence.starts_with(is_quote);
    let end = if quoted { sentence.trim_end_matches(is_quote) } else { sentence };
    end.trim_end_matches([')', '*']).ends_with('?')
}

/// Whether a sentence addresses the reader: "I hope this helps!", "Here is a summary:", "Hello team,".
fn addresses_reader(sentence: &str) -> bool {
    let plain = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
    let words: Vec<String> = sentence
        .split(|c: char| !plain(c))
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect();
    let begins = |phrase: &str| {
        let mut own = words.iter();
        phrase.split(' ').all(|word| own.next().is_some_and(|own| own == word))
    };
    let is_greeting = |phrase: &str| {
        let rest = &words[phrase.split(' ').count().min(words.len())..];
        begins(phrase) && rest.len() <= 2 && (rest.is_empty() || !has_verb(&rest.join(" ")))
    };
    ADDRESSES.lines().any(begins) || GREETINGS.lines().any(is_greeting)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let found = statements(text, &["Amira Khan".to_owned()]);
        let index = TextIndex::new(text);
        let own = found.read.text();
        let claims = sentences(own).into_iter().map(|span| span.slice(own).to_owned());
        let others = found.others.iter().map(|span| index.slice(*span).to_owned());
        (claims.filter(|claim| claim.contains(char::is_alphanumeric)).collect(), others.collect())
    }

    fn claims(text: &str) -> Vec<String> {
        read(text).0
    }

    #[test]
    fn list_marks_are_not_read() {
        let marks = "1.|1)|**1.**|(a)|a)|IV.|(iv)|-|*|•|- [ ]|[x]|☐|[12:31]|00:12:31|[00:12:31] -|(12:31)|Assistant:|\
                     Speaker 2:|[12:31] Ben Ode:";
        for mark in marks.split('|') {
            let text = format!("{mark} The pool closes in March.");
            assert_eq!(claims(&text), ["The pool closes in March."], "{text}");
            let list = format!("{mark} The pool closes in March.\n{mark} It rusts.");
            assert_eq!(claims(&list), ["The pool closes in March.", "It rusts."], "{list}");
        }
        assert_eq!(claims("Amira: It closes [12:31]."), ["Amira: It closes."]);
        assert_eq!(claims("12:31 is late. Decision: close it."), ["12:31 is late.", "Decision: close it."]);
        assert_eq!(claims("1. The pool closes. 2. It rusts."), ["The pool closes.", "It rusts."]);
        assert_eq!(claims("A. Smith left. I. Newton fell."), ["A. Smith left.", "I. Newton fell."]);
    }

    #[test]
    fn citations_are_not_read() {
        assert_eq!(
            claims("It is paid after the birth [5]. It ends [1, 2]."),
            ["It is paid after the birth.", "It ends."]
        );
    }

    #[test]
    fn what_states_nothing_is_told_apart() {
        let table =
            "## Overview\n\n| Decision | Owner |\n|---|---|\n| The roof | Amira |\n| The bus | Ben |\n\nEnd.";
        assert_eq!(
            claims(table),
            ["Decision: The roof; Owner: Amira", "Decision: The bus; Owner: Ben", "End."],
            "rows have their header alone"
        );
        let text = "Here is a summary of the meeting:\n\n## Decisions\n\n1. The pool closes in March.\n2. **Budget:** 4.2 million euros were approved.\n\nNext steps\n- Ben writes to the council.\n\nPresent:\n- Amira Khan\n- Ben\n\nI hope this helps! Would you like more detail?";
        let (claims, others) = read(text);
        assert_eq!(
            claims,
            [
                "The pool closes in March.",
                "Budget: 4.2 million euros were approved.",
                "Ben writes to the council.",
                "Present: Amira Khan",
                "Present: Ben",
            ]
        );
        assert_eq!(
            others,
            [
                "Here is a summary of the meeting:",
                "## Decisions",
                "Next steps",
                "Present:",
                "I hope this helps!",
                "Would you like more detail?",
            ]
        );
    }

    #[test]
    fn statements_are_not_taken_for_headings() {
        for text in [
            "Mayor resigns over affair\nThe council votes on Monday",
            "Thanks to the pump, the pool opened.",
            "He asked \"why?\"",
            "4.2 million euros\nNine months of work",
            "If you need a permit, apply by March.",
            "Police: man held",
        ] {
            assert_eq!(read(text).1, Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn rows_are_statements_with_the_words_of_their_header() {
        let (claims, others) = read("| Decision | Owner |\n|---|---|\n| Close it | Amira |");
        assert_eq!(claims, ["Decision: Close it; Owner: Amira"]);
        assert_eq!(others, ["| Decision | Owner |\n|---|---|"]);
    }

    #[test]
    fn statements_keep_their_places() {
        let text = "1. **The pool** closes [5].\n2. It rusts.";
        let found = statements(text, &[]);
        let own = found.read.text();
        let places: Vec<&str> = sentences(own)
            .into_iter()
            .map(|span| found.read.given().slice(found.read.given_span(span)))
            .collect();
        assert_eq!(places, ["The pool** closes [5].", "It rusts."]);
        assert_eq!(read_alone("- **The pool** closes [5]."), "The pool closes.");
        assert_eq!(read_alone("[5]"), "[5]");
    }

    proptest! {
        #[test]
        fn any_text_is_read(parts in proptest::collection::vec(proptest::sample::select(vec![
            "1. ", "- ", "**", "*", "_", "# ", "| a | b |\n", "|---|---|\n", "\n", "\n\n", "[5]", "[x](y)", "> ", "`", "```\n",
            "The pool closes. ", "Amira: ", "é", "\u{0}", "<b>", "&amp;", "[12:31] ", "Why? ", "Hello! ", "    ", "\\", "东。",
        ]), 0..24)) {
            let text = parts.concat();
            let found = statements(&text, &[]);
            let characters = text.chars().count();
            let mut end = 0;
            for span in &found.others {
                prop_assert!(span.start >= end || span.end <= end, "{:?}", found.others);
                end = end.max(span.end);
            }
            prop_assert!(end <= characters);
            for span in sentences(found.read.text()) {
                prop_assert!(found.read.given_span(span).end <= characters);
            }
            prop_assert_eq!(read_alone(&text).is_empty(), text.is_empty());
        }
    }
}

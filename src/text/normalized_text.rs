//! Normalizes texts: characters that no model reads are replaced or removed, and spans of the normalized text are mapped
//! back to the text as given.
//!
//! - Characters without width (byte order marks, soft hyphens, direction marks) are removed; so are the joiners U+200C
//!   and U+200D beside ASCII, where no script needs them.
//! - U+0080 to U+009F are almost always bytes of Windows-1252; they become the characters of the table in the WHATWG's
//!   encoding standard.
//! - Form feeds and vertical tabs become a space.
//! - Other control characters and U+FFFD are removed inside a word and become a space elsewhere.
//!
//! A run of such characters becomes at most one space. Text without them is borrowed unchanged. [`Edit`]s replace other parts
//! of a text in the same pass.

use std::borrow::Cow;

use super::{Span, TextIndex};

/// The bytes 0x80 to 0x9F in Windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt); unassigned ones stay
/// control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A part of a text as given that is read as another text, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The part.
    pub span: Span,
    /// The text that replaces it.
    pub text: String,
}

/// A text as models read it, with the mapping of its spans to the text as given.
#[derive(Debug, Clone)]
pub struct NormalizedText<'t> {
    given: TextIndex<'t>,
    read: Cow<'t, str>,
    replaced: usize,
    /// The characters that were kept, in order; empty if nothing was changed.
    runs: Vec<Run>,
}

/// Consecutive characters of the text as given that the normalized text keeps.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Its start in the normalized text.
    read: usize,
    /// Its start in the text as given.
    given: usize,
    length: usize,
}

/// How a character is normalized.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Kept,
    Other(char),
    Space,
    Removed,
    /// Removed inside a word, else a space.
    Noise,
    /// Kept between characters that are not ASCII, else removed.
    Joiner(char),
}

impl<'t> NormalizedText<'t> {
    /// Normalizes a text.
    #[must_use]
    pub fn of(given: &'t str) -> Self {
        Self::edited(given, &[])
    }

    /// Normalizes a text with these edits, which are in order and do not overlap.
    #[must_use]
    pub fn edited(given: &'t str, edits: &[Edit]) -> Self {
        if edits.is_empty() && given.chars().all(|c| kind(c) == Kind::Kept) {
            let read = Cow::Borrowed(given);
            return Self { given: TextIndex::new(given), read, replaced: 0, runs: Vec::new() };
        }
        let mut normalizer = Normalizer::default();
        let mut characters = given.chars();
        for Edit { span, text } in edits {
            let before = span.start.saturating_sub(normalizer.at);
            characters.by_ref().take(before).for_each(|c| normalizer.add(c));
            characters.by_ref().take(span.len()).for_each(drop);
            normalizer.insert(text, span.len());
        }
        characters.for_each(|c| normalizer.add(c));
        normalizer.finish(given)
    }

    /// The number of normalized characters before a character of the text as given.
    #[must_use]
    pub(crate) fn read_position(&self, given: usize) -> usize {
        if self.is_as_given() {
            return given;
        }
        let run = self.runs[..self.runs.partition_point(|run| run.given < given)].last();
        run.map_or(0, |run| run.read + (given - run.given).min(run.length))
    }

    /// The normalized text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.read
    }

    /// The number of characters that were replaced or removed, not counting edits.
    #[must_use]
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// Whether the text was not changed.
    #[must_use]
    pub fn is_as_given(&self) -> bool {
        matches!(self.read, Cow::Borrowed(_))
    }

    /// The span of the text as given that corresponds to a span of the normalized text: from the first to the last kept
    /// character.
    #[must_use]
    pub fn given_span(&self, span: Span) -> Span {
        let given = self.mapped(span, |run| (run.read, run.given));
        if span.is_empty() { Span { end: given.start, ..given } } else { given }
    }

    /// The span of the normalized text that corresponds to a span of the text as given: from the first to the last kept
    /// character.
    #[must_use]
    pub fn read_span(&self, given: Span) -> Span {
        self.mapped(given, |run| (run.given, run.read))
    }

    /// Maps a span to the other text, from its first to its last kept character. `places` returns the start of a run in
    /// the span's text and in the other text.
    fn mapped(&self, span: Span, places: impl Fn(&Run) -> (usize, usize)) -> Span {
        if self.is_as_given() {
            return span;
        }
        let end_of_text = self.runs.last().map_or(0, |run| places(run).1 + run.length);
        let first = self.runs.get(self.runs.partition_point(|run| places(run).0 + run.length <= span.start));
        let start = first.map_or(end_of_text, |run| places(run).1 + span.start.saturating_sub(places(run).0));
        let last = self.runs[..self.runs.partition_point(|run| places(run).0 < span.end)].last();
        let end = last.map_or(start, |run| places(run).1 + (span.end - places(run).0).min(run.length));
        Span { start, end: end.max(start) }
    }

    /// Maps spans of the normalized text to the text as given. If `text` is the text of the spans, it is replaced by
    /// their text as given, unless edits changed it.
    pub fn relocate(&self, spans: &mut [Span], text: &mut String) {
        let given = &self.given;
        spans.iter_mut().for_each(|span| *span = self.given_span(*span));
        let held: String = spans.iter().map(|span| given.slice(*span)).collect();
        if NormalizedText::of(&held).text() == *text {
            *text = held;
        }
    }

    /// The text as given.
    #[must_use]
    pub fn given(&self) -> &TextIndex<'t> {
        &self.given
    }
}

/// The normalized texts of a list; `None` if normalization changes nothing.
#[must_use]
pub fn normalize_all(texts: &[String]) -> Option<Vec<String>> {
    let readings: Vec<NormalizedText<'_>> = texts.iter().map(|text| NormalizedText::of(text)).collect();
    let changes = readings.iter().any(|reading| reading.replaced > 0);
    changes.then(|| readings.into_iter().map(|reading| reading.read.into_owned()).collect())
}

/// Builds a normalized text.
#[derive(Default)]
struct Normalizer {
    read: String,
    /// Number of its characters.
    characters: usize,
    /// Number of characters of the text as given that were processed.
    at: usize,
    replaced: usize,
    runs: Vec<Run>,
    /// The last character that was kept.
    last: Option<char>,
    /// The current run of characters that become a space or are removed; it ends at `at`.
    noise: Vec<Kind>,
}

impl Normalizer {
    fn add(&mut self, c: char) {
        match kind(c) {
            Kind::Kept => self.keep(c),
            Kind::Other(other) => {
                self.replaced += 1;
                self.keep(other);
            }
            kind => self.noise.push(kind),
        }
        self.at += 1;
    }

    fn finish(mut self, given: &str) -> NormalizedText<'_> {
        self.end_noise(None);
        let Self { read, replaced, runs, .. } = self;
        NormalizedText { given: TextIndex::new(given), read: Cow::Owned(read), replaced, runs }
    }

    /// Inserts a text that replaces the next `length` characters.
    fn insert(&mut self, text: &str, length: usize) {
        let text = NormalizedText::of(text);
        self.end_noise(text.text().chars().next());
        self.read.push_str(text.text());
        self.characters += text.text().chars().count();
        self.last = text.text().chars().next_back().or(self.last);
        self.at += length;
    }

    fn keep(&mut self, c: char) {
        self.end_noise(Some(c));
        self.keep_at(self.at, c);
        self.last = Some(c);
    }

    fn keep_at(&mut self, given: usize, c: char) {
        match self.runs.last_mut() {
            Some(run) if run.read + run.length == self.characters && run.given + run.length == given => {
                run.length += 1;
            }
            _ => self.runs.push(Run { read: self.characters, given, length: 1 }),
        }
        self.read.push(c);
        self.characters += 1;
    }

    /// Ends a run of noise before `next`: of it, at most one space and the joiners between non-ASCII characters remain.
    fn end_noise(&mut self, next: Option<char>) {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let parts_word = is_word(self.last) && is_word(next);
        // Also at the ends of the text, so that parts of a normalized text are normalized.
        let joins = [self.last, next].iter().flatten().all(|c| !c.is_ascii());
        let is_space = |kind: &Kind| *kind == Kind::Space || *kind == Kind::Noise && !parts_word;
        let noise = std::mem::take(&mut self.noise);
        let space = noise.iter().position(is_space);
        let begins = self.at - noise.len();
        for (place, kind) in noise.into_iter().enumerate() {
            let read = match kind {
                Kind::Joiner(c) if joins && space.is_none() => Some(c),
                _ => (Some(place) == space).then_some(' '),
            };
            self.replaced += usize::from(!matches!((kind, read), (Kind::Joiner(_), Some(_))));
            if let Some(c) = read {
                self.keep_at(begins + place, c);
            }
        }
    }
}

fn kind(c: char) -> Kind {
    match c {
        '\t' | '\n' | '\r' => Kind::Kept,
        '\u{b}' | '\u{c}' => Kind::Space,
        '\0'..='\u{1f}' | '\u{7f}' | '\u{fffd}' => Kind::Noise,
        '\u{80}'..='\u{9f}' => match WINDOWS_1252[c as usize - 0x80] {
            other if other == c => Kind::Noise,
            other => Kind::Other(other),
        },
        '\u{200c}' | '\u{200d}' => Kind::Joiner(c),
        _ if has_no_width(c) => Kind::Removed,
        _ => ascii_of(c).map_or(Kind::Kept, Kind::Other),
    }
}

/// The digit or letter that a full-width or mathematical one stands for, and the digit of an Arabic one. Models and look-ups
/// read these alone, and a number in other digits would be in no document.
fn ascii_of(c: char) -> Option<char> {
    let digit = |zero: char| char::from_digit((c as u32 - zero as u32) % 10, 10);
    match c {
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(c as u32 - 0xfee0)
        }
        '\u{1d7ce}'..='\u{1d7ff}' => digit('\u{1d7ce}'),
        '\u{660}'..='\u{669}' => digit('\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit('\u{6f0}'),
        _ => None,
    }
}

/// Format characters (general category Cf) that are invisible, except joiners.
fn has_no_width(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        NormalizedText::of(text).text().to_owned()
    }

    #[test]
    fn digits_and_letters_of_other_widths_are_read_as_ascii() {
        assert_eq!(
            read("Ｔhe fine is ４５０ euros, \u{1d7f3}\u{1d7d3} or ٤٥ or ۹。"),
            "The fine is 450 euros, 75 or 45 or 9。"
        );
        let text = "It is ４５０。";
        let reading = NormalizedText::of(text);
        assert_eq!(
            (reading.replaced(), reading.given_span(Span { start: 6, end: 9 })),
            (3, Span { start: 6, end: 9 })
        );
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in [
            "",
            "A b.\r\n\tC",
            "東京は大きい。",
            "می\u{200c}خواهم",
            "👩\u{200d}👧",
            "e\u{301}\u{a0}x\u{2028}",
        ] {
            let reading = NormalizedText::of(text);
            assert_eq!((reading.text(), reading.replaced()), (text, 0));
        }
        assert!(matches!(NormalizedText::of("A b.\n").read, Cow::Borrowed(_)));
    }

    #[test]
    fn windows_1252_bytes_are_decoded() {
        assert_eq!(
            read("The council\u{92}s \u{93}no\u{94} \u{96} \u{80}5\u{85}"),
            "The council’s “no” – €5…"
        );
        assert_eq!(read("ca\u{9d}fe \u{81}x"), "cafe  x");
    }

    #[test]
    fn control_characters_separate_only_whole_words() {
        assert_eq!(read("re\u{0}port"), "report");
        assert_eq!(read("It rained.\u{0}\u{1}\u{7f}Then sun"), "It rained. Then sun");
        assert_eq!(read("page one\u{c}page two"), "page one page two");
        assert_eq!(read("don\u{fffd}t"), "dont");
        assert_eq!(read("\u{1b}[31mred"), " [31mred");
    }

    #[test]
    fn characters_without_width_are_removed() {
        assert_eq!(read("\u{feff}The co\u{ad}oper\u{200b}ation\u{2060}."), "The cooperation.");
        assert_eq!(read("a\u{200d}b \u{e0041}\u{202e}c"), "ab c");
        assert_eq!(read("\u{feff}\u{200d}東\u{200c}"), "\u{200d}東\u{200c}");
    }

    #[test]
    fn spans_map_back_to_the_text_as_given() {
        let given = "\u{feff}\u{feff}It\u{200b} co\u{ad}st\u{0}. \u{92}\u{0}\u{feff} End\u{feff}";
        let reading = NormalizedText::of(given);
        assert_eq!(reading.text(), "It cost . ’  End");
        let at = |part: &str| {
            let start = reading.text()[..reading.text().find(part).unwrap()].chars().count();
            let span = reading.given_span(Span { start, end: start + part.chars().count() });
            reading.given().slice(span)
        };
        assert_eq!(at("It"), "It");
        assert_eq!(at("cost"), "co\u{ad}st");
        assert_eq!(at("End"), "End");
        assert_eq!(at("’"), "\u{92}");
        assert_eq!(reading.given_span(Span { start: 2, end: 2 }), Span { start: 5, end: 5 });
    }

    #[test]
    fn parts_are_left_out_or_replaced() {
        let given = "The pool\u{ad} closes [1]. It opened.[2]Then [3] it shut [4]";
        let part = |part: &str| {
            let start = given[..given.find(part).unwrap()].chars().count();
            Span { start, end: start + part.chars().count() }
        };
        let left_out = [part(" [1]"), part("[2]"), part(" [3]"), part(" [4]")];
        let edit = |span: &Span, text: &str| Edit { span: *span, text: text.to_owned() };
        let edits =
            [edit(&left_out[0], ""), edit(&left_out[1], " "), edit(&left_out[2], ""), edit(&left_out[3], "")];
        let reading = NormalizedText::edited(given, &edits);
        assert_eq!(reading.text(), "The pool closes. It opened. Then it shut");
        let place = reading.text().find("Then it").unwrap();
        let span = reading.given_span(Span { start: place, end: place + 7 });
        assert_eq!(reading.given().slice(span), "Then [3] it");
        let read = |part: Span| &reading.text()[..reading.read_position(part.start)];
        assert_eq!(read(left_out[0]), "The pool closes");
        assert_eq!(read(left_out[1]), "The pool closes. It opened.");
        assert_eq!(read(left_out[3]), "The pool closes. It opened. Then it shut");
        assert_eq!(NormalizedText::edited("[1]", &[edit(&Span { start: 0, end: 3 }, "")]).text(), "");
        let table = NormalizedText::edited(
            "| Pool | May |",
            &[
                edit(&Span { start: 0, end: 2 }, "What: "),
                edit(&Span { start: 6, end: 9 }, "; when: "),
                edit(&Span { start: 12, end: 14 }, ""),
            ],
        );
        assert_eq!(table.text(), "What: Pool; when: May");
        let given = |start, end| table.given().slice(table.given_span(Span { start, end }));
        assert_eq!(
            [given(0, 21), given(0, 10), given(0, 3), given(18, 21)],
            ["Pool | May", "Pool", "", "May"]
        );
    }

    proptest! {
        #[test]
        fn what_is_not_left_out_is_read(
            pieces in proptest::collection::vec(("[a-zé. \u{0}\u{ad}]{0,6}", "[0-9]{0,3}"), 0..8), end in "[a-z. ]{0,4}",
        ) {
            let (mut given, mut left_out, mut characters) = (String::new(), Vec::new(), 0);
            for (kept, part) in &pieces {
                given += kept;
                given += part;
                let start = characters + kept.chars().count();
                characters = start + part.len();
                left_out.push(Span { start, end: characters });
            }
            given += &end;
            let edits: Vec<Edit> = left_out.iter().map(|span| Edit { span: *span, text: String::new() }).collect();
            let reading = NormalizedText::edited(&given, &edits);
            let kept: String = pieces.iter().map(|(kept, _)| kept.as_str()).collect::<String>() + &end;
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric() || *c == '.').collect::<String>();
            prop_assert_eq!(letters(reading.text()), letters(&kept));
            for (place, character) in reading.text().chars().enumerate().filter(|(_, c)| c.is_alphanumeric()) {
                let back = reading.given_span(Span { start: place, end: place + 1 });
                prop_assert_eq!(reading.given().slice(back), character.to_string());
                prop_assert_eq!(reading.read_position(back.start), place);
                prop_assert_eq!(reading.read_span(back), Span { start: place, end: place + 1 });
            }
        }

        #[test]
        fn any_text_is_normalized_and_every_span_maps_back(
            parts in proptest::collection::vec(
                prop_oneof![
                    any::<String>(),
                    proptest::sample::select(vec![
                        "a", " ", ".", "\u{0}", "\u{92}", "\u{81}", "\u{c}", "\u{feff}", "\u{200b}", "\u{200d}",
                        "\u{fffd}", "é", "東", "\n",
                    ]).prop_map(str::to_owned),
                ],
                0..30,
            ),
            start in 0usize..80,
            length in 0usize..80,
        ) {
            let given = parts.concat();
            let reading = NormalizedText::of(&given);
            prop_assert!(reading.text().chars().all(|c| matches!(kind(c), Kind::Kept | Kind::Joiner(_))));
            prop_assert_eq!(NormalizedText::of(reading.text()).replaced(), 0, "normalizing twice changes nothing");
            let characters = reading.text().chars().count();
            let start = start.min(characters);
            let span = Span { start, end: (start + length).min(characters) };
            prop_assert_eq!(NormalizedText::of(span.slice(reading.text())).replaced(), 0, "parts are normalized too");
            let back = reading.given_span(span);
            prop_assert!(back.end <= given.chars().count());
            let inside = NormalizedText::of(reading.given().slice(back)).text().trim().to_owned();
            let expected = span.slice(reading.text());
            // A normalized part may differ from the same part of the normalized text by a space or a joiner at its
            // ends.
            let words = |text: &str| text.chars().filter(|c| kind(*c) == Kind::Kept && !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(words(&inside), words(expected));
        }
    }
}

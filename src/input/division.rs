//! The structure of a document: its text, and how it is divided. A list of sources is divided at their ends, and no premise
//! spans two of them. A transcript ([`Transcript`]) is divided into turns, and each of its premises begins with the
//! speaker's label.

use std::fmt;
use std::ops::Range;

use crate::text::{NormalizedText, Span, TextIndex, Transcript, sentences};
use serde::Serialize;

use super::{Source, Sources};

/// The division of a document; its spans refer to the text as read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Division {
    /// The sources, if the document is a list of them.
    pub(crate) sources: Vec<Source>,
    /// The turns, if the document is a transcript.
    turns: Vec<Turn>,
}

/// Consecutive speech of one speaker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Turn {
    words: Span,
    speaker: Option<String>,
    /// "Amira: "; empty without a speaker.
    label: String,
    /// The start of each part, and its time.
    times: Vec<(usize, Option<String>)>,
}

/// Who said a piece of evidence, and when, if the document is a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Said {
    /// The number of its turn, from 1.
    pub turn: usize,
    /// The number of its last turn, if it spans several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<usize>,
    /// The speaker of its first turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// The time, as the document writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

impl fmt::Display for Said {
    /// "turn 31 (Amira, 00:12:31)", "turns 30 to 32 (from Amira, 00:12:31)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turn, last_turn, speaker, time } = self;
        let from = match last_turn {
            Some(last) => write!(f, "turns {turn} to {last}").map(|()| "from ")?,
            None => write!(f, "turn {turn}").map(|()| "")?,
        };
        match (speaker, time) {
            (Some(speaker), Some(time)) => write!(f, " ({from}{speaker}, {time})"),
            (Some(only), None) | (None, Some(only)) => write!(f, " ({from}{only})"),
            (None, None) => Ok(()),
        }
    }
}

impl Division {
    /// Reads a document; if it is `as_given`, no turns are detected.
    pub(crate) fn read<'t>(
        document: &'t str,
        sources: Option<&Sources>,
        as_given: bool,
    ) -> (NormalizedText<'t>, Self) {
        let index = TextIndex::new(document);
        let whole = Span { start: 0, end: index.characters() };
        let parts =
            sources.map_or_else(|| vec![whole], |all| all.list().iter().map(|source| source.span).collect());
        let (mut edits, mut turns) = (Vec::new(), Vec::new());
        for part in parts.into_iter().filter(|_| !as_given) {
            let Some(found) = Transcript::of(index.slice(part)) else { continue };
            let moved = |span: Span| Span { start: span.start + part.start, end: span.end + part.start };
            edits.extend(found.edits.into_iter().map(|mut edit| {
                edit.span = moved(edit.span);
                edit
            }));
            turns.extend(found.turns.into_iter().map(|mut turn| {
                turn.parts.iter_mut().for_each(|part| part.span = moved(part.span));
                turn
            }));
        }
        let read = NormalizedText::edited(document, &edits);
        let place = |span: Span| read.read_span(span);
        let turns = turns.into_iter().map(|turn: crate::text::Turn| {
            let parts: Vec<Span> = turn.parts.iter().map(|part| place(part.span)).collect();
            Turn {
                words: Span { start: parts[0].start, end: parts[parts.len() - 1].end },
                label: turn.label(),
                times: parts
                    .iter()
                    .map(|part| part.start)
                    .zip(turn.parts.into_iter().map(|part| part.time))
                    .collect(),
                speaker: turn.speaker,
            }
        });
        let turns = turns.collect();
        let placed = |source: &Source| Source { id: source.id.clone(), span: place(source.span) };
        let sources = sources.map_or_else(Vec::new, |all| all.list().iter().map(placed).collect());
        (read, Self { sources, turns })
    }

    /// Returns the sentences of the document that it divides.
    pub(crate) fn sentences(&self, document: &TextIndex<'_>) -> Vec<Span> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut read = |part: Span| {
            let moved = |span: Span| Span { start: span.start + part.start, end: span.end + part.start };
            found.extend(sentences(document.slice(part)).into_iter().map(moved));
        };
        let ends = self.sources.iter().map(|source| source.span.end);
        let mut bounds: Vec<Span> = self.turns.iter().map(|turn| turn.words).collect();
        bounds.extend(ends.map(|end| Span { start: end, end }));
        bounds.push(Span { start: document.characters(), end: document.characters() });
        bounds.sort_unstable();
        for words in bounds {
            // The text between turns, without their labels.
            let before = Span { start: at, end: words.start };
            if !self.is_talk(before) {
                read(before);
            }
            read(words);
            at = at.max(words.end);
        }
        found
    }

    /// Whether a part between two turns is more than a label.
    fn is_talk(&self, part: Span) -> bool {
        part.is_empty()
            || self
                .turns
                .iter()
                .any(|turn| turn.words.start == part.end && turn.label.chars().count() + 2 >= part.len())
    }

    /// Returns the sentences of each source, as ranges of their indices; a single text gives one range.
    pub(crate) fn parts(&self, sentences: &[Span]) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for (index, sentence) in sentences.iter().enumerate() {
            let source = self.source_of(sentence.start);
            match parts.last_mut().filter(|_| last == Some(source)) {
                Some(part) => part.end = index + 1,
                None => parts.push(index..index + 1),
            }
            last = Some(source);
        }
        if parts.is_empty() {
            parts.push(0..0);
        }
        parts
    }

    /// Returns the prefix of a part of the document: the label of its first turn.
    pub(crate) fn label(&self, part: Span) -> &str {
        self.turn_of(part.start).map_or("", |turn| &self.turns[turn].label)
    }

    /// Returns the labels of the document's speakers, without repetition.
    pub(crate) fn speakers(&self) -> Vec<String> {
        let mut speakers: Vec<String> = self.turns.iter().filter_map(|turn| turn.speaker.clone()).collect();
        speakers.sort_unstable();
        speakers.dedup();
        speakers
    }

    /// Returns the speakers of these parts of the document, without repetition.
    pub(crate) fn speakers_of(&self, parts: &[Span]) -> Vec<&str> {
        let mut speakers = Vec::new();
        for turn in parts.iter().filter_map(|part| self.turn_of(part.start)) {
            let speaker = self.turns[turn].speaker.as_deref();
            speakers.extend(speaker.filter(|speaker| !speakers.contains(speaker)));
        }
        speakers
    }

    /// Returns the number of the source that contains a character.
    pub(crate) fn source_of(&self, character: usize) -> usize {
        self.sources.partition_point(|source| source.span.end <= character)
    }

    /// Returns who said these parts of the document.
    pub(crate) fn said(&self, parts: &[Span]) -> Option<Said> {
        let (first, last) = (parts.first()?, parts.last()?);
        let number = self.turn_of(first.start)?;
        let turn = &self.turns[number];
        let last = self.turn_of(last.start).filter(|last| *last > number);
        let time = turn.times[..turn.times.partition_point(|(begin, _)| *begin <= first.start)].last();
        Some(Said {
            turn: number + 1,
            last_turn: last.map(|last| last + 1),
            speaker: turn.speaker.clone(),
            time: time.and_then(|(_, time)| time.clone()),
        })
    }

    /// Returns the words of these sentences with the labels between them; `None` if the document has no turns.
    pub(crate) fn quotation(&self, document: &TextIndex<'_>, parts: &[Span]) -> Option<String> {
        let mut turn = self.turn_of(parts.first()?.start)?;
        let mut quoted = String::new();
        for part in parts {
            let next = self.turn_of(part.start).unwrap_or(turn);
            if next != turn {
                quoted += "\n";
                quoted += &self.turns[next].label;
            } else if !quoted.is_empty() {
                quoted += " ";
            }
            turn = next;
            quoted += document.slice(*part);
        }
        Some(quoted)
    }

    fn turn_of(&self, character: usize) -> Option<usize> {
        let after = self.turns.partition_point(|turn| turn.words.end <= character);
        self.turns.get(after).filter(|turn| turn.words.start <= character).map(|_| after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceText;

    fn read(document: &str, sources: Option<&Sources>) -> (Vec<String>, Division, String) {
        let (text, division) = Division::read(document, sources, false);
        let index = TextIndex::new(text.text());
        let sentences = division.sentences(&index);
        let texts = sentences.iter().map(|span| index.slice(*span).to_owned()).collect();
        (texts, division, text.text().to_owned())
    }

    #[test]
    fn sentences_of_a_talk_are_without_labels_and_have_speakers() {
        let text = "[00:12] Amira: It rusts. We close it.\n[00:20] Ben: No.\n[00:25] Amira: Yes.";
        let (sentences, division, read) = read(text, None);
        assert_eq!(sentences, ["It rusts.", "We close it.", "No.", "Yes."]);
        let index = TextIndex::new(&read);
        let spans = division.sentences(&index);
        assert_eq!(
            spans.iter().map(|span| division.label(*span)).collect::<Vec<_>>(),
            ["Amira: ", "Amira: ", "Ben: ", "Amira: "]
        );
        assert_eq!(division.quotation(&index, &spans[1..3]).unwrap(), "We close it.\nBen: No.");
        assert_eq!(division.said(&spans[1..2]).unwrap().to_string(), "turn 1 (Amira, 00:12)");
        assert_eq!(division.said(&spans[1..3]).unwrap().to_string(), "turns 1 to 2 (from Amira, 00:12)");
        assert_eq!(division.speakers(), ["Amira", "Ben"]);
    }

    #[test]
    fn sources_are_divided_and_each_may_be_a_talk() {
        let texts = [
            "It rains. We go.",
            "Amira: It rusts very badly.\nBen: It does not rust.\nAmira: It does.",
            "The end.",
        ];
        let texts: Vec<SourceText> =
            (1..).zip(texts).map(|(number, text)| SourceText::numbered(number, text.to_owned())).collect();
        let (document, sources) = Sources::join(&texts).unwrap();
        let (sentences, division, text) = read(&document, Some(&sources));
        assert_eq!(
            sentences,
            ["It rains.", "We go.", "It rusts very badly.", "It does not rust.", "It does.", "The end."]
        );
        let spans = division.sentences(&TextIndex::new(&text));
        assert_eq!(division.parts(&spans), [0..2, 2..5, 5..6]);
        assert_eq!([division.label(spans[0]), division.label(spans[3])], ["", "Ben: "]);
    }

    #[test]
    fn another_text_is_one_part() {
        let (sentences, division, _) = read("It rains. We go.", None);
        assert_eq!((sentences.len(), &division), (2, &Division::default()));
        assert_eq!(division.parts(&[]).first(), Some(&(0..0)));
    }
}

//! The structure of a document: its text, and how it is divided. A list of sources is divided at their ends, and no premise
//! spans two of them. A text that is not prose is divided into the passages of its form
//! ([`passages`](crate::text::passages)), and each premise begins with the label of its passage.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use crate::text::{Edit, Form, NormalizedText, Passage, Poll, Span, TextIndex, passages, sentences};
use serde::{Serialize, Serializer};

use super::{Source, Sources};

/// The division of a document; its spans refer to the text as read, but for what is shown of passages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Division {
    /// The sources, if the document is a list of them.
    pub(crate) sources: Vec<Source>,
    /// The passages of texts that are not prose.
    passages: Vec<Passage>,
}

/// Where a piece of evidence stands in a document that is not prose.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The form of its first passage.
    pub form: Form,
    /// The number of its first passage, from 1: its turn, message, row, line.
    pub number: usize,
    /// The number of its last passage, if it spans several.
    pub last: Option<usize>,
    /// The name of its first passage: its speaker, sender, file, command, the first cell of its row.
    pub name: Option<String>,
    /// The time, as the document writes it.
    pub time: Option<String>,
}

impl fmt::Display for Place {
    /// "turn 31 (Amira, 00:12:31)", "rows 3 to 5 (from Iberia)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.form {
            Form::Transcript => "turn",
            Form::Mail => "message",
            Form::Table => "row",
            Form::Data => "object",
            Form::Records => "record",
            Form::Log => "line",
            Form::Commands => "command",
            Form::Diff => "change",
        };
        match self.last {
            Some(last) => write!(f, "{unit}s {} to {last}", self.number)?,
            None => write!(f, "{unit} {}", self.number)?,
        }
        let details: Vec<&str> = [&self.name, &self.time].into_iter().filter_map(Option::as_deref).collect();
        match (&details[..], self.last) {
            ([], _) => Ok(()),
            (details, None) => write!(f, " ({})", details.join(", ")),
            (details, Some(_)) => write!(f, " (from {})", details.join(", ")),
        }
    }
}

impl Serialize for Place {
    /// Fields of the evidence: `turn`, `last_turn`, `speaker` and `time` of a transcript, else the object `place`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Fields<'p> {
            Transcript {
                turn: usize,
                #[serde(skip_serializing_if = "Option::is_none")]
                last_turn: Option<usize>,
                #[serde(skip_serializing_if = "Option::is_none")]
                speaker: Option<&'p str>,
                #[serde(skip_serializing_if = "Option::is_none")]
                time: Option<&'p str>,
            },
            Other {
                place: Passages<'p>,
            },
        }
        #[derive(Serialize)]
        struct Passages<'p> {
            form: Form,
            number: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            last: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            name: Option<&'p str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            time: Option<&'p str>,
        }
        let Self { form, number, last, ref name, ref time } = *self;
        let (name, time) = (name.as_deref(), time.as_deref());
        let fields = match form {
            Form::Transcript => Fields::Transcript { turn: number, last_turn: last, speaker: name, time },
            _ => Fields::Other { place: Passages { form, number, last, name, time } },
        };
        fields.serialize(serializer)
    }
}

impl Division {
    /// Reads a document; if it is `as_given`, it is prose.
    ///
    /// # Errors
    /// That of `poll`.
    pub(crate) fn read<'t, E>(
        document: &'t str,
        sources: Option<&Sources>,
        as_given: bool,
        poll: &Poll<'_, E>,
    ) -> Result<(NormalizedText<'t>, Self), E> {
        let index = TextIndex::new(document);
        let whole = Span { start: 0, end: index.characters() };
        let parts =
            sources.map_or_else(|| vec![whole], |all| all.list().iter().map(|source| source.span).collect());
        let (mut edits, mut found) = (Vec::new(), Vec::new());
        for part in parts.into_iter().filter(|_| !as_given) {
            let (own_edits, own) = passages(index.slice(part), poll)?;
            let moved = |span: Span| Span { start: span.start + part.start, end: span.end + part.start };
            edits.extend(own_edits.into_iter().map(|edit| Edit { span: moved(edit.span), ..edit }));
            found.extend(own.into_iter().map(|passage| passage.map(moved)));
        }
        poll()?;
        let read = NormalizedText::edited(document, &edits);
        poll()?;
        let place = |span: Span| read.read_span(span);
        let passages = found.into_iter().map(|passage: Passage| {
            let Passage { header, shown, .. } = passage;
            Passage { header, shown, ..passage.map(place) }
        });
        let passages = passages.collect();
        let placed = |source: &Source| Source { id: source.id.clone(), span: place(source.span) };
        let sources = sources.map_or_else(Vec::new, |all| all.list().iter().map(placed).collect());
        Ok((read, Self { sources, passages }))
    }

    /// Whether passages are worded anew.
    pub(crate) fn is_worded_anew(&self) -> bool {
        self.passages.iter().any(|passage| passage.form.is_worded_anew())
    }

    /// Returns the sentences of the document that it divides. A passage that is a whole is one.
    pub(crate) fn sentences(&self, document: &TextIndex<'_>) -> Vec<Span> {
        let mut found = Vec::new();
        let mut at = 0;
        for passage in &self.passages {
            let words = passage.span();
            // Its label is inserted before its words.
            let before = words.start.saturating_sub(passage.label.chars().count()).max(at);
            self.read_prose(document, Span { start: at, end: before }, &mut found);
            if passage.is_whole {
                found.push(words);
            } else {
                self.read_prose(document, words, &mut found);
            }
            at = words.end;
        }
        self.read_prose(document, Span { start: at, end: document.characters().max(at) }, &mut found);
        found
    }

    /// Adds the sentences of a part of the document. None spans two sources.
    fn read_prose(&self, document: &TextIndex<'_>, part: Span, found: &mut Vec<Span>) {
        let mut start = part.start;
        let ends = self.sources[self.source_of(part.start)..].iter().map(|source| source.span.end);
        for end in ends.take_while(|end| *end < part.end).chain([part.end]) {
            let moved = |span: Span| Span { start: span.start + start, end: span.end + start };
            found.extend(sentences(document.slice(Span { start, end })).into_iter().map(moved));
            start = end;
        }
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

    /// Returns the prefix of a part of the document: the label of its first passage.
    pub(crate) fn label(&self, part: Span) -> &str {
        self.passage_of(part.start).map_or("", |passage| &self.passages[passage].label)
    }

    /// Returns the speakers and senders of the document, without repetition.
    pub(crate) fn speakers(&self) -> Vec<String> {
        let names = self.passages.iter().filter_map(Passage::speaker);
        names.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect()
    }

    /// Returns the speakers and senders of these parts of the document, without repetition.
    pub(crate) fn speakers_of(&self, parts: &[Span]) -> Vec<&str> {
        let mut speakers = Vec::new();
        for passage in parts.iter().filter_map(|part| self.passage_of(part.start)) {
            let speaker = self.passages[passage].speaker();
            speakers.extend(speaker.filter(|speaker| !speakers.contains(speaker)));
        }
        speakers
    }

    /// Returns the number of the source that contains a character.
    pub(crate) fn source_of(&self, character: usize) -> usize {
        self.sources.partition_point(|source| source.span.end <= character)
    }

    /// Returns the forms of its passages.
    pub(crate) fn forms(&self) -> Vec<Form> {
        let forms = self.passages.iter().map(|passage| passage.form);
        forms.collect::<BTreeSet<Form>>().into_iter().collect()
    }

    /// Returns where these parts of the document stand.
    pub(crate) fn place(&self, parts: &[Span]) -> Option<Place> {
        let (first, last) = (parts.first()?, parts.last()?);
        let index = self.passage_of(first.start)?;
        let passage = &self.passages[index];
        let last = self.passage_of(last.start).filter(|last| *last > index).map(|last| &self.passages[last]);
        let begun = passage.parts.partition_point(|part| part.place.start <= first.start);
        let time = passage.parts[..begun].last().and_then(|part| part.time.clone());
        let same_form = last.filter(|last| last.form == passage.form && last.number > passage.number);
        Some(Place {
            form: passage.form,
            number: passage.number,
            last: same_form.map(|last| last.number),
            name: passage.name.clone(),
            time,
        })
    }

    /// Returns what is shown above these parts of the document as given: the header of their table.
    pub(crate) fn header(&self, parts: &[Span]) -> Option<Span> {
        self.passages[self.passage_of(parts.first()?.start)?].header
    }

    /// Returns what is shown of a sentence whose place in the document as given is `given`: where it begins or ends its passage,
    /// with the marks of layout there.
    pub(crate) fn shown(&self, sentence: Span, given: Span) -> Span {
        let passage = self.passage_of(sentence.start).map(|index| &self.passages[index]);
        let Some((whole, shown)) = passage.and_then(|passage| Some((passage.span(), passage.shown?))) else {
            return given;
        };
        Span {
            start: if sentence.start == whole.start { shown.start } else { given.start },
            end: if sentence.end == whole.end { shown.end } else { given.end },
        }
    }

    /// Returns the words of these sentences of a transcript with the labels between them; `None` in other documents.
    pub(crate) fn quotation(&self, document: &TextIndex<'_>, parts: &[Span]) -> Option<String> {
        let mut turn = self.passage_of(parts.first()?.start)?;
        if self.passages[turn].form != Form::Transcript {
            return None;
        }
        let mut quoted = String::new();
        for part in parts {
            let next = self.passage_of(part.start).unwrap_or(turn);
            if next != turn {
                quoted += "\n";
                quoted += &self.passages[next].label;
            } else if !quoted.is_empty() {
                quoted += " ";
            }
            turn = next;
            quoted += document.slice(*part);
        }
        Some(quoted)
    }

    /// Whether a character is spoken: in a turn of a transcript.
    pub(crate) fn is_spoken(&self, character: usize) -> bool {
        self.passage_of(character).is_some_and(|passage| self.passages[passage].form == Form::Transcript)
    }

    /// Returns the text of the document that is prose or speech, of which the language can be detected.
    pub(crate) fn prose(&self, document: &TextIndex<'_>) -> String {
        let mut prose = String::new();
        let mut at = 0;
        let is_layout = |passage: &&Passage| !matches!(passage.form, Form::Transcript | Form::Mail);
        for passage in self.passages.iter().filter(is_layout) {
            let words = passage.span();
            prose += document.slice(Span { start: at, end: words.start });
            at = words.end;
        }
        prose + document.slice(Span { start: at, end: document.characters() })
    }

    fn passage_of(&self, character: usize) -> Option<usize> {
        let after = self.passages.partition_point(|passage| passage.span().end <= character);
        self.passages.get(after).filter(|passage| passage.span().start <= character).map(|_| after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceText;
    use crate::text::go_on;

    fn read(document: &str, sources: Option<&Sources>) -> (Vec<String>, Division, String) {
        let Ok((text, division)) = Division::read(document, sources, false, &go_on);
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
        assert_eq!(division.place(&spans[1..2]).unwrap().to_string(), "turn 1 (Amira, 00:12)");
        assert_eq!(division.place(&spans[1..3]).unwrap().to_string(), "turns 1 to 2 (from Amira, 00:12)");
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

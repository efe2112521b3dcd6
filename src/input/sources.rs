//! A document given as a list of sources. They are judged as one text, joined by blank lines; `place` then maps a span of
//! that text to its source. An empty list is an empty
//! document, which supports nothing. Refuses a source without text, and ids that are blank or repeated.

use std::collections::HashMap;

use crate::text::Span;
use serde::Serialize;
use veridic_models::store::quoting::short_id;

/// The maximum number of sources of a document.
const MAX_SOURCES: usize = 10_000;

/// The separator between two sources in the joined document.
const SEPARATOR: &str = "\n\n";

/// A text with the id by which results and citations refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Its id.
    pub id: String,
    /// The text.
    pub text: String,
}

/// A source of a joined document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Source {
    /// Its id.
    pub id: String,
    /// Its place in the joined document.
    pub span: Span,
}

/// Spans within one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceSpans {
    /// The source's id.
    pub id: String,
    /// The spans, counted from the start of the source.
    pub spans: Vec<Span>,
}

/// The sources of a joined document, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources(Vec<Source>);

/// Why texts cannot be the sources of one document, worded to follow the list's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourcesError(String);

impl SourceText {
    /// Creates a source with the default id: its place in the list, from 1.
    #[must_use]
    pub fn numbered(number: usize, text: String) -> Self {
        Self { id: number.to_string(), text }
    }
}

impl Sources {
    /// Joins texts into one document. Returns it with the places of its sources.
    ///
    /// # Errors
    /// If the texts cannot be the sources of one document.
    pub fn join(texts: &[SourceText]) -> Result<(String, Self), SourcesError> {
        let refuse = |reason: String| Err(SourcesError(reason));
        if texts.len() > MAX_SOURCES {
            let count = texts.len();
            return refuse(format!("has {count} sources, the limit is {MAX_SOURCES}: judge it in parts"));
        }
        let (mut document, mut characters) = (String::new(), 0);
        let mut sources: Vec<Source> = Vec::with_capacity(texts.len());
        let mut numbers: HashMap<&str, usize> = HashMap::with_capacity(texts.len());
        for (number, SourceText { id, text }) in (1..).zip(texts) {
            if text.trim().is_empty() {
                return refuse(format!("has no text in source {number}: leave it out, or give its text"));
            }
            if id.trim().is_empty() {
                return refuse(format!("has an empty id in source {number}: leave the id out, or give one"));
            }
            if let Some(first) = numbers.insert(id, number) {
                let id = short_id(id);
                return refuse(format!(
                    "has the id {id} twice, in sources {first} and {number}: give every source its own"
                ));
            }
            if number > 1 {
                document += SEPARATOR;
                characters += SEPARATOR.chars().count();
            }
            let end = characters + text.chars().count();
            document += text;
            sources.push(Source { id: id.clone(), span: Span { start: characters, end } });
            characters = end;
        }
        Ok((document, Self(sources)))
    }

    /// Creates sources at these places.
    pub(crate) fn at(places: Vec<Source>) -> Self {
        Self(places)
    }

    /// Returns the sources with their places in the joined document.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.0
    }

    /// Returns the sources that contain spans of the joined document, with the parts of the spans inside them; the
    /// separators between sources belong to none.
    #[must_use]
    pub fn place(&self, spans: &[Span]) -> Vec<SourceSpans> {
        let mut placed: Vec<(usize, Vec<Span>)> = Vec::new();
        for span in spans {
            let first = self.0.partition_point(|source| source.span.end <= span.start);
            for (at, source) in self.0.iter().enumerate().skip(first) {
                let (start, end) = (span.start.max(source.span.start), span.end.min(source.span.end));
                if start >= end {
                    break;
                }
                let inside = Span { start: start - source.span.start, end: end - source.span.start };
                match placed.iter_mut().find(|(other, _)| *other == at) {
                    Some((_, spans)) => spans.push(inside),
                    None => placed.push((at, vec![inside])),
                }
            }
        }
        placed.sort_by_key(|(at, _)| *at);
        placed.into_iter().map(|(at, spans)| SourceSpans { id: self.0[at].id.clone(), spans }).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::text::TextIndex;
    use proptest::prelude::*;

    use super::*;

    fn numbered(texts: &[&str]) -> Vec<SourceText> {
        (1..).zip(texts).map(|(number, text)| SourceText::numbered(number, (*text).to_owned())).collect()
    }

    fn span(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    #[test]
    fn sources_are_joined_with_a_blank_line() {
        let (document, sources) = Sources::join(&numbered(&["Zoë ran.", "It rained."])).unwrap();
        assert_eq!(document, "Zoë ran.\n\nIt rained.");
        let places: Vec<(&str, Span)> =
            sources.list().iter().map(|source| (source.id.as_str(), source.span)).collect();
        assert_eq!(places, [("1", span(0, 8)), ("2", span(10, 20))]);
        assert_eq!(serde_json::to_string(&sources.list()[1]).unwrap(), r#"{"id":"2","span":[10,20]}"#);
    }

    #[test]
    fn spans_are_placed_in_their_sources() {
        let (_, sources) = Sources::join(&numbered(&["Zoë ran.", "It rained.", "Snow."])).unwrap();
        let json = |spans: &[Span]| serde_json::to_string(&sources.place(spans)).unwrap();
        assert_eq!(json(&[span(10, 20)]), r#"[{"id":"2","spans":[[0,10]]}]"#);
        assert_eq!(
            json(&[span(13, 19), span(22, 27)]),
            r#"[{"id":"2","spans":[[3,9]]},{"id":"3","spans":[[0,5]]}]"#
        );
        assert_eq!(
            json(&[span(4, 12)]),
            r#"[{"id":"1","spans":[[4,8]]},{"id":"2","spans":[[0,2]]}]"#,
            "it crosses two"
        );
        assert_eq!(
            json(&[span(22, 24), span(0, 3), span(25, 27)]),
            r#"[{"id":"1","spans":[[0,3]]},{"id":"3","spans":[[0,2],[3,5]]}]"#
        );
        assert_eq!(json(&[span(8, 10), span(12, 12), span(40, 50)]), "[]", "the separator is in no source");
    }

    #[test]
    fn lists_that_are_no_document_are_refused() {
        let refused = |texts: &[(&str, &str)]| {
            let texts: Vec<SourceText> = texts
                .iter()
                .map(|(id, text)| SourceText { id: (*id).into(), text: (*text).into() })
                .collect();
            Sources::join(&texts).unwrap_err().to_string()
        };
        assert_eq!(Sources::join(&[]).unwrap().0, "");
        assert!(refused(&[("a", "A b."), ("b", " \n")]).contains("no text in source 2"));
        assert!(refused(&[(" ", "A b.")]).contains("empty id in source 1"));
        assert!(refused(&[("a", "A."), ("b", "B."), ("a", "C.")]).contains("id a twice, in sources 1 and 3"));
    }

    proptest! {
        #[test]
        fn spans_within_sources_slice_to_the_same_text(
            texts in proptest::collection::vec("[a-zé🦀\\n ]{0,12}[a-z東][a-zé🦀\\n ]{0,12}", 1..8),
            spans in proptest::collection::vec((0usize..220, 0usize..60), 1..6),
        ) {
            let texts: Vec<SourceText> =
                (1..).zip(&texts).map(|(number, text)| SourceText::numbered(number, text.clone())).collect();
            let (document, sources) = Sources::join(&texts).unwrap();
            let joined = TextIndex::new(&document);
            for (text, source) in texts.iter().zip(sources.list()) {
                prop_assert_eq!(joined.slice(source.span), &text.text);
            }
            for (start, length) in spans {
                let start = start.min(joined.characters());
                let span = Span { start, end: (start + length).min(joined.characters()) };
                let (mut at, mut inside) = (span.start, String::new());
                for placed in sources.place(&[span]) {
                    let number = texts.iter().position(|text| text.id == placed.id).unwrap();
                    prop_assert_eq!(placed.spans.len(), 1);
                    let own = TextIndex::new(&texts[number].text).slice(placed.spans[0]).to_owned();
                    prop_assert!(!own.is_empty());
                    // The same text as at the joined span; at most a separator precedes it.
                    let begin = sources.list()[number].span.start + placed.spans[0].start;
                    let gap = joined.slice(Span { start: at, end: begin });
                    prop_assert!(SEPARATOR.contains(gap), "{gap:?}");
                    inside += gap;
                    inside += &own;
                    at = begin + placed.spans[0].len();
                }
                let rest = joined.slice(Span { start: at, end: span.end });
                prop_assert!(SEPARATOR.contains(rest), "{rest:?}");
                prop_assert_eq!(inside + rest, joined.slice(span));
            }
        }
    }
}

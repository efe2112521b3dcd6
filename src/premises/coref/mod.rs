//! Coreference: finds the mentions of a document that name the same thing, by rules or a model. `rewrite` replaces
//! mentions in sentences by other names of their cluster.

mod cluster;
mod pronouns;
mod rewrite;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use veridic_models::FCoref;

pub use self::cluster::{Cluster, Mention};
pub use self::rewrite::{Substitution, rewritings};

use crate::error::{Error, Result};
use crate::schedule::{Event, OnEvent, poll};
use crate::text::{MentionKind, Span, TextIndex, coreference_clusters};

/// A model reads longer documents in parts, and links no mentions of two parts: it holds the states of all tokens of a part.
const PART_BYTES: usize = 1 << 18;

/// The method of coreference resolution.
#[derive(Clone, Default)]
pub enum CorefResolver {
    /// None: no sentence is rewritten.
    #[default]
    Off,
    /// The rules of `crate::text`, which have high precision.
    Rules,
    /// A coreference model.
    Model(Arc<FCoref>),
}

impl CorefResolver {
    /// Its name in results.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Model(_) => "model",
        }
    }

    /// Whether it is [`CorefResolver::Off`].
    #[must_use]
    pub fn is_off(&self) -> bool {
        matches!(self, Self::Off)
    }

    /// The model, if it has one.
    #[must_use]
    pub fn model(&self) -> Option<&FCoref> {
        match self {
            Self::Model(model) => Some(model),
            _ => None,
        }
    }

    /// The clusters of a document with these sentences.
    ///
    /// # Errors
    /// When the model fails, or `on_event` stops the work.
    pub fn clusters(
        &self,
        document: &TextIndex<'_>,
        sentences: &[Span],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Cluster>> {
        let span = |bytes: &Range<usize>| Span {
            start: document.character(bytes.start),
            end: document.character(bytes.end),
        };
        match self {
            Self::Off => Ok(Vec::new()),
            Self::Rules => {
                let bytes = |span: &Span| document.byte(span.start)..document.byte(span.end);
                let sentences: Vec<Range<usize>> = sentences.iter().map(bytes).collect();
                let mention = |mention: &crate::text::EntityMention| Mention {
                    span: span(&mention.span),
                    is_possessive: mention.kind == MentionKind::PossessivePronoun,
                };
                let clusters = coreference_clusters(document.text(), &sentences, &|| poll(on_event))?;
                Ok(clusters.iter().map(|cluster| cluster.mentions.iter().map(mention).collect()).collect())
            }
            Self::Model(model) => {
                let is_over = || on_event(Event::Poll).is_break();
                let mut found = Vec::new();
                for part in parts(document, sentences) {
                    let text = &document.text()[part.clone()];
                    let mention = |bytes: &Range<usize>| Mention {
                        span: span(&(part.start + bytes.start..part.start + bytes.end)),
                        is_possessive: pronouns::is_possessive(text, bytes),
                    };
                    let clusters = model.clusters_until(text, &is_over)?.ok_or(Error::Stopped)?;
                    found.extend(clusters.iter().map(|cluster| cluster.iter().map(mention).collect()));
                }
                Ok(found)
            }
        }
    }
}

/// A document in parts of whole sentences that a model reads one by one, as byte ranges.
fn parts(document: &TextIndex<'_>, sentences: &[Span]) -> Vec<Range<usize>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for end in sentences.iter().map(|sentence| document.byte(sentence.end)) {
        if end - start >= PART_BYTES {
            parts.push(start..end);
            start = end;
        }
    }
    let rest = start..document.text().len();
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

impl fmt::Debug for CorefResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model() {
            Some(model) => write!(f, "{}={}", self.name(), model.identity().id),
            None => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sentences;

    #[test]
    fn parts_are_whole_sentences_and_none_is_empty() {
        for (text, count) in
            [("", 1), ("One. Two.", 1), (&"The pool closes in March. ".repeat(30_000)[..779_999], 3)]
        {
            let (index, sentences) = (TextIndex::new(text), sentences(text));
            let parts = parts(&index, &sentences);
            assert_eq!((parts.len(), parts[0].start, parts[count - 1].end), (count, 0, text.len()));
            assert!(parts.windows(2).all(|two| two[0].end == two[1].start && two[0].len() >= PART_BYTES));
            assert!(text.is_empty() || parts.iter().all(|part| !part.is_empty()));
            let ends: Vec<usize> = sentences.iter().map(|sentence| sentence.end).collect();
            assert!(parts[..count - 1].iter().all(|part| ends.contains(&part.end)));
        }
    }
}

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

use crate::error::Result;
use crate::text::{MentionKind, Span, TextIndex, coreference_clusters};

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
    /// When the model fails.
    pub fn clusters(&self, document: &TextIndex<'_>, sentences: &[Span]) -> Result<Vec<Cluster>> {
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
                let clusters = coreference_clusters(document.text(), &sentences);
                Ok(clusters.iter().map(|cluster| cluster.mentions.iter().map(mention).collect()).collect())
            }
            Self::Model(model) => {
                let mention = |bytes: &Range<usize>| Mention {
                    span: span(bytes),
                    is_possessive: pronouns::is_possessive(document.text(), bytes),
                };
                let clusters = model.clusters(document.text())?;
                Ok(clusters.iter().map(|cluster| cluster.iter().map(mention).collect()).collect())
            }
        }
    }
}

impl fmt::Debug for CorefResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model() {
            Some(model) => write!(f, "{}={}", self.name(), model.identity().id),
            None => f.write_str(self.name()),
        }
    }
}

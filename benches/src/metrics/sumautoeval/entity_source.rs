//! Where the entities of a note come from.

use super::entities_by_model::AskedEntities;
use super::entities_by_rules;
use super::entity::Entity;
use super::note::Note;
use veridic::pipeline::ClaimExtractor;
use veridic::{Result, Scorer};

/// The method of extracting entities from a text.
pub(super) enum EntitySource {
    /// An extractor of claims, and rules.
    Rules(ClaimExtractor),
    /// A language model, whose answers are known.
    Asked(AskedEntities),
}

impl EntitySource {
    /// The extractor of a scorer's claims, except that given claims belong to the summary only.
    pub(super) fn of(scorer: &Scorer) -> Self {
        Self::Rules(match &scorer.settings().claims {
            ClaimExtractor::Given => ClaimExtractor::Sentence,
            extractor => extractor.clone(),
        })
    }

    pub(super) fn is_asked(&self) -> bool {
        matches!(self, Self::Asked(_))
    }

    /// The entities of each section's text, in the note's order; at least one.
    pub(super) fn entities(&self, note: &Note<'_>) -> Result<Vec<Entity>> {
        let found = match self {
            Self::Rules(extractor) => entities_by_rules::entities(note, extractor)?,
            Self::Asked(asked) => asked.entities(note)?,
        };
        Ok(if found.is_empty() { vec![note.as_entity()] } else { found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_note_has_an_entity() {
        let found = EntitySource::Rules(ClaimExtractor::Sentence).entities(&Note::of(" It was.")).unwrap();
        assert_eq!((found[0].text.as_str(), found.len()), ("It was.", 1));
    }
}

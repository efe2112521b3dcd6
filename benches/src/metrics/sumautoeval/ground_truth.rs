//! The ground truth that a summary is compared with: the row's `reference` or, if there are several `references`, the
//! entities that at least five of them have (the rubric of section 4.3).

use serde::Serialize;

use super::check_task::SourceTexts;
use super::coverage::LookedUp;
use super::entity::{Entity, merged};
use super::entity_source::EntitySource;
use super::note::Note;
use crate::metrics::inputs::MetricInputs;
use crate::metrics::row::has_words;
use veridic::{Error, Result};

/// The number of references that must have an entity of the rubric.
const MIN_REFERENCES: usize = 5;

/// The source of a ground truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GroundTruthSource {
    /// One reference.
    Reference,
    /// The entities that several references have in common.
    Rubric,
}

/// The entities that a summary should have.
pub(super) struct GroundTruth<'t> {
    pub(super) from: GroundTruthSource,
    pub(super) notes: Vec<Note<'t>>,
    pub(super) entities: Vec<Entity>,
    /// In a rubric, the index of the reference that each entity's spans are of.
    pub(super) references: Vec<usize>,
}

impl<'t> GroundTruth<'t> {
    /// The row's `reference`; if it has none, the rubric of its `references`.
    pub(super) fn of_reference(inputs: &'t MetricInputs, source: &EntitySource) -> Result<Self> {
        match inputs.reference.as_deref().filter(|text| has_words(text)) {
            Some(text) => {
                let note = Note::of(text);
                let (from, entities) = (GroundTruthSource::Reference, source.entities(&note)?);
                Ok(Self { from, notes: vec![note], entities, references: Vec::new() })
            }
            None if !inputs.references.is_empty() => Self::rubric(inputs, source),
            None => Err(refusal("has no `reference` to compare with")),
        }
    }

    /// The entities that at least five of the row's `references` have.
    pub(super) fn rubric(inputs: &'t MetricInputs, source: &EntitySource) -> Result<Self> {
        let mut notes = Vec::new();
        let mut candidates = Vec::new();
        for (reference, text) in inputs.references.iter().enumerate().filter(|(_, text)| has_words(text)) {
            let note = Note::of(text);
            // The section of an entity is not needed; its field carries the number of the reference.
            let entities = source.entities(&note)?.into_iter();
            candidates.extend(entities.map(|entity| Entity { section: reference, ..entity }));
            notes.push(note);
        }
        if notes.len() < MIN_REFERENCES {
            let reason = format!(
                "has {} texts in `references`: a rubric is what at least {MIN_REFERENCES} of them have; give more, or one `reference`",
                notes.len()
            );
            return Err(refusal(&reason));
        }
        let entities = common(&notes, candidates);
        if entities.is_empty() {
            return Err(refusal(&format!(
                "has no entity that {MIN_REFERENCES} of its `references` have in common"
            )));
        }
        let references = entities.iter().map(|entity| entity.section).collect();
        Ok(Self { from: GroundTruthSource::Rubric, notes, entities, references })
    }

    /// All its sentences.
    pub(super) fn source(&self) -> SourceTexts<'t> {
        SourceTexts::of(self.notes.iter().map(Note::source_text))
    }
}

/// The entities that at least five notes cover, merged.
fn common(notes: &[Note<'_>], mut candidates: Vec<Entity>) -> Vec<Entity> {
    let notes: Vec<LookedUp<'_>> = notes.iter().map(|note| LookedUp::of(&note.sentence_texts())).collect();
    candidates
        .retain(|entity| notes.iter().filter(|note| note.covers(&entity.text)).count() >= MIN_REFERENCES);
    merged(candidates)
}

fn refusal(reason: &str) -> Error {
    Error::Text { role: "row", reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic::pipeline::ClaimExtractor;

    const BY_SENTENCE: EntitySource = EntitySource::Rules(ClaimExtractor::Sentence);

    fn rubric(texts: &[&str]) -> Result<Vec<(usize, String)>> {
        let references = texts.iter().map(ToString::to_string).collect();
        let inputs = MetricInputs { references, ..MetricInputs::default() };
        let truth = GroundTruth::rubric(&inputs, &BY_SENTENCE)?;
        assert_eq!(truth.from, GroundTruthSource::Rubric);
        Ok(truth.references.into_iter().zip(truth.entities).map(|(at, entity)| (at, entity.text)).collect())
    }

    #[test]
    fn a_rubric_has_the_entities_of_five_references() {
        let texts = [
            "A dog barked. The pool will close.",
            "The pool closes in May.",
            "Rain fell. The pool will close.",
            "The old pool is closing.",
            "Engineers closed the pool.",
            "A dog barked.",
        ];
        // "The pool will close" is in the first five, "a dog barked" in two.
        assert_eq!(rubric(&texts).unwrap(), [(0, "The pool will close.".to_owned())]);
        // A reference without words is left out and does not shift the indices of the others.
        let with_empty: Vec<&str> = [" ."].into_iter().chain(texts).collect();
        assert_eq!(rubric(&with_empty).unwrap(), [(1, "The pool will close.".to_owned())]);
        let error = rubric(&texts[1..]).unwrap_err().to_string();
        assert!(error.contains("no entity that 5 of its `references`"), "{error}");
        let error = rubric(&["A dog barked.", " ."]).unwrap_err().to_string();
        assert!(error.contains("1 texts in `references`"), "{error}");
    }

    #[test]
    fn reference_wins_over_references() {
        let reference = Some("Rain fell.".to_owned());
        let inputs =
            MetricInputs { reference, references: vec!["Snow fell.".into()], ..MetricInputs::default() };
        let truth = GroundTruth::of_reference(&inputs, &BY_SENTENCE).unwrap();
        assert_eq!((truth.from, truth.entities.len()), (GroundTruthSource::Reference, 1));
        let nothing = MetricInputs::default();
        let error = GroundTruth::of_reference(&nothing, &BY_SENTENCE).err().unwrap().to_string();
        assert!(error.contains("no `reference`"), "{error}");
    }
}

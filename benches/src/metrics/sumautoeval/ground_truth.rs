//! The ground truth that a summary is compared with: the row's `reference` or, if there are several `references`, the
//! entities that at least five of them have (the rubric of section 4.3).

use serde::Serialize;

use super::checks::{SourceTexts, covers};
use super::entities::{Entity, EntitySource, merged};
use super::note::Note;
use crate::metrics::MetricInputs;
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
    pub(super) fn of_reference(inputs: &'t MetricInputs, extractor: &EntitySource) -> Result<Self> {
        match inputs.reference.as_deref().filter(|text| has_words(text)) {
            Some(text) => {
                let mut note = Note::with_entities(text, extractor)?;
                let entities = std::mem::take(&mut note.entities);
                Ok(Self {
                    from: GroundTruthSource::Reference,
                    notes: vec![note],
                    entities,
                    references: Vec::new(),
                })
            }
            None if !inputs.references.is_empty() => Self::rubric(inputs, extractor),
            None => Err(refusal("has no `reference` to compare with")),
        }
    }

    /// The entities that at least five of the row's `references` have.
    pub(super) fn rubric(inputs: &'t MetricInputs, extractor: &EntitySource) -> Result<Self> {
        let texts = inputs.references.iter().enumerate();
        let (numbers, texts): (Vec<usize>, Vec<&str>) =
            texts.filter_map(|(number, text)| has_words(text).then_some((number, text.as_str()))).unzip();
        let notes = texts.into_iter().map(|text| Note::with_entities(text, extractor));
        let mut notes = notes.collect::<Result<Vec<_>>>()?;
        if notes.len() < MIN_REFERENCES {
            let reason = format!(
                "has {} texts in `references`: a rubric is what at least {MIN_REFERENCES} of them have; give more, or one `reference`",
                notes.len()
            );
            return Err(refusal(&reason));
        }
        let all: Vec<Vec<Entity>> = notes.iter_mut().map(|note| std::mem::take(&mut note.entities)).collect();
        let (references, entities) = common(&notes, all);
        if entities.is_empty() {
            return Err(refusal(&format!(
                "has no entity that {MIN_REFERENCES} of its `references` have in common"
            )));
        }
        // References without words are left out but keep their index.
        let references = references.into_iter().map(|note| numbers[note]).collect();
        Ok(Self { from: GroundTruthSource::Rubric, notes, entities, references })
    }

    /// All its sentences.
    pub(super) fn source(&self) -> SourceTexts<'t> {
        SourceTexts::of(self.notes.iter().map(Note::source_text))
    }
}

/// The entities that at least five notes cover, merged, with the index of the note that each is from.
fn common(notes: &[Note<'_>], all: Vec<Vec<Entity>>) -> (Vec<usize>, Vec<Entity>) {
    let sentences: Vec<Vec<&str>> = notes.iter().map(Note::sentence_texts).collect();
    let is_common =
        |text: &str| sentences.iter().filter(|sentences| covers(sentences, text)).count() >= MIN_REFERENCES;
    let mut found = Vec::new();
    for (reference, entities) in all.into_iter().enumerate() {
        // The section of an entity is no longer needed; its field carries the reference through merging.
        let common = entities.into_iter().filter(|entity| is_common(&entity.text));
        found.extend(common.map(|entity| Entity { section: reference, ..entity }));
    }
    merged(found).into_iter().map(|entity| (entity.section, entity)).unzip()
}

fn refusal(reason: &str) -> Error {
    Error::Text { role: "row", reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic::pipeline::ClaimExtractor;

    fn rubric(texts: &[&str]) -> Result<Vec<(usize, String)>> {
        let references = texts.iter().map(ToString::to_string).collect();
        let inputs = MetricInputs { references, ..MetricInputs::default() };
        let truth = GroundTruth::rubric(&inputs, &EntitySource::Rules(ClaimExtractor::Sentence))?;
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
        let truth =
            GroundTruth::of_reference(&inputs, &EntitySource::Rules(ClaimExtractor::Sentence)).unwrap();
        assert_eq!((truth.from, truth.entities.len()), (GroundTruthSource::Reference, 1));
        let error = GroundTruth::of_reference(
            &MetricInputs::default(),
            &EntitySource::Rules(ClaimExtractor::Sentence),
        )
        .err()
        .unwrap()
        .to_string();
        assert!(error.contains("no `reference`"), "{error}");
    }
}

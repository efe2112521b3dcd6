//! The ground truth that a summary is compared with: the row's `reference`, or, of several `references`, the entities
//! that at least five of them have (the rubric of section 4.3).

use serde::Serialize;

use super::checks::{Material, covers};
use super::entities::{Entity, merged};
use super::note::Note;
use crate::error::{Error, Result};
use crate::pipeline::{ClaimExtractor, MetricInputs};

/// Reference summaries that must have an entity of the rubric.
pub(super) const AT_LEAST: usize = 5;

/// Where a ground truth is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TruthFrom {
    /// One note.
    Reference,
    /// What several have in common.
    Rubric,
}

/// What a summary should say.
pub(super) struct Truth<'t> {
    pub(super) from: TruthFrom,
    pub(super) notes: Vec<Note<'t>>,
    pub(super) entities: Vec<Entity>,
    /// Of a rubric: the number of the reference, from 0, that each entity's spans are of.
    pub(super) references: Vec<usize>,
}

impl<'t> Truth<'t> {
    /// The row's `reference`; if it has none, the rubric of its `references`.
    pub(super) fn of_reference(aids: &'t MetricInputs, extractor: &ClaimExtractor) -> Result<Self> {
        match has_words(aids.reference.as_deref()) {
            Some(text) => {
                let mut note = Note::with_entities(text, extractor)?;
                let entities = std::mem::take(&mut note.entities);
                Ok(Self { from: TruthFrom::Reference, notes: vec![note], entities, references: Vec::new() })
            }
            None if !aids.references.is_empty() => Self::rubric(aids, extractor),
            None => Err(refusal("has no `reference` to compare with")),
        }
    }

    /// What at least five of the row's `references` have.
    pub(super) fn rubric(aids: &'t MetricInputs, extractor: &ClaimExtractor) -> Result<Self> {
        let texts = aids.references.iter().enumerate();
        let (numbers, texts): (Vec<usize>, Vec<&str>) =
            texts.filter_map(|(number, text)| Some((number, has_words(Some(text))?))).unzip();
        let notes = texts.into_iter().map(|text| Note::with_entities(text, extractor));
        let mut notes = notes.collect::<Result<Vec<_>>>()?;
        if notes.len() < AT_LEAST {
            let told = format!(
                "has {} texts in `references`: a rubric is what at least {AT_LEAST} of them have; give more, or one `reference`",
                notes.len()
            );
            return Err(refusal(&told));
        }
        let all: Vec<Vec<Entity>> = notes.iter_mut().map(|note| std::mem::take(&mut note.entities)).collect();
        let (references, entities) = common(&notes, all);
        if entities.is_empty() {
            return Err(refusal(&format!(
                "has no entity that {AT_LEAST} of its `references` have in common"
            )));
        }
        // References without words are no notes, but they are counted.
        let references = references.into_iter().map(|note| numbers[note]).collect();
        Ok(Self { from: TruthFrom::Rubric, notes, entities, references })
    }

    /// All its sentences.
    pub(super) fn material(&self) -> Material<'t> {
        Material::of(self.notes.iter().map(Note::sentence_texts))
    }
}

/// The entities whose wording at least five notes have, merged, with the number of the note that each is from.
fn common(notes: &[Note<'_>], all: Vec<Vec<Entity>>) -> (Vec<usize>, Vec<Entity>) {
    let sentences: Vec<Vec<&str>> = notes.iter().map(Note::sentence_texts).collect();
    let is_common =
        |text: &str| sentences.iter().filter(|sentences| covers(sentences, text)).count() >= AT_LEAST;
    let mut found = Vec::new();
    for (reference, entities) in all.into_iter().enumerate() {
        // The section of an entity is not needed any more, so its place keeps the reference through merging.
        let common = entities.into_iter().filter(|entity| is_common(&entity.text));
        found.extend(common.map(|entity| Entity { section: reference, ..entity }));
    }
    merged(found).into_iter().map(|entity| (entity.section, entity)).unzip()
}

fn has_words(text: Option<&str>) -> Option<&str> {
    text.filter(|text| text.chars().any(char::is_alphanumeric))
}

fn refusal(reason: &str) -> Error {
    Error::Text { role: "row", reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rubric(texts: &[&str]) -> Result<Vec<(usize, String)>> {
        let references = texts.iter().map(ToString::to_string).collect();
        let aids = MetricInputs { references, ..MetricInputs::default() };
        let truth = Truth::rubric(&aids, &ClaimExtractor::Clause)?;
        assert_eq!(truth.from, TruthFrom::Rubric);
        Ok(truth.references.into_iter().zip(truth.entities).map(|(at, entity)| (at, entity.text)).collect())
    }

    #[test]
    fn a_rubric_is_what_five_references_have() {
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
        // A reference without words is none, and does not shift the others' numbers.
        let with_empty: Vec<&str> = [" ."].into_iter().chain(texts).collect();
        assert_eq!(rubric(&with_empty).unwrap(), [(1, "The pool will close.".to_owned())]);
        let error = rubric(&texts[1..]).unwrap_err().to_string();
        assert!(error.contains("no entity that 5 of its `references`"), "{error}");
        let error = rubric(&["A dog barked.", " ."]).unwrap_err().to_string();
        assert!(error.contains("1 texts in `references`"), "{error}");
    }

    #[test]
    fn a_reference_is_taken_before_references() {
        let reference = Some("Rain fell.".to_owned());
        let aids =
            MetricInputs { reference, references: vec!["Snow fell.".into()], ..MetricInputs::default() };
        let truth = Truth::of_reference(&aids, &ClaimExtractor::Clause).unwrap();
        assert_eq!((truth.from, truth.entities.len()), (TruthFrom::Reference, 1));
        let error =
            Truth::of_reference(MetricInputs::NONE, &ClaimExtractor::Clause).err().unwrap().to_string();
        assert!(error.contains("no `reference`"), "{error}");
    }
}

//! Whether each entity is in the right section (section 3.2.3), by two checks: the definition or header of its own section
//! fits it best; and the ground truth's section of the same name has it.
//!
//! The fit is the number of shared words, then the entailment of "This is about ...".

use serde::Serialize;

use super::check_task::{CheckTask, DefinedSection, SourceText, SourceTexts};
use super::entity::{Entity, content_words};
use super::ground_truth::GroundTruth;
use super::note::Note;
use super::sections::{Section, is_same};
use crate::metrics::inputs::SectionDefinition;
use veridic::named;
use veridic::pipeline::{NliPair, NliResult};
use veridic::text::Lookup;

/// The entailment from which an entity fits the only section.
const FITS_FROM: f32 = 0.5;

/// How the two checks are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AlignmentRule {
    /// One of them must hold.
    #[default]
    Any,
    /// Both must hold.
    All,
}

named!(AlignmentRule, "alignment rule", { Any = "any", All = "all" });

impl AlignmentRule {
    pub(super) fn join(self, by_definition: bool, by_ground_truth: bool) -> bool {
        match self {
            Self::Any => by_definition || by_ground_truth,
            Self::All => by_definition && by_ground_truth,
        }
    }
}

/// The sections that an entity could be in.
pub(super) struct KnownSections(Vec<KnownSection>);

struct KnownSection {
    header: String,
    /// Its definition, or its header.
    content: String,
    /// What an entity of it entails.
    hypothesis: String,
}

impl KnownSections {
    /// The sections of both notes, and those that the row defines.
    pub(super) fn of(target: &Note<'_>, truth: &GroundTruth<'_>, defined: &[SectionDefinition]) -> Self {
        let notes = std::iter::once(target).chain(&truth.notes);
        let written = notes.flat_map(|note| note.sections.iter().filter_map(|section| section.header));
        let mut known = Self(Vec::new());
        for header in written.chain(defined.iter().map(|section| section.name.as_str())) {
            if known.find(header).is_none() {
                let definition = defined.iter().find(|section| is_same(&section.name, header));
                let content = definition.map_or(header, |section| &section.definition);
                known.0.push(KnownSection {
                    header: header.to_owned(),
                    content: content.to_owned(),
                    hypothesis: format!("This is about {}.", content.trim_end_matches('.')),
                });
            }
        }
        known
    }

    fn find(&self, header: &str) -> Option<usize> {
        self.0.iter().position(|known| is_same(&known.header, header))
    }

    /// Returns the second check: each entity against the same section of the ground truth, or against no text if there is
    /// none.
    pub(super) fn task<'e>(
        &'e self,
        target: &'e Note<'_>,
        entities: &'e [Entity],
        truth: &'e GroundTruth<'_>,
    ) -> CheckTask<'e> {
        let (mut sources, mut sections) = (Vec::new(), Vec::new());
        for Section { header, .. } in &target.sections {
            sources.push(SourceTexts::of(truth.notes.iter().map(|note| section_text(note, *header))));
            let known = header.and_then(|header| self.find(header));
            let definition = known.map(|place| self.0[place].content.as_str());
            sections.push(
                header.map(|header| DefinedSection { header, definition: definition.unwrap_or(header) }),
            );
        }
        CheckTask { entities, sources, sections }
    }

    /// Every entity with every section, grouped by entity.
    pub(super) fn nli_pairs<'a>(&'a self, entities: &'a [Entity]) -> Vec<NliPair<'a>> {
        let mut pairs = Vec::with_capacity(entities.len() * self.0.len());
        for Entity { text, .. } in entities {
            pairs.extend(self.0.iter().map(|known| NliPair { premise: text, hypothesis: &known.hypothesis }));
        }
        pairs
    }

    /// The first check of the target's entities, from the results of these pairs.
    pub(super) fn by_definition(
        &self,
        target: &Note<'_>,
        entities: &[Entity],
        answers: &[NliResult],
    ) -> Vec<bool> {
        let lookups: Vec<Lookup> = self.0.iter().map(|known| Lookup::new(&known.content)).collect();
        let mut fits = Vec::with_capacity(entities.len());
        for (entity, answers) in entities.iter().zip(answers.chunks(self.0.len())) {
            let words = content_words(&entity.text);
            // Shared words, then entailment.
            let fit = |place: usize| {
                let shared = words.iter().filter(|word| lookups[place].has(word)).count();
                (shared, answers[place].probabilities.entailment)
            };
            let own = target.sections[entity.section].header.and_then(|header| self.find(header));
            fits.push(own.is_some_and(|own| {
                let (shared, entailment) = fit(own);
                let is_best = (0..self.0.len()).all(|place| (shared, entailment) >= fit(place));
                is_best && (self.0.len() > 1 || shared > 0 || entailment >= FITS_FROM)
            }));
        }
        fits
    }
}

/// The text of a note's sections with this header.
fn section_text<'t>(note: &Note<'t>, header: Option<&str>) -> SourceText<'t> {
    let is_in = |section: usize| match (header, note.sections[section].header) {
        (Some(header), Some(other)) => is_same(header, other),
        (header, other) => header.is_none() && other.is_none(),
    };
    let bodies = note.bodies().enumerate().filter(|(section, _)| is_in(*section));
    let bodies: Vec<&str> = bodies.map(|(_, body)| body.text.trim()).collect();
    let sentences = note.sentences.iter().filter(|sentence| is_in(sentence.section));
    SourceText {
        text: bodies.join("\n\n").into(),
        sentences: sentences.map(|sentence| sentence.text).collect(),
    }
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::super::entity_source::EntitySource;
    use super::*;
    use crate::metrics::inputs::MetricInputs;
    use veridic::pipeline::ClaimExtractor;

    const TARGET: &str = "# Imaging\nX-ray of the chest.\n# Plan\nRest.";
    const BY_SENTENCE: EntitySource = EntitySource::Rules(ClaimExtractor::Sentence);

    fn with_reference(reference: &str) -> MetricInputs {
        MetricInputs { reference: Some(reference.into()), ..MetricInputs::default() }
    }

    fn answers(entailments: &[f32]) -> Vec<NliResult> {
        let answer = |&entailment: &f32| NliResult {
            probabilities: Probabilities { entailment, neutral: 1.0 - entailment, contradiction: 0.0 },
            is_cut: false,
        };
        entailments.iter().map(answer).collect()
    }

    #[test]
    fn one_or_both_checks_must_hold() {
        use AlignmentRule::{All, Any};
        let joined = |rule: AlignmentRule| {
            [rule.join(false, false), rule.join(true, false), rule.join(false, true), rule.join(true, true)]
        };
        assert_eq!((joined(Any), joined(All)), ([false, true, true, true], [false, false, false, true]));
    }

    #[test]
    fn an_entity_fits_by_shared_words_and_then_by_entailment() {
        let target = Note::of(TARGET);
        let entities = BY_SENTENCE.entities(&target).unwrap();
        let inputs = with_reference("# Imaging\nChest x-ray.\n# History\nAsthma.");
        let truth = GroundTruth::of_reference(&inputs, &BY_SENTENCE).unwrap();
        let defined =
            [SectionDefinition { name: "imaging".into(), definition: "scans such as an x-ray".into() }];
        let known = KnownSections::of(&target, &truth, &defined);
        let headers: Vec<&str> = known.0.iter().map(|known| known.header.as_str()).collect();
        assert_eq!(headers, ["Imaging", "Plan", "History"]);
        assert_eq!(known.0[0].hypothesis, "This is about scans such as an x-ray.");
        assert_eq!(known.nli_pairs(&entities).len(), 2 * 3);
        // The x-ray shares a word with the definition of imaging, whatever its entailment; rest fits History best.
        let fits = |entailments| known.by_definition(&target, &entities, &answers(entailments));
        assert_eq!(fits(&[0.1, 0.9, 0.2, 0.1, 0.4, 0.5]), [true, false]);
        assert_eq!(fits(&[0.1, 0.9, 0.2, 0.1, 0.5, 0.5]), [true, true]);
    }

    #[test]
    fn entities_are_checked_against_the_same_section() {
        let target = Note::of(TARGET);
        let entities = BY_SENTENCE.entities(&target).unwrap();
        let inputs = with_reference("# Plan\nChest x-ray. Rest.\n# History\nAsthma.");
        let truth = GroundTruth::of_reference(&inputs, &BY_SENTENCE).unwrap();
        let known = KnownSections::of(&target, &truth, &[]);
        let task = known.task(&target, &entities, &truth);
        let headers: Vec<&str> = task.sections.iter().map(|section| section.unwrap().header).collect();
        assert_eq!((task.sources.len(), headers), (2, vec!["Imaging", "Plan"]));
        assert_eq!(task.entities.iter().map(|entity| task.source_of(entity)).collect::<Vec<_>>(), [0, 1]);
        assert_eq!([0, 1].map(|source| task.sources[source].as_text()), ["", "Chest x-ray. Rest."]);
    }
}

//! Whether each entity is in the right section (section 3.2.3), by two checks: the definition or header of its own section
//! fits it best; and the ground truth's section of the same name has it.
//!
//! The fit is the number of shared words, then the entailment of "This is about ...".

use serde::Serialize;

use super::checks::{CheckTask, SourceText, SourceTexts};
use super::entities::{Entity, content_words};
use super::ground_truth::GroundTruth;
use super::note::Note;
use super::sections::is_same;
use crate::metrics::SectionDefinition;
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
    pub(super) fn join(self, checks: [bool; 2]) -> bool {
        match self {
            Self::Any => checks[0] || checks[1],
            Self::All => checks[0] && checks[1],
        }
    }
}

/// The sections that an entity could be in.
pub(super) struct KnownSections {
    /// The header of each.
    headers: Vec<String>,
    /// The content of each: its definition, or its header.
    contents: Vec<String>,
    /// The hypothesis for each.
    hypotheses: Vec<String>,
}

impl KnownSections {
    /// The sections of both notes, and those that the row defines.
    pub(super) fn of(target: &Note<'_>, truth: &GroundTruth<'_>, defined: &[SectionDefinition]) -> Self {
        let notes = std::iter::once(target).chain(&truth.notes);
        let written = notes.flat_map(|note| note.sections.iter().filter_map(|section| section.header));
        let mut known_sections = Self { headers: Vec::new(), contents: Vec::new(), hypotheses: Vec::new() };
        for header in written.chain(defined.iter().map(|section| section.name.as_str())) {
            if known_sections.find(header).is_none() {
                let definition = defined.iter().find(|section| is_same(&section.name, header));
                let contents = definition.map_or(header, |section| &section.definition);
                known_sections.headers.push(header.to_owned());
                known_sections.hypotheses.push(format!("This is about {}.", contents.trim_end_matches('.')));
                known_sections.contents.push(contents.to_owned());
            }
        }
        known_sections
    }

    fn find(&self, header: &str) -> Option<usize> {
        self.headers.iter().position(|known| is_same(known, header))
    }

    /// The definition of a section, or its header if it has none.
    pub(super) fn definition(&self, header: &str) -> Option<&str> {
        self.find(header).map(|place| self.contents[place].as_str())
    }

    /// Every entity with every section, grouped by entity.
    pub(super) fn nli_pairs<'a>(&'a self, entities: &'a [Entity]) -> Vec<NliPair<'a>> {
        let with_sections = |entity: &'a Entity| {
            self.hypotheses.iter().map(|hypothesis| NliPair { premise: &entity.text, hypothesis })
        };
        entities.iter().flat_map(with_sections).collect()
    }

    /// The first check, from the results of these pairs.
    pub(super) fn by_definition(&self, target: &Note<'_>, answers: &[NliResult]) -> Vec<bool> {
        let lookups: Vec<Lookup> = self.contents.iter().map(|contents| Lookup::new(contents)).collect();
        let fits = |(number, entity): (usize, &Entity)| {
            let own = target.sections[entity.section].header.and_then(|header| self.find(header));
            let Some(own) = own else { return false };
            let answers = &answers[number * lookups.len()..][..lookups.len()];
            let words = content_words(&entity.text);
            let fit = |place: usize| {
                let shared = words.iter().filter(|word| lookups[place].has(word)).count();
                (shared, answers[place].probabilities.entailment)
            };
            let best = (0..lookups.len()).all(|place| {
                let (own, other) = (fit(own), fit(place));
                own.0 > other.0 || (own.0 == other.0 && own.1 >= other.1)
            });
            best && (lookups.len() > 1 || fit(own).0 > 0 || fit(own).1 >= FITS_FROM)
        };
        target.entities.iter().enumerate().map(fits).collect()
    }
}

/// Returns the second check: each entity against the same section of the ground truth, or against no text if there is none.
pub(super) fn task<'e>(target: &'e Note<'_>, truth: &'e GroundTruth<'_>) -> CheckTask<'e> {
    let same = |header: Option<&str>, other: Option<&str>| match (header, other) {
        (Some(header), Some(other)) => is_same(header, other),
        (header, other) => header.is_none() && other.is_none(),
    };
    let source = |section: usize| {
        let header = target.sections[section].header;
        SourceTexts::of(truth.notes.iter().map(|note| {
            let is_in = |section: usize| same(header, note.sections[section].header);
            let own = note.sentences.iter().filter(|sentence| is_in(sentence.section));
            let bodies = note.bodies().enumerate().filter(|(section, _)| is_in(*section));
            let bodies: Vec<&str> = bodies.map(|(_, body)| body.text.trim()).collect();
            SourceText {
                text: bodies.join("\n\n").into(),
                sentences: own.map(|sentence| sentence.text).collect(),
            }
        }))
    };
    CheckTask {
        entities: target.entities.iter().map(|entity| (entity, entity.section)).collect(),
        sources: (0..target.sections.len()).map(source).collect(),
    }
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::*;
    use crate::metrics::MetricInputs;
    use crate::metrics::sumautoeval::entities::EntitySource;
    use veridic::pipeline::ClaimExtractor;

    const TARGET: &str = "# Imaging\nX-ray of the chest.\n# Plan\nRest.";

    fn aids(reference: &str) -> MetricInputs {
        MetricInputs { reference: Some(reference.into()), ..MetricInputs::default() }
    }

    fn truth(aids: &MetricInputs) -> GroundTruth<'_> {
        GroundTruth::of_reference(aids, &EntitySource::Rules(ClaimExtractor::Sentence)).unwrap()
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
        let of = |rule: AlignmentRule| {
            [[false, false], [true, false], [false, true], [true, true]].map(|c| rule.join(c))
        };
        assert_eq!((of(Any), of(All)), ([false, true, true, true], [false, false, false, true]));
    }

    #[test]
    fn an_entity_fits_by_shared_words_and_then_by_entailment() {
        let target = Note::with_entities(TARGET, &EntitySource::Rules(ClaimExtractor::Sentence)).unwrap();
        let aids = aids("# Imaging\nChest x-ray.\n# History\nAsthma.");
        let truth = truth(&aids);
        let defined =
            [SectionDefinition { name: "imaging".into(), definition: "scans such as an x-ray".into() }];
        let known_sections = KnownSections::of(&target, &truth, &defined);
        assert_eq!(known_sections.headers, ["Imaging", "Plan", "History"]);
        assert_eq!(known_sections.hypotheses[0], "This is about scans such as an x-ray.");
        assert_eq!(known_sections.nli_pairs(&target.entities).len(), 2 * 3);
        // The x-ray shares a word with the definition of imaging, whatever its entailment; rest fits History best.
        let fits = known_sections.by_definition(&target, &answers(&[0.1, 0.9, 0.2, 0.1, 0.4, 0.5]));
        assert_eq!(fits, [true, false]);
        let fits = known_sections.by_definition(&target, &answers(&[0.1, 0.9, 0.2, 0.1, 0.5, 0.5]));
        assert_eq!(fits, [true, true]);
    }

    #[test]
    fn entities_are_checked_against_the_same_section() {
        let target = Note::with_entities(TARGET, &EntitySource::Rules(ClaimExtractor::Sentence)).unwrap();
        let aids = aids("# Plan\nChest x-ray. Rest.\n# History\nAsthma.");
        let truth = truth(&aids);
        let task = task(&target, &truth);
        assert_eq!(task.sources.len(), 2);
        assert_eq!(task.entities.iter().map(|(_, place)| *place).collect::<Vec<_>>(), [0, 1]);
    }
}

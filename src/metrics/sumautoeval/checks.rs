//! Three checks of an entity against sentences, which stand in for the paper's three prompts: *presence* asks the NLI
//! model about every sentence; *coverage* looks up the entity's words, names and numbers in runs of sentences;
//! *evidence* asks the NLI model about the sentences that share the entity's rarest words, as one text.

use super::answers::{Answer as Said, CHECKS, Found};
use super::entities::{Entity, telling};
use super::facts::Voted;
use crate::error::Result;
use crate::metrics::row::answers_of;
use crate::pipeline::{NliPair, NliResult, Scorer};
use crate::schedule::OnEvent;
use veridic_text::{Lookup, Part, Spoken, denies, words};

/// Entailment from which an entity counts as there, and from which as partly there.
const WHOLE_FROM: f32 = 0.5;
const PART_FROM: f32 = 0.25;

/// Contradiction from which a sentence speaks against an entity, if it shares half of its words.
const AGAINST_FROM: f32 = 0.5;
const SHARED_FROM: f64 = 0.5;

/// The share of an entity's words from which it counts as covered, and from which as partly covered.
const COVERED_FROM: f64 = 0.75;
const PARTLY_FROM: f64 = 0.4;

/// Sentences of a run whose words count together.
const RUN: usize = 3;

/// Sentences of the evidence.
const EVIDENCE: usize = 3;

/// Sentences in the order of their text; several texts may stand one after another.
pub(super) struct Material<'t> {
    texts: Vec<Vec<&'t str>>,
}

impl<'t> Material<'t> {
    pub(super) fn of(texts: impl IntoIterator<Item = Vec<&'t str>>) -> Self {
        Self { texts: texts.into_iter().collect() }
    }

    fn sentences(&self) -> impl Iterator<Item = &'t str> {
        self.texts.iter().flatten().copied()
    }
}

/// Entities of a row, each to be checked against one of its materials.
pub(super) struct Trial<'e> {
    pub(super) entities: Vec<(&'e Entity, usize)>,
    pub(super) materials: Vec<Material<'e>>,
}

impl<'e> Trial<'e> {
    /// All entities against one material.
    pub(super) fn of(entities: &'e [Entity], material: Material<'e>) -> Self {
        Self { entities: entities.iter().map(|entity| (entity, 0)).collect(), materials: vec![material] }
    }
}

/// What the checks say of each entity of each trial; `answer` says what is found in the words of an axis.
pub(super) fn check(
    scorer: &Scorer,
    trials: &[Option<Trial<'_>>],
    answer: fn(Found) -> Said,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Voted>>> {
    let looked: Vec<Vec<Looked<'_>>> =
        trials.iter().map(|trial| trial.iter().flat_map(look).collect()).collect();
    let questions: Vec<Vec<NliPair<'_>>> =
        looked.iter().map(|looked| looked.iter().flat_map(Looked::questions).collect()).collect();
    let answers = answers_of(scorer, &questions, on_event);
    let of_trial = |(looked, answers): (&Vec<Looked<'_>>, Result<Vec<NliResult>>)| {
        let answers = answers?;
        let mut rest = answers.as_slice();
        let of_entity = |looked: &Looked<'_>| {
            let (own, others) =
                rest.split_at(looked.sentences.len() + usize::from(looked.evidence.is_some()));
            rest = others;
            Voted::of(looked.found(own).map(answer))
        };
        Ok(looked.iter().map(of_entity).collect())
    };
    looked.iter().zip(answers).map(of_trial).collect()
}

/// An entity beside the sentences that it is checked against.
struct Looked<'e> {
    hypothesis: &'e str,
    sentences: Vec<&'e str>,
    coverage: Coverage,
    /// The sentences that share most, as one text.
    evidence: Option<String>,
}

/// An entity's words in a material.
struct Coverage {
    /// The share of them in each sentence.
    shares: Vec<f64>,
    /// Their share in the evidence.
    in_evidence: f64,
    found: Found,
}

fn look<'e>(trial: &Trial<'e>) -> Vec<Looked<'e>> {
    let lookups: Vec<Vec<Vec<Lookup>>> = trial
        .materials
        .iter()
        .map(|material| {
            material.texts.iter().map(|text| text.iter().map(|s| Lookup::new(s)).collect()).collect()
        })
        .collect();
    let of = |(entity, place): &(&'e Entity, usize)| {
        let material = &trial.materials[*place];
        let words = telling(&entity.text);
        let has = |lookup: &Lookup| words.iter().map(|word| lookup.has(word)).collect::<Vec<bool>>();
        let found: Vec<Vec<Vec<bool>>> =
            lookups[*place].iter().map(|text| text.iter().map(has).collect()).collect();
        let by_sentence: Vec<&Vec<bool>> = found.iter().flatten().collect();
        let chosen = most_telling(&by_sentence, words.len());
        let sentences: Vec<&'e str> = material.sentences().collect();
        let evidence: Vec<&str> = chosen.iter().map(|sentence| sentences[*sentence]).collect();
        let shares = by_sentence.iter().map(|found| share(found)).collect();
        let in_evidence = share(&any(chosen.iter().map(|sentence| by_sentence[*sentence]), words.len()));
        Looked {
            hypothesis: &entity.text,
            coverage: Coverage {
                shares,
                in_evidence,
                found: coverage(&entity.text, &words, &found, &material.texts),
            },
            sentences,
            evidence: (!evidence.is_empty()).then(|| evidence.join(" ")),
        }
    };
    trial.entities.iter().map(of).collect()
}

impl Looked<'_> {
    fn questions(&self) -> Vec<NliPair<'_>> {
        let premises = self.sentences.iter().copied().chain(self.evidence.as_deref());
        premises.map(|premise| NliPair { premise, hypothesis: self.hypothesis }).collect()
    }

    fn found(&self, answers: &[NliResult]) -> [Found; CHECKS] {
        let (of_sentences, of_evidence) = answers.split_at(self.sentences.len());
        let shares = self.coverage.shares.iter().copied();
        let presence = said(of_sentences.iter().zip(shares));
        let evidence = said(of_evidence.iter().map(|answer| (answer, self.coverage.in_evidence)));
        [presence, self.coverage.found, evidence]
    }
}

/// What the model's answers come to, each with the share of the entity's words that its premise has.
fn said<'a>(answers: impl Iterator<Item = (&'a NliResult, f64)>) -> Found {
    let (mut entailment, mut contradiction) = (0.0f32, 0.0f32);
    for (answer, shared) in answers {
        entailment = entailment.max(answer.probabilities.entailment);
        if shared >= SHARED_FROM {
            contradiction = contradiction.max(answer.probabilities.contradiction);
        }
    }
    if entailment >= WHOLE_FROM {
        Found::Whole
    } else if contradiction >= AGAINST_FROM {
        Found::Against
    } else if entailment >= PART_FROM {
        Found::Part
    } else {
        Found::Nothing
    }
}

/// The sentences that share most of the entity's words, each word weighed by how few sentences have it, in their order;
/// of equals the earlier. None that shares nothing.
fn most_telling(found: &[&Vec<bool>], count: usize) -> Vec<usize> {
    let holders: Vec<usize> =
        (0..count).map(|word| found.iter().filter(|found| found[word]).count()).collect();
    let weight = |word: usize| ((found.len() + 1) as f64 / holders[word] as f64).ln();
    let weights: Vec<f64> =
        found.iter().map(|found| (0..count).filter(|word| found[*word]).map(weight).sum()).collect();
    let mut order: Vec<usize> = (0..found.len()).filter(|sentence| weights[*sentence] > 0.0).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    order.truncate(EVIDENCE);
    order.sort_unstable();
    order
}

/// The second check. `found`: which of the entity's words each sentence of each text has.
fn coverage(entity: &str, telling: &[Spoken<'_>], found: &[Vec<Vec<bool>>], texts: &[Vec<&str>]) -> Found {
    let runs = found.iter().zip(texts).flat_map(|(found, text)| {
        let starts = 0..(found.len() + 1).saturating_sub(RUN).max(usize::from(!found.is_empty()));
        starts.map(move |start| {
            let run = start..(start + RUN).min(found.len());
            (any(found[run.clone()].iter(), telling.len()), &text[run])
        })
    });
    // Of equals the first.
    let best = runs.reduce(|best, other| if share(&other.0) > share(&best.0) { other } else { best });
    let Some((has, run)) = best else { return Found::Nothing };
    let shared = share(&has);
    if shared < PARTLY_FROM || telling.is_empty() {
        return Found::Nothing;
    }
    if shared >= SHARED_FROM && differs(entity, telling, &has, run) {
        return Found::Against;
    }
    let lacks = |part: Part| telling.iter().zip(&has).any(|(word, has)| word.part == part && !has);
    let lacks_exact = [Part::Number, Part::Name, Part::Date].into_iter().any(lacks);
    if shared >= COVERED_FROM && !lacks_exact { Found::Whole } else { Found::Part }
}

/// Whether the sentence that has most of an entity says otherwise: it has another number; or one of them denies and it
/// says little beside the entity, so that the denial is of that.
fn differs(entity: &str, telling: &[Spoken<'_>], has: &[bool], run: &[&str]) -> bool {
    let own = Lookup::new(entity);
    let about = |sentence: &&&str| {
        let lookup = Lookup::new(sentence);
        telling.iter().filter(|word| lookup.has(word)).count()
    };
    // Of equals the last; a run is never empty.
    let Some(nearest) = run.iter().max_by_key(about) else { return false };
    let said = super::entities::telling(nearest);
    let shared: Vec<bool> = said.iter().map(|word| own.has(word)).collect();
    if share(&shared) >= SHARED_FROM && denies(&words(nearest)) != denies(&words(entity)) {
        return true;
    }
    let lacks_number = telling.iter().zip(has).any(|(word, has)| word.part == Part::Number && !has);
    lacks_number && said.iter().zip(&shared).any(|(word, is_shared)| word.part == Part::Number && !is_shared)
}

fn any<'f>(found: impl Iterator<Item = &'f Vec<bool>>, count: usize) -> Vec<bool> {
    let mut all = vec![false; count];
    for found in found {
        all.iter_mut().zip(found).for_each(|(all, found)| *all |= found);
    }
    all
}

fn share(found: &[bool]) -> f64 {
    if found.is_empty() {
        0.0
    } else {
        found.iter().filter(|found| **found).count() as f64 / found.len() as f64
    }
}

/// How much of an entity's wording a text of these sentences has, without asking a model.
pub(super) fn covers(sentences: &[&str], entity: &str) -> bool {
    let words = telling(entity);
    let lookups = sentences.iter().map(|sentence| Lookup::new(sentence));
    let found = lookups.map(|lookup| words.iter().map(|word| lookup.has(word)).collect()).collect();
    coverage(entity, &words, &[found], &[sentences.to_vec()]) == Found::Whole
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::*;

    fn covered(entity: &str, sentences: &[&str]) -> Found {
        let entity = Entity { text: entity.to_owned(), spans: Vec::new(), section: 0 };
        let entities = [entity];
        look(&Trial::of(&entities, Material::of([sentences.to_vec()]))).swap_remove(0).coverage.found
    }

    #[test]
    fn coverage_is_of_words_names_and_numbers() {
        let text = ["The pool of Harwell will close.", "Repairs cost 4.2 million.", "A dog barked."];
        assert_eq!(covered("The pool closes.", &text), Found::Whole);
        // Pool and close of pool, close, Berlin, May: half.
        assert_eq!(covered("The pool closes in Berlin in May.", &text), Found::Part);
        // Of repair, cost, 2.4, million three are there, and the sentence has another number.
        assert_eq!(covered("Repairs cost 2.4 million.", &text), Found::Against);
        assert_eq!(covered("The pool of Harwell will not close.", &text), Found::Against);
        // The denial is of something else.
        let text_of_other = ["You should rest, and come back in two weeks if the pain does not stop."];
        assert_eq!(covered("You should rest.", &text_of_other), Found::Whole);
        assert_eq!(covered("An otter flew to Peru.", &text), Found::Nothing);
        assert_eq!(covered("An otter flew.", &[]), Found::Nothing);
        // Dog is in the third sentence, the rest in the first: one run.
        assert_eq!(covered("A dog closes the pool of Harwell.", &text), Found::Whole);
        let far = ["A dog barked.", "Rain fell.", "It was cold.", "The pool will close."];
        assert_eq!(covered("A dog closes a pool.", &far), Found::Part);
    }

    #[test]
    fn evidence_has_the_rarest_words() {
        let entities =
            [Entity { text: "The mayor closed the old pool.".into(), spans: Vec::new(), section: 0 }];
        let text = ["A pool.", "A dog.", "The pool.", "Pools.", "The mayor.", "It is old."];
        let looked = look(&Trial::of(&entities, Material::of([text.to_vec()]))).swap_remove(0);
        assert_eq!(looked.evidence.as_deref(), Some("A pool. The mayor. It is old."));
        assert_eq!(looked.questions().len(), 7);
        let looked = look(&Trial::of(&entities, Material::of([vec!["A dog."]]))).swap_remove(0);
        assert_eq!(looked.evidence, None);
    }

    #[test]
    fn probabilities_become_what_was_found() {
        let found = |answers: &[(f32, f32, f64)]| {
            let answers: Vec<(NliResult, f64)> = answers
                .iter()
                .map(|&(entailment, contradiction, shared)| {
                    let neutral = 1.0 - entailment - contradiction;
                    let probabilities = Probabilities { entailment, neutral, contradiction };
                    (NliResult { probabilities, is_cut: false }, shared)
                })
                .collect();
            said(answers.iter().map(|(answer, shared)| (answer, *shared)))
        };
        assert_eq!(found(&[(0.1, 0.8, 1.0), (0.5, 0.1, 0.0)]), Found::Whole);
        assert_eq!(found(&[(0.25, 0.0, 0.0)]), Found::Part);
        assert_eq!(found(&[(0.3, 0.6, 0.5)]), Found::Against);
        assert_eq!(found(&[(0.1, 0.9, 0.4)]), Found::Nothing, "it is about something else");
        assert_eq!(found(&[]), Found::Nothing);
    }
}

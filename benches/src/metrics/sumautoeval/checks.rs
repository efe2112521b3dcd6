//! Three checks of an entity against sentences, which replace the paper's three prompts: *presence* is NLI with every
//! sentence as the premise; *coverage* looks up the entity's words, names and numbers in runs of sentences; *evidence* is
//! NLI with the sentences that share the entity's rarest words, joined into one premise.

use std::borrow::Cow;

use super::answers::{Answer, CHECKS, Found};
use super::entities::{Entity, content_words};
use super::facts::Votes;
use crate::metrics::row::classify_rows;
use veridic::pipeline::{NliPair, NliResult};
use veridic::schedule::OnEvent;
use veridic::text::{Lookup, PartOfSpeech as Part, TaggedWord, has_negation, words};
use veridic::{Result, Scorer};

/// The entailment from which an entity is found, and that from which it is found in part.
const WHOLE_FROM: f32 = 0.5;
const PART_FROM: f32 = 0.25;

/// The contradiction from which a sentence contradicts an entity, if it shares half of its words.
const AGAINST_FROM: f32 = 0.5;
const SHARED_FROM: f64 = 0.5;

/// The share of an entity's words from which it is covered, and that from which it is covered in part.
const COVERED_FROM: f64 = 0.75;
const PARTLY_FROM: f64 = 0.4;

/// The number of sentences in a run whose words count together.
const RUN_SENTENCES: usize = 3;

/// The maximum number of evidence sentences.
const EVIDENCE_SENTENCES: usize = 3;

/// A text that entities are checked against.
pub(super) struct SourceText<'t> {
    /// The text as given, which a language model reads.
    pub(super) text: Cow<'t, str>,
    pub(super) sentences: Vec<&'t str>,
}

/// One or several texts, in order.
pub(super) struct SourceTexts<'t> {
    texts: Vec<SourceText<'t>>,
}

impl<'t> SourceTexts<'t> {
    pub(super) fn of(texts: impl IntoIterator<Item = SourceText<'t>>) -> Self {
        Self { texts: texts.into_iter().collect() }
    }

    /// Joins the given texts; empty without sentences.
    pub(super) fn as_text(&self) -> String {
        let texts = self.texts.iter().filter(|text| !text.sentences.is_empty());
        texts.map(|text| text.text.trim()).collect::<Vec<_>>().join("\n\n")
    }

    fn sentences(&self) -> impl Iterator<Item = &'t str> {
        self.texts.iter().flat_map(|text| &text.sentences).copied()
    }
}

/// Entities of a row, each with the index of the source that it is checked against.
pub(super) struct CheckTask<'e> {
    pub(super) entities: Vec<(&'e Entity, usize)>,
    pub(super) sources: Vec<SourceTexts<'e>>,
}

impl<'e> CheckTask<'e> {
    /// All entities against one source.
    pub(super) fn of(entities: &'e [Entity], source: SourceTexts<'e>) -> Self {
        Self { entities: entities.iter().map(|entity| (entity, 0)).collect(), sources: vec![source] }
    }
}

/// Returns the votes on each entity of each task. `answer` maps a finding to the answer of an axis.
pub(super) fn check(
    scorer: &Scorer,
    tasks: &[Option<CheckTask<'_>>],
    answer: fn(Found) -> Answer,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Votes>>> {
    let checks: Vec<Vec<EntityCheck<'_>>> =
        tasks.iter().map(|task| task.iter().flat_map(prepare).collect()).collect();
    let nli_pairs: Vec<Vec<NliPair<'_>>> =
        checks.iter().map(|checks| checks.iter().flat_map(EntityCheck::nli_pairs).collect()).collect();
    let answers = classify_rows(scorer, &nli_pairs, on_event);
    let of_task = |(checks, answers): (&Vec<EntityCheck<'_>>, Result<Vec<NliResult>>)| {
        let answers = answers?;
        let mut rest = answers.as_slice();
        let of_entity = |check: &EntityCheck<'_>| {
            let (own, others) = rest.split_at(check.sentences.len() + usize::from(check.evidence.is_some()));
            rest = others;
            Votes::of(check.found(own).map(answer))
        };
        Ok(checks.iter().map(of_entity).collect())
    };
    checks.iter().zip(answers).map(of_task).collect()
}

/// An entity and the sentences that it is checked against.
struct EntityCheck<'e> {
    hypothesis: &'e str,
    sentences: Vec<&'e str>,
    coverage: Coverage,
    /// The sentences that share most of its words, as one text.
    evidence: Option<String>,
}

/// The entity's words that a source has.
struct Coverage {
    /// The share of them in each sentence.
    shares: Vec<f64>,
    /// Their share in the evidence.
    in_evidence: f64,
    found: Found,
}

fn prepare<'e>(task: &CheckTask<'e>) -> Vec<EntityCheck<'e>> {
    let lookups: Vec<Vec<Vec<Lookup>>> = task
        .sources
        .iter()
        .map(|source| {
            let of_text = |text: &SourceText<'_>| text.sentences.iter().map(|s| Lookup::new(s)).collect();
            source.texts.iter().map(of_text).collect()
        })
        .collect();
    let of = |(entity, place): &(&'e Entity, usize)| {
        let source = &task.sources[*place];
        let words = content_words(&entity.text);
        let has = |lookup: &Lookup| words.iter().map(|word| lookup.has(word)).collect::<Vec<bool>>();
        let found: Vec<Vec<Vec<bool>>> =
            lookups[*place].iter().map(|text| text.iter().map(has).collect()).collect();
        let by_sentence: Vec<&Vec<bool>> = found.iter().flatten().collect();
        let chosen = most_relevant(&by_sentence, words.len());
        let sentences: Vec<&'e str> = source.sentences().collect();
        let texts: Vec<&[&str]> = source.texts.iter().map(|text| text.sentences.as_slice()).collect();
        let evidence: Vec<&str> = chosen.iter().map(|sentence| sentences[*sentence]).collect();
        let shares = by_sentence.iter().map(|found| share(found)).collect();
        let in_evidence = share(&any(chosen.iter().map(|sentence| by_sentence[*sentence]), words.len()));
        EntityCheck {
            hypothesis: &entity.text,
            coverage: Coverage { shares, in_evidence, found: coverage(&entity.text, &words, &found, &texts) },
            sentences,
            evidence: (!evidence.is_empty()).then(|| evidence.join(" ")),
        }
    };
    task.entities.iter().map(of).collect()
}

impl EntityCheck<'_> {
    fn nli_pairs(&self) -> Vec<NliPair<'_>> {
        let premises = self.sentences.iter().copied().chain(self.evidence.as_deref());
        premises.map(|premise| NliPair { premise, hypothesis: self.hypothesis }).collect()
    }

    fn found(&self, answers: &[NliResult]) -> [Found; CHECKS] {
        let (of_sentences, of_evidence) = answers.split_at(self.sentences.len());
        let shares = self.coverage.shares.iter().copied();
        let presence = found_by_nli(of_sentences.iter().zip(shares));
        let evidence = found_by_nli(of_evidence.iter().map(|answer| (answer, self.coverage.in_evidence)));
        [presence, self.coverage.found, evidence]
    }
}

/// Combines NLI results; each comes with the share of the entity's words that its premise has.
fn found_by_nli<'a>(answers: impl Iterator<Item = (&'a NliResult, f64)>) -> Found {
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

/// Returns the sentences that share most of the entity's words, each word weighted by inverse sentence frequency, in order;
/// ties by position. Sentences that share none are left out.
fn most_relevant(found: &[&Vec<bool>], count: usize) -> Vec<usize> {
    let holders: Vec<usize> =
        (0..count).map(|word| found.iter().filter(|found| found[word]).count()).collect();
    let weight = |word: usize| ((found.len() + 1) as f64 / holders[word] as f64).ln();
    let weights: Vec<f64> =
        found.iter().map(|found| (0..count).filter(|word| found[*word]).map(weight).sum()).collect();
    let mut order: Vec<usize> = (0..found.len()).filter(|sentence| weights[*sentence] > 0.0).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    order.truncate(EVIDENCE_SENTENCES);
    order.sort_unstable();
    order
}

/// The second check. `found`: whether each sentence of each text has each of the entity's words.
fn coverage(
    entity: &str,
    content_words: &[TaggedWord<'_>],
    found: &[Vec<Vec<bool>>],
    texts: &[&[&str]],
) -> Found {
    let runs = found.iter().zip(texts).flat_map(|(found, text)| {
        let starts = 0..(found.len() + 1).saturating_sub(RUN_SENTENCES).max(usize::from(!found.is_empty()));
        starts.map(move |start| {
            let run = start..(start + RUN_SENTENCES).min(found.len());
            (any(found[run.clone()].iter(), content_words.len()), &text[run])
        })
    });
    // The first run on ties.
    let best = runs.reduce(|best, other| if share(&other.0) > share(&best.0) { other } else { best });
    let Some((has, run)) = best else { return Found::Nothing };
    let shared = share(&has);
    if shared < PARTLY_FROM || content_words.is_empty() {
        return Found::Nothing;
    }
    if shared >= SHARED_FROM && differs(entity, content_words, &has, run) {
        return Found::Against;
    }
    let lacks = |part: Part| content_words.iter().zip(&has).any(|(word, has)| word.part == part && !has);
    let lacks_exact = [Part::Number, Part::Name, Part::Date].into_iter().any(lacks);
    if shared >= COVERED_FROM && !lacks_exact { Found::Whole } else { Found::Part }
}

/// Whether the sentence with most words of an entity contradicts it: it has another number; or exactly one of the two is
/// negated and the sentence has few other words, so that the negation is about the entity.
fn differs(entity: &str, content_words: &[TaggedWord<'_>], has: &[bool], run: &[&str]) -> bool {
    let own = Lookup::new(entity);
    let about = |sentence: &&&str| {
        let lookup = Lookup::new(sentence);
        content_words.iter().filter(|word| lookup.has(word)).count()
    };
    // The last sentence on ties; a run is never empty.
    let Some(nearest) = run.iter().max_by_key(about) else { return false };
    let others = super::entities::content_words(nearest);
    let shared: Vec<bool> = others.iter().map(|word| own.has(word)).collect();
    if share(&shared) >= SHARED_FROM && has_negation(&words(nearest)) != has_negation(&words(entity)) {
        return true;
    }
    let lacks_number = content_words.iter().zip(has).any(|(word, has)| word.part == Part::Number && !has);
    lacks_number
        && others.iter().zip(&shared).any(|(word, is_shared)| word.part == Part::Number && !is_shared)
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

/// Whether a text of these sentences covers an entity, by words alone.
pub(super) fn covers(sentences: &[&str], entity: &str) -> bool {
    let words = content_words(entity);
    let lookups = sentences.iter().map(|sentence| Lookup::new(sentence));
    let found = lookups.map(|lookup| words.iter().map(|word| lookup.has(word)).collect()).collect();
    coverage(entity, &words, &[found], &[sentences]) == Found::Whole
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::*;

    fn source<'t>(sentences: &[&'t str]) -> SourceTexts<'t> {
        SourceTexts::of([SourceText { text: sentences.join(" ").into(), sentences: sentences.to_vec() }])
    }

    fn covered(entity: &str, sentences: &[&str]) -> Found {
        let entity = Entity { text: entity.to_owned(), spans: Vec::new(), section: 0 };
        let entities = [entity];
        prepare(&CheckTask::of(&entities, source(sentences))).swap_remove(0).coverage.found
    }

    #[test]
    fn coverage_counts_words_names_and_numbers() {
        let text = ["The pool of Harwell will close.", "Repairs cost 4.2 million.", "A dog barked."];
        assert_eq!(covered("The pool closes.", &text), Found::Whole);
        // Pool and close of pool, close, Berlin, May: half.
        assert_eq!(covered("The pool closes in Berlin in May.", &text), Found::Part);
        // Three of repair, cost, 2.4 and million are found, and the sentence has another number.
        assert_eq!(covered("Repairs cost 2.4 million.", &text), Found::Against);
        assert_eq!(covered("The pool of Harwell will not close.", &text), Found::Against);
        // The negation is about something else.
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
        let check = prepare(&CheckTask::of(&entities, source(&text))).swap_remove(0);
        assert_eq!(check.evidence.as_deref(), Some("A pool. The mayor. It is old."));
        assert_eq!(check.nli_pairs().len(), 7);
        let check = prepare(&CheckTask::of(&entities, source(&["A dog."]))).swap_remove(0);
        assert_eq!(check.evidence, None);
    }

    #[test]
    fn probabilities_determine_what_was_found() {
        let found = |answers: &[(f32, f32, f64)]| {
            let answers: Vec<(NliResult, f64)> = answers
                .iter()
                .map(|&(entailment, contradiction, shared)| {
                    let neutral = 1.0 - entailment - contradiction;
                    let probabilities = Probabilities { entailment, neutral, contradiction };
                    (NliResult { probabilities, is_cut: false }, shared)
                })
                .collect();
            found_by_nli(answers.iter().map(|(answer, shared)| (answer, *shared)))
        };
        assert_eq!(found(&[(0.1, 0.8, 1.0), (0.5, 0.1, 0.0)]), Found::Whole);
        assert_eq!(found(&[(0.25, 0.0, 0.0)]), Found::Part);
        assert_eq!(found(&[(0.3, 0.6, 0.5)]), Found::Against);
        assert_eq!(found(&[(0.1, 0.9, 0.4)]), Found::Nothing, "it is about something else");
        assert_eq!(found(&[]), Found::Nothing);
    }
}

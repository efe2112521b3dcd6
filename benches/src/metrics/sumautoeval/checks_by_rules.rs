//! Three checks of an entity against sentences, which replace the paper's three prompts: *presence* is NLI with every
//! sentence as the premise; *coverage* looks up the entity's words, names and numbers in runs of sentences; *evidence* is
//! NLI with the sentences that share the entity's rarest words, joined into one premise.

use super::answers::{Answer, CHECKS, Found, Votes};
use super::check_task::{Check, CheckTask};
use super::coverage::{Coverage, LookedUp, SHARED_FROM, any, share};
use super::entity::Entity;
use crate::metrics::row::classify_rows;
use veridic::pipeline::{NliPair, NliResult};
use veridic::schedule::OnEvent;
use veridic::{Result, Scorer};

/// The entailment from which an entity is found, and that from which it is found in part.
const WHOLE_FROM: f32 = 0.5;
const PART_FROM: f32 = 0.25;

/// The contradiction from which a sentence contradicts an entity, if it shares half of its words.
const AGAINST_FROM: f32 = 0.5;

/// The maximum number of evidence sentences.
const EVIDENCE_SENTENCES: usize = 3;

/// Returns the votes on each entity of each task of a check.
pub(super) fn check(
    scorer: &Scorer,
    check: Check,
    tasks: &[Option<CheckTask<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Votes>>> {
    let answer = if check == Check::Correctness { Answer::of_correctness } else { Answer::of_completeness };
    let checks: Vec<Vec<EntityCheck<'_>>> =
        tasks.iter().map(|task| task.iter().flat_map(prepare).collect()).collect();
    let nli_pairs: Vec<Vec<NliPair<'_>>> =
        checks.iter().map(|checks| checks.iter().flat_map(EntityCheck::nli_pairs).collect()).collect();
    let answers = classify_rows(scorer, &nli_pairs, on_event);
    let mut votes = Vec::with_capacity(checks.len());
    for (checks, answers) in checks.iter().zip(answers) {
        votes.push(answers.map(|answers| {
            let mut rest = answers.as_slice();
            let mut of_task = Vec::with_capacity(checks.len());
            for check in checks {
                let own = rest.split_off(..check.premises()).expect("every pair has an answer");
                of_task.push(Votes::of(check.found(own).map(answer)));
            }
            of_task
        }));
    }
    votes
}

/// An entity and the sentences that it is checked against.
struct EntityCheck<'e> {
    hypothesis: &'e str,
    sentences: Vec<&'e str>,
    /// The share of its words in each sentence.
    shares: Vec<f64>,
    coverage: Found,
    /// The sentences that share most of its words, as one text.
    evidence: Option<String>,
    /// The share of its words in the evidence.
    in_evidence: f64,
}

fn prepare<'e>(task: &CheckTask<'e>) -> Vec<EntityCheck<'e>> {
    let mut looked_up: Vec<Vec<LookedUp<'_>>> = Vec::new();
    for source in &task.sources {
        looked_up.push(source.texts.iter().map(|text| LookedUp::of(&text.sentences)).collect());
    }
    let mut checks = Vec::with_capacity(task.entities.len());
    for entity in task.entities {
        let source = task.source_of(entity);
        let sentences = task.sources[source].texts.iter().flat_map(|text| &text.sentences).copied().collect();
        checks.push(EntityCheck::of(entity, sentences, &looked_up[source]));
    }
    checks
}

impl<'e> EntityCheck<'e> {
    /// Looks the words of an entity up; `sentences` are those of all the texts.
    fn of(entity: &'e Entity, sentences: Vec<&'e str>, texts: &[LookedUp<'_>]) -> Self {
        let coverage = Coverage::of(&entity.text, texts);
        let has = coverage.by_sentence();
        let chosen = most_relevant(&has);
        let evidence: Vec<&str> = chosen.iter().map(|sentence| sentences[*sentence]).collect();
        let in_evidence: Vec<&[bool]> = chosen.iter().map(|sentence| has[*sentence]).collect();
        let words = has.first().map_or(0, |has| has.len());
        Self {
            hypothesis: &entity.text,
            shares: has.iter().map(|has| share(has)).collect(),
            coverage: coverage.found(),
            evidence: (!evidence.is_empty()).then(|| evidence.join(" ")),
            in_evidence: share(&any(&in_evidence, words)),
            sentences,
        }
    }

    /// The number of premises.
    fn premises(&self) -> usize {
        self.sentences.len() + usize::from(self.evidence.is_some())
    }

    fn nli_pairs(&self) -> Vec<NliPair<'_>> {
        let premises = self.sentences.iter().copied().chain(self.evidence.as_deref());
        premises.map(|premise| NliPair { premise, hypothesis: self.hypothesis }).collect()
    }

    fn found(&self, answers: &[NliResult]) -> [Found; CHECKS] {
        let (of_sentences, of_evidence) = answers.split_at(self.sentences.len());
        let presence = found_by_nli(of_sentences.iter().zip(self.shares.iter().copied()));
        let evidence = found_by_nli(of_evidence.iter().map(|answer| (answer, self.in_evidence)));
        [presence, self.coverage, evidence]
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
/// ties by position. Sentences that share none are left out. `has`: whether each sentence has each word.
fn most_relevant(has: &[&[bool]]) -> Vec<usize> {
    let weight = |word: usize| {
        let holders = has.iter().filter(|has| has[word]).count();
        ((has.len() + 1) as f64 / holders as f64).ln()
    };
    let weights: Vec<f64> =
        has.iter().map(|has| (0..has.len()).filter(|word| has[*word]).map(weight).sum()).collect();
    let mut order: Vec<usize> = (0..has.len()).filter(|sentence| weights[*sentence] > 0.0).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    order.truncate(EVIDENCE_SENTENCES);
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::*;

    #[test]
    fn evidence_has_the_rarest_words() {
        let entity = Entity { text: "The mayor closed the old pool.".into(), spans: Vec::new(), section: 0 };
        let check_of = |text: &[&'static str]| EntityCheck::of(&entity, text.to_vec(), &[LookedUp::of(text)]);
        let check = check_of(&["A pool.", "A dog.", "The pool.", "Pools.", "The mayor.", "It is old."]);
        assert_eq!(check.evidence.as_deref(), Some("A pool. The mayor. It is old."));
        assert_eq!(check.nli_pairs().len(), 7);
        assert_eq!(check_of(&["A dog."]).evidence, None);
    }

    #[test]
    fn probabilities_determine_what_was_found() {
        let answer = |entailment: f32, contradiction: f32| {
            let neutral = 1.0 - entailment - contradiction;
            NliResult { probabilities: Probabilities { entailment, neutral, contradiction }, is_cut: false }
        };
        let found =
            |answers: &[(NliResult, f64)]| found_by_nli(answers.iter().map(|answer| (&answer.0, answer.1)));
        assert_eq!(found(&[(answer(0.1, 0.8), 1.0), (answer(0.5, 0.1), 0.0)]), Found::Whole);
        assert_eq!(found(&[(answer(0.25, 0.0), 0.0)]), Found::Part);
        assert_eq!(found(&[(answer(0.3, 0.6), 0.5)]), Found::Against);
        assert_eq!(found(&[(answer(0.1, 0.9), 0.4)]), Found::Nothing, "it is about something else");
        assert_eq!(found(&[]), Found::Nothing);
    }
}

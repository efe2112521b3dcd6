//! Extract, then evaluate (Wu et al. 2023): sentences of a long document that a summary is likely to be about, before
//! anything is judged. Whole sentences, in the document's order, never above a budget of tokens.
//!
//! Which sentences: the first ones, or greedily those that add most of the summary's wording, or those that an NLI model
//! relates to some summary sentence. Refuses nothing: a document within the budget stays whole.

mod greedy;
mod passage;

use veridic_models::PairTokenizer;

use self::greedy::Wanted;
pub use self::passage::Passage;
use crate::error::{Error, Result};
use crate::pipeline::{Answer, Pair, Question, Scorer};
use crate::schedule::OnEvent;
use crate::text::{Span, TextIndex, sentences};

/// How sentences are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The first ones.
    Lead,
    /// Those that add most of the summary's words.
    Rouge1,
    /// Those that add most of its pairs of neighbouring words.
    Rouge2,
    /// Those that add most of both recalls' sum.
    Rouge12,
    /// Those that an NLI model finds entailed or contradicted by a summary sentence.
    Nli,
}

/// What to take out of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extraction {
    /// How sentences are chosen.
    pub method: Method,
    /// Most tokens of an extract, as the NLI model's tokenizer counts them.
    pub budget: usize,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Lead, Self::Rouge1, Self::Rouge2, Self::Rouge12, Self::Nli];

    /// The name that `--extract` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Rouge1 => "rouge-1",
            Self::Rouge2 => "rouge-2",
            Self::Rouge12 => "rouge-1+2",
            Self::Nli => "nli",
        }
    }
}

impl Extraction {
    /// The passage of each document for its summary, in order.
    ///
    /// # Errors
    /// When a tokenizer or the model fails.
    pub fn passages<'t>(
        self,
        scorer: &Scorer,
        texts: &[(&'t str, &'t str)],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Passage<'t>>> {
        let read = |(document, summary): &(&'t str, &'t str)| {
            Document::read(document, summary, scorer.model().tokenizer())
        };
        let documents = texts.iter().map(read).collect::<Result<Vec<_>>>()?;
        let mut related = self.relations(scorer, &documents, on_event)?.into_iter();
        let passage = |document: &Document<'t>| {
            if document.costs.iter().sum::<usize>() <= self.budget {
                let all = (0..document.spans.len()).collect();
                return Passage::new(document.index.clone(), &document.spans, all);
            }
            let chosen = match self.method {
                Method::Lead => lead(&document.costs, self.budget),
                Method::Nli => {
                    let related = related.by_ref().take(document.spans.len()).collect::<Vec<f32>>();
                    by_score(&related, &document.costs, self.budget)
                }
                Method::Rouge1 => document.greedy(Wanted::words(), self.budget),
                Method::Rouge2 => document.greedy(Wanted::pairs(), self.budget),
                Method::Rouge12 => document.greedy(Wanted::both(), self.budget),
            };
            Passage::new(document.index.clone(), &document.spans, chosen)
        };
        Ok(documents.iter().map(passage).collect())
    }

    /// The passage of each pair that can be judged, or why there is none.
    pub(crate) fn of_pairs<'t>(
        self,
        scorer: &Scorer,
        pairs: &[Pair<'t>],
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<Passage<'t>>> {
        let checked: Vec<Result<()>> = pairs.iter().map(|pair| self.check(pair)).collect();
        let good = pairs.iter().zip(&checked).filter(|(_, checked)| checked.is_ok());
        let texts: Vec<(&str, &str)> = good.map(|(pair, _)| (pair.document, pair.summary)).collect();
        let mut passages = match self.passages(scorer, &texts, on_event) {
            Ok(passages) => passages.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) if texts.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |text| Ok(self.passages(scorer, &[text], on_event)?.swap_remove(0));
                texts.into_iter().map(alone).collect()
            }
        }
        .into_iter();
        let empty = |passage: &Passage<'_>| match passage.text.is_empty() {
            true => Err(Error::Text {
                role: "document",
                reason: format!(
                    "has no sentence within the budget of {} tokens: raise --budget",
                    self.budget
                ),
            }),
            false => Ok(()),
        };
        let of_pair = |checked: Result<()>| {
            checked?;
            let passage = passages.next().unwrap_or(Err(Error::Stopped))?;
            empty(&passage).map(|()| passage)
        };
        checked.into_iter().map(of_pair).collect()
    }

    fn check(self, pair: &Pair<'_>) -> Result<()> {
        pair.check()?;
        match pair.sentences {
            None => Ok(()),
            Some(_) => Err(Error::Text {
                role: "row",
                reason:
                    "has `document_sentences`, among which --extract cannot choose: leave out one of both"
                        .into(),
            }),
        }
    }

    /// How much some summary sentence entails or contradicts each sentence of the documents over the budget.
    fn relations(
        self,
        scorer: &Scorer,
        documents: &[Document<'_>],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<f32>> {
        if self.method != Method::Nli {
            return Ok(Vec::new());
        }
        let long = |document: &&Document<'_>| document.costs.iter().sum::<usize>() > self.budget;
        let mut questions = Vec::new();
        let mut counts = Vec::new();
        for document in documents.iter().filter(long) {
            let summary = TextIndex::new(document.summary);
            let premises: Vec<&str> =
                sentences(document.summary).iter().map(|span| summary.slice(*span)).collect();
            for span in &document.spans {
                let hypothesis = document.index.slice(*span);
                questions.extend(premises.iter().map(|premise| Question { premise, hypothesis }));
                counts.push(premises.len());
            }
        }
        let mut answers = scorer.ask(&questions, on_event)?.into_iter();
        let relation =
            |answer: Answer| answer.probabilities.entailment.max(answer.probabilities.contradiction);
        let highest = |count: usize| answers.by_ref().take(count).map(relation).fold(0.0, f32::max);
        Ok(counts.into_iter().map(highest).collect())
    }
}

/// A document in sentences, with what each costs.
struct Document<'t> {
    index: TextIndex<'t>,
    summary: &'t str,
    spans: Vec<Span>,
    costs: Vec<usize>,
}

impl<'t> Document<'t> {
    fn read(document: &'t str, summary: &'t str, tokenizer: &PairTokenizer) -> Result<Self> {
        let (index, spans) = (TextIndex::new(document), sentences(document));
        let cost = |span: &Span| Ok(tokenizer.text(index.slice(*span))?.len());
        let costs = spans.iter().map(cost).collect::<Result<_>>()?;
        Ok(Self { index, summary, spans, costs })
    }

    fn greedy(&self, wanted: Wanted, budget: usize) -> Vec<usize> {
        let texts: Vec<&str> = self.spans.iter().map(|span| self.index.slice(*span)).collect();
        wanted.choose(&texts, self.summary, &self.costs, budget)
    }
}

/// The first sentences that fit together.
fn lead(costs: &[usize], budget: usize) -> Vec<usize> {
    let mut left = budget;
    let fits = |cost: &&usize| left.checked_sub(**cost).map(|rest| left = rest).is_some();
    (0..costs.iter().take_while(fits).count()).collect()
}

/// The best sentences that fit, best first; of equal ones the earlier. In the document's order.
fn by_score(scores: &[f32], costs: &[usize], budget: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut left = budget;
    order.retain(|&sentence| left.checked_sub(costs[sentence]).map(|rest| left = rest).is_some());
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_sentences_end_at_the_budget() {
        assert_eq!(lead(&[3, 4, 5, 1], 8), [0, 1]);
        assert_eq!(lead(&[9, 1], 8), Vec::<usize>::new());
        assert_eq!(lead(&[3, 5], 8), [0, 1]);
    }

    #[test]
    fn the_best_that_fit_are_in_order() {
        assert_eq!(by_score(&[0.1, 0.9, 0.5, 0.5], &[2, 5, 4, 4], 10), [1, 2]);
        assert_eq!(by_score(&[0.1, 0.9, 0.5], &[5, 20, 5], 10), [0, 2], "what does not fit is passed over");
    }

    proptest! {
        #[test]
        fn an_extract_keeps_order_and_budget(
            words in proptest::collection::vec("[abcd]( [abcd]){0,6}", 1..30),
            summary in "[abcd]( [abcd]){0,12}",
            budget in 0usize..60,
            scores in proptest::collection::vec(0.0f32..1.0, 30),
        ) {
            let texts: Vec<&str> = words.iter().map(String::as_str).collect();
            let costs: Vec<usize> = texts.iter().map(|text| text.split(' ').count()).collect();
            let chosen = [
                lead(&costs, budget),
                by_score(&scores[..texts.len()], &costs, budget),
                Wanted::words().choose(&texts, &summary, &costs, budget),
                Wanted::pairs().choose(&texts, &summary, &costs, budget),
                Wanted::both().choose(&texts, &summary, &costs, budget),
            ];
            for chosen in chosen {
                prop_assert!(chosen.is_sorted_by(|a, b| a < b));
                prop_assert!(chosen.iter().map(|&sentence| costs[sentence]).sum::<usize>() <= budget);
            }
        }
    }
}

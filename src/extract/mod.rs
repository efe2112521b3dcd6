//! Extract, then evaluate (Wu et al. 2024): sentences of a long document that a summary is likely to be about, before
//! anything is judged. Whole sentences, in the document's order, never above a budget of tokens.
//!
//! Which sentences: the first ones, or one after the other those that add most of the summary's wording or meaning, or
//! those that an NLI model relates to some summary sentence. How wording counts and where an extract ends is as in the
//! authors' program, or by a rule of our own. A document within the budget stays whole.

mod choose;
mod document;
mod joined;
mod likeness;
mod passage;
mod relation;
mod wording;

use std::sync::Arc;

use veridic_models::{TextEncoder, TokenCounter};

use self::choose::{AtBudget, by_score, greedily, lead};
use self::document::Document;
use self::joined::Joined;
use self::likeness::Likeness;
pub use self::passage::Passage;
use self::wording::Wording;
use crate::error::{Error, Result};
use crate::named;
use crate::pipeline::{Pair, Scorer};
use crate::schedule::OnEvent;
use veridic_text::sentences;

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
    /// Those that add most of BERTScore's recall of the summary.
    BertScore,
    /// Those that an NLI model finds entailed or contradicted by a summary sentence.
    Nli,
}

/// How wording counts, and what happens at the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As in the authors' program: word stems, pairs of words over the ends of sentences, and an extract ends at the first
    /// sentence that does not fit.
    Authors,
    /// Words as they stand, pairs within sentences, and a sentence that does not fit is passed over.
    Fill,
}

/// What to take out of documents.
#[derive(Clone)]
pub struct Extraction {
    /// How sentences are chosen.
    pub method: Method,
    /// Most tokens of an extract.
    pub budget: usize,
    /// How wording counts, and what happens at the budget.
    pub rule: Rule,
    /// Documents of at most so many sentences are left as they are, and those whose sentences are given.
    above_sentences: Option<usize>,
    counter: Option<Arc<TokenCounter>>,
    encoder: Option<Arc<TextEncoder>>,
}

named!(Method, "extraction method", {
    Lead = "lead",
    Rouge1 = "rouge-1",
    Rouge2 = "rouge-2",
    Rouge12 = "rouge-1+2",
    BertScore = "bertscore",
    Nli = "nli",
});

named!(Rule, "extraction rule", { Authors = "authors", Fill = "fill" });

impl Rule {
    fn at_budget(self) -> AtBudget {
        match self {
            Self::Authors => AtBudget::Ends,
            Self::Fill => AtBudget::PassesOver,
        }
    }
}

impl Extraction {
    /// Tokens of an extract, unless told otherwise.
    pub const USUAL_BUDGET: usize = 1024;

    /// Of every document, by the authors' rule; tokens are those of the NLI model's tokenizer. [`Method::BertScore`] needs
    /// an encoder.
    #[must_use]
    pub fn new(method: Method, budget: usize) -> Self {
        let rule = Rule::Authors;
        Self { method, budget, rule, above_sentences: None, counter: None, encoder: None }
    }

    /// The same by another rule.
    #[must_use]
    pub fn by(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// What the profile `veridic` does with long documents (measured in docs/measurements/extracts.md).
    #[must_use]
    pub fn of_long_documents() -> Self {
        let usual = Self::new(Method::Rouge1, Self::USUAL_BUDGET).by(Rule::Fill);
        Self { above_sentences: Some(200), ..usual }
    }

    /// The same, but tokens of the budget are counted by `counter`.
    #[must_use]
    pub fn counting(self, counter: TokenCounter) -> Self {
        Self { counter: Some(Arc::new(counter)), ..self }
    }

    /// The same, with what BERTScore's vectors come from.
    #[must_use]
    pub fn encoding(self, encoder: TextEncoder) -> Self {
        Self { encoder: Some(Arc::new(encoder)), ..self }
    }

    /// All that decides an extract beside the texts, as text.
    #[must_use]
    pub fn stamp(&self) -> String {
        let above = self.above_sentences.map(|above| format!(" above={above}")).unwrap_or_default();
        let counter = self.counter.as_ref().map(|counter| format!(" tokens={}", counter.sha256()));
        let encoder = self.encoder.as_ref().map(|encoder| {
            let identity = encoder.identity();
            format!(" encoder={} {}", identity.sha256, identity.settings_sha256)
        });
        let (counter, encoder) = (counter.unwrap_or_default(), encoder.unwrap_or_default());
        let (method, rule, budget) = (self.method.name(), self.rule.name(), self.budget);
        format!("extract={method} rule={rule} budget={budget}{above}{counter}{encoder}")
    }

    /// The passage of each document for its summary, in order.
    ///
    /// # Errors
    /// When a tokenizer or a model fails, and [`Error::Stopped`] when `on_event` ends the work.
    pub fn passages<'t>(
        &self,
        scorer: &Scorer,
        texts: &[(&'t str, &'t str)],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Passage<'t>>> {
        let count = |text: &str| match &self.counter {
            Some(counter) => counter.count(text),
            None => Ok(scorer.model().tokenizer().text(text)?.len()),
        };
        let read = |(document, summary): &(&'t str, &'t str)| Document::read(document, summary, count);
        let documents = texts.iter().map(read).collect::<std::result::Result<Vec<_>, _>>()?;
        let is_over = |document: &&Document<'_>| document.costs.iter().sum::<usize>() > self.budget;
        let over: Vec<&Document<'t>> = documents.iter().filter(is_over).collect();
        let mut chosen = self.choose(scorer, &over, on_event)?.into_iter();
        let passage = |document: &Document<'t>| {
            let some = is_over(&document).then(|| chosen.next()).flatten();
            let sentences = some.unwrap_or_else(|| (0..document.spans.len()).collect());
            Passage::new(document.index.clone(), &document.spans, sentences)
        };
        Ok(documents.iter().map(passage).collect())
    }

    /// The sentences of each document over the budget.
    fn choose(
        &self,
        scorer: &Scorer,
        documents: &[&Document<'_>],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Vec<usize>>> {
        let (budget, at_budget) = (self.budget, self.rule.at_budget());
        let by_wording = |sizes: &[usize]| {
            let of = |document: &&Document<'_>| {
                let (sentences, summary, costs) = (document.sentences(), document.summary, &document.costs);
                match self.rule {
                    Rule::Authors => {
                        greedily(&mut Joined::of(sizes, &sentences, summary), costs, budget, at_budget)
                    }
                    Rule::Fill => {
                        greedily(&mut Wording::of(sizes, &sentences, summary), costs, budget, at_budget)
                    }
                }
            };
            Ok(documents.iter().map(of).collect())
        };
        match self.method {
            Method::Lead => Ok(documents.iter().map(|document| lead(&document.costs, budget)).collect()),
            Method::Rouge1 => by_wording(&[1]),
            Method::Rouge2 => by_wording(&[2]),
            Method::Rouge12 => by_wording(&[1, 2]),
            Method::BertScore => {
                let encoder = self.encoder.as_ref().ok_or_else(|| {
                    Error::setting("extract", "bertscore", "needs an encoder: give `bertscore_model`")
                })?;
                let of = |document: &&Document<'_>| {
                    let sentences = document.sentences();
                    let mut likeness = Likeness::read(encoder, &sentences, document.summary, on_event)?;
                    Ok(greedily(&mut likeness, &document.costs, budget, at_budget))
                };
                documents.iter().map(of).collect()
            }
            Method::Nli => {
                let related = relation::of(scorer, documents, on_event)?;
                let both = related.iter().zip(documents);
                let of = |(scores, document): (&Vec<f32>, &&Document<'_>)| {
                    by_score(scores, &document.costs, budget, at_budget)
                };
                Ok(both.map(of).collect())
            }
        }
    }

    /// The passage of each pair that can be judged, or why there is none; nothing for a pair that is left as it is.
    pub(crate) fn of_pairs<'t>(
        &self,
        scorer: &Scorer,
        pairs: &[Pair<'t>],
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<Option<Passage<'t>>>> {
        let wanted: Vec<Result<bool>> = pairs.iter().map(|pair| self.wants(pair)).collect();
        let long = pairs.iter().zip(&wanted).filter(|(_, wanted)| matches!(wanted, Ok(true)));
        let texts: Vec<(&str, &str)> = long.map(|(pair, _)| (pair.document, pair.summary)).collect();
        let mut passages = match self.passages(scorer, &texts, on_event) {
            Ok(passages) => passages.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) if texts.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |text| Ok(self.passages(scorer, &[text], on_event)?.swap_remove(0));
                texts.into_iter().map(alone).collect()
            }
        }
        .into_iter();
        let of_pair = |wanted: Result<bool>| {
            if !wanted? {
                return Ok(None);
            }
            let passage = passages.next().unwrap_or(Err(Error::Stopped))?;
            if passage.text.is_empty() {
                return Err(self.too_small());
            }
            Ok(Some(passage))
        };
        wanted.into_iter().map(of_pair).collect()
    }

    fn too_small(&self) -> Error {
        Error::Text { role: "document", reason: self.nothing() }
    }

    /// Why nothing was taken, and what helps.
    #[must_use]
    pub fn nothing(&self) -> String {
        let budget = self.budget;
        match self.rule {
            Rule::Authors => format!(
                "begins its extract with a sentence above the budget of {budget} tokens: raise --budget, or pass over such \
                 sentences with --extract-rule fill"
            ),
            Rule::Fill => format!("has no sentence within the budget of {budget} tokens: raise --budget"),
        }
    }

    /// Whether a pair's document is left as it is.
    pub(crate) fn leaves(&self, pair: &Pair<'_>) -> bool {
        matches!(self.wants(pair), Ok(false))
    }

    /// Whether a pair's document is to be shortened, if it can be judged at all.
    fn wants(&self, pair: &Pair<'_>) -> Result<bool> {
        pair.check()?;
        match (self.above_sentences, pair.sentences) {
            (Some(above), None) => Ok(sentences(pair.document).len() > above),
            (Some(_), Some(_)) => Ok(false),
            (None, None) => Ok(true),
            (None, Some(_)) => {
                let reason =
                    "has `document_sentences`, among which --extract cannot choose: leave out one of both";
                Err(Error::Text { role: "row", reason: reason.into() })
            }
        }
    }
}

//! Extract-then-Evaluate (Wu et al. 2024): before anything is judged, a long document is reduced to the sentences that its
//! summary is likely to be about. An extract consists of whole sentences, in document order, within a budget of tokens.
//!
//! The sentences are the first ones, those that greedily add most to the summary's ROUGE or BERTScore recall, or those that
//! an NLI model relates to a summary sentence. Recall is counted, and the budget ends an extract, as in the authors' program
//! or by a rule of Veridic's. A document within the budget stays whole.

mod bertscore_recall;
mod choose;
mod document;
mod passage;
mod relation;
mod wording_recall;

use std::sync::Arc;

use veridic_models::{TextEncoder, TokenCounter};

use self::bertscore_recall::BertScoreRecall;
use self::choose::{Coverage, OverBudget, choose_by_score, choose_greedily, choose_lead};
use self::document::Document;
pub use self::passage::Passage;
use self::wording_recall::{NGrams, WordingRecall};
use veridic::schedule::OnEvent;
use veridic::{Error, Pair, Result, Scorer, named};

/// How sentences are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The first sentences.
    Lead,
    /// Greedily by ROUGE-1 recall of the summary.
    Rouge1,
    /// Greedily by ROUGE-2 recall.
    Rouge2,
    /// Greedily by the sum of both recalls.
    Rouge12,
    /// Greedily by BERTScore recall.
    BertScore,
    /// The sentences that a summary sentence most strongly entails or contradicts, by an NLI model.
    Nli,
}

/// How ROUGE recall is counted, and how the budget ends an extract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// As in the authors' program: word stems, n-grams across the ends of sentences, and the first sentence that does not
    /// fit ends the extract.
    Authors,
    /// Words without stemming, n-grams within sentences, and a sentence that does not fit is skipped.
    Fill,
}

/// The settings of extracts.
#[derive(Clone)]
pub struct Extraction {
    /// How sentences are chosen.
    pub method: Method,
    /// The maximum number of tokens in an extract.
    pub budget: usize,
    /// How recall is counted, and how the budget ends an extract.
    pub rule: Rule,
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
    fn over_budget(self) -> OverBudget {
        match self {
            Self::Authors => OverBudget::Stop,
            Self::Fill => OverBudget::Skip,
        }
    }

    fn n_grams(self) -> NGrams {
        match self {
            Self::Authors => NGrams::OfStems,
            Self::Fill => NGrams::OfWords,
        }
    }
}

impl Extraction {
    /// The default budget, in tokens.
    pub const USUAL_BUDGET: usize = 1024;

    /// Extracts from every document over the budget, by the authors' rule, counting tokens with the NLI model's tokenizer.
    /// [`Method::BertScore`] needs [`Extraction::encoding`].
    pub fn new(method: Method, budget: usize) -> Self {
        let rule = Rule::Authors;
        Self { method, budget, rule, counter: None, encoder: None }
    }

    /// Sets the rule.
    #[must_use]
    pub fn by(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Sets the counter of the budget's tokens.
    #[must_use]
    pub fn counting(self, counter: TokenCounter) -> Self {
        Self { counter: Some(Arc::new(counter)), ..self }
    }

    /// Sets the encoder for [`Method::BertScore`].
    #[must_use]
    pub fn encoding(self, encoder: TextEncoder) -> Self {
        Self { encoder: Some(Arc::new(encoder)), ..self }
    }

    /// Returns the passage of each pair, in order.
    ///
    /// # Errors
    /// If a tokenizer or a model fails, and [`Error::Stopped`] if `on_event` ends the work.
    pub fn passages<'t>(
        &self,
        scorer: &Scorer,
        pairs: &[Pair<'t>],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Passage>> {
        let count = |text: &str| self.tokens(scorer, text);
        let read = |pair: &Pair<'t>| Document::read(pair, count);
        let documents = pairs.iter().map(read).collect::<Result<Vec<_>>>()?;
        let is_over = |document: &&Document<'_>| document.costs.iter().sum::<usize>() > self.budget;
        let over: Vec<&Document<'t>> = documents.iter().filter(is_over).collect();
        let mut chosen = self.choose(scorer, &over, on_event)?.into_iter();
        let passage = |document: &Document<'t>| {
            let some = is_over(&document).then(|| chosen.next()).flatten();
            let sentences = some.unwrap_or_else(|| (0..document.spans.len()).collect());
            Passage::new(&document.index, &document.spans, sentences)
        };
        Ok(documents.iter().map(passage).collect())
    }

    /// Returns the number of tokens in a text, as the budget counts them.
    ///
    /// # Errors
    /// If the tokenizer fails.
    pub fn tokens(&self, scorer: &Scorer, text: &str) -> Result<usize> {
        match &self.counter {
            Some(counter) => Ok(counter.count(text)?),
            None => Ok(scorer.model().tokenizer().text(text)?.len()),
        }
    }

    /// Chooses the sentences of documents that are all over the budget.
    fn choose(
        &self,
        scorer: &Scorer,
        documents: &[&Document<'_>],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Vec<usize>>> {
        let (budget, over_budget) = (self.budget, self.rule.over_budget());
        let costs = documents.iter().map(|document| &document.costs);
        match self.method {
            Method::Lead => Ok(costs.map(|costs| choose_lead(costs, budget)).collect()),
            Method::Nli => {
                let related = relation::of(scorer, documents, on_event)?;
                let scored = related.iter().zip(costs);
                Ok(scored
                    .map(|(scores, costs)| choose_by_score(scores, costs, budget, over_budget))
                    .collect())
            }
            _ => {
                let greedily = |document: &&Document<'_>| {
                    let mut coverage = self.coverage(document, on_event)?;
                    choose_greedily(coverage.as_mut(), &document.costs, budget, over_budget, on_event)
                };
                documents.iter().map(greedily).collect()
            }
        }
    }

    /// How much of a document's summary sentences cover, by the method.
    fn coverage(&self, document: &Document<'_>, on_event: &OnEvent<'_>) -> Result<Box<dyn Coverage>> {
        let (sentences, summary) = (document.sentences(), document.summary);
        if self.method == Method::BertScore {
            let encoder = self.encoder.as_ref().ok_or_else(|| {
                Error::setting("method", "bertscore", "needs an encoder: give --bertscore-model")
            })?;
            return Ok(Box::new(BertScoreRecall::read(encoder, &sentences, summary, on_event)?));
        }
        let sizes: &[usize] = match self.method {
            Method::Rouge1 => &[1],
            Method::Rouge2 => &[2],
            _ => &[1, 2],
        };
        Ok(Box::new(WordingRecall::of(self.rule.n_grams(), sizes, &sentences, summary)))
    }

    /// Explains an empty extract, with the document as the subject, and the remedy.
    pub fn empty_reason(&self) -> String {
        let budget = self.budget;
        match self.rule {
            Rule::Authors => format!(
                "begins its extract with a sentence above the budget of {budget} tokens: raise --budget, or skip such \
                 sentences with --extract-rule fill"
            ),
            Rule::Fill => format!("has no sentence within the budget of {budget} tokens: raise --budget"),
        }
    }
}

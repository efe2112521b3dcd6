//! Evaluators beside FENICE's claims, on the same engine: a row is judged once, and every metric that is asked for
//! adds its numbers and the facts that made them. What only one metric needs is computed only for it.

mod bertscore;
mod choice;
mod entailment;
mod finesure;
mod measures;
mod reference;
mod relevance;
mod row;
pub mod sumautoeval;

use std::sync::Arc;

use serde::Serialize;

pub use self::choice::{Metric, MetricChoice, UnknownMetric};
pub use self::finesure::KeyFactsFrom;
pub use self::measures::Measures;
use self::row::{Row, Rows};
use self::sumautoeval::AlignmentRule;
use crate::error::{Error, Result};
use crate::extract::{Extraction, Passage};
use crate::pipeline::{
    ClaimEvent, ClaimExtractor, Models, OnClaimEvent, Pair, PairResult, ProfileStamp, ReadPair, SCHEMA,
    Scorer,
};
use crate::schedule::OnEvent;
use crate::similarity::bertscore::BertScore;

/// Judges rows by the metrics that are asked for. A clone shares models and what they said before.
#[derive(Clone)]
pub struct Evaluator {
    scorer: Scorer,
    metrics: Vec<MetricChoice>,
    /// Metrics that a row lacks the texts for are left out and told, instead of being an error.
    lenient: bool,
    key_facts: KeyFactsFrom,
    extraction: Option<Extraction>,
    bertscore: Option<Arc<BertScore>>,
    /// What summaries should be about, for all rows.
    topic: Option<String>,
    alignment_rule: AlignmentRule,
}

/// What came of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// FENICE's score; without it, the first number of the first metric.
    pub score: f32,
    /// The claims' judgement, if FENICE is one of the metrics.
    pub judged: Option<PairResult>,
    /// The numbers of the other metrics, and their facts.
    pub measures: Measures,
    /// The rules.
    pub profile: ProfileStamp,
    /// What made it.
    pub models: Models,
}

impl Evaluator {
    /// FENICE alone; of long documents extracts, if the profile says so.
    #[must_use]
    pub fn new(scorer: Scorer) -> Self {
        let metrics = vec![MetricChoice::whole(Metric::Fenice)];
        Self {
            metrics,
            lenient: false,
            key_facts: KeyFactsFrom::Row,
            extraction: scorer.settings().profile.extracts.then(Extraction::of_long_documents),
            scorer,
            bertscore: None,
            topic: None,
            alignment_rule: AlignmentRule::Any,
        }
    }

    /// The given metrics instead; the axes of one that is given twice are joined.
    #[must_use]
    pub fn with_metrics(self, metrics: Vec<MetricChoice>, key_facts: KeyFactsFrom) -> Self {
        Self { metrics: MetricChoice::merged(metrics), key_facts, ..self }
    }

    /// The same, with what BERTScore is computed with.
    #[must_use]
    pub fn with_bertscore(self, bertscore: BertScore) -> Self {
        Self { bertscore: Some(Arc::new(bertscore)), ..self }
    }

    /// The same, with how SumAutoEval's checks of sections are joined.
    #[must_use]
    pub fn with_alignment_rule(self, alignment_rule: AlignmentRule) -> Self {
        Self { alignment_rule, ..self }
    }

    /// The same, but metrics that a row lacks the texts for are left out and told.
    #[must_use]
    pub fn leniently(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// The same with a topic that all summaries should be about; without it, each row's own counts.
    #[must_use]
    pub fn with_topic(self, topic: Option<String>) -> Self {
        Self { topic, ..self }
    }

    /// The same on other extracts than the profile's, or on whole documents.
    #[must_use]
    pub fn extracting(self, extraction: Option<Extraction>) -> Self {
        Self { extraction, ..self }
    }

    /// The same by another scorer.
    #[must_use]
    pub fn with_scorer(self, scorer: Scorer) -> Self {
        Self { scorer, ..self }
    }

    /// What judges claims and answers questions.
    #[must_use]
    pub fn scorer(&self) -> &Scorer {
        &self.scorer
    }

    /// What judges claims, to go on with.
    #[must_use]
    pub fn into_scorer(self) -> Scorer {
        self.scorer
    }

    /// The metrics' names with their axes, as they are asked for.
    #[must_use]
    pub fn metric_names(&self) -> Vec<String> {
        self.metrics.iter().map(ToString::to_string).collect()
    }

    /// What is asked for, as text that is the same for the same results.
    #[must_use]
    pub fn stamp(&self) -> String {
        let metrics = match self.metric_names().as_slice() {
            [name] if name == Metric::Fenice.name() => String::new(),
            names => {
                let bertscore =
                    self.bertscore.as_ref().map_or_else(String::new, |bertscore| bertscore.stamp());
                let (key_facts, lenient) = (self.key_facts.name(), self.lenient);
                let topic = self.topic.as_ref().map(|topic| format!(" topic={topic:?}")).unwrap_or_default();
                let joined = match self.alignment_rule {
                    AlignmentRule::Any => String::new(),
                    rule => format!(" alignment={}", rule.name()),
                };
                let names = names.join(" ");
                format!("{names} keyfacts={key_facts} lenient={lenient} {bertscore}{topic}{joined}")
            }
        };
        let extract = self.extraction.as_ref().map(|extraction| format!(" {}", extraction.stamp()));
        metrics + &extract.unwrap_or_default()
    }

    /// Whether FENICE is one of the metrics.
    #[must_use]
    pub fn judges(&self) -> bool {
        self.metrics.iter().any(|choice| choice.metric == Metric::Fenice)
    }

    /// Whether rows come with answers of several checks, whose agreement can be told.
    pub(crate) fn tells_agreement(&self) -> bool {
        self.metrics.iter().any(|choice| choice.metric == Metric::SumAutoEval)
    }

    /// Evaluates rows together; results are in their order and as if each had been alone. When `on_event` ends the
    /// work, what is not decided is [`Error::Stopped`].
    pub fn evaluate(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let read: Vec<ReadPair<'_>> = pairs.iter().map(ReadPair::of).collect();
        let pairs: Vec<Pair<'_>> = read.iter().map(ReadPair::pair).collect();
        let results = self.evaluate_read(&pairs, on_event).into_iter().zip(&read);
        results.map(|(result, read)| Ok(relocated(result?, read))).collect()
    }

    /// The same of texts as they are read.
    fn evaluate_read(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let Some(extraction) = &self.extraction else { return self.measure(pairs, on_event) };
        let passages = extraction.of_pairs(&self.scorer, pairs, on_event);
        let good = pairs.iter().zip(&passages).filter_map(|(pair, passage)| match passage {
            Ok(Some(passage)) => Some(passage.instead(*pair)),
            Ok(None) => Some(*pair),
            Err(_) => None,
        });
        let mut evaluations = self.measure(&good.collect::<Vec<_>>(), on_event).into_iter();
        let of_passage = |passage: Result<Option<Passage<'_>>>| {
            let passage = passage?;
            let mut evaluation = evaluations.next().unwrap_or(Err(Error::Stopped))?;
            if let (Some(passage), Some(judged)) = (passage, &mut evaluation.judged) {
                passage.relocate(judged, extraction);
            }
            Ok(evaluation)
        };
        passages.into_iter().map(of_passage).collect()
    }

    /// Evaluates one pair and tells its claims, each one's judgement as soon as it is decided; of an extract, and where
    /// no claim is judged, only the result tells.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn watch(
        &self,
        pair: Pair<'_>,
        on_event: &OnEvent<'_>,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<Evaluation> {
        let read = ReadPair::of(&pair);
        let pair = read.pair();
        let is_whole = self.extraction.as_ref().is_none_or(|extraction| extraction.leaves(&pair));
        let result = if is_whole && self.judges() {
            let is_given = matches!(self.scorer.settings().claims, ClaimExtractor::Given);
            let on_claim = |news: ClaimEvent<'_>| on_claim(read.relocated(news, is_given));
            let judged = vec![self.scorer.score_with_events(pair, on_event, &on_claim)];
            self.measure_judged(&[pair], judged, on_event)
        } else {
            self.evaluate_read(&[pair], on_event)
        };
        Ok(relocated(result.into_iter().next().unwrap_or(Err(Error::Stopped))?, &read))
    }

    fn measure(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        if self.metrics.iter().any(MetricChoice::needs_claims) {
            let judged = self.scorer.score_batch(pairs, on_event);
            return self.measure_judged(pairs, judged, on_event);
        }
        let rows = pairs.iter().map(|pair| pair.check().map(|()| Row::new(*pair, None)));
        self.measure_rows(Rows::new(rows.collect()), on_event)
    }

    fn measure_judged(
        &self,
        pairs: &[Pair<'_>],
        judged: Vec<Result<PairResult>>,
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<Evaluation>> {
        let both = pairs.iter().zip(judged);
        let rows = both.map(|(pair, judged)| Ok(Row::new(*pair, Some(judged?))));
        self.measure_rows(Rows::new(rows.collect()), on_event)
    }

    fn measure_rows<'r>(&'r self, mut rows: Rows<'r>, on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        for choice in &self.metrics {
            match choice.metric {
                Metric::Fenice => {}
                Metric::FineSure => finesure::measure(self, choice, &mut rows, on_event),
                Metric::SummacZs => entailment::summac_zs(self, choice, &mut rows, on_event),
                Metric::Menli => entailment::menli(self, choice, &mut rows, on_event),
                Metric::NliSent => entailment::nli_sent(self, &mut rows, on_event),
                Metric::Rouge | Metric::RougeStemmed => reference::rouge(self, choice, &mut rows),
                Metric::BertScore => bertscore::measure(self, &mut rows, on_event),
                Metric::Relevance => relevance::measure(self, &mut rows, on_event),
                Metric::KeyPoints => finesure::key_points(self, &mut rows, on_event),
                Metric::SumAutoEval => sumautoeval::measure(self, choice, &mut rows, on_event),
            }
        }
        rows.into_iter().map(|row| self.finish(row?)).collect()
    }

    fn finish(&self, row: Row<'_>) -> Result<Evaluation> {
        let Row { judged, measures, .. } = row;
        let judged = judged.filter(|_| self.judges());
        let score = match (&judged, measures.first()) {
            (Some(judged), _) => judged.score,
            (None, Some(number)) => number as f32,
            (None, None) => {
                return Err(Error::Text { role: "row", reason: measures.nothing() });
            }
        };
        let (profile, models) = (self.scorer.stamp(), self.scorer.models());
        Ok(Evaluation { score, judged, measures, profile, models })
    }
}

/// What was found in texts as they are read, of the texts as given.
fn relocated(mut evaluation: Evaluation, read: &ReadPair<'_>) -> Evaluation {
    if let Some(judged) = &mut evaluation.judged {
        read.relocate(judged);
    }
    evaluation.measures.relocate(read);
    evaluation
}

impl Serialize for Evaluation {
    /// The claims' judgement, if there is one, and the numbers and facts beside it.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'e> {
            #[serde(flatten)]
            judged: &'e PairResult,
            #[serde(flatten)]
            measures: &'e Measures,
        }
        #[derive(Serialize)]
        struct Numbers<'e> {
            schema: u32,
            score: f32,
            #[serde(flatten)]
            measures: &'e Measures,
            profile: &'e ProfileStamp,
            models: &'e Models,
        }
        let Self { score, measures, profile, models, .. } = self;
        match &self.judged {
            Some(judged) => Whole { judged, measures }.serialize(serializer),
            None => {
                Numbers { schema: SCHEMA, score: *score, measures, profile, models }.serialize(serializer)
            }
        }
    }
}

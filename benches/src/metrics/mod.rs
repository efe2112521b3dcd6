//! Evaluators besides FENICE's claims, on the same engine: the claims of a row are judged once, and every chosen metric adds
//! its numbers and the facts behind them. Inputs that only one metric needs are computed only for that metric.

mod alignscore;
mod bertscore;
mod choice;
mod entailment;
mod evaluation;
mod finesure;
mod inputs;
mod measures;
mod rating;
mod reference;
mod relevance;
mod relocate;
mod row;
pub mod sumautoeval;
pub mod summac_conv;
mod tally;
mod tofueval;

use std::sync::Arc;

use veridic::corpus::read::RowNames;
use veridic::corpus::{JudgedRow, RowJudge};
use veridic::pipeline::Normalized;
use veridic::result::ProfileStamp;
use veridic::schedule::OnEvent;
use veridic::{Error, Pair, Result, Scorer};

use self::choice::needs_answers;
pub use self::choice::{Metric, MetricChoice, UnknownMetric};
pub use self::evaluation::Evaluation;
use self::finesure::FineSure;
pub use self::finesure::KeyFactsFrom;
pub(crate) use self::inputs::key_facts_of;
pub use self::inputs::{METRIC_INPUTS, MetricInputs, SectionDefinition};
pub use self::measures::Measures;
use self::reference::Words;
use self::relocate::relocate_facts;
use self::row::{Row, Rows, Texts, has_words};
use self::sumautoeval::{AlignmentRule, SumAutoEval};
use self::summac_conv::SummacConv;
pub use self::tally::MetricTally;
pub use self::tally::lines_of;
use crate::llm::{LanguageModel, StepCounts};
use crate::similarity::bertscore::BertScore;

/// The metrics and what they are computed with, besides a scorer.
#[derive(Clone)]
pub struct MetricSetup {
    /// The metrics. The axes of a metric given twice are merged.
    pub metrics: Vec<MetricChoice>,
    /// Whether metrics for which a row lacks texts are left out, with the reason in the result, instead of being errors.
    pub is_lenient: bool,
    /// Where FineSurE's key facts come from.
    pub key_facts: KeyFactsFrom,
    /// The encoder of BERTScore.
    pub bertscore: Option<Arc<BertScore>>,
    /// The weights of SummaC-Conv.
    pub summac_conv: Option<Arc<SummacConv>>,
    /// The topic of all rows' summaries; `None` uses each row's own.
    pub topic: Option<String>,
    /// How SumAutoEval's two checks of sections are combined.
    pub alignment_rule: AlignmentRule,
    /// Answers the steps that a metric has for a language model; if `None`, the metric's substitutes compute them.
    pub language_model: Option<LanguageModel>,
    /// The language model that writes the scorer's claims, if one does, so that its requests are counted.
    pub claims_model: Option<LanguageModel>,
}

impl Default for MetricSetup {
    /// FENICE alone.
    fn default() -> Self {
        Self {
            metrics: vec![MetricChoice::of(Metric::Fenice)],
            is_lenient: false,
            key_facts: KeyFactsFrom::Row,
            bertscore: None,
            summac_conv: None,
            topic: None,
            alignment_rule: AlignmentRule::Any,
            language_model: None,
            claims_model: None,
        }
    }
}

/// Evaluates rows by the chosen metrics. Clones share the models and their caches.
#[derive(Clone)]
pub struct Evaluator {
    scorer: Scorer,
    setup: MetricSetup,
}

impl Evaluator {
    /// Creates an evaluator with FENICE only.
    pub fn new(scorer: Scorer) -> Self {
        Self::with(scorer, MetricSetup::default())
    }

    /// Creates an evaluator with these metrics.
    pub fn with(scorer: Scorer, setup: MetricSetup) -> Self {
        let metrics = MetricChoice::merged(setup.metrics);
        Self { scorer, setup: MetricSetup { metrics, ..setup } }
    }

    /// Returns the outcomes of requests to language models, for metrics and claims.
    pub fn answer_counts(&self) -> Vec<StepCounts> {
        self.language_models().flat_map(LanguageModel::counts).collect()
    }

    /// Whether a language model answers some of its steps.
    pub fn asks(&self) -> bool {
        self.language_models().next().is_some()
    }

    /// Returns the model of metrics and, if different, that of claims.
    fn language_models(&self) -> impl Iterator<Item = &LanguageModel> {
        let of_metrics = self.setup.language_model.as_ref();
        let of_claims = self.setup.claims_model.as_ref();
        of_metrics
            .into_iter()
            .chain(of_claims.filter(|own| of_metrics.is_none_or(|model| !model.is_same(own))))
    }

    /// Returns the scorer, by value.
    pub fn into_scorer(self) -> Scorer {
        self.scorer
    }

    /// The names of the metrics with their axes.
    pub fn metric_names(&self) -> Vec<String> {
        self.setup.metrics.iter().map(ToString::to_string).collect()
    }

    /// Returns everything that a language model's answers depend on, if metrics ask one.
    fn answers_stamp(&self) -> Option<String> {
        let steps: Vec<_> = self.setup.metrics.iter().flat_map(MetricChoice::steps).collect();
        self.setup.language_model.as_ref().filter(|_| !steps.is_empty()).map(|model| model.stamp(&steps))
    }
}

impl Evaluator {
    /// Whether all metrics can score a blank summary, which is then not an error.
    fn scores_blank_summaries(&self) -> bool {
        self.setup.metrics.iter().all(MetricChoice::scores_blank)
    }

    /// Evaluates normalized texts. Summaries without text need no model.
    fn evaluate_all(&self, rows: &[Texts<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let is_blank = |row: &&Texts<'_>| self.scores_blank_summaries() && !has_words(row.pair.summary);
        let written: Vec<Texts<'_>> = rows.iter().filter(|row| !is_blank(row)).copied().collect();
        let mut results = self.measure(&written, on_event).into_iter();
        let mut evaluations = Vec::with_capacity(rows.len());
        for row in rows {
            evaluations.push(if is_blank(&row) {
                self.evaluate_blank(*row)
            } else {
                results.next().unwrap_or(Err(Error::Stopped))
            });
        }
        evaluations
    }

    fn evaluate_blank(&self, texts: Texts<'_>) -> Result<Evaluation> {
        texts.pair.check_but_blank_summary()?;
        let pair = Pair { summary_sentences: None, ..texts.pair };
        let mut row = Row::new(Texts { pair, ..texts }, None)?;
        self.setup
            .metrics
            .iter()
            .for_each(|choice| finesure::measure_blank(&choice.axes(), &mut row.measures));
        self.finish(row)
    }

    /// Refuses citations where no claims are judged.
    fn check_citations(&self, texts: &Texts<'_>) -> Result<()> {
        if self.judges_claims() || !texts.read.given().citations {
            return Ok(());
        }
        let expected = "citations are checked on claims: add the metric fenice";
        Err(Error::setting("metric", self.metric_names().join(","), expected))
    }

    /// Whether the claims of a row are judged.
    fn needs_judgements(&self) -> bool {
        self.setup.metrics.iter().any(|choice| {
            choice.needs_claims() && (choice.metric == Metric::Fenice || self.setup.language_model.is_none())
        })
    }

    fn measure(&self, texts: &[Texts<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let rows = if self.needs_judgements() {
            let pairs: Vec<Pair<'_>> = texts.iter().map(|texts| *texts.read.given()).collect();
            let judged = texts.iter().zip(self.scorer.score_batch(&pairs, on_event));
            judged.map(|(texts, judged)| Row::new(*texts, Some(judged?))).collect()
        } else {
            texts.iter().map(|texts| texts.pair.check().and_then(|()| Row::new(*texts, None))).collect()
        };
        self.measure_rows(Rows::new(rows), on_event)
    }

    fn measure_rows<'r>(&'r self, mut rows: Rows<'r>, on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        for choice in &self.setup.metrics {
            self.measure_metric(choice, &mut rows, on_event);
        }
        rows.into_iter().map(|row| self.finish(row?)).collect()
    }

    fn measure_metric<'r>(&'r self, choice: &MetricChoice, rows: &mut Rows<'r>, on_event: &OnEvent<'_>) {
        let (scorer, model) = (&self.scorer, self.setup.language_model.as_ref());
        match choice.metric {
            Metric::Fenice => {}
            Metric::FineSure => {
                let (key_facts_from, axes) = (self.setup.key_facts, choice.axes());
                FineSure { scorer, model, key_facts_from, axes }.measure(rows, on_event);
            }
            Metric::SummacZs => entailment::summac_zs(scorer, &choice.axes(), rows, on_event),
            Metric::SummacConv => {
                summac_conv::measure(scorer, self.setup.summac_conv.as_deref(), rows, on_event)
            }
            Metric::Menli => entailment::menli(scorer, &choice.axes(), rows, on_event),
            Metric::AlignScore => alignscore::measure(scorer, &choice.axes(), rows, on_event),
            Metric::NliSent => entailment::nli_sent(scorer, rows, on_event),
            Metric::Rouge => reference::rouge(Words::AsWritten, &choice.axes(), rows),
            Metric::RougeStemmed => reference::rouge(Words::Stemmed, &choice.axes(), rows),
            Metric::BertScore => bertscore::measure(self.setup.bertscore.as_deref(), rows, on_event),
            Metric::Relevance => relevance::measure(scorer, self.setup.topic.as_deref(), rows, on_event),
            Metric::KeyPoints => finesure::key_points(scorer, rows, on_event),
            Metric::SumAutoEval => {
                let (alignment_rule, axes) = (self.setup.alignment_rule, choice.axes());
                SumAutoEval { scorer, model, alignment_rule, axes }.measure(rows, on_event);
            }
            Metric::Rating | Metric::TofuEval => match model {
                None => _ = rows.each(|_| Err::<(), Error>(needs_answers(choice.metric))),
                Some(model) if choice.metric == Metric::Rating => {
                    rating::measure(model, &choice.axes(), rows, on_event);
                }
                Some(model) => tofueval::measure(model, &choice.axes(), rows, on_event),
            },
        }
    }

    fn finish(&self, row: Row<'_>) -> Result<Evaluation> {
        let Row { judged, measures, .. } = row;
        let judged = judged.filter(|_| self.judges_claims());
        let score = match (&judged, measures.first()) {
            (Some(judged), _) => judged.score,
            (None, Some(number)) => number as f32,
            (None, None) => {
                return Err(Error::Text { role: "row", reason: measures.not_measured_reason() });
            }
        };
        let (profile, models) = (self.profile_stamp(), self.scorer.models());
        Ok(Evaluation { score, judged, measures, profile, models })
    }
}

impl Evaluator {
    /// Evaluates rows together and returns their results in order, each the same as if its row were evaluated alone.
    pub fn evaluate(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let read = pairs.iter().map(|pair| Normalized::of(pair, false, on_event));
        let Ok(read) = read.collect::<Result<Vec<Normalized<'_>>>>() else {
            return pairs.iter().map(|_| Err(Error::Stopped)).collect();
        };
        let given: Vec<Result<MetricInputs>> = pairs.iter().map(MetricInputs::of).collect();
        let normalized = given
            .iter()
            .map(|inputs| inputs.as_ref().map_or_else(|_| MetricInputs::default(), MetricInputs::normalized));
        let normalized: Vec<MetricInputs> = normalized.collect();
        let texts = read.iter().zip(&normalized);
        let is_lenient = self.setup.is_lenient;
        let texts: Vec<Texts<'_>> =
            texts.map(|(read, inputs)| Texts { read, pair: read.pair(), inputs, is_lenient }).collect();
        let results = self.evaluate_all(&texts, on_event);
        let rows = given.into_iter().zip(&texts).zip(results);
        let of = |given: MetricInputs, texts: &Texts<'_>, result: Result<Evaluation>| {
            self.check_citations(texts)?;
            let mut evaluation = result?;
            if !texts.read.is_as_given() || given != *texts.inputs {
                relocate_facts(&mut evaluation.measures, texts.read, &given);
            }
            Ok(evaluation)
        };
        rows.map(|((given, texts), result)| of(given?, texts, result)).collect()
    }

    /// Returns one line for each thing that a person should know about the language models' answers so far.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.language_models().flat_map(LanguageModel::notes).collect()
    }

    /// Returns a collector of the statistics that the metrics report over rows.
    #[must_use]
    pub fn tally(&self) -> MetricTally {
        MetricTally::of(&self.setup.metrics)
    }
}

impl RowJudge for Evaluator {
    fn judge_rows(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<JudgedRow>> {
        self.evaluate(pairs, on_event).into_iter().map(|row| row.map(JudgedRow::from)).collect()
    }

    fn scorer(&self) -> &Scorer {
        &self.scorer
    }

    fn profile_stamp(&self) -> ProfileStamp {
        let stamp = self.scorer.stamp();
        match self.answers_stamp() {
            None => stamp,
            Some(answers) => stamp.with_answers(answers),
        }
    }

    fn stamp(&self) -> String {
        let names = self.metric_names().join(" ");
        if names == Metric::Fenice.name() {
            return String::new();
        }
        let MetricSetup { is_lenient, key_facts, bertscore, summac_conv, topic, .. } = &self.setup;
        let bertscore = bertscore.as_ref().map(|bertscore| bertscore.stamp()).unwrap_or_default();
        let mut stamp = format!("{names} keyfacts={key_facts} lenient={is_lenient} {bertscore}");
        if let Some(topic) = topic {
            stamp += &format!(" topic={topic:?}");
        }
        if self.setup.alignment_rule != AlignmentRule::Any {
            stamp += &format!(" alignment={}", self.setup.alignment_rule);
        }
        if let Some(weights) = summac_conv {
            stamp += &format!(" summac-conv={} {}", weights.sha256(), weights.labels());
        }
        if let Some(answers) = self.answers_stamp() {
            stamp += &format!(" {answers}");
        }
        stamp
    }

    fn judges_claims(&self) -> bool {
        self.setup.metrics.iter().any(|choice| choice.metric == Metric::Fenice)
    }

    fn row_names(&self, mut names: RowNames) -> RowNames {
        names.inputs = METRIC_INPUTS;
        names.blank_summaries = self.scores_blank_summaries();
        names
    }
}

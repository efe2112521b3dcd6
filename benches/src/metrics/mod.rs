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

pub use self::choice::Metric;
pub use self::choice::{MetricChoice, UnknownMetric};
pub use self::evaluation::Evaluation;
pub use self::finesure::KeyFactsFrom;
pub(crate) use self::inputs::key_facts_of;
pub use self::inputs::{METRIC_INPUTS, MetricInputs, SectionDefinition};
pub use self::measures::Measures;
use self::relocate::relocate_facts;
use self::row::{Row, Rows, Texts, has_words};
use self::sumautoeval::AlignmentRule;
use self::summac_conv::SummacConv;
pub use self::tally::MetricTally;
pub use self::tally::lines_of;
use crate::llm::{LanguageModel, StepCounts};
use crate::similarity::bertscore::BertScore;

/// Evaluates rows by the chosen metrics. Clones share the models and their caches.
#[derive(Clone)]
pub struct Evaluator {
    scorer: Scorer,
    metrics: Vec<MetricChoice>,
    /// Metrics for which a row lacks texts are left out, with the reason in the result, instead of being errors.
    lenient: bool,
    key_facts: KeyFactsFrom,
    bertscore: Option<Arc<BertScore>>,
    summac_conv: Option<Arc<SummacConv>>,
    /// The topic of all rows' summaries; `None` uses each row's own.
    topic: Option<String>,
    alignment_rule: AlignmentRule,
    /// Answers the steps that a metric has for a language model; if `None`, the metric's substitutes compute them.
    language_model: Option<LanguageModel>,
    /// The language model that writes claims, if one does.
    claims_model: Option<LanguageModel>,
}

impl Evaluator {
    /// Creates an evaluator with FENICE only.
    #[must_use]
    pub fn new(scorer: Scorer) -> Self {
        let metrics = vec![MetricChoice::of(Metric::Fenice)];
        Self {
            metrics,
            lenient: false,
            key_facts: KeyFactsFrom::Row,
            scorer,
            bertscore: None,
            summac_conv: None,
            topic: None,
            alignment_rule: AlignmentRule::Any,
            language_model: None,
            claims_model: None,
        }
    }

    /// Sets the metrics. The axes of a metric given twice are merged.
    #[must_use]
    pub fn with_metrics(self, metrics: Vec<MetricChoice>, key_facts: KeyFactsFrom) -> Self {
        Self { metrics: MetricChoice::merged(metrics), key_facts, ..self }
    }

    /// Sets the encoder of BERTScore.
    #[must_use]
    pub fn with_bertscore(self, bertscore: BertScore) -> Self {
        Self { bertscore: Some(Arc::new(bertscore)), ..self }
    }

    /// Sets the weights of SummaC-Conv.
    #[must_use]
    pub fn with_summac_conv(self, summac_conv: SummacConv) -> Self {
        Self { summac_conv: Some(Arc::new(summac_conv)), ..self }
    }

    /// Sets how SumAutoEval's two checks of sections are combined.
    #[must_use]
    pub fn with_alignment_rule(self, alignment_rule: AlignmentRule) -> Self {
        Self { alignment_rule, ..self }
    }

    /// Sets the language model for the steps that the papers put to one.
    #[must_use]
    pub fn with_language_model(self, model: LanguageModel) -> Self {
        Self { language_model: Some(model), ..self }
    }

    /// Sets the language model that writes the scorer's claims, so that its requests are counted.
    #[must_use]
    pub fn with_claims_model(self, claims_model: Option<LanguageModel>) -> Self {
        Self { claims_model, ..self }
    }

    /// Returns the outcomes of requests to language models, for metrics and claims.
    #[must_use]
    pub fn answer_counts(&self) -> Vec<StepCounts> {
        self.language_models().flat_map(LanguageModel::counts).collect()
    }

    /// Whether a language model answers some of its steps.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.language_models().next().is_some()
    }

    /// Returns the model of metrics and, if different, that of claims.
    fn language_models(&self) -> impl Iterator<Item = &LanguageModel> {
        let of_metrics = self.language_model.as_ref();
        let of_claims = self.claims_model.as_ref();
        of_metrics
            .into_iter()
            .chain(of_claims.filter(|own| of_metrics.is_none_or(|model| !model.is_same(own))))
    }

    /// Leaves out metrics for which a row lacks texts, with the reason in the result.
    #[must_use]
    pub fn leniently(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// Sets one topic for all summaries; with `None`, each row has its own.
    #[must_use]
    pub fn with_topic(self, topic: Option<String>) -> Self {
        Self { topic, ..self }
    }

    /// Returns the scorer, by value.
    #[must_use]
    pub fn into_scorer(self) -> Scorer {
        self.scorer
    }

    /// The names of the metrics with their axes.
    #[must_use]
    pub fn metric_names(&self) -> Vec<String> {
        self.metrics.iter().map(ToString::to_string).collect()
    }

    /// Returns everything that a language model's answers depend on, if metrics ask one.
    fn answers_stamp(&self) -> Option<String> {
        let steps: Vec<_> = self.metrics.iter().flat_map(MetricChoice::steps).collect();
        self.language_model.as_ref().filter(|_| !steps.is_empty()).map(|model| model.stamp(&steps))
    }
}

impl Evaluator {
    /// Whether all metrics can score a blank summary, which is then not an error.
    fn scores_blank_summaries(&self) -> bool {
        self.metrics.iter().all(MetricChoice::scores_blank)
    }

    /// Evaluates normalized texts. Summaries without text need no model.
    fn evaluate_all(&self, rows: &[Texts<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Evaluation>> {
        let is_blank = |row: &&Texts<'_>| self.scores_blank_summaries() && !has_words(row.pair.summary);
        let written: Vec<Texts<'_>> = rows.iter().filter(|row| !is_blank(row)).copied().collect();
        let mut results = self.measure(&written, on_event).into_iter();
        let of = |row: &Texts<'_>| match is_blank(&row) {
            true => self.evaluate_blank(*row),
            false => results.next().unwrap_or(Err(Error::Stopped)),
        };
        rows.iter().map(of).collect()
    }

    fn evaluate_blank(&self, texts: Texts<'_>) -> Result<Evaluation> {
        texts.pair.check_but_blank_summary()?;
        let pair = Pair { summary_sentences: None, ..texts.pair };
        let mut row = Row::new(Texts { pair, ..texts }, None)?;
        self.metrics.iter().for_each(|choice| finesure::measure_blank(choice, &mut row.measures));
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

    /// Returns the inputs of a metric; `None` if the row lacks them and such metrics are left out.
    fn or_leave_out<T>(
        &self,
        row: &mut Row<'_>,
        metric: &'static str,
        inputs: Result<T>,
    ) -> Result<Option<T>> {
        match inputs {
            Err(error) if self.lenient => {
                row.measures.leave_out(metric, error.to_string());
                Ok(None)
            }
            inputs => inputs.map(Some),
        }
    }

    /// Whether the claims of a row are judged.
    fn needs_judgements(&self) -> bool {
        self.metrics.iter().any(|choice| {
            choice.needs_claims() && (choice.metric == Metric::Fenice || self.language_model.is_none())
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
        for choice in &self.metrics {
            match choice.metric {
                Metric::Fenice => {}
                Metric::FineSure => finesure::measure(self, choice, &mut rows, on_event),
                Metric::SummacZs => entailment::summac_zs(self, choice, &mut rows, on_event),
                Metric::SummacConv => summac_conv::measure(self, &mut rows, on_event),
                Metric::Menli => entailment::menli(self, choice, &mut rows, on_event),
                Metric::AlignScore => alignscore::measure(self, choice, &mut rows, on_event),
                Metric::NliSent => entailment::nli_sent(self, &mut rows, on_event),
                Metric::Rouge | Metric::RougeStemmed => reference::rouge(self, choice, &mut rows),
                Metric::BertScore => bertscore::measure(self, &mut rows, on_event),
                Metric::Relevance => relevance::measure(self, &mut rows, on_event),
                Metric::KeyPoints => finesure::key_points(self, &mut rows, on_event),
                Metric::SumAutoEval => sumautoeval::measure(self, choice, &mut rows, on_event),
                Metric::Rating => rating::measure(self, choice, &mut rows, on_event),
                Metric::TofuEval => tofueval::measure(self, choice, &mut rows, on_event),
            }
        }
        rows.into_iter().map(|row| self.finish(row?)).collect()
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
        let read: Vec<Normalized<'_>> = pairs.iter().map(|pair| Normalized::of(pair, false)).collect();
        let given: Vec<Result<MetricInputs>> = pairs.iter().map(MetricInputs::of).collect();
        let normalized = given
            .iter()
            .map(|inputs| inputs.as_ref().map_or_else(|_| MetricInputs::default(), MetricInputs::normalized));
        let normalized: Vec<MetricInputs> = normalized.collect();
        let texts = read.iter().zip(&normalized);
        let texts: Vec<Texts<'_>> =
            texts.map(|(read, inputs)| Texts { read, pair: read.pair(), inputs }).collect();
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
        MetricTally::of(&self.metrics)
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
        match self.metric_names().as_slice() {
            [name] if name == Metric::Fenice.name() => String::new(),
            names => {
                let bertscore =
                    self.bertscore.as_ref().map_or_else(String::new, |bertscore| bertscore.stamp());
                let (key_facts, lenient) = (self.key_facts.name(), self.lenient);
                let topic = self.topic.as_ref().map(|topic| format!(" topic={topic:?}")).unwrap_or_default();
                let alignment = match self.alignment_rule {
                    AlignmentRule::Any => String::new(),
                    rule => format!(" alignment={}", rule.name()),
                };
                let convolution = self
                    .summac_conv
                    .as_ref()
                    .map(|weights| format!(" summac-conv={} {}", weights.sha256(), weights.labels()));
                let (names, convolution) = (names.join(" "), convolution.unwrap_or_default());
                let answers = self.answers_stamp().map_or_else(String::new, |stamp| format!(" {stamp}"));
                format!(
                    "{names} keyfacts={key_facts} lenient={lenient} {bertscore}{topic}{alignment}{convolution}{answers}"
                )
            }
        }
    }

    fn judges_claims(&self) -> bool {
        self.metrics.iter().any(|choice| choice.metric == Metric::Fenice)
    }

    fn row_names(&self, mut names: RowNames) -> RowNames {
        names.inputs = METRIC_INPUTS;
        names.blank_summaries = self.scores_blank_summaries();
        names
    }
}

/// The error of a metric that only a language model can answer.
pub(crate) fn needs_answers(metric: &'static str) -> Error {
    let expected = "is a language model's: it needs --answers, the file of them, or a server";
    Error::setting("metric", metric, expected)
}

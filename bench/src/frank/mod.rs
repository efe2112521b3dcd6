//! FRANK (Pagnoni, Balachandran, Tsvetkov, NAACL 2021): factual errors that people find in summaries of nine systems,
//! in the authors' files. `benchmark_data.json` has the texts (hash, model_name, article, summary, split, reference),
//! [`Annotations`] are in `human_annotations.json` and, for sentences, `human_annotations_sentence.json`. Where sentences
//! are annotated, each is a text to judge by itself, in order, then the whole summary; sentences without a letter or
//! digit are skipped. The rating of a summary is its field Factuality; that of a sentence is whether most people find no
//! error in it. A summary without annotation is left out. Rows with raw_annotations are FineSurE's `frank-data.json`. [`MetricOutputs`] are the scores of other metrics for the same
//! summaries, from `baseline_factuality_metrics_outputs.json`.

mod annotations;
mod error_type;
mod finesure;
mod localisation;
mod outputs;
mod protocol;
mod table;

pub use annotations::Annotations;
pub use error_type::ErrorType;
pub use localisation::{Localisation, TypeRecall};
pub use outputs::MetricOutputs;
pub use protocol::{Correlations, Figures, OtherMetric, Part, Ratings, Sentences};

use self::annotations::{Annotation, Sentence};
use super::answers::GivenAnswers;
use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::split::Split;
use super::text_level::TextLevel;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

const HASH: &str = "hash";
const SYSTEM: &str = "model_name";
const SPLIT: &str = "split";

/// What tells the answers yes and no apart, which are 1 and 0.
const YES_OR_NO: f64 = 0.5;

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct Frank {
    /// People's annotations.
    pub annotations: Annotations,
    /// The scores of other metrics.
    pub outputs: MetricOutputs,
    /// Which texts are judged; `None` is both, where they are annotated.
    pub level: Option<TextLevel>,
    /// Only summaries of FineSurE's files are judged, and the answers about each say which of its sentences are wrong.
    pub by_summary: bool,
    /// The answers that rows of FineSurE's files bring are measured; implies `by_summary`.
    pub given_answers: bool,
    /// A sentence is called faithful above it; with `None` the validation part tunes a threshold.
    pub threshold: Option<f64>,
}

/// What the protocol needs of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The system that wrote it.
    pub(crate) system: String,
    pub(crate) split: Split,
    pub(crate) level: TextLevel,
    /// People's rating, from 0 to 1; 0 or 1 for a sentence.
    pub(crate) factuality: f64,
    /// The type of a sentence's error, if people agree on one.
    pub(crate) error: Option<ErrorType>,
    /// The sentences of a summary, where the file has it in sentences.
    pub(crate) sentences: Option<Vec<String>>,
    /// What people say of each of these.
    pub(crate) annotated: Vec<Sentence>,
    /// The answers that the row brings.
    pub(crate) given: Option<GivenAnswers>,
    /// The scores of the other metrics for a summary, in the order of their names; empty for a sentence.
    pub(crate) others: Vec<Option<f64>>,
}

impl Frank {
    /// The texts of a summary with their keys.
    fn texts(
        &self,
        summary: String,
        annotation: &Annotation,
        key: impl Fn(TextLevel, f64) -> Keys,
    ) -> Result<Vec<(String, Keys)>, String> {
        let mut texts = Vec::new();
        if TextLevel::Sentence.is_judged(self.level) {
            for sentence in annotation.sentences.iter().filter(|sentence| has_words(&sentence.text)) {
                let Some(is_faithful) = sentence.is_faithful else { continue };
                let key = key(TextLevel::Sentence, f64::from(u8::from(is_faithful)));
                texts.push((sentence.text.clone(), Keys { error: sentence.error, ..key }));
            }
        }
        if TextLevel::Summary.is_judged(self.level) {
            let factuality = annotation.factuality.ok_or_else(|| {
                "has annotated sentences but no Factuality: give human_annotations.json as well".to_owned()
            })?;
            texts.push((summary, key(TextLevel::Summary, factuality)));
        }
        Ok(texts)
    }
}

impl Benchmark for Frank {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        if finesure::is_row(&fields) {
            return self.finesure_row(&mut fields);
        }
        fields::require(&fields, &[HASH, SYSTEM, "article", "summary", SPLIT])?;
        let (hash, system) = (fields::name(&fields, HASH)?, fields::name(&fields, SYSTEM)?);
        let split = Split::of_field(&fields, SPLIT, "valid or test")?;
        let reference = fields::optional_text(&mut fields, "reference")?;
        let (document, summary) = (field_text(&mut fields, "article")?, field_text(&mut fields, "summary")?);
        if self.annotations.is_empty() {
            return Err("has no annotations: give human_annotations.json in `annotations`".into());
        }
        let Some(annotation) = self.annotations.of(&hash, &system) else {
            return Ok(RowContent::LeftOut("summaries that nobody annotated".into()));
        };
        if !has_words(&summary) {
            return Ok(RowContent::LeftOut("summaries without a letter or digit".into()));
        }
        let key = |level, factuality| {
            let others =
                if level == TextLevel::Summary { self.outputs.of(&hash, &system) } else { Vec::new() };
            Keys {
                system: system.clone(),
                split,
                level,
                factuality,
                error: None,
                sentences: None,
                annotated: Vec::new(),
                given: None,
                others,
            }
        };
        let texts = self.texts(summary, annotation, key)?;
        if texts.is_empty() {
            return Ok(RowContent::LeftOut("summaries whose sentences nobody annotated".into()));
        }
        Ok(RowContent::Texts {
            document,
            texts,
            metric_inputs: MetricInputs { reference, ..MetricInputs::default() },
        })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.factuality == 1.0
    }

    fn given_answers<'k>(&self, keys: &'k Keys) -> Option<&'k GivenAnswers> {
        keys.given.as_ref()
    }

    fn sentences<'k>(&self, keys: &'k Keys) -> Option<&'k [String]> {
        keys.sentences.as_deref()
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.split.name(), keys.system)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        let others = self.outputs.names();
        if !self.by_summary && !self.given_answers {
            return protocol::Run { cases, scores, others }.figures(self.threshold);
        }
        let (cases, scores) = finesure::with_sentences(cases, scores);
        let is_answered = cases.iter().any(|case| case.answers.faithful.is_some());
        let threshold = self.threshold.or(is_answered.then_some(YES_OR_NO));
        protocol::Run { cases: &cases, scores: &scores, others }.figures(threshold)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        let first = figures.parts.first().map(|part| &part.correlations);
        vec![
            Column::of("Pearson", first.and_then(|part| part.pearson)),
            Column::of("Spearman", first.and_then(|part| part.spearman)),
            Column::of("partial Pearson", first.and_then(|part| part.partial_pearson)),
        ]
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        table::beside(name, figures)
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

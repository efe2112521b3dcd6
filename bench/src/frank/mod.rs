//! FRANK (Pagnoni, Balachandran, Tsvetkov, NAACL 2021): factual errors that people find in summaries of nine systems,
//! in the authors' files. `benchmark_data.json` has the texts (hash, model_name, article, summary, split, reference),
//! [`Annotations`] are in `human_annotations.json` and, for sentences, `human_annotations_sentence.json`. Where sentences
//! are annotated, each is a text to judge by itself, in order, then the whole summary; sentences without a letter or
//! digit are skipped. The rating of a summary is its field Factuality; that of a sentence is whether most people find no
//! error in it. A summary without annotation is left out. [`MetricOutputs`] are the scores of other metrics for the same
//! summaries, from `baseline_factuality_metrics_outputs.json`.

mod annotations;
mod outputs;
mod protocol;
mod table;

pub use annotations::Annotations;
pub use outputs::MetricOutputs;
pub use protocol::{Correlations, Figures, OtherMetric, Part, Sentences};

use self::annotations::Annotation;
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

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct Frank {
    /// People's annotations.
    pub annotations: Annotations,
    /// The scores of other metrics.
    pub outputs: MetricOutputs,
    /// Which texts are judged; `None` is both, where they are annotated.
    pub level: Option<TextLevel>,
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
            for (sentence, is_faithful) in annotation.sentences.iter().filter(|(text, _)| has_words(text)) {
                let factuality = f64::from(u8::from(*is_faithful));
                texts.push((sentence.clone(), key(TextLevel::Sentence, factuality)));
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
        fields::require(&fields, &[HASH, SYSTEM, "article", "summary", SPLIT])?;
        let (hash, system) = (fields::name(&fields, HASH)?, fields::name(&fields, SYSTEM)?);
        let split = Split::of_field(&fields, SPLIT, "valid or test")?;
        let reference = fields::optional_text(&mut fields, "reference")?;
        let (document, summary) = (field_text(&mut fields, "article")?, field_text(&mut fields, "summary")?);
        let Some(annotation) = self.annotations.of(&hash, &system) else {
            return Ok(RowContent::LeftOut("summaries that nobody annotated".into()));
        };
        if !has_words(&summary) {
            return Ok(RowContent::LeftOut("summaries without a letter or digit".into()));
        }
        let key = |level, factuality| {
            let others =
                if level == TextLevel::Summary { self.outputs.of(&hash, &system) } else { Vec::new() };
            Keys { system: system.clone(), split, level, factuality, others }
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

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.split.name(), keys.system)
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::Run { cases, scores, others: self.outputs.names() }.figures(self.threshold)
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
        vec![table::beside(name, figures)]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

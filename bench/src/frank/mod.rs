//! FRANK (Pagnoni, Balachandran, Tsvetkov, NAACL 2021): factual errors that people find in summaries of nine systems,
//! in the authors' files: `benchmark_data.json` has the texts (hash, model_name, article, summary, split, reference),
//! [`Annotations`] are read of `human_annotations.json` and, for sentences, `human_annotations_sentence.json`.
//! Where sentences are annotated, each is a text to judge by itself, in order, then the whole summary; a sentence
//! without a letter or digit is no text. What people say of a summary is its field Factuality; of a sentence, whether
//! most of them find no error. A summary that nobody annotated is left out. [`MetricOutputs`] are what other metrics
//! say of the same summaries, from `baseline_factuality_metrics_outputs.json`.

mod annotations;
mod outputs;
mod protocol;
mod table;

pub use annotations::Annotations;
pub use outputs::MetricOutputs;
pub use protocol::{Correlations, Figures, OtherMetric, Part, Sentences};

use self::annotations::Annotation;
use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::level::Level;
use super::published::PublishedTable;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

const HASH: &str = "hash";
const SYSTEM: &str = "model_name";
const SPLIT: &str = "split";
const REFERENCE: &str = "reference";

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct Frank {
    /// What people say.
    pub annotations: Annotations,
    /// What other metrics say.
    pub outputs: MetricOutputs,
    /// What is judged; none is both, as far as it is annotated.
    pub level: Option<Level>,
    /// A sentence is called faithful above it; none is a threshold that the validation part tunes.
    pub threshold: Option<f64>,
}

/// What the protocol has to know of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The system that wrote it.
    pub system: String,
    /// Whether it tunes or measures.
    pub split: Split,
    /// What it is.
    pub level: Level,
    /// What people say of it, from 0 to 1; 0 or 1 of a sentence.
    pub factuality: f64,
    /// What the other metrics say of a summary, in the order of their names; none is said of a sentence.
    pub others: Vec<Option<f64>>,
}

impl Frank {
    fn judges(&self, level: Level) -> bool {
        self.level.is_none_or(|chosen| chosen == level)
    }

    /// The texts of a summary, and what people say of each.
    fn texts(
        &self,
        summary: String,
        annotation: &Annotation,
        key: impl Fn(Level, f64) -> Keys,
    ) -> Result<Vec<(String, Keys)>, String> {
        let mut texts = Vec::new();
        if self.judges(Level::Sentence) {
            for (sentence, is_faithful) in annotation.sentences.iter().filter(|(text, _)| has_words(text)) {
                let factuality = f64::from(u8::from(*is_faithful));
                texts.push((sentence.clone(), key(Level::Sentence, factuality)));
            }
        }
        if self.judges(Level::Summary) {
            let factuality = annotation.factuality.ok_or_else(|| {
                "has annotated sentences but no Factuality: give human_annotations.json as well".to_owned()
            })?;
            texts.push((summary, key(Level::Summary, factuality)));
        }
        Ok(texts)
    }
}

impl Benchmark for Frank {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &[HASH, SYSTEM, "article", "summary", SPLIT])?;
        let (hash, system) = (fields::name(&fields, HASH)?, fields::name(&fields, SYSTEM)?);
        let split = fields::name(&fields, SPLIT)?;
        let unknown = || format!("field `{SPLIT}` is {}: it must be valid or test", fields::short(&split));
        let split = Split::named(&split).ok_or_else(unknown)?;
        let reference = match fields.get(REFERENCE).map(|value| value.get()) {
            None | Some("null") => None,
            Some(_) => Some(field_text(&mut fields, REFERENCE)?),
        };
        let (document, summary) = (field_text(&mut fields, "article")?, field_text(&mut fields, "summary")?);
        let Some(annotation) = self.annotations.of(&hash, &system) else {
            return Ok(Taken::LeftOut("summaries that nobody annotated".into()));
        };
        if !has_words(&summary) {
            return Ok(Taken::LeftOut("summaries without a letter or digit".into()));
        }
        let key = |level, factuality| {
            let others = if level == Level::Summary { self.outputs.of(&hash, &system) } else { Vec::new() };
            Keys { system: system.clone(), split, level, factuality, others }
        };
        let texts = self.texts(summary, annotation, key)?;
        if texts.is_empty() {
            return Ok(Taken::LeftOut("summaries whose sentences nobody annotated".into()));
        }
        Ok(Taken::Texts { document, texts, aids: MetricInputs { reference, ..MetricInputs::default() } })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.factuality == 1.0
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.split.name(), keys.system)
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.outputs.names(), self.threshold)
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

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

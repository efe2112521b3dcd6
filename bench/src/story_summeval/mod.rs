//! Story-SummEval (Scirè et al. 2024, FENICE, section 4.4): summaries of stories of some 12,000 tokens, each labelled by
//! an expert, in the authors' files `val.jsonl` and `test.jsonl` (summary, label, text_id, source). The stories
//! themselves are not in them: [`Stories`] come from where `source` says, unless a row has its own `document`.

mod protocol;
mod stories;
mod table;

pub use protocol::Figures;
pub use stories::{Stories, Wanted};

use self::stories::Story;
use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::published::PublishedTable;
use super::read::BenchError;
use super::split::Split;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::pipeline::MetricInputs;

/// A row's own story, where it has one.
const DOCUMENT: &str = "document";

/// The field that tells the part, where there is one.
const SPLIT: &str = "split";

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct StorySummEval {
    /// What the summaries are of.
    pub stories: Stories,
    /// A summary is called factual above it; none is a threshold that the validation part tunes.
    pub threshold: Option<f64>,
}

/// What the protocol has to know of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Whether it tunes or measures, if the file says so.
    pub split: Option<Split>,
    /// Whether the story supports it.
    pub factual: bool,
}

impl Benchmark for StorySummEval {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["summary", "label"])?;
        let keys =
            Keys { split: split(&fields, &row.origin.file)?, factual: fields::label(&fields, "label")? };
        let document = match fields.get(DOCUMENT) {
            Some(_) => field_text(&mut fields, DOCUMENT)?,
            None => self.stories.text(&Story::of(&fields)?)?.to_owned(),
        };
        let summary = field_text(&mut fields, "summary")?;
        Ok(Taken::Texts { document, texts: vec![(summary, keys)], aids: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.factual
    }

    fn stratum(&self, keys: &Keys) -> String {
        format!("{} {}", keys.split.map(Split::name).unwrap_or_default(), keys.factual)
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores, self.threshold)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        vec![
            Column::of("ROC AUC", figures.roc_auc),
            Column::of("balanced accuracy", Some(figures.balanced_accuracy)),
        ]
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

fn split(fields: &Fields, file: &str) -> Result<Option<Split>, String> {
    let Some(_) = fields.get(SPLIT) else { return Ok(Split::of_file(file)) };
    let name = fields::name(fields, SPLIT)?;
    let unknown = || format!("field `{SPLIT}` is {}: it must be val or test", fields::short(&name));
    Split::named(&name).map(Some).ok_or_else(unknown)
}

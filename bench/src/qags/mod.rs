//! QAGS (Wang, Cho, Lewis, ACL 2020): the votes of several people on each sentence of a summary, in the authors'
//! files `mturk_cnndm.jsonl` and `mturk_xsum.jsonl` (article, summary_sentences: sentence, responses: worker_id,
//! response yes or no). A row's texts are its sentences in order, each by itself, then the whole summary: the sentences
//! joined by spaces. The rating of a sentence is the share of yes, that of a summary the mean over its sentences.

mod protocol;
mod table;

pub use protocol::{Figures, Group};

use serde::Deserialize;

use super::benchmark::{Benchmark, Case, Column, RowContent};
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::BenchError;
use super::text_level::TextLevel;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

/// The beginning of the names of the authors' files.
const FILE_PREFIX: &str = "mturk_";

const SENTENCES: &str = "summary_sentences";

/// The benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct Qags {
    /// Which texts are judged; `None` is both.
    pub level: Option<TextLevel>,
}

/// What the protocol needs of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// Its file, `cnndm` or `xsum`.
    pub(crate) group: String,
    pub(crate) level: TextLevel,
    /// The share of yes; for a summary, the mean over its sentences.
    pub(crate) votes: f64,
    /// The share of sentences with a majority of yes; 0 or 1 for a sentence.
    pub(crate) majority: f64,
}

#[derive(Deserialize)]
struct Sentence {
    sentence: String,
    responses: Vec<Response>,
}

#[derive(Deserialize)]
struct Response {
    response: Vote,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Vote {
    Yes,
    No,
}

impl Benchmark for Qags {
    type Keys = Keys;
    type Figures = Figures;

    fn read_row(&self, row: RawRow) -> Result<RowContent<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["article", SENTENCES])?;
        let document = field_text(&mut fields, "article")?;
        let what = "a list of objects with sentence and responses, these with response yes or no";
        let sentences: Vec<Sentence> = fields::parsed(&fields, SENTENCES, what)?;
        let mut texts = texts(&fields::file_stem(&row.origin.file, FILE_PREFIX), sentences)?;
        texts.retain(|(_, keys)| keys.level.is_judged(self.level));
        Ok(RowContent::Texts { document, texts, metric_inputs: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.majority == 1.0
    }

    fn stratum(&self, keys: &Keys) -> String {
        keys.group.clone()
    }

    fn measure(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        let named = |group: &Group| format!("{} {}", group.group, group.level);
        figures.groups.iter().map(|group| Column::of(&named(group), group.pearson)).collect()
    }

    fn beside_published(&self, name: &str, figures: &Figures) -> Vec<Beside> {
        table::beside(name, figures).into_iter().collect()
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

/// The sentences, then the summary that they make.
fn texts(group: &str, sentences: Vec<Sentence>) -> Result<Vec<(String, Keys)>, String> {
    if sentences.is_empty() {
        return Err(format!("field `{SENTENCES}` is empty"));
    }
    let count = sentences.len() as f64;
    let summary: Vec<&str> = sentences.iter().map(|sentence| sentence.sentence.trim()).collect();
    let summary = summary.join(" ");
    let key = |level, votes, majority| Keys { group: group.to_owned(), level, votes, majority };
    let mut texts = Vec::with_capacity(sentences.len() + 1);
    let mut sums = (0.0, 0.0);
    for (number, Sentence { sentence, responses }) in sentences.into_iter().enumerate() {
        if responses.is_empty() {
            return Err(format!("sentence {} has no responses", number + 1));
        }
        let yes = responses.iter().filter(|response| response.response == Vote::Yes).count();
        let votes = yes as f64 / responses.len() as f64;
        let majority = f64::from(u8::from(2 * yes > responses.len()));
        sums = (sums.0 + votes, sums.1 + majority);
        texts.push((sentence, key(TextLevel::Sentence, votes, majority)));
    }
    texts.push((summary, key(TextLevel::Summary, sums.0 / count, sums.1 / count)));
    Ok(texts)
}

//! QAGS (Wang, Cho, Lewis, ACL 2020): the votes of several people on each sentence of a summary, in the authors'
//! files `mturk_cnndm.jsonl` and `mturk_xsum.jsonl` (article, summary_sentences: sentence, responses: worker_id,
//! response yes or no). A sentence is a text to judge by itself, and so is the whole summary, its sentences joined
//! by spaces; a row's texts are its sentences in order, then the summary. What people say of a sentence is the
//! share of yes, and of a summary the mean over its sentences.

mod protocol;
mod table;

pub use super::level::Level;
pub use protocol::{Figures, Group};

use serde::Deserialize;

use super::benchmark::{Benchmark, Case, Column, Taken};
use super::fields;
use super::published::PublishedTable;
use super::read::BenchError;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic::pipeline::MetricInputs;

/// How the authors' files begin.
const FILE_PREFIX: &str = "mturk_";

const SENTENCES: &str = "summary_sentences";

/// The benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Qags {
    /// Whether sentences are judged.
    pub sentences: bool,
    /// Whether summaries are judged.
    pub summaries: bool,
}

/// What the protocol has to know of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    /// The file that it is from, `cnndm` or `xsum`.
    pub group: String,
    /// What it is.
    pub level: Level,
    /// The share of yes; of a summary, its mean over the sentences.
    pub votes: f64,
    /// The share of sentences that most people say yes to; 0 or 1 for a sentence.
    pub majority: f64,
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

impl Default for Qags {
    fn default() -> Self {
        Self { sentences: true, summaries: true }
    }
}

impl Qags {
    fn judges(self, level: Level) -> bool {
        match level {
            Level::Sentence => self.sentences,
            Level::Summary => self.summaries,
        }
    }
}

impl Benchmark for Qags {
    type Keys = Keys;
    type Figures = Figures;

    fn take(&self, row: RawRow) -> Result<Taken<Keys>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["article", SENTENCES])?;
        let document = field_text(&mut fields, "article")?;
        let what = "a list of objects with sentence and responses, these with response yes or no";
        let sentences: Vec<Sentence> = fields::parsed(&fields, SENTENCES, what)?;
        let mut texts = texts(&fields::file_stem(&row.origin.file, FILE_PREFIX), sentences)?;
        texts.retain(|(_, keys)| self.judges(keys.level));
        Ok(Taken::Texts { document, texts, aids: MetricInputs::default() })
    }

    fn label(&self, keys: &Keys) -> bool {
        keys.majority == 1.0
    }

    fn stratum(&self, keys: &Keys) -> String {
        keys.group.clone()
    }

    fn figures(&self, cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
        protocol::figures(cases, scores)
    }

    fn table(&self, name: &str, figures: &Figures) -> Vec<String> {
        table::lines(name, figures)
    }

    fn headline(&self, figures: &Figures) -> Vec<Column> {
        let named = |group: &Group| format!("{} {}", group.group, group.level.name());
        figures.groups.iter().map(|group| Column::of(&named(group), group.pearson)).collect()
    }

    fn published(&self) -> &'static [PublishedTable] {
        &table::PUBLISHED
    }
}

/// The sentences and the summary that they make.
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
        texts.push((sentence, key(Level::Sentence, votes, majority)));
    }
    texts.push((summary, key(Level::Summary, sums.0 / count, sums.1 / count)));
    Ok(texts)
}

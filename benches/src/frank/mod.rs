//! FRANK (Pagnoni, Balachandran, Tsvetkov, NAACL 2021): human annotations of factual errors in summaries of nine systems, in
//! the authors' files. `benchmark_data.json` has the texts (hash, model_name, article, summary, split, reference);
//! [`Annotations`] are in `human_annotations.json` and, for sentences, `human_annotations_sentence.json`. If sentences are
//! annotated, each is judged separately, in order, then the whole summary; sentences without a letter or digit are skipped.
//! The rating of a summary is its field Factuality; that of a sentence is whether most annotators find no error in it. A
//! summary without annotation is left out. Rows with raw_annotations are FineSurE's `frank-data.json`. [`MetricOutputs`] are
//! the scores of other metrics for the same summaries, from `baseline_factuality_metrics_outputs.json`.

mod annotations;
mod error_type;
mod finesure;
mod outputs;
mod protocol;

pub use annotations::Annotations;
pub use outputs::MetricOutputs;

use std::path::PathBuf;

use clap::Args;

use self::annotations::Annotation;
use self::error_type::TYPES;
use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::Scored;
use super::figures::Figures;
use super::published::{Beside, Deviation, PublishedTable, published};
use super::read::BenchError;
use super::split::Split;
use super::text_level::TextLevel;
use super::{fields, layout};
use crate::program::args::{MeasureArgs, finite};
use crate::program::commands::bench::{self, Options};
use crate::program::plan;
use crate::program::settings::Metrics;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;

const HASH: &str = "hash";
const SYSTEM: &str = "model_name";
const SPLIT: &str = "split";

/// The threshold between the answers yes and no, which are 1 and 0.
const YES_OR_NO: f64 = 0.5;

/// The options on the command line.
#[derive(Debug, Args)]
pub(crate) struct FrankOptions {
    /// The human annotations of benchmark_data.json
    ///
    /// human_annotations.json and, for sentences, human_annotations_sentence.json too. FineSurE's frank-data.json has its annotations itself.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    annotations: Vec<PathBuf>,
    /// Scores of other metrics for the same summaries, to compare with
    ///
    /// The file baseline_factuality_metrics_outputs.json.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    metric_outputs: Vec<PathBuf>,
    /// Judge only this [default: both, where annotated]
    #[arg(long, value_enum)]
    level: Option<TextLevel>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_faithfulness_labels and pred_faithfulness_error_type, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric", "level"])]
    given_answers: bool,
    /// A sentence counts as faithful above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for FrankOptions {
    fn open(&self, measure: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        let names = &measure.settings.metrics().metric;
        let answers_sentences = names.len() == 1 && plan::judges_sentences(&names[0]);
        Ok(Box::new(Frank {
            annotations: bench::read_files(&self.annotations, Annotations::read)?,
            outputs: bench::read_files(&self.metric_outputs, MetricOutputs::read)?,
            level: self.level,
            by_summary: answers_sentences && self.level.is_none() && measure.scores.is_none(),
            given_answers: self.given_answers,
            threshold: self.decide_at,
        }))
    }
}

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct Frank {
    /// The human annotations.
    pub annotations: Annotations,
    /// The scores of other metrics.
    pub outputs: MetricOutputs,
    /// The texts to judge; `None` is both, where annotated.
    pub level: Option<TextLevel>,
    /// Whether only summaries of FineSurE's files are judged, and the answers about each tell which of its sentences are
    /// wrong.
    pub by_summary: bool,
    /// Whether to measure the answers given in rows of FineSurE's files; implies `by_summary`.
    pub given_answers: bool,
    /// A sentence is called faithful above this; with `None` the validation split tunes a threshold.
    pub threshold: Option<f64>,
}

/// A summary with its annotation.
struct Summary<'a> {
    id: &'a str,
    system: String,
    split: Split,
    text: String,
    annotation: &'a Annotation,
    /// Its sentences, if the file has the summary in sentences.
    sentences: Option<Vec<String>>,
}

impl Frank {
    /// Returns the texts of a summary to judge, with their labels.
    fn texts(&self, summary: &Summary) -> Result<Vec<(String, Label)>, String> {
        let mut texts = Vec::new();
        if TextLevel::Sentence.is_judged(self.level) {
            let sentences = &summary.annotation.sentences;
            for sentence in sentences.iter().filter(|sentence| has_words(&sentence.text)) {
                let Some(is_faithful) = sentence.label else { continue };
                let label = self.label(summary, TextLevel::Sentence, f64::from(u8::from(is_faithful)));
                let errors = sentence.error.clone().into_iter().collect();
                texts.push((sentence.text.clone(), Label { errors, ..label }));
            }
        }
        if TextLevel::Summary.is_judged(self.level) {
            let factuality = summary.annotation.factuality.ok_or_else(|| {
                "has annotated sentences but no Factuality: give human_annotations.json as well".to_owned()
            })?;
            texts.push((summary.text.clone(), self.label(summary, TextLevel::Summary, factuality)));
        }
        Ok(texts)
    }

    /// Returns the label of a summary or one of its sentences.
    fn label(&self, summary: &Summary, level: TextLevel, rating: f64) -> Label {
        let label = Label {
            system: summary.system.clone(),
            split: Some(summary.split),
            level,
            rating,
            consistent: rating == 1.0,
            stratum: format!("{} {}", summary.split.name(), summary.system),
            ..Label::default()
        };
        if level == TextLevel::Sentence {
            return label;
        }
        let (sentences, is_finesure) = (summary.sentences.clone(), summary.sentences.is_some());
        let items = if is_finesure { summary.annotation.sentences.clone() } else { Vec::new() };
        Label { sentences, items, other_scores: self.outputs.of(summary.id, &summary.system), ..label }
    }
}

fn tables() -> &'static [PublishedTable] {
    published!("frank")
}

impl Benchmark for Frank {
    fn about(&self) -> About {
        About { published: tables(), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        if finesure::is_row(&fields) {
            return self.finesure_row(&mut fields);
        }
        fields::require(&fields, &[HASH, SYSTEM, "article", "summary", SPLIT])?;
        let (hash, system) = (fields::name(&fields, HASH)?, fields::name(&fields, SYSTEM)?);
        let split = Split::of_field(&fields, SPLIT, "valid or test")?;
        let reference = fields::optional_text(&mut fields, "reference")?;
        let (document, text) = (field_text(&mut fields, "article")?, field_text(&mut fields, "summary")?);
        if self.annotations.is_empty() {
            return Err("has no annotations: give human_annotations.json in --annotations".into());
        }
        let Some(annotation) = self.annotations.of(&hash, &system) else {
            return Ok(RowContent::LeftOut("summaries that nobody annotated".into()));
        };
        if !has_words(&text) {
            return Ok(RowContent::LeftOut("summaries without a letter or digit".into()));
        }
        let texts = self.texts(&Summary { id: &hash, system, split, text, annotation, sentences: None })?;
        if texts.is_empty() {
            return Ok(RowContent::LeftOut("summaries whose sentences nobody annotated".into()));
        }
        Ok(RowContent::texts(document, texts).with_reference(reference))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let others = self.outputs.names();
        if !self.by_summary && !self.given_answers {
            return protocol::figures(Scored { cases, scores }, others, self.threshold);
        }
        let (cases, scores) = finesure::with_sentences(cases, scores);
        let is_answered = cases.iter().any(|case| case.answers.faithful.is_some());
        let threshold = self.threshold.or(is_answered.then_some(YES_OR_NO));
        protocol::figures(Scored { cases: &cases, scores: &scores }, others, threshold)
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let beside = beside(name, figures);
        let mut lines = vec!["FRANK: correlation with what people say of summaries, times 100".to_owned()];
        lines.extend(summaries(name, figures));
        if figures["parts"].list().iter().any(|part| part["sentences"] != Figures::None) {
            lines.push(String::new());
            lines.extend(sentences(figures));
        }
        lines.push(String::new());
        let tables: Vec<Vec<String>> = beside.iter().map(Beside::lines).collect();
        lines.extend(tables.join(&String::new()));
        lines.extend(figures.warnings());
        let columns =
            [("Pearson", "pearson"), ("Spearman", "spearman"), ("partial Pearson", "partial_pearson")];
        let headline = columns.map(|(name, field)| Column::of(name, &figures["parts"][0][field])).to_vec();
        Shown { lines, beside, headline }
    }
}

/// Returns each split in the columns of the published tables for which it has figures.
fn beside(name: &str, figures: &Figures) -> Vec<Beside> {
    let parts = figures["parts"].list();
    let named = |part: &Figures| format!("{name}, {}", part["part"].text());
    let mut faithfulness = tables()[0].beside(parts.iter().map(|part| {
        let of = ["pearson", "spearman", "system_spearman"].map(|field| &part[field]);
        let accuracy = &part["sentences"]["balanced_accuracy"];
        (named(part), of.into_iter().chain([accuracy]).map(Figures::brief))
    }));
    if figures["ratings"].text() == protocol::FACTUALITY {
        let what = "people's ratings are FRANK's `Factuality` of a summary, not the share of its sentences";
        let deviation = Deviation::of(&["Pearson", "Spearman", "system rank"], what);
        faithfulness.published.differs.insert(0, deviation);
    }
    let with_types: Vec<&Figures> =
        parts.iter().filter(|part| part["localisation"]["types"] != Figures::None).collect();
    let localisation = || {
        tables()[1].beside(with_types.iter().map(|part| {
            let found = &part["localisation"];
            let recall = |error: &str| found["types"].find(&[("type", error)])["recall"].cell();
            let recalls = TYPES.map(|(error, _)| recall(error)).into_iter();
            (named(part), recalls.chain([found["mean"].cell()]).collect::<Vec<_>>())
        }))
    };
    std::iter::once(faithfulness).chain((!with_types.is_empty()).then(localisation)).collect()
}

/// The columns for summaries: the heading and the field of each.
const SUMMARIES: [(&str, &str); 8] = [
    ("summaries", "summaries"),
    ("documents", "documents"),
    ("systems", "systems"),
    ("Pearson", "pearson"),
    ("Spearman", "spearman"),
    ("partial Pearson", "partial_pearson"),
    ("partial Spearman", "partial_spearman"),
    ("system rank", "system_spearman"),
];

fn summaries(name: &str, figures: &Figures) -> Vec<String> {
    let row = |name: String, of: &Figures| {
        std::iter::once(name).chain(SUMMARIES.map(|(_, field)| of[field].cell())).collect::<Vec<_>>()
    };
    let mut rows = vec![layout::cells(std::iter::once(name).chain(SUMMARIES.map(|(heading, _)| heading)))];
    let parts = figures["parts"].list();
    rows.extend(parts.iter().map(|part| row(part["part"].text().to_owned(), part)));
    for part in parts {
        for other in part["other_metrics"].list() {
            let mut cells = row(format!("{}: {}", part["part"].text(), other["metric"].text()), other);
            cells.push(other["williams_p"].threshold());
            rows.push(cells);
        }
    }
    if rows.iter().any(|row| row.len() > rows[0].len()) {
        rows[0].push("Williams p".into());
    }
    layout::lines(&rows)
}

fn sentences(figures: &Figures) -> Vec<String> {
    let mut rows = vec![layout::cells(["sentences", "count", "faithful", "balanced accuracy", "ROC AUC"])];
    for part in figures["parts"].list().iter().filter(|part| part["sentences"] != Figures::None) {
        let of = ["sentences", "faithful", "balanced_accuracy", "roc_auc"];
        let cells = of.map(|field| part["sentences"][field].cell());
        rows.push(std::iter::once(part["part"].text().to_owned()).chain(cells).collect());
    }
    let mut lines = layout::lines(&rows);
    if figures["threshold"] != Figures::None {
        lines.push(format!("a sentence is called faithful above {}", figures["threshold"].threshold()));
    }
    lines
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

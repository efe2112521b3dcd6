//! REALSumm (Bhandari et al., EMNLP 2020): which of a document's key facts annotators find in the summaries of several
//! systems. Rows have one of three formats:
//!
//! - fields document, model, summary, keyfacts (list of objects with text and optionally present, the share of annotators
//!   who find it), human_completeness (the share of key facts that most annotators find) and optionally reference;
//! - FineSurE's `realsumm-data.json` (Song et al., ACL 2024), joined with its list of key facts (`finesure`);
//! - the authors' own tables of ratings, one row per annotator (`ratings`), joined with the same list for the documents.
//!
//! The figures are FineSurE's (appendix D): correlations of scores with human shares, over all summaries, and Spearman's
//! over the systems' means; and Krippendorff's alpha on single key facts (section 4.1.2), between the answers of a run and
//! the human majority, and among annotators. On FineSurE's file, systems with fewer than five summaries are not ranked, as
//! in its authors' program.
//!
//! The sentence marks `<t>` and `</t>` of references become line ends. The score is FineSurE's completeness, or its
//! conciseness, unless another metric is chosen.

mod finesure;
mod ratings;

pub use finesure::KeyFactLists;
pub use ratings::Ratings;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::benchmark::{About, Benchmark, Case, Column, Item, Label, RowContent, Shown};
use super::fields;
use super::figures::{Figures, figures};
use super::published::published;
use super::rated::{LEAST_SUMMARIES, Rated};
use super::read::BenchError;
use crate::metrics::MetricInputs;
use crate::program::args::MeasureArgs;
use crate::program::commands::bench::{self, Options};
use crate::program::settings::Metrics;
use veridic::corpus::read::RawRow;
use veridic::corpus::{Fields, field_text};
use veridic::named;
use veridic_stats::{Scale, krippendorff_alpha, pearson, spearman};

/// The metric of conciseness.
const CONCISENESS: &str = "finesure:conciseness";

const KEY_FACTS: &str = "keyfacts";
const COMPLETENESS: &str = "human_completeness";

/// The rated dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Dimension {
    /// The share of key facts that people find in a summary
    #[default]
    Completeness,
    /// The share of its sentences in which people find a key fact
    Conciseness,
}

named!(Dimension, "dimension", { Completeness = "completeness", Conciseness = "conciseness" });

/// The paper's figures on single key facts.
const PUBLISHED_ALPHA: &str =
    "published: FineSurE 0.65 with people; 0.66 among people (section 4, Song et al. 2024)";

/// Why a row has no rating of conciseness.
const NO_SENTENCE_LABELS: &str =
    "has no labels of sentences: give FineSurE's realsumm-data.json, or --dimension completeness";

/// The options on the command line.
#[derive(Debug, Args)]
pub(crate) struct RealSummOptions {
    /// The human labels to compare with [default: completeness]
    ///
    /// conciseness if --metric finesure:conciseness is given; its labels are in FineSurE's realsumm-data.json.
    #[arg(long, value_enum, value_name = "SHARE")]
    dimension: Option<Dimension>,
    /// The documents with their key facts
    ///
    /// FineSurE's human-keyfact-list.json, or its list by GPT-4: for its realsumm-data.json and for REALSumm's own tables.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    key_fact_list: Vec<PathBuf>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_alignment_labels and pred_sentence_line_numbers, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric"])]
    given_answers: bool,
}

impl Options for RealSummOptions {
    fn open(&self, measure: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        let key_facts = bench::read_files(&self.key_fact_list, KeyFactLists::read)?;
        // Only the authors' tables have several rows per summary, and the documents elsewhere.
        let ratings = match self.key_fact_list.is_empty() {
            true => Ratings::default(),
            false => bench::read_twice(measure, Ratings::read)?,
        };
        let is_concise = measure.settings.metrics().metric.iter().any(|name| name == CONCISENESS);
        let by_metric = if is_concise { Dimension::Conciseness } else { Dimension::Completeness };
        let dimension = self.dimension.unwrap_or(by_metric);
        Ok(Box::new(RealSumm { dimension, key_facts, ratings, given_answers: self.given_answers }))
    }
}

/// The benchmark.
#[derive(Debug, Clone, Default)]
pub struct RealSumm {
    /// The measured dimension.
    pub dimension: Dimension,
    /// The documents and their key facts, for FineSurE's file and the authors' tables.
    pub key_facts: KeyFactLists,
    /// The ratings in the authors' tables.
    pub ratings: Ratings,
    /// Whether to measure the answers given in rows of FineSurE's files.
    pub given_answers: bool,
}

#[derive(Deserialize)]
struct KeyFact {
    text: String,
    present: Option<f64>,
}

impl RealSumm {
    fn own_row(&self, fields: &mut Fields) -> Result<RowContent, String> {
        fields::require(fields, &["document", "model", "summary", KEY_FACTS, COMPLETENESS])?;
        if self.dimension == Dimension::Conciseness {
            return Err(NO_SENTENCE_LABELS.into());
        }
        let key_facts: Vec<KeyFact> =
            fields::parsed(fields, KEY_FACTS, "a list of objects with the field text")?;
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty: completeness cannot be measured"));
        }
        let item = |fact: &KeyFact| Item {
            text: fact.text.clone(),
            label: fact.present.map(|share| share > 0.5),
            ..Item::default()
        };
        let items = key_facts.iter().map(item).collect();
        let label = label(fields::name(fields, "model")?, fields::share(fields, COMPLETENESS)?, items);
        let reference = fields::optional_text(fields, "reference")?;
        let key_facts = key_facts.into_iter().map(|fact| fact.text).collect();
        let (document, summary) = (field_text(fields, "document")?, field_text(fields, "summary")?);
        Ok(RowContent::text(document, summary, label).with_inputs(inputs(key_facts, reference.as_deref())))
    }
}

impl Benchmark for RealSumm {
    fn about(&self) -> About {
        let (place, usual_metric) = match self.dimension {
            Dimension::Completeness => (0, "finesure:completeness"),
            Dimension::Conciseness => (1, CONCISENESS),
        };
        let published = &published!("realsumm")[place..=place];
        let (usual_metric, comparison) = (Some(usual_metric), published.first());
        About { published, comparison, usual_metric, ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let RawRow { origin, mut fields } = row;
        if finesure::is_row(&fields) {
            return self.finesure_row(&mut fields);
        }
        if ratings::is_row(&fields) {
            return self.rated_row(&origin, &fields);
        }
        self.own_row(&mut fields)
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let rows: Vec<usize> = (0..cases.len()).collect();
        let is_finesure = cases.iter().any(|case| case.label.sentences.is_some());
        let rated = Rated::new(cases, scores, &rows);
        let rated = rated.ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 });
        rated.check(match self.dimension {
            Dimension::Completeness => "the share of key facts",
            Dimension::Conciseness => "the share of sentences with a key fact",
        })?;
        Ok(figures! { "dimension": self.dimension.name() }.and(rated.counts()).and(figures! {
            "pearson": rated.over_summaries(pearson),
            "spearman": rated.over_summaries(spearman),
            "system_spearman": rated.over_systems(spearman),
            "key_fact_agreement": with_people(cases),
            "agreement_of_people": alpha(&among_people(cases)),
            "warnings": rated.warning().into_iter().collect::<Vec<_>>(),
        }))
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let [summaries, documents, systems] =
            ["summaries", "documents", "systems"].map(|name| figures[name].cell());
        let what = match self.dimension {
            Dimension::Completeness => "key facts that people find",
            Dimension::Conciseness => "sentences in which people find a key fact",
        };
        let columns = [("Pearson", "pearson"), ("Spearman", "spearman"), ("system rank", "system_spearman")];
        let beside =
            self.about().published[0].beside_figures(name, columns.map(|(_, field)| &figures[field]));
        let mut lines = vec![
            format!("REALSumm: correlation with the share of {what}, times 100"),
            format!("{summaries} summaries of {documents} documents by {systems} systems"),
        ];
        lines.extend(beside.lines());
        let alphas = [("with most people", "key_fact_agreement"), ("among people", "agreement_of_people")];
        let alphas = alphas.iter().filter_map(|(who, field)| agreement(who, &figures[*field]));
        let alphas: Vec<String> = alphas.collect();
        if !alphas.is_empty() {
            lines.push(String::new());
            lines.extend(alphas);
            lines.push(PUBLISHED_ALPHA.to_owned());
        }
        lines.extend(figures.warnings());
        let headline = columns.map(|(name, field)| Column::of(name, &figures[field])).to_vec();
        Shown { lines, beside: vec![beside], headline }
    }
}

/// Returns the human rating of a system's summary, and the labels of its key facts.
fn label(system: String, rating: f64, items: Vec<Item>) -> Label {
    Label { stratum: system.clone(), system, consistent: rating > 0.5, rating, items, ..Label::default() }
}

fn agreement(who: &str, found: &Figures) -> Option<String> {
    let alpha = found["alpha"].value().map_or_else(|| "-".to_owned(), |alpha| format!("{alpha:.2}"));
    let key_facts = found["key_facts"].value()?;
    let unlabelled = found["unlabelled"].value().filter(|count| *count > 0.0);
    let beside = unlabelled
        .map_or_else(String::new, |count| format!("; left out: {count} key facts that people did not label"));
    Some(format!("Krippendorff's alpha on {key_facts} key facts, {who}: {alpha}{beside}"))
}

/// Returns Krippendorff's alpha, nominal, of several labels per item; `None` if all labels are equal.
fn alpha(items: &[Vec<bool>]) -> Figures {
    let number = |label: &bool| f64::from(u8::from(*label));
    let numbers: Vec<Vec<f64>> = items.iter().map(|labels| labels.iter().map(number).collect()).collect();
    let alpha = krippendorff_alpha(&numbers, Scale::Nominal).ok();
    Figures::or_absent((!items.is_empty()).then(|| figures! { "key_facts": items.len(), "alpha": alpha }))
}

/// Alpha between the answers and the human majority on the key facts with the same text. Other key facts, such as those that
/// a model extracted, have no label; they are counted.
fn with_people(cases: &[Case]) -> Figures {
    let (mut both, mut unlabelled) = (Vec::new(), 0);
    for case in cases {
        for fact in case.answers.key_facts.iter().flatten() {
            match case.label.items.iter().find(|item| item.text == fact.text) {
                Some(item) => both.extend(item.label.map(|label| vec![fact.is_found, label])),
                None => unlabelled += 1,
            }
        }
    }
    match (alpha(&both), unlabelled) {
        (Figures::Absent, 0) => Figures::Absent,
        (Figures::Absent, _) => figures! { "key_facts": 0, "alpha": None::<f64>, "unlabelled": unlabelled },
        (found, _) => found.and(figures! { "unlabelled": unlabelled }),
    }
}

/// Returns the votes on key facts with several annotators.
fn among_people(cases: &[Case]) -> Vec<Vec<bool>> {
    let votes = cases.iter().flat_map(|case| &case.label.items).map(|item| item.votes.clone());
    votes.filter(|votes| votes.len() > 1).collect()
}

/// The inputs of metrics.
fn inputs(key_facts: Vec<String>, reference: Option<&str>) -> MetricInputs {
    MetricInputs { key_facts, reference: reference.map(unmarked), ..MetricInputs::default() }
}

/// Puts each marked sentence of a text on a separate line.
fn unmarked(text: &str) -> String {
    let sentences = text.split("<t>").flat_map(|part| part.split("</t>")).map(str::trim);
    sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join("\n")
}

//! QAGS (Wang, Cho, Lewis, ACL 2020): the votes of several annotators on each sentence of a summary, in the authors' files
//! `mturk_cnndm.jsonl` and `mturk_xsum.jsonl` (article, summary_sentences: sentence, responses: worker_id, response yes or
//! no). A row's texts are its sentences, each judged separately, then the whole summary: the sentences joined by spaces. The
//! rating of a sentence is the share of yes, that of a summary the mean over its sentences.
//!
//! The authors' figure is Pearson's correlation with the share of sentences that have a majority of yes, for whole
//! summaries. The correlations with the mean of the votes, which is finer, precede it. Intervals are bootstrapped over rows,
//! each with all its sentences.

use clap::Args;
use serde::Deserialize;

use super::benchmark::{About, Benchmark, Case, Column, Item, Label, RowContent, Shown};
use super::decide::Scored;
use super::documents::{by_name, grouped};
use super::estimate::Estimate;
use super::figures::{Figures, figures};
use super::published::published;
use super::rated::Correlate;
use super::read::BenchError;
use super::text_level::TextLevel;
use super::{fields, layout, votes};
use crate::program::args::MeasureArgs;
use crate::program::commands::bench::Options;
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_stats::{kendall, pearson, roc_auc, spearman};

/// The beginning of the names of the authors' files.
const FILE_PREFIX: &str = "mturk_";

const SENTENCES: &str = "summary_sentences";

/// The benchmark with its options on the command line.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Qags {
    /// Judge only this [default: both]
    #[arg(long, value_enum)]
    pub level: Option<TextLevel>,
}

impl Options for Qags {
    fn open(&self, _: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        Ok(Box::new(*self))
    }
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
    fn about(&self) -> About {
        About { published: published!("qags"), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["article", SENTENCES])?;
        let document = field_text(&mut fields, "article")?;
        let what = "a list of objects with sentence and responses, these with response yes or no";
        let sentences: Vec<Sentence> = fields::parsed(&fields, SENTENCES, what)?;
        let texts = texts(&fields::file_stem(&row.origin.file, FILE_PREFIX), sentences)?;
        Ok(RowContent::texts(document, texts).at_level(self.level))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let scored = Scored { cases, scores };
        let texts = by_name(cases.iter().map(|case| (case.label.set.as_str(), case.label.level)).zip(0..));
        if texts.is_empty() {
            return Err(BenchError::Data("holds no texts to measure".into()));
        }
        let groups: Vec<Figures> =
            texts.into_iter().map(|((name, level), texts)| group(&scored, name, level, &texts)).collect();
        Ok(figures! { "groups": groups })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let groups = figures["groups"].list();
        let header =
            ["", "texts", "Pearson", "Spearman", "Kendall", "Pearson, majority", "ROC AUC, majority"];
        let fields = ["group", "texts", "pearson", "spearman", "kendall", "pearson_majority", "roc_auc"];
        let named = |group: &Figures| format!("{} {}", group["group"].text(), group["level"].text());
        let mut rows = layout::rows(&header, groups, &fields);
        rows.iter_mut().skip(1).zip(groups).for_each(|(row, group)| row[0] = named(group));
        let mut lines = vec![format!("QAGS, {name}: correlation with the mean of the votes, times 100")];
        lines.extend(layout::lines(&rows));
        // The figures of summaries, if they are judged.
        let has_summaries = groups.iter().any(|group| group["level"].text() == TextLevel::Summary.name());
        let beside = |name: &str| {
            let header = layout::cells(["Pearson of summaries, majority", "CNN/DM", "XSum"]);
            let table = &self.about().published[0];
            let of = |set: &String| figures["groups"].find(&[("group", set), ("level", "summary")]);
            let cells = table.columns.iter().map(|set| of(set)["pearson_majority"].cell());
            table.under(vec![header, std::iter::once(name.to_owned()).chain(cells).collect()])
        };
        if has_summaries {
            lines.push(String::new());
            lines.extend(beside("this one").lines());
        }
        Shown {
            lines,
            beside: if has_summaries { vec![beside(name)] } else { Vec::new() },
            headline: groups.iter().map(|group| Column::of(named(group), &group["pearson"])).collect(),
        }
    }
}

/// Returns the sentences, then the summary that they form.
fn texts(set: &str, sentences: Vec<Sentence>) -> Result<Vec<(String, Label)>, String> {
    if sentences.is_empty() {
        return Err(format!("field `{SENTENCES}` is empty"));
    }
    let label = |level, rating, items: Vec<Item>| Label {
        set: set.to_owned(),
        stratum: set.to_owned(),
        level,
        rating,
        consistent: items.iter().all(|item| item.label == Some(true)),
        items,
        ..Label::default()
    };
    let (count, mut sum) = (sentences.len() as f64, 0.0);
    let summary: Vec<&str> = sentences.iter().map(|sentence| sentence.sentence.trim()).collect();
    let summary = summary.join(" ");
    let (mut texts, mut items) = (Vec::with_capacity(sentences.len() + 1), Vec::new());
    for (number, Sentence { sentence, responses }) in sentences.into_iter().enumerate() {
        if responses.is_empty() {
            return Err(format!("sentence {} has no responses", number + 1));
        }
        let yes = responses.iter().filter(|response| response.response == Vote::Yes).count();
        let rating = yes as f64 / responses.len() as f64;
        let item = Item { label: Some(2 * yes > responses.len()), ..Item::default() };
        sum += rating;
        texts.push((sentence, label(TextLevel::Sentence, rating, vec![item.clone()])));
        items.push(item);
    }
    texts.push((summary, label(TextLevel::Summary, sum / count, items)));
    Ok(texts)
}

/// The share of a text's sentences with a majority of yes.
pub(crate) fn majority(label: &Label) -> f64 {
    let labels: Vec<Option<bool>> = label.items.iter().map(|item| item.label).collect();
    votes::share(&labels, true).unwrap_or_default()
}

/// The figures of the texts of one file and level.
fn group(scored: &Scored, name: &str, level: TextLevel, texts: &[usize]) -> Figures {
    let rows = grouped(texts.iter().map(|&text| (scored.cases[text].row, text)));
    let correlation = |correlate: Correlate, human: fn(&Label) -> f64| {
        Estimate::on_groups(&rows, |texts| {
            let scores: Vec<f64> = texts.iter().map(|text| scored.scores[*text]).collect();
            let human: Vec<f64> = texts.iter().map(|text| human(scored.label(*text))).collect();
            correlate(&scores, &human).ok().map(|found| found.coefficient)
        })
    };
    let ranking = || {
        Estimate::on_groups(&rows, |texts| {
            let (scores, labels) = scored.pairs(texts);
            roc_auc(&scores, &labels)
        })
    };
    figures! {
        "group": name,
        "level": level.name(),
        "texts": texts.len(),
        "pearson": correlation(pearson, |label| label.rating),
        "spearman": correlation(spearman, |label| label.rating),
        "kendall": correlation(kendall, |label| label.rating),
        "pearson_majority": correlation(pearson, majority),
        "roc_auc": if level == TextLevel::Sentence { ranking() } else { None },
    }
}

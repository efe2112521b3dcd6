//! AggreFact (Tang et al., ACL 2023): summaries of CNN/DM and XSum with labels from nine datasets, in the file
//! `aggre_fact_final.csv`. Summarizers are categorized as in its section 3; case matters.
//!
//! Multi-threshold: each (origin, category, dataset) with val and test rows has its own threshold; a cell (origin, category)
//! is the mean of its datasets' balanced accuracies, weighted by test rows, and the average is the plain mean of the six
//! cells. Single threshold: one per origin, tuned on all SOTA rows of val and measured on those of test. Half-widths follow
//! the authors' method for the single threshold: the score minus the 2.5th percentile on 1,000 subsamples of 80% of the test
//! rows, with the threshold fixed. For cells, which have none in the papers, the same is done in each dataset and propagated
//! through the means.

use std::process::ExitCode;

use clap::Args;

use super::benchmark::{About, Benchmark, Case, Column, Label, RowContent, Shown};
use super::decide::Scored;
use super::documents::by_name;
use super::estimate::Sampled;
use super::figures::{Figures, figures};
use super::published::{Beside, PublishedTable, published};
use super::read::BenchError;
use super::split::Split;
use super::{fields, layout};
use crate::program::args::MeasureArgs;
use crate::program::commands::bench::{self, Options};
use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_models::store::quoting::quoted_name;
use veridic_stats::Undefined;

/// The required columns; others, such as other systems' scores, are not read.
const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// The corpora of the articles: names in the file and in the papers.
const ORIGINS: [(&str, &str); 2] = [("cnndm", "CNN"), ("xsum", "XSum")];

/// Generations of summarizers, from fine-tuned pre-trained models and early Transformers to older models, each with its
/// models.
const CATEGORIES: [(&str, &[&str]); 3] = [
    (SOTA, &["BART", "PegasusDynamic", "T5", "Pegasus"]),
    ("XFORMER", &["BertSum", "BertExtAbs", "BertExt", "GPT2", "BERTS2S", "TranS2S"]),
    (
        "OLD",
        &[
            "FastAbsRl",
            "TConvS2S",
            "PtGen",
            "PtGenCoverage",
            "Summa",
            "BottomUp",
            "Seq2Seq",
            "TextRank",
            "missing",
            "ImproveAbs",
            "NEUSUM",
            "ClosedBookDecoder",
            "RNES",
            "BanditSum",
            "ROUGESal",
            "MultiTask",
            "UnifiedExtAbs",
        ],
    ),
];

const SOTA: &str = "SOTA";

/// The article's lead, and the reference.
const LEFT_OUT: [&str; 2] = ["LEAD3", "GOLD"];

/// The options on the command line.
#[derive(Debug, Args)]
pub(crate) struct AggreFactOptions {
    /// Measure each part of FENICE separately
    ///
    /// Sentences, then claims, then coreference, then all levels.
    #[arg(long)]
    ablation: bool,
}

impl Options for AggreFactOptions {
    fn open(&self, _: &MeasureArgs) -> anyhow::Result<Box<dyn Benchmark>> {
        Ok(Box::new(AggreFact))
    }

    fn run(&self, measure: &MeasureArgs) -> anyhow::Result<ExitCode> {
        match self.ablation {
            true => bench::ablation::run(&AggreFact, measure),
            false => bench::measure::run(&AggreFact, measure),
        }
    }
}

/// The benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct AggreFact;

fn tables() -> &'static [PublishedTable] {
    published!("aggrefact")
}

impl Benchmark for AggreFact {
    fn about(&self) -> About {
        About { published: tables(), comparison: Some(&tables()[2]), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent, String> {
        let mut fields = row.fields;
        fields::require(&fields, &COLUMNS)?;
        let name = fields::name(&fields, "model_name")?;
        let category = CATEGORIES.iter().find(|(_, models)| models.contains(&name.as_str()));
        let Some((kind, _)) = category else {
            return Ok(RowContent::LeftOut(match LEFT_OUT.contains(&name.as_str()) {
                true => format!("`{name}`, which the protocol leaves out"),
                false => format!("unknown model name {}", quoted_name(&name)),
            }));
        };
        let (set, corpus) = (fields::name(&fields, "dataset")?, fields::name(&fields, "origin")?);
        if ORIGINS.iter().all(|(origin, _)| *origin != corpus) {
            return Err("field `origin` must be cnndm or xsum".into());
        }
        let split = match fields::name(&fields, "cut")?.as_str() {
            "val" => Split::Val,
            "test" => Split::Test,
            _ => return Err("field `cut` must be val or test".into()),
        };
        let consistent = fields::label(&fields, "label")?;
        let stratum = format!("{corpus} {kind} {set} {} {consistent}", split.name());
        let kind = (*kind).to_owned();
        let label = Label { set, corpus, kind, split: Some(split), consistent, stratum, ..Label::default() };
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        Ok(RowContent::text(document, summary, label))
    }

    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        let mut run = Run { scored: Scored { cases, scores }, combinations: 0, warnings: Vec::new() };
        let (multi, single) = (run.multi_threshold()?, run.single_threshold()?);
        if multi["cells"].list().is_empty() && single["origins"].list().is_empty() {
            let reason = "no dataset has rows of both cuts, val and test, for one origin and category";
            return Err(BenchError::Data(reason.into()));
        }
        Ok(figures! { "multi_threshold": multi, "single_threshold": single, "warnings": run.warnings })
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let headline = headline(&figures["single_threshold"]);
        let beside =
            vec![multi_threshold(name, &figures["multi_threshold"]), beside(&tables()[1], name, &headline)];
        let mut lines = vec!["AggreFact, a threshold per dataset: balanced accuracy in percent".to_owned()];
        lines.extend(beside[0].lines());
        lines.push(String::new());
        lines.push("AggreFact-SOTA, one threshold per origin: balanced accuracy in percent".to_owned());
        lines.extend(beside[1].lines());
        lines.push(String::new());
        lines.push(format!("The datasets of {name}"));
        lines.extend(datasets(&figures["multi_threshold"]));
        lines.extend(figures.warnings());
        Shown { lines, beside, headline }
    }
}

/// Puts the cells into the columns of table 3.
fn multi_threshold(name: &str, figures: &Figures) -> Beside {
    let cells = ORIGINS.iter().flat_map(|(origin, title)| {
        CATEGORIES.map(|(category, _)| {
            let found = figures["cells"].find(&[("origin", origin), ("category", category)]);
            column(format!("{title} {category}"), found)
        })
    });
    let cells: Vec<Column> = cells.chain([column("AVG", &figures["average"])]).collect();
    beside(&tables()[0], name, &cells)
}

/// Returns the origins and their average.
fn headline(figures: &Figures) -> Vec<Column> {
    let of = |(origin, title): (&str, &str)| column(title, figures["origins"].find(&[("origin", origin)]));
    ORIGINS.map(of).into_iter().chain([column("AVG", &figures["average"])]).collect()
}

fn beside(table: &PublishedTable, name: &str, columns: &[Column]) -> Beside {
    let header = std::iter::once(String::new()).chain(columns.iter().map(|column| column.name.clone()));
    let own = std::iter::once(name.to_owned()).chain(columns.iter().map(|column| column.shown.clone()));
    table.under(vec![header.collect(), own.collect()])
}

fn column(name: impl Into<String>, score: &Figures) -> Column {
    Column { shown: shown(score), ..Column::of(name, &score["balanced_accuracy"]) }
}

/// Formats a balanced accuracy with its half-width.
fn shown(score: &Figures) -> String {
    let half_width = score["half_width"].value().map(|width| format!(" ±{:.1}", 100.0 * width));
    score["balanced_accuracy"].cell() + &half_width.unwrap_or_default()
}

fn datasets(figures: &Figures) -> Vec<String> {
    let title =
        |origin: &str| ORIGINS.iter().find(|(name, _)| *name == origin).map_or("", |(_, title)| *title);
    let row = |origin: &str, category: &str, of: &Figures| {
        let name = format!("{} {category} {}", title(origin), of["dataset"].text());
        vec![name, of["val_rows"].cell(), of["test_rows"].cell(), of["threshold"].threshold()]
    };
    let mut rows = vec![layout::cells(["", "val rows", "test rows", "threshold", "balanced accuracy"])];
    for cell in figures["cells"].list() {
        for dataset in cell["datasets"].list() {
            rows.push(row(cell["origin"].text(), cell["category"].text(), dataset));
            rows.last_mut().into_iter().for_each(|row| row.push(shown(dataset)));
        }
    }
    for skipped in figures["skipped"].list() {
        let mut cells = row(skipped["origin"].text(), skipped["category"].text(), skipped);
        cells.push("skipped".into());
        rows.push(cells);
    }
    layout::lines(&rows)
}

/// The protocols applied to a run.
struct Run<'c> {
    scored: Scored<'c>,
    /// The number of combinations processed: the seed of the next subsamples.
    combinations: u64,
    warnings: Vec<String>,
}

/// The figures of datasets, and each figure with its number of test rows.
type Datasets = (Vec<Figures>, Vec<(usize, Sampled)>);

/// The rows that tune a threshold and the rows on which it is measured.
struct Rows {
    val: Vec<usize>,
    test: Vec<usize>,
}

impl Run<'_> {
    fn multi_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut cells, mut sampled, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            for (category, _) in CATEGORIES {
                let (datasets, figures) = self.datasets(origin, category, &mut skipped)?;
                if let Some(cell) =
                    Sampled::mean(&figures.iter().map(|(rows, of)| (*rows, of)).collect::<Vec<_>>())
                {
                    let named = figures! { "origin": origin, "category": category };
                    cells.push(named.and(score(&cell)).and(figures! { "datasets": datasets }));
                    sampled.push(cell);
                }
            }
        }
        let average = self.average(&sampled, ORIGINS.len() * CATEGORIES.len(), "cells");
        Ok(figures! { "cells": cells, "average": average, "skipped": skipped })
    }

    /// Returns the figures of the datasets of a cell, and each with its number of test rows.
    fn datasets(
        &mut self,
        origin: &str,
        category: &str,
        skipped: &mut Vec<Figures>,
    ) -> Result<Datasets, Undefined> {
        let scored = self.scored;
        let of_cell = |label: &Label| label.corpus == origin && label.kind == category;
        let (mut datasets, mut figures) = (Vec::new(), Vec::new());
        let rows = scored.rows(of_cell).into_iter();
        for name in by_name(rows.map(|row| (scored.label(row).set.as_str(), row))).into_keys() {
            let rows = self.rows(|label| of_cell(label) && label.set == name);
            if rows.val.is_empty() || rows.test.is_empty() {
                skipped.push(figures! {
                    "origin": origin,
                    "category": category,
                    "dataset": name,
                    "val_rows": rows.val.len(),
                    "test_rows": rows.test.len(),
                });
                continue;
            }
            let called = format!("{origin} {category} {name}");
            let (combination, figure) = self.combination(origin, &rows, &called)?;
            datasets.push(figures! { "dataset": name }.and(combination));
            figures.extend(figure.map(|figure| (rows.test.len(), figure)));
        }
        Ok((datasets, figures))
    }

    fn single_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut origins, mut sampled) = (Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            let rows = self.rows(|label| label.corpus == origin && label.kind == SOTA);
            if rows.val.is_empty() || rows.test.is_empty() {
                continue;
            }
            let (combination, figure) =
                self.combination(origin, &rows, &format!("{origin} SOTA, all datasets"))?;
            origins.push(combination);
            sampled.extend(figure);
        }
        let average = self.average(&sampled, ORIGINS.len(), "origins under a single threshold");
        Ok(figures! { "origins": origins, "average": average })
    }

    /// Returns the plain mean of figures, if none is missing.
    fn average(&mut self, figures: &[Sampled], needed: usize, what: &str) -> Option<Figures> {
        if figures.len() < needed {
            let found = figures.len();
            self.warnings.push(format!("only {found} of {needed} {what} have val and test rows: no average"));
            return None;
        }
        Sampled::plain_mean(figures).map(|average| score(&average))
    }

    /// Tunes a threshold on val and measures it on test; both must have rows.
    fn combination(
        &mut self,
        origin: &str,
        rows: &Rows,
        called: &str,
    ) -> Result<(Figures, Option<Sampled>), Undefined> {
        let threshold = self.scored.tuned(&rows.val, (called, "val"), &mut self.warnings)?;
        self.scored.warn_of_one_label(&rows.test, (called, "test"), &mut self.warnings);
        let figure = Sampled::on_shares(rows.test.len(), self.combinations, |sample| {
            let rows: Vec<usize> = sample.iter().map(|&place| rows.test[place]).collect();
            self.scored.accuracy(&rows, threshold)
        });
        self.combinations += 1;
        let found = figures! {
            "origin": origin,
            "val_rows": rows.val.len(),
            "test_rows": rows.test.len(),
            "threshold": threshold,
        };
        let score = figure.as_ref().map_or(Figures::None, score);
        Ok((found.and(score), figure))
    }

    fn rows(&self, takes: impl Fn(&Label) -> bool) -> Rows {
        let of = |split| self.scored.rows(|label| label.split == Some(split) && takes(label));
        Rows { val: of(Split::Val), test: of(Split::Test) }
    }
}

fn score(figure: &Sampled) -> Figures {
    figures! { "balanced_accuracy": figure.value, "half_width": figure.half_width() }
}

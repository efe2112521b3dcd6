//! AggreFact (Tang et al., ACL 2023): summaries of CNN/DM and XSum with labels from nine datasets, in the file
//! `aggre_fact_final.csv`. Summarizers are categorized as in its section 3; case matters.
//!
//! Multi-threshold: each (origin, category, dataset) with val and test rows has its own threshold; a cell (origin, category)
//! is the mean of its datasets' balanced accuracies, weighted by test rows, and the average is the plain mean of the six
//! cells. Single threshold: one per origin, tuned on all SOTA rows of val and measured on those of test. Half-widths follow
//! the authors' method for the single threshold: the score minus the 2.5th percentile on 1,000 subsamples of 80% of the test
//! rows, with the threshold fixed. For cells, which have none in the papers, the same is done in each dataset and propagated
//! through the means.

use veridic::corpus::field_text;
use veridic::corpus::read::RawRow;
use veridic_models::store::quoting::quoted_name;
use veridic_stats::Undefined;

use crate::protocol::{
    About, BenchError, Benchmark, Beside, Case, Column, Figures, PublishedTable, RowContent, Sampled, Scored,
    Shown, Split, Text, by_name, fields, figures, layout, published,
};

/// The required columns; others, such as other systems' scores, are not read.
const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// The corpora of the articles: names in the file and in the papers.
const ORIGINS: [(&str, &str); 2] = [("cnndm", "CNN"), ("xsum", "XSum")];

const SOTA: &str = "SOTA";

/// Generations of summarizers, from fine-tuned pre-trained models and early Transformers to older models, each with its
/// models.
const CATEGORIES: [(&str, &str); 3] = [
    (SOTA, "BART PegasusDynamic T5 Pegasus"),
    ("XFORMER", "BertSum BertExtAbs BertExt GPT2 BERTS2S TranS2S"),
    (
        "OLD",
        "FastAbsRl TConvS2S PtGen PtGenCoverage Summa BottomUp Seq2Seq TextRank missing ImproveAbs NEUSUM \
         ClosedBookDecoder RNES BanditSum ROUGESal MultiTask UnifiedExtAbs",
    ),
];

/// The article's lead, and the reference.
const LEFT_OUT: [&str; 2] = ["LEAD3", "GOLD"];

/// The benchmark.
#[derive(Debug, Clone, Copy, Default)]
pub struct AggreFact;

/// Where a summary is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) dataset: String,
    /// The corpus of its article.
    pub(crate) origin: String,
    /// The generation of its summarizer.
    pub(crate) category: &'static str,
    pub(crate) cut: Split,
}

fn tables() -> &'static [PublishedTable] {
    published!("aggrefact")
}

impl Benchmark for AggreFact {
    type Label = Label;

    fn about(&self) -> About {
        About { published: tables(), comparison: Some(&tables()[2]), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &COLUMNS)?;
        let model = fields::name(&fields, "model_name")?;
        let Some(category) = category(&model) else {
            let reason = if LEFT_OUT.contains(&model.as_str()) {
                format!("`{model}`, which the protocol leaves out")
            } else {
                format!("unknown model name {}", quoted_name(&model))
            };
            return Ok(RowContent::LeftOut(reason));
        };
        let (dataset, origin) = (fields::name(&fields, "dataset")?, fields::name(&fields, "origin")?);
        if ORIGINS.iter().all(|(known, _)| *known != origin) {
            return Err("field `origin` must be cnndm or xsum".into());
        }
        let cut = match fields::name(&fields, "cut")?.as_str() {
            "val" => Split::Val,
            "test" => Split::Test,
            _ => return Err("field `cut` must be val or test".into()),
        };
        let is_consistent = fields::label(&fields, "label")?;
        let stratum = format!("{origin} {category} {dataset} {} {is_consistent}", cut.name());
        let (document, summary) = (field_text(&mut fields, "doc")?, field_text(&mut fields, "summary")?);
        let label = Label { dataset, origin, category, cut };
        Ok(RowContent::text(document, Text::new(summary, is_consistent, stratum, label)))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
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
    let mut rows = vec![layout::cells(["", "val rows", "test rows", "threshold", "balanced accuracy"])];
    for cell in figures["cells"].list() {
        let datasets = cell["datasets"].list();
        rows.extend(datasets.iter().map(|dataset| dataset_row(cell, dataset, shown(dataset))));
    }
    let skipped = figures["skipped"].list();
    rows.extend(skipped.iter().map(|skipped| dataset_row(skipped, skipped, "skipped".to_owned())));
    layout::lines(&rows)
}

fn dataset_row(cell: &Figures, dataset: &Figures, accuracy: String) -> Vec<String> {
    let origin = ORIGINS.iter().find(|(name, _)| *name == cell["origin"].text());
    let origin = origin.map_or("", |(_, title)| *title);
    let name = format!("{origin} {} {}", cell["category"].text(), dataset["dataset"].text());
    let [val, test] = ["val_rows", "test_rows"].map(|rows| dataset[rows].cell());
    vec![name, val, test, dataset["threshold"].threshold(), accuracy]
}

fn category(model: &str) -> Option<&'static str> {
    let has = |models: &str| models.split(' ').any(|known| known == model);
    CATEGORIES.into_iter().find(|(_, models)| has(models)).map(|(category, _)| category)
}

/// The protocols applied to a run.
struct Run<'c> {
    scored: Scored<'c, Label>,
    /// The number of combinations processed: the seed of the next subsamples.
    combinations: u64,
    warnings: Vec<String>,
}

/// The rows that tune a threshold and the rows on which it is measured.
struct Rows {
    val: Vec<usize>,
    test: Vec<usize>,
}

/// What one threshold achieves.
struct Combination {
    figures: Figures,
    test_rows: usize,
    accuracy: Option<Sampled>,
}

impl Run<'_> {
    fn multi_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut cells, mut sampled, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            for (category, _) in CATEGORIES {
                let datasets = self.datasets(origin, category, &mut skipped)?;
                let weighted = datasets.iter().filter_map(|of| Some((of.test_rows, of.accuracy.as_ref()?)));
                let Some(cell) = Sampled::mean(&weighted.collect::<Vec<_>>()) else { continue };
                let named = figures! { "origin": origin, "category": category };
                let datasets: Vec<Figures> = datasets.into_iter().map(|of| of.figures).collect();
                cells.push(named.and(score(&cell)).and(figures! { "datasets": datasets }));
                sampled.push(cell);
            }
        }
        let average = self.average(&sampled, ORIGINS.len() * CATEGORIES.len(), "cells");
        Ok(figures! { "cells": cells, "average": average, "skipped": skipped })
    }

    /// Returns the datasets of a cell that have rows of both cuts.
    fn datasets(
        &mut self,
        origin: &str,
        category: &str,
        skipped: &mut Vec<Figures>,
    ) -> Result<Vec<Combination>, Undefined> {
        let cases = self.scored.cases;
        let of_cell = |label: &Label| label.origin == origin && label.category == category;
        let labels = cases.iter().map(|case| &case.label).filter(|label| of_cell(label));
        let mut datasets = Vec::new();
        for dataset in by_name(labels.map(|label| (label.dataset.as_str(), ()))).into_keys() {
            let rows = self.rows(|label| of_cell(label) && label.dataset == dataset);
            if rows.val.is_empty() || rows.test.is_empty() {
                skipped.push(figures! {
                    "origin": origin,
                    "category": category,
                    "dataset": dataset,
                    "val_rows": rows.val.len(),
                    "test_rows": rows.test.len(),
                });
                continue;
            }
            let found = self.combination(origin, &rows, &format!("{origin} {category} {dataset}"))?;
            datasets
                .push(Combination { figures: figures! { "dataset": dataset }.and(found.figures), ..found });
        }
        Ok(datasets)
    }

    fn single_threshold(&mut self) -> Result<Figures, Undefined> {
        let (mut origins, mut sampled) = (Vec::new(), Vec::new());
        for (origin, _) in ORIGINS {
            let rows = self.rows(|label| label.origin == origin && label.category == SOTA);
            if rows.val.is_empty() || rows.test.is_empty() {
                continue;
            }
            let found = self.combination(origin, &rows, &format!("{origin} SOTA, all datasets"))?;
            origins.push(found.figures);
            sampled.extend(found.accuracy);
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
    fn combination(&mut self, origin: &str, rows: &Rows, called: &str) -> Result<Combination, Undefined> {
        let (scored, Rows { val, test }) = (&self.scored, rows);
        self.warnings.extend(scored.one_label_warning(val, called, "val"));
        let threshold = scored.tuned(val)?;
        self.warnings.extend(scored.one_label_warning(test, called, "test"));
        let accuracy = Sampled::on_shares(test.len(), self.combinations, |sample| {
            let rows: Vec<usize> = sample.iter().map(|&place| test[place]).collect();
            scored.accuracy(&rows, threshold)
        });
        self.combinations += 1;
        let found = figures! {
            "origin": origin,
            "val_rows": val.len(),
            "test_rows": test.len(),
            "threshold": threshold,
        };
        let score = accuracy.as_ref().map_or(Figures::None, score);
        Ok(Combination { figures: found.and(score), test_rows: test.len(), accuracy })
    }

    fn rows(&self, takes: impl Fn(&Label) -> bool) -> Rows {
        let of = |cut| self.scored.rows(|label| label.cut == cut && takes(label));
        Rows { val: of(Split::Val), test: of(Split::Test) }
    }
}

fn score(figure: &Sampled) -> Figures {
    figures! { "balanced_accuracy": figure.value, "half_width": figure.half_width() }
}

//! FRANK's tables: summaries, sentences, and both beside the published figures.

use super::protocol::{Correlations, Figures, Part, Ratings};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// Figures of other metrics.
pub(super) static PUBLISHED: [PublishedTable; 2] = [FAITHFULNESS, LOCALISATION];

static FAITHFULNESS_BY_FACTUALITY: PublishedTable = PublishedTable {
    differs: &[
        Deviation::of(
            &["Pearson", "Spearman", "system rank"],
            "people's ratings are FRANK's `Factuality` of a summary, not the share of its sentences",
        ),
        THRESHOLD,
    ],
    ..FAITHFULNESS
};

static FAITHFULNESS_BY_SENTENCES: PublishedTable = FAITHFULNESS;

static ERROR_TYPES: PublishedTable = LOCALISATION;

const THRESHOLD: Deviation = Deviation::of(
    &["sentences, balanced accuracy"],
    "unless sentences are answered yes or no, as by FineSurE, a threshold is tuned on FRANK's validation part or set by \
     --decide-at",
);

const FAITHFULNESS: PublishedTable = PublishedTable {
    table: "faithfulness",
    source: "Song et al. 2024 (FineSurE), table 1: faithfulness on all of FRANK, correlations times 100; sentences by \
             a language model's yes or no, without threshold",
    columns: &["Pearson", "Spearman", "system rank", "sentences, balanced accuracy"],
    rows: &[
        PublishedRow::new("ROUGE-1", &[Some(32.4), Some(33.2), Some(88.3), None]),
        PublishedRow::new("ROUGE-2", &[Some(38.4), Some(31.5), Some(94.7), None]),
        PublishedRow::new("ROUGE-L", &[Some(17.5), Some(18.0), Some(66.7), None]),
        PublishedRow::new("BERTScore", &[Some(0.8), Some(0.0), Some(-13.3), None]),
        PublishedRow::new("BARTScore", &[Some(71.7), Some(73.6), Some(93.7), None]),
        PublishedRow::new("SummaC-Conv", &[Some(82.8), Some(81.4), Some(88.3), None]),
        PublishedRow::new("UniEval", &[Some(74.3), Some(77.2), Some(98.3), None]),
        PublishedRow::new("QAFactEval", &[Some(84.1), Some(81.3), Some(93.3), None]),
        PublishedRow::new("G-Eval (GPT-4)", &[Some(84.1), Some(83.4), Some(95.0), None]),
        PublishedRow::new("FineSurE (GPT-4)", some![83.3, 83.9, 95.0, 86.4]),
    ],
    set_up: "GPT-4 answers for each sentence whether it has an error; a summary's score is the share without",
    differs: &[THRESHOLD],
};

const LOCALISATION: PublishedTable = PublishedTable {
    table: "types of errors",
    source: "Song et al. 2024 (FineSurE), table 2: share of sentences whose type of error is right, by type, in percent",
    columns: &["OutE", "EntE", "PredE", "CirE", "GramE", "LinkE", "CorefE", "mean"],
    rows: &[
        PublishedRow::new("random guessing", some![14.3, 14.3, 14.3, 14.3, 14.3, 14.3, 14.3, 14.3]),
        PublishedRow::new("BART-large, fine-tuned", some![56.7, 36.9, 14.8, 34.0, 21.4, 0.0, 40.0, 29.1]),
        PublishedRow::new("FineSurE (GPT-4)", some![50.2, 63.7, 41.9, 38.1, 44.6, 19.4, 37.8, 42.2]),
    ],
    set_up: "GPT-4 names the category of each sentence of a summary",
    differs: &[Deviation::of_all(
        "a sentence's type is the one that most annotators name, at least two of three; the paper does not say how theirs \
         are joined, nor whether sentences that are answered to have no error count, which they do here",
    )],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["FRANK: correlation with what people say of summaries, times 100".to_owned()];
    lines.extend(summaries(name, figures));
    if figures.parts.iter().any(|part| part.sentences.is_some()) {
        lines.push(String::new());
        lines.extend(sentences(figures));
    }
    lines.push(String::new());
    let tables: Vec<Vec<String>> = beside(name, figures).iter().map(Beside::lines).collect();
    lines.extend(tables.join(&String::new()));
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// Each part in the columns of the published tables that it has figures for.
pub(super) fn beside(name: &str, figures: &Figures) -> Vec<Beside> {
    let mut tables = vec![faithfulness(name, figures)];
    let of_part = |part: &Part| {
        let found = part.localisation.as_ref()?;
        let recalls = found.types.iter().map(|of| of.recall).chain([found.mean]).map(layout::percent);
        Some((format!("{name}, {}", part.part), recalls.collect::<Vec<_>>()))
    };
    if figures.parts.iter().any(|part| part.localisation.is_some()) {
        tables.push(ERROR_TYPES.beside(figures.parts.iter().filter_map(of_part)));
    }
    tables
}

fn faithfulness(name: &str, figures: &Figures) -> Beside {
    let table = match figures.ratings {
        Ratings::Factuality => &FAITHFULNESS_BY_FACTUALITY,
        Ratings::Sentences => &FAITHFULNESS_BY_SENTENCES,
    };
    table.beside(figures.parts.iter().map(|part| {
        let accuracy = part.sentences.as_ref().and_then(|sentences| sentences.balanced_accuracy);
        let of = &part.correlations;
        let figures = [of.pearson, of.spearman, of.system_spearman, accuracy].map(layout::value);
        (format!("{name}, {}", part.part), figures)
    }))
}

fn summaries(name: &str, figures: &Figures) -> Vec<String> {
    let header = [
        "summaries",
        "documents",
        "systems",
        "Pearson",
        "Spearman",
        "partial Pearson",
        "partial Spearman",
        "system rank",
    ];
    let mut rows = vec![cells(std::iter::once(name).chain(header))];
    rows.extend(figures.parts.iter().map(|part| summary_row(part.part, &part.correlations)));
    for part in &figures.parts {
        for other in &part.other_metrics {
            let mut row = summary_row(&format!("{}: {}", part.part, other.metric), &other.correlations);
            row.push(other.williams_p.map_or_else(|| "-".into(), |p| format!("{p:.4}")));
            rows.push(row);
        }
    }
    if rows.iter().any(|row| row.len() > rows[0].len()) {
        rows[0].push("Williams p".into());
    }
    layout::lines(&rows)
}

fn summary_row(name: &str, of: &Correlations) -> Vec<String> {
    let counts = [of.summaries, of.documents, of.systems].map(|count| count.to_string());
    let figures = [of.pearson, of.spearman, of.partial_pearson, of.partial_spearman, of.system_spearman];
    std::iter::once(name.to_owned()).chain(counts).chain(figures.map(Estimate::shown)).collect()
}

fn sentences(figures: &Figures) -> Vec<String> {
    let mut rows = vec![cells(["sentences", "count", "faithful", "balanced accuracy", "ROC AUC"])];
    for part in &figures.parts {
        let Some(sentences) = &part.sentences else { continue };
        rows.push(vec![
            part.part.to_owned(),
            sentences.sentences.to_string(),
            sentences.faithful.to_string(),
            Estimate::shown(sentences.balanced_accuracy),
            Estimate::shown(sentences.roc_auc),
        ]);
    }
    let mut lines = layout::lines(&rows);
    if let Some(threshold) = figures.threshold {
        lines.push(format!("a sentence is called faithful above {threshold:.4}"));
    }
    lines
}

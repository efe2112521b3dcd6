//! FRANK's tables: summaries, sentences, and both beside the published figures.

use super::protocol::{Correlations, Figures};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// Figures of other metrics.
pub(super) static PUBLISHED: [PublishedTable; 1] = [FAITHFULNESS];

static FAITHFULNESS: PublishedTable = PublishedTable {
    table: "faithfulness",
    source: "Song et al. 2024 (FineSurE), table 1: faithfulness on all of FRANK, correlations times 100; sentences by \
             a language model's yes or no, without threshold",
    columns: &["Pearson", "Spearman", "system rank", "sentences, balanced accuracy"],
    rows: &[
        PublishedRow::new("ROUGE-1", &[Some(32.4), Some(33.2), Some(88.3), None]),
        PublishedRow::new("SummaC-Conv", &[Some(82.8), Some(81.4), Some(88.3), None]),
        PublishedRow::new("QAFactEval", &[Some(84.1), Some(81.3), Some(93.3), None]),
        PublishedRow::new("G-Eval (GPT-4)", &[Some(84.1), Some(83.4), Some(95.0), None]),
        PublishedRow::new("FineSurE (GPT-4)", some![83.3, 83.9, 95.0, 86.4]),
    ],
    set_up: "GPT-4 answers for each sentence whether it has an error; a summary's score is the share without",
    differs: &[
        Deviation::of(
            &["Pearson", "Spearman", "system rank"],
            "people's ratings are FRANK's `Factuality` of a summary, not the share of its sentences",
        ),
        Deviation::of(
            &["sentences, balanced accuracy"],
            "a threshold is tuned on FRANK's validation part unless --decide-at sets it; FineSurE answers yes or no",
        ),
    ],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["FRANK: correlation with what people say of summaries, times 100".to_owned()];
    lines.extend(summaries(name, figures));
    if figures.parts.iter().any(|part| part.sentences.is_some()) {
        lines.push(String::new());
        lines.extend(sentences(figures));
    }
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// Each part in the columns of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    FAITHFULNESS.beside(figures.parts.iter().map(|part| {
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

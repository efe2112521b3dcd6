//! LLM-AggreFact's tables: the datasets, and the mean beside those of the leaderboard.

use super::protocol::Figures;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// The means on the authors' leaderboard and in a later paper.
pub(super) static PUBLISHED: [PublishedTable; 1] = [MEANS];

static MEANS: PublishedTable = PublishedTable {
    table: "mean",
    source: "llm-aggrefact.github.io and Lei et al. 2025 (FactCG), means over all 11 datasets of test",
    columns: &["mean"],
    rows: &[
        PublishedRow::new("Bespoke-MiniCheck-7B", some![77.4]),
        PublishedRow::new("FactCG-DeBERTa-L", some![75.6]),
        PublishedRow::new("MiniCheck-FT5", some![75.0]),
        PublishedRow::new("MiniCheck-RoBERTa", some![73.5]),
        PublishedRow::new("MiniCheck-DeBERTa", some![73.1]),
        PublishedRow::new("AlignScore", some![70.5]),
        PublishedRow::new("SummaC-ZS", some![67.7]),
    ],
    set_up: "each checker reads a claim as one text beside its document, in chunks; supported above 0.5",
    differs: &[Deviation::of_all(
        "by default a claim is split by --claims; --claims sentence reads each sentence as one text",
    )
    .of_scoring()],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut rows = vec![cells([name, "rows", "supported", "threshold", "balanced accuracy"])];
    for dataset in &figures.datasets {
        rows.push(vec![
            dataset.dataset.clone(),
            dataset.rows.to_string(),
            dataset.supported.to_string(),
            format!("{:.4}", dataset.threshold),
            dataset.balanced_accuracy.percent(),
        ]);
    }
    let mut lines = vec!["LLM-AggreFact: balanced accuracy in percent".to_owned()];
    lines.extend(layout::lines(&rows));
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The mean in the column of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    MEANS.beside([(name.to_owned(), [figures.mean.percent()])])
}

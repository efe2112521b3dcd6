//! REALSumm's table: the correlations, with those of other metrics below.

use super::protocol::Figures;
use crate::estimate::Estimate;
use crate::layout;
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// Figures of other metrics.
pub(super) static PUBLISHED: [PublishedTable; 1] = [COMPLETENESS];

static COMPLETENESS: PublishedTable = PublishedTable {
    table: "completeness",
    source: "Song et al. 2024 (FineSurE), table 3: completeness on REALSumm, correlations times 100",
    columns: &["Pearson", "Spearman", "system rank"],
    rows: &[
        PublishedRow::new("ROUGE-1", some![48.4, 46.1, 51.6]),
        PublishedRow::new("ROUGE-2", some![45.6, 46.1, 46.3]),
        PublishedRow::new("ROUGE-L", some![42.5, 42.8, 23.8]),
        PublishedRow::new("BERTScore", some![45.5, 44.3, 61.9]),
        PublishedRow::new("BARTScore", some![21.6, 19.9, 65.3]),
        PublishedRow::new("UniEval", some![13.4, 18.0, 34.6]),
        PublishedRow::new("G-Eval (GPT-4)", some![31.4, 29.5, 90.8]),
        PublishedRow::new("FineSurE (GPT-4, key facts of people)", some![68.8, 67.7, 94.9]),
        PublishedRow::new("FineSurE (GPT-4, key facts of GPT-4)", some![57.1, 54.6, 90.5]),
    ],
    set_up: "GPT-4 names the sentences of the summary that each key fact can be inferred from",
    differs: &[Deviation::of_all("a summary without text is left out; the paper counts its scores as 0")],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let Figures { summaries, documents, systems, .. } = figures;
    let mut lines = vec![
        "REALSumm: correlation with the share of key facts that people find, times 100".to_owned(),
        format!("{summaries} summaries of {documents} documents by {systems} systems"),
    ];
    lines.extend(beside(name, figures).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The figures in the columns of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    let own = [figures.pearson, figures.spearman, figures.system_spearman].map(Estimate::shown);
    COMPLETENESS.beside([(name.to_owned(), own)])
}

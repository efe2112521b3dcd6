//! REALSumm's table: the correlations, and those of other metrics below them.

use super::protocol::Figures;
use crate::layout::{self, cells};
use crate::published::{PublishedRow, PublishedTable};
use crate::sampled::Estimate;

/// What others report.
pub(super) static PUBLISHED: [PublishedTable; 1] = [COMPLETENESS];

const COMPLETENESS: PublishedTable = PublishedTable {
    table: "completeness",
    source: "Song et al. 2024 (FineSurE), table 3: completeness on REALSumm, correlations times 100",
    columns: &["Pearson", "Spearman", "system rank"],
    rows: &[
        PublishedRow::new("ROUGE-1", &[Some(48.4), Some(46.1), Some(51.6)]),
        PublishedRow::new("ROUGE-2", &[Some(45.6), Some(46.1), Some(46.3)]),
        PublishedRow::new("ROUGE-L", &[Some(42.5), Some(42.8), Some(23.8)]),
        PublishedRow::new("BERTScore", &[Some(45.5), Some(44.3), Some(61.9)]),
        PublishedRow::new("BARTScore", &[Some(21.6), Some(19.9), Some(65.3)]),
        PublishedRow::new("UniEval", &[Some(13.4), Some(18.0), Some(34.6)]),
        PublishedRow::new("G-Eval (GPT-4)", &[Some(31.4), Some(29.5), Some(90.8)]),
        PublishedRow::new("FineSurE (GPT-4, key facts of people)", &[Some(68.8), Some(67.7), Some(94.9)]),
        PublishedRow::new("FineSurE (GPT-4, key facts of GPT-4)", &[Some(57.1), Some(54.6), Some(90.5)]),
    ],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let Figures { summaries, documents, systems, .. } = figures;
    let own = vec![
        name.to_owned(),
        Estimate::shown(figures.pearson),
        Estimate::shown(figures.spearman),
        Estimate::shown(figures.system_spearman),
    ];
    let mut lines = vec![
        "REALSumm: correlation with the share of key facts that people find, times 100".to_owned(),
        format!("{summaries} summaries of {documents} documents by {systems} systems"),
    ];
    let header = std::iter::once("").chain(COMPLETENESS.columns.iter().copied());
    lines.extend(COMPLETENESS.under(vec![cells(header), own]));
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

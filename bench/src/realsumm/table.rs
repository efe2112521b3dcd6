//! REALSumm's table: the correlations, with those of other metrics below, and the agreement on key facts.

use super::protocol::Figures;
use super::{Agreement, Dimension};
use crate::estimate::Estimate;
use crate::layout;
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

static COMPLETENESS: [PublishedTable; 1] = [PublishedTable {
    table: "completeness",
    source: "Song et al. 2024 (FineSurE), table 3a: completeness on REALSumm, correlations times 100",
    columns: &COLUMNS,
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
    set_up: SET_UP,
    differs: &DIFFERS,
}];

static CONCISENESS: [PublishedTable; 1] = [PublishedTable {
    table: "conciseness",
    source: "Song et al. 2024 (FineSurE), table 3b: conciseness on REALSumm, correlations times 100",
    columns: &COLUMNS,
    rows: &[
        PublishedRow::new("ROUGE-1", some![38.7, 37.1, 33.2]),
        PublishedRow::new("ROUGE-2", some![32.8, 33.7, 29.0]),
        PublishedRow::new("ROUGE-L", some![31.0, 32.1, 8.3]),
        PublishedRow::new("BERTScore", some![41.6, 40.5, 78.3]),
        PublishedRow::new("BARTScore", some![24.1, 21.0, 82.4]),
        PublishedRow::new("UniEval", some![8.6, 12.8, -17.6]),
        PublishedRow::new("G-Eval (GPT-4)", some![31.4, 27.7, 58.2]),
        PublishedRow::new("FineSurE (GPT-4, key facts of people)", some![50.5, 45.1, 88.0]),
        PublishedRow::new("FineSurE (GPT-4, key facts of GPT-4)", some![43.8, 39.9, 91.1]),
    ],
    set_up: SET_UP,
    differs: &DIFFERS,
}];

const COLUMNS: [&str; 3] = ["Pearson", "Spearman", "system rank"];

const SET_UP: &str = "GPT-4 names the sentences of the summary that each key fact can be inferred from";

const DIFFERS: [Deviation; 1] = [Deviation::of_all(
    "only FineSurE scores a summary without text, as 0; for other metrics it is left out",
)];

/// What the paper reports of single key facts.
const PUBLISHED_ALPHA: &str =
    "published: FineSurE 0.65 with people; 0.66 among people (section 4, Song et al. 2024)";

/// Figures of other metrics.
pub(super) fn published(dimension: Dimension) -> &'static [PublishedTable] {
    match dimension {
        Dimension::Completeness => &COMPLETENESS,
        Dimension::Conciseness => &CONCISENESS,
    }
}

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let Figures { summaries, documents, systems, .. } = figures;
    let what = match figures.dimension {
        Dimension::Completeness => "key facts that people find",
        Dimension::Conciseness => "sentences in which people find a key fact",
    };
    let mut lines = vec![
        format!("REALSumm: correlation with the share of {what}, times 100"),
        format!("{summaries} summaries of {documents} documents by {systems} systems"),
    ];
    lines.extend(beside(name, figures).lines());
    let alphas =
        [("with most people", figures.key_fact_agreement), ("among people", figures.agreement_of_people)];
    let alphas: Vec<String> =
        alphas.iter().filter_map(|(who, found)| found.map(|found| agreement(who, found))).collect();
    if !alphas.is_empty() {
        lines.push(String::new());
        lines.extend(alphas);
        lines.push(PUBLISHED_ALPHA.to_owned());
    }
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

fn agreement(who: &str, found: Agreement) -> String {
    let alpha = found.alpha.map_or_else(|| "-".to_owned(), |alpha| format!("{alpha:.2}"));
    format!("Krippendorff's alpha on {} key facts, {who}: {alpha}", found.key_facts)
}

/// The figures in the columns of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    let own = [figures.pearson, figures.spearman, figures.system_spearman].map(Estimate::shown);
    published(figures.dimension)[0].beside([(name.to_owned(), own)])
}

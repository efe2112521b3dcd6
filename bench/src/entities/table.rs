//! The table of the agreement, beside the paper's.

use super::{Axis, AxisAgreement, EntityAgreement};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

static KAPPA: PublishedTable = PublishedTable {
    table: "kappa",
    source: "Yuan et al. (SumAutoEval), table 1: Cohen's kappa times 100 on 30 medical notes",
    columns: &["completeness", "correctness", "alignment", "readability"],
    rows: &[
        PublishedRow::new("ROUGE-1", &[Some(28.0), Some(25.0), None, None]),
        PublishedRow::new("ROUGE-L", &[Some(24.0), Some(20.0), None, None]),
        PublishedRow::new("SumAutoEval, Sonnet", some![59.0, 41.0, 52.0, 47.0]),
        PublishedRow::new("SumAutoEval, GPT-4o", some![81.0, 54.0, 60.0, 47.0]),
    ],
    set_up: "language models find entities, ask three questions about each and vote; people label the same notes",
    differs: &[
        Deviation::of_all("the paper's notes are not public: these labels are yours"),
        Deviation::of_all(
            "the paper does not say which answers it tells apart: here all five, as they are labelled",
        ),
        Deviation::of(&["alignment"], "it is called organization in the paper's table"),
    ],
};

/// The paper's table.
#[must_use]
pub fn published() -> &'static PublishedTable {
    &KAPPA
}

/// The agreement as the lines of a table, with the published rows.
#[must_use]
pub fn table(name: &str, figures: &EntityAgreement) -> Vec<String> {
    let mut rows = vec![cells([
        "people's labels",
        "compared",
        "no entity",
        "kappa",
        "kappa, found or not",
        "same answer",
    ])];
    rows.extend(figures.axes.iter().map(|found: &AxisAgreement| {
        let mut row = vec![found.axis.to_string(), found.labels.to_string(), found.unmatched.to_string()];
        row.extend([found.kappa, found.kappa_found, found.agreement].map(Estimate::shown));
        row
    }));
    let mut lines =
        vec![format!("Answers about entities in {} rows against people's, times 100", figures.rows)];
    lines.extend(layout::lines(&rows));
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    lines
}

/// Kappa of the answers in the columns of the published table.
#[must_use]
pub fn beside(name: &str, figures: &EntityAgreement) -> Beside {
    let of = |axis: Axis| {
        let found = figures.axes.iter().find(|found| found.axis == axis);
        layout::value(found.and_then(|found| found.kappa))
    };
    KAPPA.beside([(name.to_owned(), Axis::ALL.map(of))])
}

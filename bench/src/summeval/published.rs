//! The correlations on SummEval in the paper of SumAutoEval (Yuan et al., table 3), times 100.

use super::Dimension;
use crate::published::{Deviation, PublishedRow, PublishedTable, some};

/// The table of a dimension.
pub(super) fn table(dimension: Dimension) -> &'static PublishedTable {
    match dimension {
        Dimension::Coherence => &COHERENCE,
        Dimension::Consistency => &CONSISTENCY,
        Dimension::Fluency => &FLUENCY,
        Dimension::Relevance => &RELEVANCE,
    }
}

const SOURCE: &str = "Yuan et al. (SumAutoEval), table 3: over a selection of summaries; outliers are some ten that the authors picked";

const COLUMNS: &[&str] = &["rho", "tau"];

const SET_UP: &str = "GPT-4 answers about entities (consistency, relevance) or sentences (coherence, fluency); ratings are \
                      the experts' means on one summary an article where they agree";

const SELECTION: Deviation = Deviation::of_all(
    "the paper does not list its summaries; --agreed takes of each article the one whose experts differ least, and \
     without it all are measured",
);

const OUTLIERS: Deviation =
    Deviation::of_all("no summary is left out as an outlier: the paper does not list them");

static CONSISTENCY: PublishedTable = PublishedTable {
    table: "consistency",
    source: SOURCE,
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("G-Eval", some![61.0, 57.0]),
        PublishedRow::new("G-Eval, without outliers", some![62.0, 58.0]),
        PublishedRow::new("SumAutoEval", some![65.0, 60.0]),
        PublishedRow::new("SumAutoEval, without outliers", some![70.0, 65.0]),
    ],
    set_up: SET_UP,
    differs: &[SELECTION, OUTLIERS],
};

static RELEVANCE: PublishedTable = PublishedTable {
    table: "relevance",
    source: SOURCE,
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("G-Eval", some![67.0, 58.0]),
        PublishedRow::new("G-Eval, without outliers", some![67.0, 59.0]),
        PublishedRow::new("SumAutoEval", some![54.0, 42.0]),
        PublishedRow::new("SumAutoEval, without outliers", some![70.0, 58.0]),
    ],
    set_up: SET_UP,
    differs: &[
        SELECTION,
        OUTLIERS,
        Deviation::of_all(
            "the paper leaves out two articles without an entity in five references; here those that have none by --claims",
        ),
    ],
};

static COHERENCE: PublishedTable = PublishedTable {
    table: "coherence",
    source: SOURCE,
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("G-Eval", some![56.0, 48.0]),
        PublishedRow::new("G-Eval, without outliers", some![60.0, 52.0]),
        PublishedRow::new("SumAutoEval", some![60.0, 49.0]),
        PublishedRow::new("SumAutoEval, without outliers", some![75.0, 62.0]),
    ],
    set_up: SET_UP,
    differs: &[SELECTION, OUTLIERS],
};

static FLUENCY: PublishedTable = PublishedTable {
    table: "fluency",
    source: SOURCE,
    columns: COLUMNS,
    rows: &[
        PublishedRow::new("G-Eval", some![59.0, 54.0]),
        PublishedRow::new("G-Eval, without outliers", some![63.0, 57.0]),
        PublishedRow::new("SumAutoEval", some![51.0, 45.0]),
        PublishedRow::new("SumAutoEval, without outliers", some![54.0, 48.0]),
    ],
    set_up: SET_UP,
    differs: &[SELECTION, OUTLIERS],
};

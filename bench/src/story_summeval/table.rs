//! Story-SummEval's table, beside the figures of FENICE's paper.

use super::protocol::Figures;
use crate::estimate::Estimate;
use crate::layout;
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// The paper's figures.
pub(super) static PUBLISHED: [PublishedTable; 1] = [PublishedTable {
    table: "balanced accuracy",
    source: "Scirè et al. 2024 (FENICE), table 7: 338 summaries of 26 stories, 80/20; the published files have 319",
    columns: &["balanced accuracy"],
    rows: &[
        PublishedRow::new("DAE", some![51.4]),
        PublishedRow::new("AlignScore", some![61.3]),
        PublishedRow::new("MENLI", some![61.7]),
        PublishedRow::new("FENICE, claims by T5", some![65.7]),
        PublishedRow::new("FENICE, claims by GPT-3.5", some![66.2]),
    ],
    set_up: "FENICE with DeBERTa-v3-large, claims by GPT-3.5 or T5, coreference by F-Coref and spaCy's sentences",
    differs: &[
        Deviation::of_all(
            "the paper measures 338 summaries, 80 of 100 as test; the published files hold 319, 279 as test",
        ),
        Deviation::of_all(
            "of the paper's summaries 66 are factual and 273 are not (table 10, one more than its text says), and its \
             stories have 664 sentences and 11,818 tokens on average (table 6)",
        ),
        Deviation::of_all("sentences are cut by rules, not by spaCy, unless rows have document_sentences")
            .of_scoring(),
        Deviation::of_all(
            "the text of Project Gutenberg around a story is cut off, which the paper does not mention",
        ),
    ],
}];

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let Figures { summaries, factual, stories, val, threshold, .. } = figures;
    let mut lines = vec![
        "Story-SummEval: balanced accuracy in percent".to_owned(),
        format!(
            "{summaries} summaries of {stories} stories, {factual} factual; ROC AUC {}",
            Estimate::shown(figures.roc_auc)
        ),
        match val {
            0 => format!("called factual above {threshold:.4}, which is given"),
            val => format!("called factual above {threshold:.4}, which {val} other summaries tuned"),
        },
    ];
    lines.extend(beside(name, figures).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The figure in the column of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    PUBLISHED[0].beside([(name.to_owned(), [figures.balanced_accuracy.percent()])])
}

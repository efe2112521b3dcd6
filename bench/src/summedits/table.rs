//! SummEdits' tables: the domains, the mean beside those of the authors, and the share of edits that are found.

use super::protocol::{Domain, EditType, Figures};
use crate::estimate::Estimate;
use crate::layout::{self, cells, percent};
use crate::published::{Beside, Deviation, PublishedRow, PublishedTable, some};

/// The authors' figures.
pub(super) static PUBLISHED: [PublishedTable; 1] = [MEANS];

static MEANS: PublishedTable = PublishedTable {
    table: "mean",
    source: "Laban et al. 2023 (SummEdits), means over all 10 domains; yes-or-no answers, no thresholds",
    columns: &["mean"],
    rows: &[PublishedRow::new("people (estimate)", some![90.9]), PublishedRow::new("GPT-4", some![82.4])],
    set_up: "GPT-4 answers yes or no to one question about the whole summary",
    differs: &[Deviation::of_all(
        "a threshold comes from the other half of the documents unless --decide-at sets it",
    )],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["SummEdits: balanced accuracy in percent".to_owned()];
    lines.extend(domains(name, &figures.domains));
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    if !figures.edit_types.is_empty() {
        lines.push(String::new());
        lines.extend(edit_types(&figures.edit_types));
    }
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The mean in the column of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    MEANS.beside([(name.to_owned(), [Estimate::shown(figures.mean)])])
}

fn domains(name: &str, domains: &[Domain]) -> Vec<String> {
    let mut rows = vec![cells([name, "rows", "consistent", "documents", "balanced accuracy", "ROC AUC"])];
    for domain in domains {
        rows.push(vec![
            domain.domain.clone(),
            domain.rows.to_string(),
            domain.consistent.to_string(),
            domain.documents.to_string(),
            Estimate::shown(domain.balanced_accuracy),
            percent(domain.roc_auc),
        ]);
    }
    layout::lines(&rows)
}

fn edit_types(edit_types: &[EditType]) -> Vec<String> {
    let mut rows = vec![cells(["inconsistent, by edit", "rows", "found %"])];
    for EditType { edit_type, rows: count, found } in edit_types {
        rows.push(vec![edit_type.clone(), count.to_string(), percent(*found)]);
    }
    layout::lines(&rows)
}

//! SummEdits' tables: the domains, the mean beside those of the authors, and the share of edits that are found.

use super::protocol::{Domain, EditType, Figures};
use crate::estimate::Estimate;
use crate::layout::{self, cells, percent};
use crate::published::{PublishedRow, PublishedTable, some};

/// The authors' figures.
pub(super) static PUBLISHED: [PublishedTable; 1] = [MEANS];

const MEANS: PublishedTable = PublishedTable {
    table: "mean",
    source: "Laban et al. 2023 (SummEdits), means over all 10 domains; yes-or-no answers, no thresholds",
    columns: &["mean"],
    rows: &[PublishedRow::new("people (estimate)", some![90.9]), PublishedRow::new("GPT-4", some![82.4])],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let mut lines = vec!["SummEdits: balanced accuracy in percent".to_owned()];
    lines.extend(domains(name, &figures.domains));
    lines.push(String::new());
    let mean = Estimate::shown(figures.mean);
    lines.extend(MEANS.beside([(name.to_owned(), [mean])]));
    if !figures.edit_types.is_empty() {
        lines.push(String::new());
        lines.extend(edit_types(&figures.edit_types));
    }
    lines.extend(layout::warnings(&figures.warnings));
    lines
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

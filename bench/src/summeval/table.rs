//! SummEval's table: a line for each level.

use super::protocol::{Correlations, Figures};
use super::published;
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::Beside;

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let Figures { summaries, documents, systems, .. } = figures;
    let mut rows = vec![cells([name, "Kendall", "Spearman", "Pearson"])];
    let mut add = |level: String, found: Correlations| {
        let figures = [found.kendall, found.spearman, found.pearson].map(Estimate::shown);
        rows.push(std::iter::once(level).chain(figures).collect());
    };
    add(format!("all {summaries} summaries"), figures.over_summaries);
    let averaged = figures.documents_averaged;
    add(format!("within a document, mean of {averaged} of {documents}"), figures.within_documents);
    add(format!("means of {systems} systems"), figures.over_systems);
    let dimension = figures.dimension;
    let mut lines = vec![format!("SummEval: correlation with the experts' mean {dimension}, times 100")];
    lines.extend(layout::lines(&rows));
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

/// The correlations over all measured summaries in the columns of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Beside {
    let of = &figures.over_summaries;
    let own = [of.spearman, of.kendall].map(Estimate::shown);
    published::table(figures.dimension).beside([(name.to_owned(), own)])
}

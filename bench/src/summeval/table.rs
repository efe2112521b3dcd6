//! SummEval's table: a line for each level.

use super::protocol::{Correlations, Figures};
use crate::estimate::Estimate;
use crate::layout::{self, cells};

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
    lines.extend(layout::warnings(&figures.warnings));
    lines
}

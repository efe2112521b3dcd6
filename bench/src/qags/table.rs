//! QAGS' table: the correlations, with the authors' below.

use super::protocol::{Figures, Group};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{Beside, PublishedRow, PublishedTable, some};
use crate::text_level::TextLevel;

/// The authors' figures.
pub(super) static PUBLISHED: [PublishedTable; 1] = [PEARSON];

static PEARSON: PublishedTable = PublishedTable {
    table: "pearson_majority",
    source: "Wang, Cho, Lewis 2020 (QAGS): Pearson of summaries with the majority's share",
    columns: &["cnndm", "xsum"],
    rows: &[PublishedRow::new("QAGS", some![54.5, 17.5])],
    set_up: "answers to questions about the summary, asked of the article too; their mean token F1",
    differs: &[],
};

pub(super) fn lines(name: &str, figures: &Figures) -> Vec<String> {
    let header = ["", "texts", "Pearson", "Spearman", "Kendall", "Pearson, majority", "ROC AUC, majority"];
    let mut rows = vec![cells(header)];
    for group in &figures.groups {
        rows.push(vec![
            format!("{} {}", group.group, group.level),
            group.texts.to_string(),
            Estimate::shown(group.pearson),
            Estimate::shown(group.spearman),
            Estimate::shown(group.kendall),
            Estimate::shown(group.pearson_majority),
            Estimate::shown(group.roc_auc),
        ]);
    }
    let mut lines = vec![format!("QAGS, {name}: correlation with the mean of the votes, times 100")];
    lines.extend(layout::lines(&rows));
    if let Some(beside) = beside("this one", figures) {
        lines.push(String::new());
        lines.extend(beside.lines());
    }
    lines
}

/// The figures of summaries, if they are judged, in the columns of the published table.
pub(super) fn beside(name: &str, figures: &Figures) -> Option<Beside> {
    let summaries: Vec<&Group> =
        figures.groups.iter().filter(|group| group.level == TextLevel::Summary).collect();
    let of = |column: &&str| {
        let group = summaries.iter().find(|group| group.group == **column);
        group.map_or_else(|| "-".into(), |group| Estimate::shown(group.pearson_majority))
    };
    let own = std::iter::once(name.to_owned()).chain(PEARSON.columns.iter().map(of)).collect();
    let header = cells(["Pearson of summaries, majority", "CNN/DM", "XSum"]);
    (!summaries.is_empty()).then(|| PEARSON.under(vec![header, own]))
}

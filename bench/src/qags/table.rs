//! QAGS' table: the correlations, with the authors' below.

use super::protocol::{Figures, Group};
use crate::estimate::Estimate;
use crate::layout::{self, cells};
use crate::published::{PublishedRow, PublishedTable, some};
use crate::text_level::TextLevel;

/// The authors' figures.
pub(super) static PUBLISHED: [PublishedTable; 1] = [PEARSON];

const PEARSON: PublishedTable = PublishedTable {
    table: "pearson_majority",
    source: "Wang, Cho, Lewis 2020 (QAGS): Pearson of summaries with the majority's share",
    columns: &["cnndm", "xsum"],
    rows: &[PublishedRow::new("QAGS", some![54.5, 17.5])],
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
    let summaries: Vec<&Group> =
        figures.groups.iter().filter(|group| group.level == TextLevel::Summary).collect();
    if !summaries.is_empty() {
        let of = |name: &&str| {
            let group = summaries.iter().find(|group| group.group == **name);
            group.map_or_else(|| "-".into(), |group| Estimate::shown(group.pearson_majority))
        };
        let own = std::iter::once("this one".into()).chain(PEARSON.columns.iter().map(of)).collect();
        lines.push(String::new());
        lines.extend(PEARSON.under(vec![cells(["Pearson of summaries, majority", "CNN/DM", "XSum"]), own]));
    }
    lines
}

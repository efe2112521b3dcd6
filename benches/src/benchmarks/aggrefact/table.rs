//! AggreFact's tables: the cells and the origins beside the paper's, and the datasets.

use super::label::{CATEGORIES, ORIGINS};
use crate::protocol::{Beside, Figures, PublishedTable, Shown, layout, published};

/// Each category of each origin, each origin under one threshold, and the ablation.
pub(super) fn published() -> &'static [PublishedTable] {
    published!("aggrefact")
}

pub(super) fn shown(name: &str, figures: &Figures) -> Shown {
    let (multi, single) = (&figures["multi_threshold"], &figures["single_threshold"]);
    let beside = vec![multi_threshold(name, multi), single_threshold(name, single)];
    let mut lines = vec!["AggreFact, a threshold per dataset: balanced accuracy in percent".to_owned()];
    lines.extend(beside[0].lines());
    lines.push(String::new());
    lines.push("AggreFact-SOTA, one threshold per origin: balanced accuracy in percent".to_owned());
    lines.extend(beside[1].lines());
    lines.push(String::new());
    lines.push(format!("The datasets of {name}"));
    lines.extend(datasets(multi));
    lines.extend(figures.warnings());
    Shown { lines, beside }
}

fn multi_threshold(name: &str, figures: &Figures) -> Beside {
    let (mut header, mut own) = (vec![String::new()], vec![name.to_owned()]);
    for (origin, title) in ORIGINS {
        for (category, _) in CATEGORIES {
            header.push(format!("{title} {category}"));
            own.push(accuracy(figures["cells"].find(&[("origin", origin), ("category", category)])));
        }
    }
    header.push("AVG".to_owned());
    own.push(accuracy(&figures["average"]));
    published()[0].under(vec![header, own])
}

fn single_threshold(name: &str, figures: &Figures) -> Beside {
    let own = std::iter::once(name.to_owned()).chain(origins(figures));
    published()[1].under(vec![layout::cells(["", "CNN", "XSum", "AVG"]), own.collect()])
}

/// Returns the origins under one threshold, and their average.
pub(super) fn origins(figures: &Figures) -> Vec<String> {
    let of = |(origin, _): (&str, &str)| accuracy(figures["origins"].find(&[("origin", origin)]));
    ORIGINS.map(of).into_iter().chain([accuracy(&figures["average"])]).collect()
}

fn accuracy(score: &Figures) -> String {
    let half_width = score["half_width"].value().map(|width| format!(" ±{:.1}", 100.0 * width));
    score["balanced_accuracy"].cell() + &half_width.unwrap_or_default()
}

fn datasets(figures: &Figures) -> Vec<String> {
    let mut rows = vec![layout::cells(["", "val rows", "test rows", "threshold", "balanced accuracy"])];
    for cell in figures["cells"].list() {
        let datasets = cell["datasets"].list();
        rows.extend(datasets.iter().map(|dataset| dataset_row(cell, dataset, accuracy(dataset))));
    }
    let skipped = figures["skipped"].list();
    rows.extend(skipped.iter().map(|skipped| dataset_row(skipped, skipped, "skipped".to_owned())));
    layout::lines(&rows)
}

fn dataset_row(cell: &Figures, dataset: &Figures, shown: String) -> Vec<String> {
    let origin = ORIGINS.iter().find(|(name, _)| *name == cell["origin"].text());
    let origin = origin.map_or("", |(_, title)| *title);
    let name = format!("{origin} {} {}", cell["category"].text(), dataset["dataset"].text());
    let [val, test] = ["val_rows", "test_rows"].map(|rows| dataset[rows].cell());
    vec![name, val, test, dataset["threshold"].threshold(), shown]
}

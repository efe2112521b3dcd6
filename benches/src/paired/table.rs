//! A comparison as lines of text. Text from files (names, ids) is shown without control characters.

use super::comparison::PairedComparison;
use crate::protocol::layout::{cells, lines};
use crate::protocol::{Figures, LEVEL, RESAMPLES, SPLITS};

impl PairedComparison {
    pub fn table(&self, first: &str, second: &str) -> Vec<String> {
        let figures = &self.figures;
        let mut table =
            vec![format!("A  {}", shown(first)), format!("B  {}", shown(second)), matched(figures)];
        table.push(String::new());
        table.extend(measures(figures["measures"].list()));
        table.push(String::new());
        table.extend(notes(&figures["decided"]));
        if let different @ [_, ..] = figures["most_different"].list() {
            let title = "The rows that A and B rank most differently; ranks from 1, the lowest score, to";
            table.extend([String::new(), format!("{title} {}", figures["rows"].cell())]);
            table.extend(different_rows(different));
        }
        table
    }
}

fn matched(figures: &Figures) -> String {
    let [rows, positives, by] = ["rows", "positives", "matched_by"].map(|name| figures[name].cell());
    let mut line = format!("{rows} rows, {positives} with label 1, matched by {by}");
    for (name, field) in [("A", "not_judged_by_first"), ("B", "not_judged_by_second")] {
        if figures[field] != Figures::Count(0) {
            line.push_str(&format!("; left out: {} without a score in {name}", figures[field].cell()));
        }
    }
    line
}

fn measures(measures: &[Figures]) -> Vec<String> {
    let row = |found: &Figures| {
        let name = match found["measure"].text() {
            "roc_auc" => "ROC AUC".to_owned(),
            name => name.replace('_', " "),
        };
        let [first, second] = ["first", "second"].map(|side| found[side].cell());
        vec![name, first, second, signed(&found["difference"]), p_value(&found["p_value"])]
    };
    let header = cells(["", "A", "B", "B - A", "p"]);
    lines(&std::iter::once(header).chain(measures.iter().map(row)).collect::<Vec<_>>())
}

fn notes(decided: &Figures) -> Vec<String> {
    let level = 100.0 * LEVEL;
    let mut notes = vec![format!(
        "In percent, with {level}% intervals: {RESAMPLES} bootstrap samples of rows, the same for A and B; p is two-sided."
    )];
    if *decided == Figures::None {
        notes.push(
            "No balanced accuracy: there are too few rows of a label to tune a threshold on one half; give one in --decide-at."
                .into(),
        );
        return notes;
    }
    let [first, second] = ["first_thresholds", "second_thresholds"].map(|name| range(&decided[name]));
    notes.push(if decided["tuned"] == Figures::Flag(true) {
        format!(
            "Decisions: thresholds tuned on one half of the rows for the other, {SPLITS} times (A: {first}; B: {second})."
        )
    } else {
        format!("Decisions: label 1 if the score is above {first}.")
    });
    let [rows, only_first, only_second] =
        ["rows", "only_first_right", "only_second_right"].map(|name| decided[name].cell());
    let (test, p_value) = (decided["test"].text().replace('_', "-"), p_value(&decided["p_value"]));
    let equals = if p_value.starts_with('<') { "" } else { "= " };
    notes.push(format!(
        "McNemar ({test}): of {rows} rows only A is right on {only_first}, only B on {only_second}; p {equals}{p_value}."
    ));
    notes
}

fn different_rows(rows: &[Figures]) -> Vec<String> {
    let number = |figure: &Figures| figure.value().unwrap_or_default();
    let row = |of: &Figures| {
        let name = if of["id"] == Figures::None { of["place"].text() } else { of["id"].text() };
        let label = u8::from(of["label"] == Figures::Flag(true)).to_string();
        let scores = ["first_score", "second_score"].map(|side| format!("{:.3}", number(&of[side])));
        let ranks = ["first_rank", "second_rank"].map(|side| number(&of[side]).to_string());
        let better = if of["better"].text() == "first" { "A" } else { "B" };
        [vec![shown(name), label], scores.to_vec(), ranks.to_vec(), vec![better.to_owned()]].concat()
    };
    let header = cells(["row", "label", "A score", "B score", "A rank", "B rank", "closer to its label"]);
    lines(&std::iter::once(header).chain(rows.iter().map(row)).collect::<Vec<_>>())
}

/// A difference in percentage points.
fn signed(difference: &Figures) -> String {
    let points = |share: f64| format!("{:+.1}", 100.0 * share);
    let Figures::Estimate(difference) = difference else { return "-".into() };
    match difference.interval().map(|ends| ends.map(points)) {
        Some([low, high]) => format!("{} [{low}, {high}]", points(difference.value)),
        None => points(difference.value),
    }
}

fn p_value(figure: &Figures) -> String {
    match figure.value() {
        Some(p_value) if p_value < 0.001 => "<0.001".into(),
        p_value => format!("{:.3}", p_value.unwrap_or_default()),
    }
}

/// Formats the lowest and the highest threshold, or the only one.
fn range(thresholds: &Figures) -> String {
    let thresholds = || thresholds.list().iter().filter_map(Figures::value);
    let (lowest, highest) =
        (thresholds().fold(f64::INFINITY, f64::min), thresholds().fold(f64::NEG_INFINITY, f64::max));
    if lowest < highest { format!("{lowest:.3} to {highest:.3}") } else { lowest.to_string() }
}

fn shown(name: &str) -> String {
    const LONGEST: usize = 60;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = name.chars().take(LONGEST).map(clean).collect();
    if name.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

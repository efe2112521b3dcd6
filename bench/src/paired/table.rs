//! A comparison as lines of text. Text from files (names, ids) is shown without control characters.

use super::measures::{Measure, TestOfDecisions};
use super::{Decided, DifferentRow, MeasureComparison, PairedComparison, Side};
use crate::decide::SPLITS;
use crate::estimate::{Estimate, LEVEL, RESAMPLES};
use crate::layout::{cells, lines};
use crate::scores::MatchedBy;

impl PairedComparison {
    /// The lines of a table; `first` and `second` are the names of the files.
    #[must_use]
    pub fn table(&self, first: &str, second: &str) -> Vec<String> {
        let mut table = vec![format!("A  {}", shown(first)), format!("B  {}", shown(second)), self.matched()];
        table.push(String::new());
        table.extend(self.figures());
        table.push(String::new());
        table.extend(self.notes());
        if !self.most_different.is_empty() {
            let title = "The rows that A and B rank most differently; ranks from 1, the lowest score, to";
            table.extend([String::new(), format!("{title} {}", self.rows)]);
            table.extend(self.different_rows());
        }
        table
    }

    fn matched(&self) -> String {
        let by = match self.matched_by {
            MatchedBy::Id => "id",
            MatchedBy::Key => "key",
            MatchedBy::Order => "order",
        };
        let mut line = format!("{} rows, {} with label 1, matched by {by}", self.rows, self.positives);
        let left_out = [("A", self.not_judged_by_first), ("B", self.not_judged_by_second)];
        for (name, rows) in left_out.into_iter().filter(|(_, rows)| *rows > 0) {
            line.push_str(&format!("; left out: {rows} without a score in {name}"));
        }
        line
    }

    fn figures(&self) -> Vec<String> {
        let mut rows = vec![cells(["", "A", "B", "B - A", "p"])];
        rows.extend(self.measures.iter().map(MeasureComparison::row));
        lines(&rows)
    }

    fn notes(&self) -> Vec<String> {
        let level = 100.0 * LEVEL;
        let mut notes = vec![format!(
            "In percent, with {level}% intervals: {RESAMPLES} bootstrap samples of rows, the same for A and B; p is two-sided."
        )];
        match &self.decided {
            Some(decided) => notes.extend(decided.lines()),
            None => notes.push(
                "No balanced accuracy: there are too few rows of a label to tune a threshold on one half; give one in --decide-at."
                    .into(),
            ),
        }
        notes
    }

    fn different_rows(&self) -> Vec<String> {
        let header = ["row", "label", "A score", "B score", "A rank", "B rank", "closer to its label"];
        let mut rows = vec![cells(header)];
        rows.extend(self.most_different.iter().map(DifferentRow::row));
        lines(&rows)
    }
}

impl MeasureComparison {
    fn row(&self) -> Vec<String> {
        let name = match self.measure {
            Measure::RocAuc => "ROC AUC",
            Measure::AveragePrecision => "average precision",
            Measure::BalancedAccuracy => "balanced accuracy",
        };
        let p_value = p_value(self.p_value);
        vec![name.into(), self.first.percent(), self.second.percent(), signed(self.difference), p_value]
    }
}

impl Decided {
    fn lines(&self) -> [String; 2] {
        let (first, second) = (range(&self.first_thresholds), range(&self.second_thresholds));
        let decisions = if self.tuned {
            format!(
                "Decisions: thresholds tuned on one half of the rows for the other, {SPLITS} times (A: {first}; B: {second})."
            )
        } else {
            format!("Decisions: label 1 if the score is above {first}.")
        };
        let test = match self.test {
            TestOfDecisions::Exact => "exact",
            TestOfDecisions::ChiSquare => "chi-square",
        };
        let p_value = p_value(self.p_value);
        let mcnemar = format!(
            "McNemar ({test}): of {} rows only A is right on {}, only B on {}; p {}{p_value}.",
            self.rows,
            self.only_first_right,
            self.only_second_right,
            if p_value.starts_with('<') { "" } else { "= " },
        );
        [decisions, mcnemar]
    }
}

impl DifferentRow {
    fn row(&self) -> Vec<String> {
        let name = self.id.as_ref().map_or_else(|| shown(&self.place), |id| shown(id));
        let (first, second) = (format!("{:.3}", self.first_score), format!("{:.3}", self.second_score));
        let better = match self.better {
            Side::First => "A",
            Side::Second => "B",
        };
        let rank = |rank: f64| rank.to_string();
        let label = u8::from(self.label).to_string();
        vec![name, label, first, second, rank(self.first_rank), rank(self.second_rank), better.into()]
    }
}

/// A difference in percentage points.
fn signed(difference: Estimate) -> String {
    let points = |share: f64| format!("{:+.1}", 100.0 * share);
    match (difference.low, difference.high) {
        (Some(low), Some(high)) => {
            format!("{} [{}, {}]", points(difference.value), points(low), points(high))
        }
        _ => points(difference.value),
    }
}

fn p_value(p_value: f64) -> String {
    if p_value < 0.001 { "<0.001".into() } else { format!("{p_value:.3}") }
}

/// From the lowest to the highest, or the only one.
fn range(thresholds: &[f64]) -> String {
    let lowest = thresholds.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = thresholds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lowest < highest { format!("{lowest:.3} to {highest:.3}") } else { lowest.to_string() }
}

/// A name shortened to fit into a line.
fn shown(name: &str) -> String {
    const LONGEST: usize = 60;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = name.chars().take(LONGEST).map(clean).collect();
    if name.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

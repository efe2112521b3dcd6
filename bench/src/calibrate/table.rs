//! The figures of a calibration as lines of text.

use super::{Abstention, AtRate, CalibrationReport, Comparison, ExtensionReport, FileReport, Reliability};
use crate::estimate::complete_mean;
use crate::layout::{self, cells, percent};
use veridic::pipeline::evidence::{Fact, Weights};

/// The rates of abstention in a table.
const SHOWN_RATES: [f32; 6] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5];

impl CalibrationReport {
    /// The lines of a report.
    #[must_use]
    pub fn table(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "rows               {} ({} consistent), {} documents",
                self.rows, self.consistent, self.documents
            ),
            self.ranking(),
            format!(
                "calibration error  {:.3} (expected, of the probabilities)",
                self.expected_calibration_error
            ),
            format!("supported from     {:.3}", self.supported),
        ];
        lines.extend(self.comparison.iter().map(Comparison::description));
        if self.files.len() > 1 {
            lines.push(String::new());
            lines.extend(files(&self.files));
        }
        if let Some(weights) = &self.weights {
            lines.push(String::new());
            let mut rows = vec![cells(["fact", "adds to the log odds"])];
            rows.extend(
                weights.iter().map(|(fact, weight)| vec![(*fact).to_owned(), format!("{weight:+.3}")]),
            );
            lines.extend(layout::lines(&rows));
        }
        lines.push(String::new());
        lines.extend(reliability(&self.reliability));
        if let Some(abstention) = &self.abstention {
            lines.push(String::new());
            lines.extend(abstention.lines());
        }
        lines
    }

    fn ranking(&self) -> String {
        let [before, after] = [self.roc_auc_before.percent(), self.roc_auc_after.percent()];
        format!("ROC AUC            {before} before, {after} after (percent, means): {}", self.kept_apart)
    }
}

impl ExtensionReport {
    /// The lines of a report.
    #[must_use]
    pub fn table(&self) -> Vec<String> {
        let Self { rows, consistent, documents, kept_apart, abstention, escalation } = self;
        let mut lines = vec![
            format!("rows  {rows} ({consistent} consistent), {documents} documents: {kept_apart}"),
            String::new(),
        ];
        lines.extend(abstention.lines());
        if let Some(escalation) = escalation {
            lines.extend([String::new(), escalation.description()]);
        }
        lines
    }
}

impl Abstention {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "wrong verdicts     {:.1}% of all; {:.1}% if the least risky are answered first (mean over all shares of rows)",
                100.0 * self.wrong,
                100.0 * self.area
            ),
            format!("risk               {}", terms(&self.weights)),
        ];
        let mut rows = vec![cells(["abstain", "coverage", "right", "ROC AUC", "unsure above risk"])];
        rows.extend(self.at.iter().filter(|at| SHOWN_RATES.contains(&at.rate)).map(|at| {
            let AtRate { rate, coverage, precision, roc_auc, unsure_above_risk } = at;
            vec![
                format!("{:.0}%", 100.0 * rate),
                percent(Some(*coverage)),
                percent(*precision),
                percent(*roc_auc),
                format!("{unsure_above_risk:.3}"),
            ]
        }));
        lines.extend(layout::lines(&rows));
        lines
    }
}

/// The log odds of a risk as a sum.
fn terms(weights: &[(&str, f64)]) -> String {
    let term = |(name, weight): &(&str, f64)| format!("{name} {weight:+.3}");
    weights.iter().map(term).collect::<Vec<_>>().join(", ")
}

fn files(files: &[FileReport]) -> Vec<String> {
    let mut rows = vec![cells(["file", "rows", "ROC AUC before", "after"])];
    for FileReport { file, rows: count, roc_auc_before, roc_auc_after } in files {
        rows.push(vec![file.clone(), count.to_string(), percent(*roc_auc_before), percent(*roc_auc_after)]);
    }
    // A mean needs both labels in every file.
    let mean = |of: fn(&FileReport) -> Option<f64>| percent(complete_mean(files.iter().map(of)));
    let means = [mean(|file| file.roc_auc_before), mean(|file| file.roc_auc_after)];
    rows.push(["mean".into(), String::new()].into_iter().chain(means).collect());
    layout::lines(&rows)
}

fn reliability(bins: &[Reliability]) -> Vec<String> {
    let mut rows = vec![cells(["probability", "rows", "consistent"])];
    rows.extend(bins.iter().map(|bin| {
        vec![format!("{:.2}", bin.probability), bin.rows.to_string(), format!("{:.2}", bin.consistent)]
    }));
    layout::lines(&rows)
}

/// The intercept and the facts that have a weight, by name.
pub(super) fn named(weights: &Weights) -> Vec<(&'static str, f64)> {
    let facts = Fact::ALL.into_iter().zip(weights.values).filter(|(_, weight)| *weight != 0.0);
    std::iter::once(("intercept", weights.intercept))
        .chain(facts.map(|(fact, weight)| (fact.name(), weight)))
        .collect()
}

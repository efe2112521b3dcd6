//! Fits the limit of support to labelled scores of `veridic run`, by balanced accuracy or by a precision, and writes it as a
//! rules file. A row's score is that of its weakest claim, so a limit for rows is also one for claims.
//!
//! Rows that could not be judged, and rows without a label, are left out and counted. Refuses rows of more than one NLI
//! model or set of rules, since their scores mean different things, and too few rows.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::documents::{drawn, grouped};
use crate::estimate::{Estimate, LEVEL, RESAMPLES};
use crate::labelled_scores::{Outcome, WithoutLabel, outcome, own_text};
use crate::read::{BenchError, read_fields};
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic::rules::{OverClaims, Rules, ScoreRule};
use veridic_models::store::quoting::without_values;
use veridic_stats::{balanced_accuracy, best_threshold, bootstrap, percentile_interval, roc_auc};

/// The minimum number of rows for a fit.
pub(crate) const FEWEST_ROWS: usize = 50;
/// The minimum number of rows per label.
pub(crate) const FEWEST_OF_A_LABEL: usize = 15;
/// Limits are written with four decimals.
const DECIMALS: f64 = 10_000.0;
/// The number of cross-validation folds over documents.
const FOLDS: usize = 5;

/// The keys of rules that scores depend on, which are written with the limit, and their places in results.
const CARRIED: [(&str, &str); 12] = [
    ("levels", "/levels"),
    ("window", "/window"),
    ("stride", "/stride"),
    ("epsilon", "/epsilon"),
    ("score", "/score"),
    ("temperature", "/temperature"),
    ("threshold", "/threshold"),
    ("quantity_nowhere", "/caps/quantity_nowhere"),
    ("date_nowhere", "/caps/date_nowhere"),
    ("instead", "/caps/instead"),
    ("contrast", "/contrast"),
    ("shared_words", "/verdicts/shared_words"),
];

/// Why there is no limit.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// Too few rows.
    #[error(
        "{rows} rows, {consistent} with label 1: at least {FEWEST_ROWS} are needed, {FEWEST_OF_A_LABEL} of each label"
    )]
    TooFew {
        /// The number of rows.
        rows: usize,
        /// The number of rows with label 1.
        consistent: usize,
    },
    /// Too few documents: the limit is measured on other documents than those it is fitted to.
    #[error("all rows are of {0} documents: at least {FOLDS} are needed to measure a limit")]
    FewDocuments(usize),
    /// The scores do not rank rows by label, or rank them in the opposite order.
    #[error(
        "the scores do not rank rows with label 1 above the others (ROC AUC {:.1}%): does label 1 mean consistent?",
        100.0 * .0
    )]
    NoRanking(f64),
    /// No limit reaches the wanted precision.
    #[error("no limit has a precision of {wanted}: the highest is {highest:.3}")]
    NoPrecision {
        /// The wanted precision.
        wanted: f64,
        /// The highest precision of any limit.
        highest: f64,
    },
}

/// The criterion for choosing a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Maximizes balanced accuracy: the mean of the shares of consistent and of inconsistent rows that are classified
    /// correctly.
    BalancedAccuracy,
    /// Chooses the lowest limit with this share of consistent rows among the supported ones.
    Precision(f64),
}

/// The user's own fields.
#[derive(Debug, Clone, Copy)]
pub struct OwnFields<'f> {
    /// The label: 1 (consistent) or 0.
    pub label: &'f str,
    /// The field with the id of a row's document; without it, the digest that the run wrote is used.
    pub document: Option<&'f str>,
}

/// Labelled rows of one model and one set of rules.
#[derive(Debug, Clone)]
pub struct CalibrationRows {
    files: Vec<String>,
    rows: Vec<Row>,
    scored_by: ScoredBy,
    /// The number of rows in the files.
    pub of_rows: usize,
    /// The number of rows that could not be judged.
    pub not_judged: usize,
    /// The number of rows without a label.
    pub without_label: usize,
}

#[derive(Debug, Clone)]
struct Row {
    document: Option<String>,
    score: f64,
    is_consistent: bool,
}

/// The judge and the rules behind a row's score.
#[derive(Debug, Clone, PartialEq)]
struct ScoredBy {
    model: ModelOfRow,
    profile: String,
    /// The rules as written in the row.
    rules: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct ModelOfRow {
    id: String,
    sha256: String,
}

/// A limit and its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedLimit {
    /// The number of rows.
    pub rows: usize,
    /// The number of rows with label 1.
    pub consistent: usize,
    /// The number of documents.
    pub documents: usize,
    /// ROC AUC of the scores.
    pub roc_auc: Estimate,
    /// The limit, with its interval over documents.
    pub supported: Estimate,
    /// Balanced accuracy of the verdicts, each under a limit fitted to other documents.
    pub balanced_accuracy: f64,
    /// Balanced accuracy under the limit that the scores came with.
    pub balanced_accuracy_before: f64,
    /// The share of consistent rows among the supported ones, each under a limit fitted to other documents; `None` if no row
    /// is supported.
    pub precision: Option<f64>,
    /// The share of rows that are supported.
    pub coverage: f64,
    /// The rules file.
    #[serde(skip)]
    pub file: String,
}

impl CalibrationRows {
    /// Reads files, given by name and rows.
    ///
    /// # Errors
    /// The first row that is not a labelled row of a run, or whose model or rules differ from the first row's.
    pub fn read<R: IntoIterator<Item = Result<RawRow, RowFault>>>(
        files: impl IntoIterator<Item = (String, R)>,
        own: OwnFields<'_>,
    ) -> Result<Self, BenchError> {
        let (mut names, mut rows, mut of_rows, mut not_judged) = (Vec::new(), Vec::new(), 0, 0);
        let (mut first, mut without) = (None, WithoutLabel::of(own.label));
        for (name, raw_rows) in files {
            names.push(name);
            read_fields(raw_rows, |_, fields| {
                of_rows += 1;
                let (score, is_consistent) = match outcome(&fields, own.label)? {
                    Outcome::Judged { score, label } => (score, label),
                    Outcome::NotJudged => {
                        not_judged += 1;
                        return Ok(());
                    }
                    Outcome::NoLabel => {
                        without.add(&fields);
                        return Ok(());
                    }
                };
                let scored_by = ScoredBy::of(&fields)?;
                first.get_or_insert_with(|| scored_by.clone()).check(&scored_by)?;
                rows.push(Row { document: document_of(&fields, own)?, score, is_consistent });
                Ok(())
            })?;
        }
        let scored_by = first
            .ok_or_else(|| BenchError::Data(format!("{}: {}", names.join(", "), without.reason(of_rows))))?;
        if let Some(pooled) = scored_by.pooled() {
            let reason = format!(
                "{}: scores are the {pooled} of their claims', and a limit is one of claims: score the rows with \
                 `over_claims=minimum`",
                names.join(", ")
            );
            return Err(BenchError::Data(reason));
        }
        Ok(Self { files: names, rows, scored_by, of_rows, not_judged, without_label: without.rows })
    }

    /// Fits the limit, and measures it on documents that it was not fitted to.
    ///
    /// # Errors
    /// If there are too few rows or documents, the scores do not rank by label, or no limit reaches the precision.
    pub fn fit(&self, goal: Goal, seed: u64) -> Result<FittedLimit, CalibrateError> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let consistent = self.rows.iter().filter(|row| row.is_consistent).count();
        if all.len() < FEWEST_ROWS || consistent.min(all.len() - consistent) < FEWEST_OF_A_LABEL {
            return Err(CalibrateError::TooFew { rows: all.len(), consistent });
        }
        let documents = self.documents();
        if documents.len() < FOLDS {
            return Err(CalibrateError::FewDocuments(documents.len()));
        }
        let auc = |rows: &[usize]| {
            let (scores, labels) = self.scores(rows);
            roc_auc(&scores, &labels)
        };
        let roc_auc = Estimate::on_groups(&documents, auc).unwrap_or(Estimate::within(0.5, None));
        if roc_auc.value <= 0.5 {
            return Err(CalibrateError::NoRanking(roc_auc.value));
        }
        let limit = self.limit(&all, goal)?;
        let samples = bootstrap(documents.len(), RESAMPLES, seed, |sample| {
            self.limit(&drawn(&documents, sample), goal).ok()
        });
        let interval = percentile_interval(&samples.values, LEVEL).ok();
        let supported = Estimate::within(limit, interval.map(|interval| [interval.low, interval.high]));
        let is_supported = self.verdicts_of_folds(&documents, goal, limit);
        let labels: Vec<bool> = self.rows.iter().map(|row| row.is_consistent).collect();
        let before: Vec<bool> = self.rows.iter().map(|row| row.score >= self.scored_by.limit()).collect();
        let called = is_supported.iter().filter(|supported| **supported).count();
        let right =
            is_supported.iter().zip(&labels).filter(|(supported, label)| **supported && **label).count();
        let mut fitted = FittedLimit {
            rows: all.len(),
            consistent,
            documents: documents.len(),
            roc_auc,
            supported,
            balanced_accuracy: accuracy_of(&is_supported, &labels),
            balanced_accuracy_before: accuracy_of(&before, &labels),
            precision: (called > 0).then(|| right as f64 / called as f64),
            coverage: called as f64 / all.len() as f64,
            file: String::new(),
        };
        fitted.file = self.file(&fitted, goal);
        Ok(fitted)
    }

    /// Whether each row is supported under the limit fitted to the documents of other folds.
    fn verdicts_of_folds(&self, documents: &[Vec<usize>], goal: Goal, usual: f64) -> Vec<bool> {
        let mut is_supported = vec![false; self.rows.len()];
        for fold in 0..FOLDS {
            let numbered = documents.iter().enumerate();
            let (own, others): (Vec<_>, Vec<_>) = numbered.partition(|(number, _)| number % FOLDS == fold);
            let others: Vec<usize> = others.into_iter().flat_map(|(_, rows)| rows.clone()).collect();
            let limit = self.limit(&others, goal).unwrap_or(usual);
            for row in own.into_iter().flat_map(|(_, rows)| rows) {
                is_supported[*row] = self.rows[*row].score >= limit;
            }
        }
        is_supported
    }

    /// Returns the limit that fits the given rows.
    fn limit(&self, rows: &[usize], goal: Goal) -> Result<f64, CalibrateError> {
        let (scores, labels) = self.scores(rows);
        let limit = match goal {
            Goal::BalancedAccuracy => best_threshold(&scores, &labels)
                .ok_or(CalibrateError::TooFew { rows: rows.len(), consistent: 0 }),
            Goal::Precision(wanted) => limit_of_precision(&scores, &labels, wanted),
        };
        // Rounded as in the file.
        limit.map(|limit| (limit * DECIMALS).round() / DECIMALS)
    }

    fn scores(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.rows[row].score, self.rows[row].is_consistent)).unzip()
    }

    /// Returns the rows of each document, in order of first appearance; a row without a document counts as its own.
    fn documents(&self) -> Vec<Vec<usize>> {
        let key = |(index, row): (usize, &Row)| match &row.document {
            Some(id) => (id.clone(), index),
            None => (format!("\0{index}"), index),
        };
        grouped(self.rows.iter().enumerate().map(key))
    }

    fn file(&self, fitted: &FittedLimit, goal: Goal) -> String {
        let ScoredBy { model: ModelOfRow { id, sha256 }, profile, .. } = &self.scored_by;
        let by = match goal {
            Goal::BalancedAccuracy => "by balanced accuracy".to_owned(),
            Goal::Precision(wanted) => format!("for a precision of {wanted}"),
        };
        let mut text = format!(
            "# Fitted by `veridic-bench calibrate` {by} to {} rows ({} consistent) of {}.\n",
            fitted.rows,
            fitted.consistent,
            self.files.join(", ")
        );
        if let Some([low, high]) = fitted.supported.interval() {
            let _ = writeln!(text, "# 95% interval of the limit, over documents: {low:.3} to {high:.3}.");
        }
        let quoted = |text: &str| Value::from(text).to_string();
        let _ = writeln!(text, "version = 1\nprofile = {}", quoted(profile));
        for (key, value) in self.scored_by.other_values() {
            let _ = writeln!(text, "{key} = {value}");
        }
        let supported = fitted.supported.value;
        let _ = write!(
            text,
            "supported = {supported}\n\n[model]\nid = {}\nsha256 = {}\n",
            quoted(id),
            quoted(sha256)
        );
        text
    }
}

/// Returns the balanced accuracy of verdicts.
fn accuracy_of(is_supported: &[bool], labels: &[bool]) -> f64 {
    let scores: Vec<f64> = is_supported.iter().map(|supported| f64::from(u8::from(*supported))).collect();
    balanced_accuracy(&scores, labels, 0.5).unwrap_or(0.5)
}

/// Returns the lowest limit with at least this share of positives among the scores that reach it.
fn limit_of_precision(scores: &[f64], labels: &[bool], wanted: f64) -> Result<f64, CalibrateError> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let (mut right, mut highest, mut limit) = (0usize, 0.0f64, None);
    for (place, &row) in order.iter().enumerate() {
        right += usize::from(labels[row]);
        // Equal scores are supported together.
        if order.get(place + 1).is_some_and(|next| scores[*next] == scores[row]) {
            continue;
        }
        let precision = right as f64 / (place + 1) as f64;
        highest = highest.max(precision);
        if precision >= wanted {
            let below = order.get(place + 1).map_or(scores[row], |next| scores[*next]);
            limit = Some(f64::midpoint(scores[row], below));
        }
    }
    limit.ok_or(CalibrateError::NoPrecision { wanted, highest })
}

impl ScoredBy {
    fn of(fields: &Fields) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Models {
            nli: ModelOfRow,
        }
        #[derive(Deserialize)]
        struct Profile {
            name: String,
        }
        let Models { nli: model } = part(fields, "models")?;
        let rules: Box<RawValue> = part(fields, "profile")?;
        let Profile { name: profile } = part(fields, "profile")?;
        Ok(Self { model, profile, rules: rules.get().to_owned() })
    }

    /// Returns how claims' scores are pooled, if a row's score is not that of its weakest claim.
    fn pooled(&self) -> Option<String> {
        let rules: Value = serde_json::from_str(&self.rules).unwrap_or_default();
        let pooled = rules.pointer("/over_claims").and_then(Value::as_str);
        pooled.filter(|rule| *rule != OverClaims::Minimum.name()).map(str::to_owned)
    }

    /// Returns the limit of the rules; 0.5 if they do not state one.
    fn limit(&self) -> f64 {
        let rules: Value = serde_json::from_str(&self.rules).unwrap_or_default();
        rules.pointer("/verdicts/supported").and_then(Value::as_f64).unwrap_or(0.5)
    }

    /// Returns the values of the rules that differ from the profile's, as in a rules file. Rules under the papers' profiles
    /// are compared with our own, so that all of theirs are included.
    fn other_values(&self) -> Vec<(&'static str, String)> {
        let values = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        // Compared as text, as in results: `to_value` would widen 0.1 to 0.10000000149.
        let usual = serde_json::to_string(&Rules::veridic()).unwrap_or_default();
        let (rules, usual) = (values(&self.rules), values(&usual));
        let text = |key: &str, value: &Value| match value {
            Value::Null => Some(Value::from("off").to_string()),
            Value::Bool(on) => Some(Value::from(if *on { "on" } else { "off" }).to_string()),
            Value::String(_) if key == "score" => {
                let score: ScoreRule = serde_json::from_value(value.clone()).ok()?;
                Some(Value::from(score.name()).to_string())
            }
            value => Some(value.to_string()),
        };
        let other = |(key, at): &(&'static str, &str)| {
            let value = rules.pointer(at).filter(|value| usual.pointer(at) != Some(value))?;
            Some((*key, text(key, value)?))
        };
        CARRIED.iter().filter_map(other).collect()
    }

    fn check(&self, other: &Self) -> Result<(), String> {
        let what = if self.model.sha256 != other.model.sha256 {
            "another NLI model"
        } else if self.rules != other.rules {
            "other rules"
        } else {
            return Ok(());
        };
        Err(format!("has {what} than the first row: a limit is for one only"))
    }
}

fn document_of(fields: &Fields, own: OwnFields<'_>) -> Result<Option<String>, String> {
    #[derive(Deserialize)]
    struct Ledger {
        document_digest: Option<String>,
    }
    match own.document {
        Some(name) => own_text(fields, name).map(Some),
        None => Ok(part::<Ledger>(fields, "ledger")?.document_digest),
    }
}

/// Reads a field of a row written by `veridic run`.
fn part<'f, T: Deserialize<'f>>(fields: &'f Fields, name: &str) -> Result<T, String> {
    let Some(value) = fields.get(name) else {
        return Err(format!("has no field `{name}`: rows of `veridic run`, as .jsonl, are needed"));
    };
    serde_json::from_str(value.get()).map_err(|error| {
        format!("field `{name}` is not as `veridic run` writes it to .jsonl: {}", without_values(&error))
    })
}

impl FittedLimit {
    /// Returns the lines of a report.
    #[must_use]
    pub fn table(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let interval = self.supported.interval();
        let interval = interval.map_or(String::new(), |[low, high]| format!(" [{low:.3}, {high:.3}]"));
        vec![
            format!(
                "rows               {} ({} consistent), {} documents",
                self.rows, self.consistent, self.documents
            ),
            format!("ROC AUC            {}", self.roc_auc.percent()),
            format!("supported from     {:.3}{interval} (95%, over documents)", self.supported.value),
            format!(
                "balanced accuracy  {} (before {}), by limits fitted to other documents",
                percent(self.balanced_accuracy),
                percent(self.balanced_accuracy_before)
            ),
            format!(
                "supported          {} of rows, of which {} are consistent",
                percent(self.coverage),
                self.precision.map_or_else(|| "none".to_owned(), percent)
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_with_a_precision_is_chosen_and_ties_stay_together() {
        let scores = [0.9, 0.8, 0.7, 0.7, 0.2];
        let labels = [true, true, true, false, false];
        // Down to 0.8 all are right; including both of 0.7, three of four are.
        assert_eq!(limit_of_precision(&scores, &labels, 0.9).unwrap(), 0.75);
        assert!((limit_of_precision(&scores, &labels, 0.75).unwrap() - 0.45).abs() < 1e-9);
        assert_eq!(limit_of_precision(&scores, &labels, 0.5).unwrap(), 0.2);
        let error = limit_of_precision(&[0.9, 0.8], &[false, true], 0.8).unwrap_err().to_string();
        assert!(error.contains("precision of 0.8") && error.contains("0.500"), "{error}");
    }
}

//! A fitted limit as a rules file, with the model and the rules that the scores came from.

use std::fmt::Write;

use serde_json::Value;

use super::limit::{FittedLimit, Goal};
use super::scored_by::{ModelOfRow, ScoredBy};

pub(super) fn text(files: &[String], scored_by: &ScoredBy, fitted: &FittedLimit, goal: Goal) -> String {
    let ScoredBy { model: ModelOfRow { id, sha256 }, profile, .. } = scored_by;
    let by = match goal {
        Goal::BalancedAccuracy => "by balanced accuracy".to_owned(),
        Goal::Precision(wanted) => format!("for a precision of {wanted}"),
    };
    let mut text = format!(
        "# Fitted by `veridic-bench calibrate` {by} to {} rows ({} consistent) of {}.\n",
        fitted.rows,
        fitted.consistent,
        files.join(", ")
    );
    if let Some([low, high]) = fitted.supported.interval() {
        let _ = writeln!(text, "# 95% interval of the limit, over documents: {low:.3} to {high:.3}.");
    }
    let quoted = |text: &str| Value::from(text).to_string();
    let _ = writeln!(text, "version = 1\nprofile = {}", quoted(profile));
    for (key, value) in scored_by.other_values() {
        let _ = writeln!(text, "{key} = {value}");
    }
    let (supported, id, sha256) = (fitted.supported.value, quoted(id), quoted(sha256));
    let _ = write!(text, "supported = {supported}\n\n[model]\nid = {id}\nsha256 = {sha256}\n");
    text
}

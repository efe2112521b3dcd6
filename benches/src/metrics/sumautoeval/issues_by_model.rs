//! Issues of writing found by a language model: one request about the flow, one about language, grammar and spelling.

use serde_json::Value;

use super::assessment::Assessment;
use super::axis::Axis;
use super::issues::{Issue, IssueKind};
use crate::llm::literal::{items, member};
use crate::llm::wording::numbered_lines;
use crate::llm::{LanguageModel, Parsed, Request, Step, Unparsable};
use veridic::Result;
use veridic::schedule::OnEvent;

/// An issue of a numbered sentence, from 1.
struct NumberedIssue {
    line: usize,
    kind: IssueKind,
    message: String,
}

/// The issues of each sentence of each row.
pub(super) fn issues(
    model: &LanguageModel,
    assessments: &[Option<Assessment<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Vec<Issue>>>> {
    let requests: Vec<Vec<Request>> = assessments
        .iter()
        .map(|row| row.as_ref().map(|row| requests(model, row)).unwrap_or_default())
        .collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| numbered_issues(text));
    let mut issues = Vec::with_capacity(assessments.len());
    for (row, answers) in assessments.iter().zip(answers) {
        let sentences = row.as_ref().map_or(&[][..], |row| &row.target.sentences);
        issues.push(answers.map(|answers| {
            let mut of_row: Vec<Vec<Issue>> = vec![Vec::new(); sentences.len()];
            for NumberedIssue { line, kind, message } in answers.into_iter().flatten() {
                // A line that does not exist has no issue.
                if let Some(place) = line.checked_sub(1).filter(|place| *place < sentences.len()) {
                    of_row[place].push(Issue { kind, span: sentences[place].span, message });
                }
            }
            of_row
        }));
    }
    issues
}

fn requests(model: &LanguageModel, row: &Assessment<'_>) -> Vec<Request> {
    let lines = numbered_lines(row.target.sentences.iter().map(|sentence| sentence.text));
    let mut steps = Vec::new();
    if row.wants_one(&[Axis::Readability, Axis::Coherence]) {
        steps.push(Step::SumAutoEvalFlow);
    }
    if row.wants_one(&[Axis::Readability, Axis::Fluency]) {
        steps.push(Step::SumAutoEvalWriting);
    }
    if lines.is_empty() {
        steps.clear();
    }
    steps.into_iter().map(|step| model.request(step, &[("sentences", lines.as_str())])).collect()
}

fn numbered_issues(text: &str) -> Parsed<Vec<NumberedIssue>> {
    let issue = |item: &Value| {
        let line = match member(item, "line")? {
            Value::String(text) => text.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()?,
            number => usize::try_from(number.as_u64()?).ok()?,
        };
        let kind = match member(item, "kind")?.as_str()?.trim().to_lowercase().as_str() {
            "flow" => IssueKind::Flow,
            "language" => IssueKind::Language,
            "grammar" => IssueKind::Grammar,
            "spelling" => IssueKind::Spelling,
            _ => return None,
        };
        let message = member(item, "issue").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(NumberedIssue { line, kind, message })
    };
    let items = items(text, "issues", "line")?;
    let found: Vec<NumberedIssue> = items.iter().filter_map(issue).collect();
    if found.len() == items.len() {
        return Ok(found);
    }
    Err(Unparsable(format!(
        "{} of its {} issues have no line or kind",
        items.len() - found.len(),
        items.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_have_a_line_and_a_kind() {
        let text = r#"{"issues": [{"line": 2, "kind": "Grammar", "issue": "No verb."}, {"line": "[1]", "kind": "flow"}]}"#;
        let found: Vec<(usize, IssueKind)> =
            numbered_issues(text).unwrap().iter().map(|issue| (issue.line, issue.kind)).collect();
        assert_eq!(found, [(2, IssueKind::Grammar), (1, IssueKind::Flow)]);
        assert!(numbered_issues("{\"issues\": []}").unwrap().is_empty());
        let error = numbered_issues(r#"[{"line": 1, "kind": "tone"}]"#).err().unwrap();
        assert_eq!(error.0, "1 of its 1 issues have no line or kind");
    }
}

//! Agreement of the answers about entities with human answers (Yuan et al., SumAutoEval, section 4.2, table 1): Cohen's
//! kappa on each axis. The rows are results of `veridic run --metric sumautoeval:...`, with human labels in a field that
//! passed through: a list of objects with `axis` (completeness, correctness, alignment, readability), `answer` (yes,
//! partial, no, contradict or unknown) and either `span`, the start and end character in the labelled text (the reference
//! for completeness, otherwise the summary), or `text`, the wording of one of our entities or sentences.
//!
//! A label is compared with the entity whose spans share most characters with it, as in the paper, or with the one of that
//! wording. Labels without an entity are counted. For readability the entities are sentences; the answer is yes without an
//! issue, otherwise no. Intervals are bootstrapped over rows.

mod facts;

use serde::Deserialize;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_stats::cohen_kappa;

pub use self::facts::Axis;
use self::facts::{Facts, Judged};
use crate::metrics::sumautoeval::Answer;
use crate::protocol::{
    BenchError, Beside, Estimate, Figures, PublishedTable, fields, figures, layout, published as tables,
    read_fields,
};

/// The default field of human labels.
pub const LABELS: &str = "labels";

/// A human label.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Label {
    axis: Axis,
    answer: Answer,
    span: Option<[usize; 2]>,
    text: Option<String>,
}

/// The labels of a row with our answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelledRow {
    compared: Vec<Compared>,
    /// The axes of labels that match no entity.
    unmatched: Vec<Axis>,
}

/// Our answer and a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Compared {
    axis: Axis,
    ours: Answer,
    theirs: Answer,
}

/// The agreement on all labelled axes.
pub type EntityAgreement = Figures;

/// Reads results with labels in the field `labels`, which may have passed through a run.
///
/// # Errors
/// The first row without SumAutoEval's facts or without labels; data without rows.
pub fn read(
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
    labels: &str,
) -> Result<Vec<LabelledRow>, BenchError> {
    let mut found = Vec::new();
    read_fields(rows, |_, fields| {
        found.push(labelled(&fields, labels)?);
        Ok(())
    })?;
    if found.iter().all(|row| row.compared.is_empty()) {
        let unmatched: usize = found.iter().map(|row| row.unmatched.len()).sum();
        let reason = format!(
            "holds no label that an entity stands for, in {} rows, and {unmatched} others",
            found.len()
        );
        return Err(BenchError::Data(reason));
    }
    Ok(found)
}

fn labelled(fields: &Fields, name: &str) -> Result<LabelledRow, String> {
    let facts: Facts =
        fields::parsed(fields, "sumautoeval", "what `veridic run --metric sumautoeval` writes")?;
    let expected = "a list of labels: objects with axis, answer, and span or text";
    let labels: Vec<Label> = match fields.get(name) {
        Some(_) => fields::parsed(fields, name, expected)?,
        None => {
            let missing = |reason| format!("has no labels: {reason}");
            let input: Fields = fields::parsed(fields, "input", "an object").map_err(missing)?;
            fields::parsed(&input, name, expected).map_err(missing)?
        }
    };
    let mut row = LabelledRow::default();
    for label in labels {
        let judged = facts.judged(label.axis).ok_or_else(|| {
            format!(
                "has labels of {}, which was not measured: name it in --metric sumautoeval:...",
                label.axis
            )
        })?;
        match matching(&judged, &label)? {
            Some(ours) => row.compared.push(Compared { axis: label.axis, ours, theirs: label.answer }),
            None => row.unmatched.push(label.axis),
        }
    }
    Ok(row)
}

/// Returns our answer about a labelled item.
fn matching(judged: &[Judged], label: &Label) -> Result<Option<Answer>, String> {
    let Some([start, end]) = label.span else {
        let text = label.text.as_ref().ok_or("a label has neither `span` nor `text`")?;
        let same = judged.iter().find(|judged| judged.text.trim().eq_ignore_ascii_case(text.trim()));
        return Ok(same.map(|judged| judged.answer));
    };
    if start >= end {
        return Err(format!("a label has the span [{start}, {end}]: it must be from and to, in characters"));
    }
    // The first item on ties.
    let (mut best, mut most) = (None, 0);
    for judged in judged {
        let shared = |span: &[usize; 2]| end.min(span[1]).saturating_sub(start.max(span[0]));
        let shared = judged.spans.iter().map(shared).sum();
        if shared > most {
            (best, most) = (Some(judged.answer), shared);
        }
    }
    Ok(best)
}

/// Returns the agreement over the rows.
pub fn agreement(rows: &[LabelledRow]) -> EntityAgreement {
    let axes: Vec<Figures> = Axis::ALL.into_iter().filter_map(|axis| of_axis(axis, rows)).collect();
    figures! { "rows": rows.len(), "axes": axes }
}

/// Returns the agreement on an axis: the numbers of compared labels and of labels that match no entity; kappa of the
/// answers, and of found (yes or partial) against not found, each `None` if both sides always give the same single answer;
/// and the share of labels with equal answers.
fn of_axis(axis: Axis, rows: &[LabelledRow]) -> Option<Figures> {
    let mut compared: Vec<Compared> = Vec::new();
    let mut groups = Vec::new();
    for row in rows {
        let before = compared.len();
        compared.extend(row.compared.iter().filter(|compared| compared.axis == axis));
        groups.push((before..compared.len()).collect::<Vec<usize>>());
    }
    groups.retain(|group| !group.is_empty());
    let unmatched = rows.iter().flat_map(|row| &row.unmatched).filter(|other| **other == axis).count();
    if compared.is_empty() && unmatched == 0 {
        return None;
    }
    let kappa = |of: fn(Answer) -> Answer| {
        Estimate::on_groups(&groups, |sample| {
            let both = sample.iter().map(|place| (of(compared[*place].ours), of(compared[*place].theirs)));
            let (ours, theirs): (Vec<Answer>, Vec<Answer>) = both.unzip();
            cohen_kappa(&ours, &theirs).ok()
        })
    };
    let agreement = Estimate::on_groups(&groups, |sample| {
        let same = sample.iter().filter(|place| compared[**place].ours == compared[**place].theirs).count();
        Some(same as f64 / sample.len() as f64)
    });
    Some(figures! {
        "axis": axis.name(),
        "labels": compared.len(),
        "unmatched": unmatched,
        "kappa": kappa(|answer| answer),
        "kappa_found": kappa(|answer| Answer::of(answer.is_found())),
        "agreement": agreement,
    })
}

/// Returns the paper's table.
pub fn published() -> &'static PublishedTable {
    &tables!("entities")[0]
}

/// Formats the agreement as the lines of a table, with the published rows.
pub fn table(name: &str, figures: &EntityAgreement) -> Vec<String> {
    let header = ["people's labels", "compared", "no entity", "kappa", "kappa, found or not", "same answer"];
    let fields = ["axis", "labels", "unmatched", "kappa", "kappa_found", "agreement"];
    let title =
        format!("Answers about entities in {} rows against people's, times 100", figures["rows"].cell());
    let mut lines = vec![title];
    lines.extend(layout::lines(&layout::rows(&header, figures["axes"].list(), &fields)));
    lines.push(String::new());
    lines.extend(beside(name, figures).lines());
    lines
}

/// Returns kappa of the answers in the columns of the published table.
pub fn beside(name: &str, figures: &EntityAgreement) -> Beside {
    let of = |axis: Axis| figures["axes"].find(&[("axis", axis.name())])["kappa"].brief();
    published().beside([(name.to_owned(), Axis::ALL.map(of))])
}

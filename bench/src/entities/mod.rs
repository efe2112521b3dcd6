//! How far the answers about entities agree with people's (Yuan et al., SumAutoEval, section 4.2, table 1): Cohen's kappa on
//! each axis. The rows are results of `veridic run --metric sumautoeval:...`, with people's labels in a field that passed
//! through: a list of objects with `axis` (completeness, correctness, alignment, readability), `answer` (yes, partial, no,
//! contradict or unknown) and either `span`, the characters from and to in the text that is labelled (the reference for
//! completeness, else the summary), or `text`, the wording of one of our entities or sentences.
//!
//! A label is compared with the entity whose spans share most characters with it, as in the paper, or with the one of that
//! wording. Labels without an entity are counted. For readability the entities are sentences; without an issue the answer
//! is yes, else no. Intervals are bootstrapped over rows.

mod facts;
mod table;

use serde::{Deserialize, Serialize};
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic::named;
use veridic_stats::{Disagreement, cohen_kappa};

use self::facts::{Facts, Judged};
use super::estimate::Estimate;
use super::fields;
use super::read::{BenchError, read_fields};

pub use table::{beside, published, table};

/// The field with people's labels, unless another is named.
pub const LABELS: &str = "labels";

/// What is labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// Whether the summary has an entity of the reference.
    Completeness,
    /// Whether an entity of the summary is true.
    Correctness,
    /// Whether it is in the right section; "organization" in the paper's table.
    Alignment,
    /// Whether a sentence of the summary is well written.
    Readability,
}

named!(Axis, "axis", {
    Completeness = "completeness",
    Correctness = "correctness",
    Alignment = "alignment",
    Readability = "readability",
});

/// An answer about an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    Yes,
    Partial,
    No,
    Contradict,
    Unknown,
}

impl Answer {
    pub(crate) fn of(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }

    fn is_found(self) -> bool {
        matches!(self, Self::Yes | Self::Partial)
    }
}

/// A label that a person gave.
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
    /// Axis, ours and the person's.
    pairs: Vec<(Axis, Answer, Answer)>,
    /// Axes of labels that no entity stands for.
    unmatched: Vec<Axis>,
}

/// The agreement on all axes that are labelled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntityAgreement {
    /// Number of rows.
    pub rows: usize,
    /// The axes with labels.
    pub axes: Vec<AxisAgreement>,
}

/// The agreement on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AxisAgreement {
    /// The axis.
    pub axis: Axis,
    /// Labels that are compared.
    pub labels: usize,
    /// Labels that no entity stands for.
    pub unmatched: usize,
    /// Cohen's kappa of the answers; `None` where both sides give one and the same answer everywhere.
    pub kappa: Option<Estimate>,
    /// Cohen's kappa of found (yes or partial) and not found.
    pub kappa_found: Option<Estimate>,
    /// The share of labels with the same answer.
    pub agreement: Option<Estimate>,
}

/// Reads results with labels in the field `labels`, which may have passed through a run.
///
/// # Errors
/// The first row without facts of SumAutoEval or without labels, and data without rows.
pub fn read(
    rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
    labels: &str,
) -> Result<Vec<LabelledRow>, BenchError> {
    let mut found = Vec::new();
    read_fields(rows, |_, fields| {
        found.push(labelled(&fields, labels)?);
        Ok(())
    })?;
    if found.iter().all(|row| row.pairs.is_empty()) {
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
            Some(ours) => row.pairs.push((label.axis, ours, label.answer)),
            None => row.unmatched.push(label.axis),
        }
    }
    Ok(row)
}

/// Our answer about what a person labelled.
fn matching(judged: &[Judged], label: &Label) -> Result<Option<Answer>, String> {
    match (label.span, &label.text) {
        (Some([start, end]), _) if start < end => {
            let shared = |judged: &&Judged| {
                let shared = |span: &[usize; 2]| end.min(span[1]).saturating_sub(start.max(span[0]));
                judged.spans.iter().map(shared).sum::<usize>()
            };
            let overlapping = judged.iter().filter(|judged| shared(judged) > 0);
            let best =
                overlapping.reduce(|best, next| if shared(&next) > shared(&best) { next } else { best });
            Ok(best.map(|best| best.answer))
        }
        (Some(span), _) => {
            Err(format!("a label has the span {span:?}: it must be from and to, in characters"))
        }
        (None, Some(text)) => {
            let same = |judged: &&Judged| judged.text.trim().eq_ignore_ascii_case(text.trim());
            Ok(judged.iter().find(same).map(|judged| judged.answer))
        }
        (None, None) => Err("a label has neither `span` nor `text`".into()),
    }
}

/// The agreement over the rows.
#[must_use]
pub fn agreement(rows: &[LabelledRow]) -> EntityAgreement {
    let axes = Axis::ALL.into_iter().filter_map(|axis| of_axis(axis, rows));
    EntityAgreement { rows: rows.len(), axes: axes.collect() }
}

fn of_axis(axis: Axis, rows: &[LabelledRow]) -> Option<AxisAgreement> {
    let of_row = |row: &LabelledRow| -> Vec<(Answer, Answer)> {
        row.pairs.iter().filter(|pair| pair.0 == axis).map(|pair| (pair.1, pair.2)).collect()
    };
    let by_row: Vec<Vec<(Answer, Answer)>> =
        rows.iter().map(of_row).filter(|pairs| !pairs.is_empty()).collect();
    let pairs: Vec<(Answer, Answer)> = by_row.concat();
    let unmatched = rows.iter().flat_map(|row| &row.unmatched).filter(|other| **other == axis).count();
    let mut next = 0;
    let groups: Vec<Vec<usize>> = by_row
        .iter()
        .map(|pairs| {
            next += pairs.len();
            (next - pairs.len()..next).collect()
        })
        .collect();
    let kappa = |of: fn(Answer) -> Answer| {
        Estimate::on_groups(&groups, |sample| {
            let (ours, theirs): (Vec<Answer>, Vec<Answer>) =
                sample.iter().map(|pair| (of(pairs[*pair].0), of(pairs[*pair].1))).unzip();
            cohen_kappa(&ours, &theirs, Disagreement::Nominal).ok()
        })
    };
    let agreement = Estimate::on_groups(&groups, |sample| {
        let same = sample.iter().filter(|pair| pairs[**pair].0 == pairs[**pair].1).count();
        Some(same as f64 / sample.len() as f64)
    });
    (!pairs.is_empty() || unmatched > 0).then(|| AxisAgreement {
        axis,
        labels: pairs.len(),
        unmatched,
        kappa: kappa(|answer| answer),
        kappa_found: kappa(|answer| Answer::of(answer.is_found())),
        agreement,
    })
}

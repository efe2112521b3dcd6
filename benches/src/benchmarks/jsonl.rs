//! Any labelled file, in every corpus format: a document, a summary and a label (1 = consistent). One field may tell which
//! rows tune the threshold and which are measured, another the group of a row, such as its dataset.
//!
//! The figures show how well scores rank the rows, and their accuracy under a threshold tuned on other rows: those of the
//! file's val split, or one half of the documents for the other. Groups share one threshold. A group's figure that needs
//! rows of both labels is `None` without them. Intervals are bootstrapped over documents with the threshold fixed; halvings,
//! which share their rows, have none.

use veridic::corpus::read::{RawRow, RowNames};
use veridic_stats::{Confusion, average_precision, best_threshold, roc_auc};

use crate::protocol::{
    About, BenchError, Benchmark, Case, Decisions, Estimate, Figures, Interval, RowContent, SPLITS, Sampled,
    Scored, Shown, Split, Text, by_document, by_name, complete_mean, fields, figures, halves, layout,
    mean_accuracy, strict_accuracies,
};

/// The benchmark, with the names of the file's fields.
#[derive(Debug, Clone)]
pub struct Labelled {
    pub names: RowNames,
    pub label: String,
    /// The field that tells which rows tune the threshold (`val`, `dev`) and which are measured (`test`); without it, each
    /// half of the documents tunes for the other.
    pub split: Option<String>,
    pub group: Option<String>,
}

impl Default for Labelled {
    fn default() -> Self {
        Self { names: RowNames::default(), label: "label".into(), split: None, group: None }
    }
}

/// Where a row belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) split: Option<Split>,
    /// Its group; empty without groups.
    pub(crate) group: String,
}

impl Benchmark for Labelled {
    type Label = Label;

    fn about(&self) -> About {
        About::default()
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let fields = &row.fields;
        let split = self.split.as_ref().map(|field| Split::of_field(fields, field, "val or dev, or test"));
        let split = split.transpose()?;
        let is_consistent = fields::label(fields, &self.label)?;
        let group = self.group.as_ref().map(|field| fields::name(fields, field)).transpose()?;
        let label = Label { split, group: group.unwrap_or_default() };
        let stratum = format!("{} {} {is_consistent}", label.group, split.map_or("", Split::name));
        // Texts without words are accepted here and left out, with the reason, before scoring.
        let mut names = self.names.clone();
        names.blank_texts = true;
        let row = names.read(row).map_err(|bad| bad.fault.reason)?;
        Ok(RowContent::text(row.document, Text::new(row.summary, is_consistent, stratum, label)))
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let tunes = |label: &Label| label.split == Some(Split::Val);
        let scored = Scored { cases, scores };
        let (rows, val) = (scored.rows(|label| !tunes(label)), scored.rows(tunes));
        Run { labels: scored.labels(), scored, rows, val }.figures()
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let [roc_auc, average_precision, balanced_accuracy] =
            ["roc_auc", "average_precision", "balanced_accuracy"]
                .map(|field| figures[field].within(&figures["intervals"][field]).cell());
        let [rows, consistent, documents] =
            ["rows", "consistent", "documents"].map(|field| figures[field].cell());
        let mut lines = vec![
            format!("scores             {name}"),
            format!("rows               {rows} ({consistent} consistent)"),
            format!("documents          {documents}"),
            format!("ROC AUC            {roc_auc}"),
            format!("average precision  {average_precision}"),
            format!("balanced accuracy  {balanced_accuracy} ({})", tuned_by(figures)),
        ];
        if let groups @ [_, ..] = figures["groups"].list() {
            let header = ["group", "rows", "consistent", "ROC AUC", "average precision", "balanced accuracy"];
            let fields = ["group", "rows", "consistent", "roc_auc", "average_precision", "balanced_accuracy"];
            let mut rows = layout::rows(&header, groups, &fields);
            let mean = |field: &str| figures["group_means"][field].cell();
            rows.push(layout::cells(["mean", "", "", &mean("roc_auc"), "", &mean("balanced_accuracy")]));
            lines.push(String::new());
            lines.extend(layout::lines(&rows));
        }
        lines.extend([String::new(), "In percent, with 95% intervals.".to_owned()]);
        Shown { lines, beside: Vec::new() }
    }
}

fn tuned_by(figures: &Figures) -> String {
    if figures["threshold"] != Figures::None {
        let (threshold, rows) = (figures["threshold"].threshold(), figures["val_rows"].cell());
        return format!("threshold {threshold} from {rows} val rows");
    }
    let splits: Vec<String> = figures["splits"].list().iter().map(Figures::cell).collect();
    format!(
        "threshold from the other half of the documents, {} of {SPLITS} splits: {}",
        splits.len(),
        splits.join(", ")
    )
}

struct Run<'c> {
    scored: Scored<'c, Label>,
    labels: Vec<bool>,
    rows: Vec<usize>,
    /// The tuning rows, if the file has splits.
    val: Vec<usize>,
}

impl Run<'_> {
    fn figures(&self) -> Result<Figures, BenchError> {
        let (rows, documents) = (&self.rows, by_document(self.scored.cases, &self.rows));
        let ranked = (self.scored.sampled(rows, roc_auc), self.scored.sampled(rows, average_precision));
        let (Some(roc_auc), Some(average_precision)) = ranked else {
            return Err(BenchError::Data(format!("{}rows of both labels are needed, 1 and 0", self.part())));
        };
        let decisions = self.decisions(&documents)?;
        let Some(balanced_accuracy) = mean_accuracy(&decisions, rows, &self.labels) else {
            let reason = "no half of the documents has rows of both labels: more documents are needed";
            return Err(BenchError::Data(reason.into()));
        };
        let tuned = decisions.first().filter(|_| !self.val.is_empty());
        let splits =
            if tuned.is_none() { strict_accuracies(&decisions, rows, &self.labels) } else { Vec::new() };
        let groups = self.groups(&decisions);
        let mean = |field: &str| complete_mean(groups.iter().map(|group: &Figures| group[field].value()));
        let means = (!groups.is_empty())
            .then(|| figures! { "roc_auc": mean("roc_auc"), "balanced_accuracy": mean("balanced_accuracy") });
        let interval = |figure: &Sampled| figure.estimate().interval();
        Ok(figures! {
            "rows": rows.len(),
            "consistent": self.scored.consistent(rows),
            "documents": documents.len(),
            "roc_auc": roc_auc.value,
            "average_precision": average_precision.value,
            "balanced_accuracy": balanced_accuracy,
            "splits": splits,
            "val_rows": self.val.len(),
            "threshold": tuned.map(|tuned| tuned.threshold),
            "intervals": figures! {
                "roc_auc": interval(&roc_auc),
                "average_precision": interval(&average_precision),
                "balanced_accuracy": tuned.and_then(|tuned| self.accuracy_interval(&documents, tuned)),
            },
            "groups": groups,
            "group_means": means,
        })
    }

    /// Names the measured part, to begin an error message.
    fn part(&self) -> &'static str {
        if self.scored.rows(|label| label.split.is_some()).is_empty() { "" } else { "test: " }
    }

    /// Decides under the threshold of the val split, or of each half for the other.
    fn decisions(&self, documents: &[Vec<usize>]) -> Result<Vec<Decisions>, BenchError> {
        if self.val.is_empty() {
            return match self.part() {
                "" => Ok(halves(documents, self.scored.scores, &self.labels)),
                _ => Err(BenchError::Data("has no val rows to tune a threshold on".into())),
            };
        }
        let (scores, labels) = self.scored.pairs(&self.val);
        let threshold = best_threshold(&scores, &labels)
            .ok_or_else(|| BenchError::Data("val: rows of both labels are needed, 1 and 0".into()))?;
        let measures = |row: usize| self.scored.label(row).split == Some(Split::Test);
        Ok(vec![Decisions::new(threshold, self.scored.scores, measures)])
    }

    fn accuracy_interval(&self, documents: &[Vec<usize>], tuned: &Decisions) -> Option<Interval> {
        let accuracy = |rows: &[usize]| Confusion::count(tuned.pairs(rows, &self.labels)).balanced_accuracy();
        Estimate::on_groups(documents, accuracy)?.interval()
    }

    fn groups(&self, decisions: &[Decisions]) -> Vec<Figures> {
        let named = |&row: &usize| (self.scored.label(row).group.as_str(), row);
        let group = |(name, rows): (&str, Vec<usize>)| {
            let (scores, labels) = self.scored.pairs(&rows);
            figures! {
                "group": name,
                "rows": rows.len(),
                "consistent": self.scored.consistent(&rows),
                "roc_auc": roc_auc(&scores, &labels),
                "average_precision": roc_auc(&scores, &labels).and(average_precision(&scores, &labels)),
                "balanced_accuracy": mean_accuracy(decisions, &rows, &self.labels),
            }
        };
        let grouped = by_name(self.rows.iter().map(named).filter(|(name, _)| !name.is_empty()));
        grouped.into_iter().map(group).collect()
    }
}

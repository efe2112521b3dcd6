//! ROSE's atomic content units (Liu et al. 2023) as a measure of claims: summaries with human-written claims, fields
//! `summary` and `claims`. The metric is easiness (Zhang and Bansal 2021) as in FENICE (Scirè et al. 2024, equations 9 and
//! 10): precision is the mean over the system's claims of the highest similarity with a human claim, recall the mean over
//! human claims of the highest similarity with a system's claim; F1 of a summary is their harmonic mean; all three are
//! averaged over summaries. Similarity is ROUGE-1 F1, or the F1 of BERTScore as in the paper's appendix B. Intervals are
//! bootstrapped over summaries.

use clap::ValueEnum;
use veridic::corpus::{each_row, field_text, field_texts};
use veridic::named;
use veridic::pipeline::check_text;

use crate::protocol::{Beside, Estimate, Figures, PublishedTable, figures, one_by_one, published};
use crate::similarity::rouge::rouge;

/// How claims are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Similarity {
    /// ROUGE-1 F1.
    Rouge,
    /// The F1 of BERTScore.
    Bertscore,
}

impl Similarity {
    /// Returns the paper's figures under this similarity.
    pub fn published(self) -> &'static PublishedTable {
        &published!("rose")[self as usize]
    }
}

named!(Similarity, "similarity", { Rouge = "rouge", Bertscore = "bertscore" });

/// A summary with its human-written claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoseRow {
    pub summary: String,
    /// The human-written claims; at least one.
    pub claims: Vec<String>,
    pub system: Vec<String>,
}

/// The agreement of a system's claims with human claims, from 0 to 1: precision, recall and F1, with intervals if there are
/// several summaries.
pub type Agreement = Figures;

const FIGURES: [&str; 3] = ["precision", "recall", "f1"];

#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RowError {
    /// The line in the file, from 1.
    pub line: usize,
    /// The problem and how to fix it.
    pub reason: String,
}

/// Parses the rows of a file, in order. The system's claims are in the field `given`; without a name of it, there are none
/// yet. A row that lacks a field, a word or human claims yields an error in its position.
pub fn parse(text: &str, given: Option<&str>) -> Vec<Result<RoseRow, RowError>> {
    let rows = each_row(text, |mut fields| {
        let system = given.map(|field| field_texts(&mut fields, field)).transpose()?.unwrap_or_default();
        let summary = field_text(&mut fields, "summary")?;
        check_text("summary", &summary).map_err(|error| error.to_string())?;
        let claims = field_texts(&mut fields, "claims")?;
        if claims.is_empty() {
            return Err("field `claims` is empty: there is nothing to measure by".to_owned());
        }
        Ok(RoseRow { summary, claims, system })
    });
    rows.map(|(line, row)| row.map_err(|reason| RowError { line, reason })).collect()
}

/// The similarity of each system claim (rows) with each human claim (columns), from 0 to 1.
pub type Similarities = Vec<Vec<f64>>;

/// Returns ROUGE-1 F1 of each system claim with each human claim.
pub fn by_rouge(system: &[String], human: &[String]) -> Similarities {
    let of = |claim: &String| human.iter().map(|other| rouge(other, claim, false).unigram.f1).collect();
    system.iter().map(of).collect()
}

/// Returns the agreement of the system's claims with people's, by the similarities that `compare` returns.
pub fn agreement(
    rows: &[RoseRow],
    compare: impl Fn(&[String], &[String]) -> Result<Similarities, String>,
) -> Result<Agreement, String> {
    if rows.is_empty() {
        return Err("it holds no rows".to_owned());
    }
    let mut each = Vec::with_capacity(rows.len());
    for row in rows {
        each.push(Easiness::of(&compare(&row.system, &row.claims)?, row.claims.len()));
    }
    let groups = one_by_one(rows.len());
    let mean = |of: fn(&Easiness) -> f64| {
        let of_rows =
            |rows: &[usize]| Some(rows.iter().map(|row| of(&each[*row])).sum::<f64>() / rows.len() as f64);
        Estimate::on_groups(&groups, of_rows).expect("there are rows, and a mean has a value")
    };
    let (precision, recall) = (mean(|row| row.precision), mean(|row| row.recall));
    let f1 = mean(|row| row.f1);
    let intervals = (rows.len() > 1).then(|| {
        let interval = |figure: &Estimate| figure.interval();
        figures! { "precision": interval(&precision), "recall": interval(&recall), "f1": interval(&f1) }
    });
    Ok(figures! {
        "summaries": rows.len(),
        "claims": rows.iter().map(|row| row.system.len()).sum::<usize>(),
        "human_claims": rows.iter().map(|row| row.claims.len()).sum::<usize>(),
        "precision": precision.value,
        "recall": recall.value,
        "f1": f1.value,
        "intervals": Figures::or_absent(intervals),
    })
}

#[derive(Debug, PartialEq)]
struct Easiness {
    precision: f64,
    recall: f64,
    f1: f64,
}

impl Easiness {
    fn of(similarities: &Similarities, human: usize) -> Self {
        let best = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let precision = similarities.iter().map(|row| best(&mut row.iter().copied())).sum();
        let recall = (0..human).map(|column| best(&mut similarities.iter().map(|row| row[column]))).sum();
        let (precision, recall) = (mean(precision, similarities.len()), mean(recall, human));
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }
}

/// The figures as the lines of a table, with the published rows by the same similarity.
pub fn table(name: &str, figures: &Agreement, similarity: Similarity) -> Vec<String> {
    let mut lines = vec![counts(figures)];
    lines.extend(beside(name, figures, similarity).lines());
    lines
}

/// Returns the numbers of summaries and claims measured.
pub fn counts(figures: &Agreement) -> String {
    let [summaries, claims, of_people] =
        ["summaries", "claims", "human_claims"].map(|name| figures[name].cell());
    format!("{summaries} summaries, {claims} claims, {of_people} of people")
}

/// The figures in the columns of the published table.
pub fn beside(name: &str, figures: &Agreement, similarity: Similarity) -> Beside {
    let shown = |name: &str| figures[name].within(&figures["intervals"][name]).cell();
    similarity.published().beside([(name.to_owned(), FIGURES.map(shown))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn easiness(system: &[&str], human: &[&str]) -> Easiness {
        let owned = |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
        Easiness::of(&by_rouge(&owned(system), &owned(human)), human.len())
    }

    #[test]
    fn figures_match_hand_counts() {
        // "a b c" shares two of three tokens with "a b d", and nothing with "e": best F1 2/3.
        let found = easiness(&["A b, c!"], &["a b d", "e"]);
        assert!((found.precision - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.recall - 1.0 / 3.0).abs() < 1e-12);
        assert!((found.f1 - 4.0 / 9.0).abs() < 1e-12);
        // Repeated tokens count.
        assert!((easiness(&["a a"], &["a"]).precision - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(easiness(&[], &["a"]), Easiness { precision: 0.0, recall: 0.0, f1: 0.0 });
    }

    #[test]
    fn row_without_claims_is_an_error() {
        let file = r#"{"summary":"A word.","claims":[]}
{"summary":"A word.","claims":["x"]}
{"summary":"A word.","claims":"x"}"#;
        let rows = parse(file, None);
        let error = rows[0].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("line 1: ") && error.contains("claims"), "{error}");
        assert!(rows[1].is_ok() && rows[2].is_err() && rows.len() == 3);
        assert!(agreement(&[], |a, b| Ok(by_rouge(a, b))).is_err());
    }

    #[test]
    fn given_claims_are_measured() {
        let file = r#"{"summary":"A b.","claims":["a b","c"],"mine":["a b"]}
{"summary":"A b.","claims":["a b"],"mine":["a","d"]}"#;
        let rows: Vec<RoseRow> = parse(file, Some("mine")).into_iter().collect::<Result<_, _>>().unwrap();
        let figures = agreement(&rows, |a, b| Ok(by_rouge(a, b))).unwrap();
        // Precision 1 and (2/3 + 0)/2, recall (1 + 0)/2 and 2/3.
        let value = |name: &str| figures[name].value().unwrap();
        assert!(
            (value("precision") - 2.0 / 3.0).abs() < 1e-12 && (value("recall") - 7.0 / 12.0).abs() < 1e-12
        );
        assert_eq!((value("claims"), value("human_claims")), (3.0, 3.0));
        let ends = [0, 1].map(|end| figures["intervals"]["precision"][end].value().unwrap());
        assert!(ends[0] < value("precision") && ends[1] <= 1.0);
        for (similarity, precision, f1) in
            [(Similarity::Rouge, "74.9", "73.4"), (Similarity::Bertscore, "95.0", "94.7")]
        {
            let lines = table("mine", &figures, similarity);
            for (name, figure) in [("GPT-3.5", precision), ("T5", f1)] {
                assert!(lines.iter().any(|line| line.contains(name) && line.contains(figure)), "{lines:#?}");
            }
        }
        let error = parse(file, Some("yours")).remove(0).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("`yours`"), "{error}");
    }
}

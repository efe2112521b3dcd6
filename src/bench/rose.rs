//! ROSE's atomic content units (Liu et al. 2023) as a measure of claims: summaries with claims that people
//! wrote, fields `summary` and `claims`. The metric is FENICE's (Scirè et al. 2024, equations 9 and 10):
//! precision is the mean over the system's claims of the best unigram F1 with a human claim, recall the
//! mean over human claims of the best with a system's claim; F1 of a summary is their harmonic mean; all
//! three are means over summaries. Tokens are runs of `[a-z0-9]` of the lower-cased text.

use std::collections::HashMap;

use serde::Serialize;

use crate::corpus::{RowError, field_text, field_texts, parse_rows};
use crate::pipeline::check_text;

/// A summary and people's claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoseRow {
    /// The text.
    pub summary: String,
    /// What people say that it claims; at least one.
    pub claims: Vec<String>,
}

/// How claims agree with people's, from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Summaries.
    pub summaries: usize,
    /// The system's claims.
    pub claims: usize,
    /// People's claims.
    pub human_claims: usize,
    /// Mean over summaries of the precision.
    pub precision: f64,
    /// Mean over summaries of the recall.
    pub recall: f64,
    /// Mean over summaries of the harmonic mean of the two.
    pub f1: f64,
}

/// Reads the file.
///
/// # Errors
/// The first row that lacks a field, or has no claim.
pub fn parse(text: &str) -> Result<Vec<RoseRow>, RowError> {
    let rows = parse_rows(text, |mut fields| {
        let summary = field_text(&mut fields, "summary")?;
        check_text("summary", &summary).map_err(|error| error.to_string())?;
        let claims = field_texts(&mut fields, "claims")?;
        if claims.is_empty() {
            return Err("field `claims` is empty: there is nothing to measure by".to_owned());
        }
        Ok(RoseRow { summary, claims })
    })?;
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// How `claims`, one list a row, agree with the rows' own.
///
/// # Errors
/// When there are no rows.
pub fn agreement(rows: &[RoseRow], claims: &[Vec<String>]) -> Result<Agreement, String> {
    if rows.is_empty() {
        return Err("it holds no rows".to_owned());
    }
    let each: Vec<[f64; 3]> =
        rows.iter().zip(claims).map(|(row, claims)| precision_recall_f1(claims, &row.claims)).collect();
    let mean = |index: usize| each.iter().map(|figures| figures[index]).sum::<f64>() / rows.len() as f64;
    Ok(Agreement {
        summaries: rows.len(),
        claims: claims.iter().map(Vec::len).sum(),
        human_claims: rows.iter().map(|row| row.claims.len()).sum(),
        precision: mean(0),
        recall: mean(1),
        f1: mean(2),
    })
}

fn precision_recall_f1(system: &[String], human: &[String]) -> [f64; 3] {
    let (system, human) = (bags(system), bags(human));
    let mean_of_best = |from: &[Bag], to: &[Bag]| {
        let best = |bag: &Bag| to.iter().map(|other| bag.f1(other)).fold(0.0, f64::max);
        from.iter().map(best).sum::<f64>() / from.len().max(1) as f64
    };
    let (precision, recall) = (mean_of_best(&system, &human), mean_of_best(&human, &system));
    [precision, recall, harmonic_mean(precision, recall)]
}

fn harmonic_mean(a: f64, b: f64) -> f64 {
    if a + b > 0.0 { 2.0 * a * b / (a + b) } else { 0.0 }
}

/// The tokens of a claim with their counts.
struct Bag {
    counts: HashMap<String, usize>,
    size: usize,
}

fn bags(texts: &[String]) -> Vec<Bag> {
    texts.iter().map(|text| Bag::of(text)).collect()
}

impl Bag {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let is_token = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let mut bag = Self { counts: HashMap::new(), size: 0 };
        for token in lower.split(|c: char| !is_token(c)).filter(|token| !token.is_empty()) {
            *bag.counts.entry(token.to_owned()).or_insert(0) += 1;
            bag.size += 1;
        }
        bag
    }

    fn f1(&self, other: &Self) -> f64 {
        let shared: usize =
            self.counts.iter().map(|(token, count)| *count.min(other.counts.get(token).unwrap_or(&0))).sum();
        if shared == 0 {
            return 0.0;
        }
        harmonic_mean(shared as f64 / self.size as f64, shared as f64 / other.size as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(system: &[&str], human: &[&str]) -> [f64; 3] {
        let owned = |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
        precision_recall_f1(&owned(system), &owned(human))
    }

    #[test]
    fn figures_are_those_counted_by_hand() {
        // "a b c" shares two of three tokens with "a b d", and nothing with "e": best F1 2/3.
        let [precision, recall, f1] = figures(&["A b, c!"], &["a b d", "e"]);
        assert!((precision - 2.0 / 3.0).abs() < 1e-12);
        assert!((recall - 1.0 / 3.0).abs() < 1e-12);
        assert!((f1 - 4.0 / 9.0).abs() < 1e-12);
        // A token counts as often as it is there.
        let [precision, ..] = figures(&["a a"], &["a"]);
        assert!((precision - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(figures(&[], &["a"]), [0.0; 3]);
    }

    #[test]
    fn rows_without_claims_are_refused() {
        let error = parse(r#"{"summary":"A word.","claims":[]}"#).unwrap_err().to_string();
        assert!(error.starts_with("line 1: ") && error.contains("claims"), "{error}");
        assert!(parse(r#"{"summary":"A word.","claims":"x"}"#).is_err());
        assert!(agreement(&[], &[]).is_err());
    }
}

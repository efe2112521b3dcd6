//! One benchmark with several lists of scores, such as an ablation: a row for each, and the gain of the last figure over the
//! previous row.

use serde::Serialize;

use super::benchmark::Benchmark;
use super::case::Case;
use super::error::BenchError;
use super::figures::Figures;
use super::layout;
use super::published::Beside;

/// The figures of one list of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The name of the scores.
    pub name: String,
    /// The figures of the protocol.
    pub figures: Figures,
    /// The last figure of the headline minus the previous list's.
    pub gain: Option<f64>,
}

/// Applies the protocol to each list of scores.
///
/// # Errors
/// As [`Benchmark::figures`], naming the list.
pub fn compare<B: Benchmark>(
    benchmark: &B,
    cases: &[Case<B::Label>],
    lists: &[(String, Vec<f64>)],
) -> Result<Vec<Compared>, BenchError> {
    let mut before = None;
    let compared = lists.iter().map(|(name, scores)| {
        let figures =
            benchmark.figures(cases, scores).map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
        let value = benchmark.show("", &figures).headline.last().and_then(|column| column.value);
        let gain = before.zip(value).map(|(before, value): (f64, f64)| value - before);
        before = value;
        Ok(Compared { name: name.clone(), figures, gain })
    });
    compared.collect()
}

/// Formats the comparison as the lines of a table, with published rows below.
pub fn comparison_table(benchmark: &impl Benchmark, compared: &[Compared]) -> Vec<String> {
    match beside_comparison(benchmark, compared) {
        _ if compared.is_empty() => Vec::new(),
        Some(beside) => beside.lines(),
        None => layout::lines(&rows(benchmark, compared)),
    }
}

/// Returns the comparison in the columns of the published one, if there is one.
pub fn beside_comparison(benchmark: &impl Benchmark, compared: &[Compared]) -> Option<Beside> {
    benchmark.about().comparison.map(|published| published.under(rows(benchmark, compared)))
}

/// Returns a header and a row for each list of scores.
fn rows(benchmark: &impl Benchmark, compared: &[Compared]) -> Vec<Vec<String>> {
    let Some(first) = compared.first() else { return Vec::new() };
    let columns = benchmark.show("", &first.figures).headline;
    let names = columns.iter().map(|column| column.name.clone());
    let mut rows = vec![std::iter::once(String::new()).chain(names).chain(["gain".to_owned()]).collect()];
    for list in compared {
        let figures = benchmark.show("", &list.figures).headline.into_iter().map(|column| column.shown);
        let gain = list.gain.map_or_else(|| "-".into(), |gain| format!("{:+.1}", 100.0 * gain));
        rows.push(std::iter::once(list.name.clone()).chain(figures).chain([gain]).collect());
    }
    rows
}

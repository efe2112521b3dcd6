//! A sample of a benchmark's rows, for a quick look. A row includes all its texts. Every stratum gets one row before any
//! gets a second, and then its share, so that even a small sample has what the protocol needs from each.

use std::collections::BTreeMap;
use std::ops::Range;

use super::case::Case;
use veridic_stats::SplitMix64;

/// Returns the indices of the cases of `limit` rows, in data order; all of them if there are fewer rows. The same seed draws
/// the same rows, and a larger sample contains the smaller ones.
pub fn stratified_sample<Label>(cases: &[Case<Label>], limit: usize, seed: u64) -> Vec<usize> {
    let mut strata: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
    for row in rows(cases) {
        strata.entry(cases[row.start].stratum.clone()).or_default().push(row);
    }
    let mut generator = SplitMix64::new(seed);
    let mut ordered = Vec::new();
    for rows in strata.values_mut() {
        generator.shuffle(rows);
        let count = rows.len() as u128;
        let ranked = |(place, row): (usize, &Range<usize>)| Ranked {
            place: place as u128,
            count,
            tie_break: generator.next_u64(),
            row: row.clone(),
        };
        ordered.extend(rows.iter().enumerate().map(ranked));
    }
    ordered.sort_by(|a, b| (a.place * b.count, a.tie_break).cmp(&(b.place * a.count, b.tie_break)));
    let mut sample: Vec<usize> = ordered.into_iter().take(limit).flat_map(|ranked| ranked.row).collect();
    sample.sort_unstable();
    sample
}

/// A row, ordered by its rank relative to the size of its stratum.
struct Ranked {
    place: u128,
    count: u128,
    /// Orders equal ranks.
    tie_break: u64,
    row: Range<usize>,
}

fn rows<Label>(cases: &[Case<Label>]) -> impl Iterator<Item = Range<usize>> {
    let mut begin = 0;
    cases.chunk_by(|a, b| a.row == b.row).map(move |row| {
        let range = begin..begin + row.len();
        begin = range.end;
        range
    })
}

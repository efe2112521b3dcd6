//! Which rows a quick look takes. A row brings all its texts. Each stratum has a row before another has two,
//! and then its share, so that what the protocol needs of every kind is there even in a small look.

use std::collections::BTreeMap;
use std::ops::Range;

use super::benchmark::{Benchmark, Case};
use veridic_stats::SplitMix64;

/// The numbers of the cases that `limit` rows have, in the order of the data; all of them if there are no more
/// rows. The same seed takes the same rows.
#[must_use]
pub fn pick<B: Benchmark>(benchmark: &B, cases: &[Case<B::Keys>], limit: usize, seed: u64) -> Vec<usize> {
    let mut strata: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
    for row in rows(cases) {
        strata.entry(benchmark.stratum(&cases[row.start].keys)).or_default().push(row);
    }
    let mut generator = SplitMix64::new(seed);
    let mut queue = Vec::new();
    for rows in strata.values_mut() {
        generator.shuffle(rows);
        let count = rows.len() as u128;
        let queued = |(place, row): (usize, &Range<usize>)| Queued {
            place: place as u128,
            count,
            lot: generator.next_u64(),
            row: row.clone(),
        };
        queue.extend(rows.iter().enumerate().map(queued));
    }
    queue.sort_by(|a, b| (a.place * b.count, a.lot).cmp(&(b.place * a.count, b.lot)));
    let mut picked: Vec<usize> = queue.into_iter().take(limit).flat_map(|queued| queued.row).collect();
    picked.sort_unstable();
    picked
}

/// A row that waits for its turn, which comes by its place over the count of its stratum.
struct Queued {
    place: u128,
    count: u128,
    /// Decides among equal turns.
    lot: u64,
    row: Range<usize>,
}

/// The cases of each row.
fn rows<K>(cases: &[Case<K>]) -> impl Iterator<Item = Range<usize>> {
    let mut begin = 0;
    cases.chunk_by(|a, b| a.row == b.row).map(move |row| {
        let range = begin..begin + row.len();
        begin = range.end;
        range
    })
}

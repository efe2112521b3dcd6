//! A decoding step against its definition.

use super::*;
use crate::attention::Heads;
use crate::cuda::{StepAttention, StepBias, StepKeys, StepLists};

#[test]
fn queries_attend_to_their_own_keys() {
    for dtype in DTYPES {
        for size in [5, 32, 64, 128] {
            check(dtype, Heads { count: 3, size });
        }
    }
}

/// Two queries: one over three cache rows in any order, one over a single row.
fn check(dtype: Dtype, heads: Heads) {
    let cuda = cuda(dtype);
    let width = heads.count * heads.size;
    let [query, cache, bias] = [
        tensor(&[2, 3 * width], 1, 0.5, dtype),
        tensor(&[6, 2 * width], 2, 1.0, dtype),
        tensor(&[heads.count, 4], 3, 1.0, dtype),
    ];
    let rows: [&[usize]; 2] = [&[4, 0, 5], &[2]];
    let lists = StepLists { rows: Some(&[4, 0, 5, 2]), firsts: &[0, 3], counts: &[3, 1] };
    let ([keys], _) = StepKeys::upload(&cuda, [lists], &[]).unwrap();
    let (on, device_cache, device_bias) =
        (cuda.upload(&query).unwrap(), cuda.upload(&cache).unwrap(), cuda.upload_wide(&bias).unwrap());
    let step_bias = StepBias { lists: &device_bias, first: 1 };
    let attention = StepAttention { heads, cache: &device_cache, bias: Some(step_bias) };
    let got = wait(attention.forward(&cuda, on.from_column(width), &keys).unwrap().download(&cuda).unwrap());
    let (query, cache, bias) = (wide(&query), wide(&cache), wide(&bias));
    let mut expected = Vec::new();
    for (query_index, rows) in rows.iter().enumerate() {
        for head in 0..heads.count {
            let query_row = &query[query_index * 3 * width + width + head * heads.size..][..heads.size];
            let part = |row: usize, side: usize| {
                &cache[row * 2 * width + side * width + head * heads.size..][..heads.size]
            };
            let score = |(key, &row): (usize, &usize)| {
                query_row.iter().zip(part(row, 0)).map(|(a, b)| a * b).sum::<f64>() + bias[head * 4 + 1 + key]
            };
            let shares: Vec<f64> = rows.iter().enumerate().map(score).map(f64::exp).collect();
            let total: f64 = shares.iter().sum();
            expected.extend((0..heads.size).map(|column| {
                rows.iter()
                    .zip(&shares)
                    .map(|(&row, share)| share / total * part(row, 1)[column])
                    .sum::<f64>()
            }));
        }
    }
    assert_near(&got, &expected, dtype, 1.0, &format!("{heads:?}, {dtype:?}"));
}

/// Cache rows that do not exist used to be read.
#[test]
fn rows_beyond_the_cache_are_errors() {
    let (cuda, heads) = (cuda(Dtype::F16), Heads { count: 2, size: 8 });
    let upload =
        |rows: usize, columns: usize| cuda.upload(&tensor(&[rows, columns], 1, 1.0, Dtype::F16)).unwrap();
    let (query, cache) = (upload(2, 16), upload(6, 32));
    let bias = cuda.upload_wide(&tensor(&[2, 4], 3, 1.0, Dtype::F16)).unwrap();
    let step = |lists: StepLists<'_>, bias: Option<StepBias<'_>>| {
        let ([keys], _) = StepKeys::upload(&cuda, [lists], &[7])?;
        StepAttention { heads, cache: &cache, bias }.forward(&cuda, query.from_column(0), &keys)
    };
    let listed = |rows, counts| StepLists { rows: Some(rows), firsts: &[0, 3], counts };
    let first = |first| Some(StepBias { lists: &bias, first });
    assert!(step(listed(&[4, 0, 5, 2], &[3, 1]), first(1)).is_ok());
    assert!(step(listed(&[4, 0, 5, 2], &[3, 1]), first(2)).is_err(), "three keys, but two biases left");
    assert!(step(listed(&[4, 0, 6, 2], &[3, 1]), None).is_err(), "there is no seventh row");
    assert!(step(listed(&[4, 0, 5, 2], &[3, 2]), None).is_err(), "the last query has one cache row");
    assert!(step(listed(&[4, 0, 5, 2], &[3]), None).is_err(), "one count for two queries");
    let consecutive = |counts| StepLists { rows: None, firsts: &[0, 3], counts };
    assert!(step(consecutive(&[3, 3]), None).is_ok());
    assert!(step(consecutive(&[3, 4]), None).is_err(), "there is no seventh row");
}

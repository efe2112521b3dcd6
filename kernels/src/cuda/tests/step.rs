//! A decoder's step against its definition.

use super::*;
use crate::attention::Heads;
use crate::cuda::{StepAttention, StepBias, StepKeys};

#[test]
fn rows_ask_their_own_keys() {
    for numbers in NUMBERS {
        for size in [5, 32, 64, 128] {
            check(numbers, Heads { count: 3, size });
        }
    }
}

/// Two rows: one of three places in any order, one of a single place.
fn check(numbers: Half, heads: Heads) {
    let cuda = cuda(numbers);
    let width = heads.count * heads.size;
    let [query, kept, bias] = [
        tensor(&[2, 3 * width], 1, 0.5, numbers),
        tensor(&[6, 2 * width], 2, 1.0, numbers),
        tensor(&[heads.count, 4], 3, 1.0, numbers),
    ];
    let places: [&[usize]; 2] = [&[4, 0, 5], &[2]];
    let lists = cuda.upload_lists(&[&[4, 0, 5, 2], &[0, 3], &[3, 1]]).unwrap();
    let keys = StepKeys { places: Some(lists.list(0)), firsts: lists.list(1), counts: lists.list(2) };
    let (on, kept_on, bias_on) =
        (cuda.upload(&query).unwrap(), cuda.upload(&kept).unwrap(), cuda.upload_wide(&bias).unwrap());
    let bias_of_step = StepBias { lists: &bias_on, first: 1 };
    let attention = StepAttention { heads, kept: &kept_on, bias: Some(bias_of_step) };
    let got = wait(attention.forward(&cuda, on.from_column(width), &keys).unwrap().download(&cuda).unwrap());
    let (query, kept, bias) = (wide(&query), wide(&kept), wide(&bias));
    let mut expected = Vec::new();
    for (row, places) in places.iter().enumerate() {
        for head in 0..heads.count {
            let asks = &query[row * 3 * width + width + head * heads.size..][..heads.size];
            let part = |place: usize, side: usize| {
                &kept[place * 2 * width + side * width + head * heads.size..][..heads.size]
            };
            let score = |(key, &place): (usize, &usize)| {
                asks.iter().zip(part(place, 0)).map(|(a, b)| a * b).sum::<f64>() + bias[head * 4 + 1 + key]
            };
            let shares: Vec<f64> = places.iter().enumerate().map(score).map(f64::exp).collect();
            let total: f64 = shares.iter().sum();
            expected.extend((0..heads.size).map(|column| {
                places
                    .iter()
                    .zip(&shares)
                    .map(|(&place, share)| share / total * part(place, 1)[column])
                    .sum::<f64>()
            }));
        }
    }
    assert_near(&got, &expected, numbers, 1.0, &format!("{heads:?}, {numbers:?}"));
}

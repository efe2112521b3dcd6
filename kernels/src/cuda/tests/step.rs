//! A decoder's step against its definition.

use super::*;
use crate::attention::Heads;
use crate::cuda::{StepAttention, StepBias, StepKeys, StepLists};

#[test]
fn rows_ask_their_own_keys() {
    for dtype in DTYPES {
        for size in [5, 32, 64, 128] {
            check(dtype, Heads { count: 3, size });
        }
    }
}

/// Two rows: one of three places in any order, one of a single place.
fn check(dtype: Dtype, heads: Heads) {
    let cuda = cuda(dtype);
    let width = heads.count * heads.size;
    let [query, kept, bias] = [
        tensor(&[2, 3 * width], 1, 0.5, dtype),
        tensor(&[6, 2 * width], 2, 1.0, dtype),
        tensor(&[heads.count, 4], 3, 1.0, dtype),
    ];
    let places: [&[usize]; 2] = [&[4, 0, 5], &[2]];
    let lists = StepLists { rows: Some(&[4, 0, 5, 2]), firsts: &[0, 3], counts: &[3, 1] };
    let ([keys], _) = StepKeys::upload(&cuda, [lists], &[]).unwrap();
    let (on, kept_on, bias_on) =
        (cuda.upload(&query).unwrap(), cuda.upload(&kept).unwrap(), cuda.upload_wide(&bias).unwrap());
    let bias_of_step = StepBias { lists: &bias_on, first: 1 };
    let attention = StepAttention { heads, cache: &kept_on, bias: Some(bias_of_step) };
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
    assert_near(&got, &expected, dtype, 1.0, &format!("{heads:?}, {dtype:?}"));
}

/// Keys that nobody gave were read before.
#[test]
fn places_beyond_what_is_kept_are_refused() {
    let (cuda, heads) = (cuda(Dtype::F16), Heads { count: 2, size: 8 });
    let upload =
        |rows: usize, columns: usize| cuda.upload(&tensor(&[rows, columns], 1, 1.0, Dtype::F16)).unwrap();
    let (query, kept) = (upload(2, 16), upload(6, 32));
    let bias = cuda.upload_wide(&tensor(&[2, 4], 3, 1.0, Dtype::F16)).unwrap();
    let step = |lists: StepLists<'_>, bias: Option<StepBias<'_>>| {
        let ([keys], _) = StepKeys::upload(&cuda, [lists], &[7])?;
        StepAttention { heads, cache: &kept, bias }.forward(&cuda, query.from_column(0), &keys)
    };
    let placed = |places, counts| StepLists { rows: Some(places), firsts: &[0, 3], counts };
    let first = |first| Some(StepBias { lists: &bias, first });
    assert!(step(placed(&[4, 0, 5, 2], &[3, 1]), first(1)).is_ok());
    assert!(step(placed(&[4, 0, 5, 2], &[3, 1]), first(2)).is_err(), "three keys, two numbers left");
    assert!(step(placed(&[4, 0, 6, 2], &[3, 1]), None).is_err(), "there is no seventh row");
    assert!(step(placed(&[4, 0, 5, 2], &[3, 2]), None).is_err(), "the last row has one place");
    assert!(step(placed(&[4, 0, 5, 2], &[3]), None).is_err(), "one count of two rows");
    let neighbours = |counts| StepLists { rows: None, firsts: &[0, 3], counts };
    assert!(step(neighbours(&[3, 3]), None).is_ok());
    assert!(step(neighbours(&[3, 4]), None).is_err(), "there is no seventh row");
}

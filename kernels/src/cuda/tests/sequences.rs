//! Operations on the rows of each sequence against their definitions.

use super::*;
use crate::cuda::{Layout, means, unfold};

#[test]
fn unfolding_stays_within_sequences() {
    let cuda = cuda(Dtype::F16);
    let x = tensor(&[4, 2], 1, 1.0, Dtype::F16);
    let layout = Layout::new(&cuda, &[0, 3, 4], &[]).unwrap();
    let got = wait(unfold(&cuda, &cuda.upload(&x).unwrap(), &layout, 3).unwrap().download(&cuda).unwrap());
    let rows: Vec<Vec<f32>> = x.to_vec2().unwrap();
    let none = vec![0.0; 2];
    let (a, b, c, d) = (&rows[0], &rows[1], &rows[2], &rows[3]);
    let expected = [[&none, a, b], [a, b, c], [b, c, &none], [&none, d, &none]];
    assert_eq!(got, expected.iter().flatten().flat_map(|row| row.iter().copied()).collect::<Vec<f32>>());
}

/// Sequences of one token and of many, columns of less and more than one block.
#[test]
fn means_are_those_of_each_sequence() {
    let offsets = [0, 1, 4, 304];
    for dtype in DTYPES {
        let cuda = cuda(dtype);
        let layout = Layout::new(&cuda, &offsets, &[]).unwrap();
        for columns in [1, 40, 130] {
            let x = tensor(&[304, columns], 1, 2.0, dtype);
            let on = cuda.upload(&x).unwrap();
            let got = wait(means(&cuda, &on, &layout).unwrap().download(&cuda).unwrap());
            let x = wide(&x);
            let mean = |bounds: &[usize], column: usize| {
                let sum: f64 = (bounds[0]..bounds[1]).map(|row| x[row * columns + column]).sum();
                sum / (bounds[1] - bounds[0]) as f64
            };
            let row = |bounds| (0..columns).map(move |column| mean(bounds, column));
            let expected: Vec<f64> = offsets.windows(2).flat_map(row).collect();
            assert_near(&got, &expected, dtype, 1.0, &format!("{columns} columns, {dtype:?}"));
        }
        let other = Layout::new(&cuda, &[0, 3], &[]).unwrap();
        assert!(means(&cuda, &cuda.upload(&tensor(&[4, 2], 1, 1.0, dtype)).unwrap(), &other).is_err());
    }
}

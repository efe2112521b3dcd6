//! Rotary positions against those on the host.

use super::*;
use crate::attention::Heads;
use crate::cuda::{CudaError, Rotary};

fn on_host(heads: Heads) -> crate::Rotary {
    crate::Rotary::new(heads, 10_000.0).unwrap()
}

/// One row, rows of more than one block, heads with fewer and more planes than a warp has lanes, and positions as in the
/// longest published models. Columns after queries and keys stay as they are.
#[test]
fn queries_and_keys_are_turned_as_on_the_host() {
    for dtype in DTYPES {
        let cuda = cuda(dtype);
        for (rows, count, size) in [(1, 1, 2), (1, 3, 64), (70, 2, 12), (5, 2, 128), (6, 12, 64)] {
            let heads = Heads { count, size };
            let columns = 3 * count * size;
            let x = tensor(&[rows, columns], 1, 2.0, dtype);
            let positions: Vec<u32> = (0..rows as u32).map(|row| 8191 - row * 1277 % 8192).collect();
            let mut on = cuda.upload(&x).unwrap();
            let indices = cuda.upload_lists(&[&positions]).unwrap().list(0);
            Rotary::new(&cuda, &on_host(heads)).unwrap().turn(&cuda, &mut on, &indices).unwrap();
            let got = wait(on.download(&cuda).unwrap());
            let expected = wide(&on_host(heads).forward(&x, &positions).unwrap());
            assert_near(&got, &expected, dtype, 1.0, &format!("{rows} rows, {heads:?}, {dtype:?}"));
            let values = |row: &[f64]| row[2 * count * size..].to_vec();
            let (got, x): (Vec<f64>, Vec<f64>) = (got.into_iter().map(f64::from).collect(), wide(&x));
            assert!(got.chunks(columns).map(values).eq(x.chunks(columns).map(values)));
        }
    }
}

#[test]
fn mismatched_inputs_are_errors() {
    let cuda = cuda(Dtype::F16);
    let rotary = Rotary::new(&cuda, &on_host(Heads { count: 2, size: 8 })).unwrap();
    let turn = |columns: usize, positions: &[u32]| {
        let mut x = cuda.upload(&tensor(&[3, columns], 1, 1.0, Dtype::F16)).unwrap();
        rotary.turn(&cuda, &mut x, &cuda.upload_lists(&[positions]).unwrap().list(0))
    };
    turn(32, &[0, 1, 2]).unwrap();
    assert!(turn(31, &[0, 1, 2]).is_err() && turn(48, &[0, 1]).is_err());
    let there = Cuda::open(0, Dtype::F16).unwrap();
    let mut theirs = there.upload(&tensor(&[1, 32], 1, 1.0, Dtype::F16)).unwrap();
    let positions = cuda.upload_lists(&[&[0]]).unwrap().list(0);
    assert!(matches!(rotary.turn(&cuda, &mut theirs, &positions), Err(CudaError::OtherDevice)));
}

//! What holds for the products of every precision by every instruction set.

use super::bf16::{Bf16Isa, Bf16Matrix};
use super::int8::{Int8Isa, Int8Matrix};
use super::packed::PackedMatrix;
use super::{LeftSide, Rows, Weight};
use crate::isa::Isa;
use crate::test_numbers;

/// The product of `count` rows, (count, columns).
pub(super) fn product(weight: &Weight, left: &[f32], count: usize) -> Vec<f32> {
    let (inner, columns, width) = (weight.inner(), weight.columns(), weight.panel_width());
    let mut rows = LeftSide::default();
    weight.prepare(Rows { values: left, stride: inner, count }, &mut rows);
    let mut out = vec![0.0; weight.whole_tiles(count) * width];
    let mut product = vec![0.0; count * columns];
    for panel in 0..columns.div_ceil(width) {
        weight.times_panel(&rows, panel, &mut out, width);
        let used = width.min(columns - panel * width);
        for (row, values) in product.chunks_exact_mut(columns).zip(out.chunks_exact(width)) {
            row[panel * width..][..used].copy_from_slice(&values[..used]);
        }
    }
    product
}

/// Rows of which two thirds have an outlier.
pub(super) fn rows_with_outliers(count: usize, inner: usize) -> Vec<f32> {
    let mut values = test_numbers(count * inner, 1);
    for row in (0..count).filter(|row| row % 3 != 1) {
        values[row * inner + row * 5 % inner] = 30.0 * if row % 2 == 0 { 1.0 } else { -1.0 };
    }
    values
}

/// The same weights by every instruction set, each with its name.
fn all_weights(columns: usize, inner: usize) -> Vec<(String, Weight)> {
    let weight = test_numbers(columns * inner, 4);
    let f32 = Isa::available()
        .into_iter()
        .map(|isa| (format!("{isa:?}"), Weight::F32(PackedMatrix::transposed(isa, &weight, columns, inner))));
    let bf16 = Bf16Isa::available().into_iter().map(|isa| {
        (format!("bf16, {isa:?}"), Weight::Bf16(Bf16Matrix::transposed(isa, &weight, columns, inner)))
    });
    let int8 = Int8Isa::available().into_iter().map(|isa| {
        (format!("int8, {isa:?}"), Weight::Int8(Int8Matrix::transposed(isa, &weight, columns, inner)))
    });
    f32.chain(bf16).chain(int8).collect()
}

#[test]
fn rows_are_independent() {
    let (inner, columns) = (870, 40);
    let left = rows_with_outliers(50, inner);
    for (name, weight) in all_weights(columns, inner) {
        let all = product(&weight, &left, 50);
        for (first, count) in [(0, 1), (7, 1), (49, 1), (3, 13), (11, 25), (2, 33)] {
            let part = product(&weight, &left[first * inner..], count);
            assert_eq!(part, all[first * columns..(first + count) * columns], "{name}");
        }
    }
}

#[test]
fn non_finite_values_propagate() {
    for (name, weight) in all_weights(4, 8) {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut left = test_numbers(8, 3);
            left[5] = bad;
            let product = product(&weight, &left, 1);
            assert!(product.iter().all(|value| !value.is_finite()), "{name}, {bad}");
            let is_int8 = matches!(weight, Weight::Int8(_));
            assert!(!is_int8 || product.iter().all(|value| value.is_nan()), "{name}, {bad}");
        }
    }
}

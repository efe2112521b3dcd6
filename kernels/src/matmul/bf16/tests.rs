//! Products in bf16 against their plain reference and the definition.

use half::bf16;

use super::isa::Bf16Isa;
use super::matrix::{Bf16Matrix, Bf16Rows, to_bf16};
use super::panel::{STEP, WIDTH};
use crate::matmul::Weight;
use crate::matmul::shapes::Rows;
use crate::matmul::tests::product;
use crate::test_numbers;

fn wide(number: u16) -> f32 {
    f32::from_bits(u32::from(number) << 16)
}

#[test]
fn rounding_is_to_nearest_even_and_keeps_nan() {
    let step = 2_f32.powi(-7);
    assert_eq!(wide(to_bf16(1.0 + 0.49 * step)), 1.0);
    assert_eq!(wide(to_bf16(1.0 + 0.51 * step)), 1.0 + step);
    assert_eq!(wide(to_bf16(1.0 + 0.5 * step)), 1.0, "ties go to even");
    assert_eq!(wide(to_bf16(1.0 + 1.5 * step)), 1.0 + 2.0 * step);
    assert_eq!(wide(to_bf16(f32::NEG_INFINITY)), f32::NEG_INFINITY);
    assert_eq!(wide(to_bf16(f32::MAX)), f32::INFINITY);
    for bits in [0x7fff_ffff, 0x7f80_0001, 0xffff_ffff] {
        assert!(wide(to_bf16(f32::from_bits(bits))).is_nan());
    }
    for bits in (0..u32::MAX - 65_537).step_by(65_537) {
        let value = f32::from_bits(bits);
        assert_eq!(to_bf16(value), bf16::from_f32(value).to_bits(), "{bits:x}");
    }
}

#[test]
fn products_agree_with_the_definition_on_awkward_sizes() {
    let shapes = [
        (1, 1, 1),
        (2, 7, 3),
        (16, 64, 32),
        (13, 33, 65),
        (33, 5, 17),
        (49, 100, 40),
        (31, 600, 33),
        (32, 1040, 64),
    ];
    for (count, inner, columns) in shapes {
        let (left, weight) = (test_numbers(count * inner, 1), test_numbers(columns * inner, 2));
        let by =
            |isa| product(&Weight::Bf16(Bf16Matrix::transposed(isa, &weight, columns, inner)), &left, count);
        let expected = by(Bf16Isa::Plain);
        for isa in Bf16Isa::available() {
            for (got, expected) in by(isa).iter().zip(&expected) {
                let is_near = (got - expected).abs() < 1e-6 * inner as f32 + 1e-6;
                assert!(is_near, "{isa:?}, {count}x{inner}x{columns}: {got}, not {expected}");
            }
        }
    }
}

#[test]
fn reference_is_the_product_of_rounded_values() {
    let (count, inner, columns) = (3, 37, 34);
    let (left, weight) = (test_numbers(count * inner, 1), test_numbers(columns * inner, 2));
    let matrix = Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner);
    let got = product(&Weight::Bf16(matrix), &left, count);
    let rounded = |values: &[f32]| values.iter().map(|value| wide(to_bf16(*value))).collect::<Vec<_>>();
    let (left, weight) = (rounded(&left), rounded(&weight));
    for row in 0..count {
        for column in 0..columns {
            let (left, weight) = (&left[row * inner..][..inner], &weight[column * inner..][..inner]);
            let expected: f32 = left.iter().zip(weight).map(|(a, b)| a * b).sum();
            assert!((got[row * columns + column] - expected).abs() < 1e-4);
        }
    }
}

#[test]
fn bf16_weights_pack_to_the_same_matrix() {
    for (inner, columns) in [(1, 1), (33, 40), (64, 64)] {
        let weight = test_numbers(inner * columns, 3);
        let short: Vec<bf16> = weight.iter().map(|value| bf16::from_f32(*value)).collect();
        let expected = Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner);
        let found = Bf16Matrix::from_bf16(Bf16Isa::Plain, &short, columns, inner);
        assert_eq!(found.panels, expected.panels, "{inner}x{columns}");
    }
}

#[test]
fn fill_agrees_with_the_transposed_transpose() {
    for (inner, columns) in [(1, 1), (2, 40), (33, 20), (64, 64), (47, 33)] {
        let rows = test_numbers(inner * columns, 3);
        let transposed: Vec<f32> = (0..columns)
            .flat_map(|column| (0..inner).map(move |k| (k, column)))
            .map(|(k, column)| rows[k * columns + column])
            .collect();
        let mut filled = Bf16Matrix::empty(Bf16Isa::Plain);
        filled.fill(Rows { values: &rows, stride: columns, count: inner }, columns);
        let expected = Bf16Matrix::transposed(Bf16Isa::Plain, &transposed, columns, inner);
        assert_eq!(filled.panels, expected.panels, "{inner}x{columns}");
    }
}

#[test]
fn integer_weights_are_exact_and_scales_are_applied_to_sums() {
    let (inner, columns, count) = (70, 35, 5);
    let integers: Vec<i8> = (0..inner * columns).map(|index| (index * 37 % 255) as i8).collect();
    let scales: Vec<f32> = (0..columns).map(|column| 0.013 + column as f32 / 7.0).collect();
    // Integers that bf16 represents exactly, so that the sums are exact too.
    let left: Vec<f32> = (0..count * inner).map(|index| (index * 11 % 64) as f32 - 32.0).collect();
    for isa in Bf16Isa::available() {
        let matrix = Bf16Matrix::from_rows8(isa, &integers, &scales, inner);
        let got = product(&Weight::Bf16(matrix), &left, count);
        for row in 0..count {
            for column in 0..columns {
                let weights = &integers[column * inner..][..inner];
                let sum: f32 =
                    left[row * inner..][..inner].iter().zip(weights).map(|(x, w)| x * f32::from(*w)).sum();
                assert_eq!(got[row * columns + column], sum * scales[column], "{isa:?}");
            }
        }
    }
}

#[test]
fn rows_can_be_refilled_with_another_shape() {
    for isa in Bf16Isa::available() {
        let mut rows = Bf16Rows::default();
        let ones = vec![1.0; 40 * 64];
        rows.fill(isa, Rows { values: &ones, stride: 64, count: 40 }, 64);
        for (count, inner) in [(3, 33), (20, 40), (5, 64), (2, 50)] {
            rows.fill(isa, Rows { values: &ones, stride: inner, count }, inner);
            let weight = vec![1.0; inner.next_multiple_of(STEP)];
            let matrix = Bf16Matrix::transposed(isa, &weight, 1, inner);
            let mut out = vec![0.0; count.next_multiple_of(isa.shape().rows) * WIDTH];
            matrix.times_panel(&rows, 0, &mut out, WIDTH);
            assert_eq!(out[0], inner as f32, "{isa:?}");
            assert!(
                rows.values.chunks(rows.depth).take(count).all(|row| row[inner..].iter().all(|n| *n == 0))
            );
        }
    }
}

/// Fails if an emulator was expected to provide Arm's instructions but does not (scripts/check_arm_kernels.sh).
#[cfg(target_arch = "aarch64")]
#[test]
fn expected_instructions_are_available() {
    use crate::matmul::int8::Int8Isa;

    if std::env::var_os("VERIDIC_EXPECT_NEON").is_some() {
        assert!(
            Bf16Isa::available().contains(&Bf16Isa::Neon) && Int8Isa::available().contains(&Int8Isa::Neon)
        );
    }
}

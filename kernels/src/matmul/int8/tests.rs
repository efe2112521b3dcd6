//! Products in 8 bits against the definition, and quantised rows against their values.

use super::isa::Int8Isa;
use super::matrix::{GROUP_INPUTS, Int8Matrix, Int8Rows, groups as groups_of};
use super::quantise::{quantise, quantise_residuals};
use crate::matmul::Weight;
use crate::matmul::shapes::Rows;
use crate::matmul::tests::{product, rows_with_outliers};
use crate::test_numbers;

/// The dequantised values of a row, and whether it has 16 bits.
fn dequantised(row: &[f32]) -> (Vec<f64>, bool) {
    let (mut coarse, mut fine) = (vec![0; row.len()], vec![0; row.len()]);
    let (scale, offset, has_outliers) = quantise::<false>(row, &mut coarse);
    if has_outliers {
        quantise_residuals::<false>(row, &coarse, scale, offset, &mut fine);
    }
    let (scale, offset) = (f64::from(scale), f64::from(offset));
    let value = |(q, residual): (&u8, &u8)| {
        let residual = if has_outliers { (f64::from(*residual) / 254.0 - 0.5) * scale } else { 0.0 };
        scale * f64::from(*q) + offset + residual
    };
    (coarse.iter().zip(&fine).map(value).collect(), has_outliers)
}

/// The product by its definition, in f64, on the same quantised values.
fn by_definition(groups: &[Int8Matrix], weight: &[f32], row: &[f32], column: usize) -> f64 {
    let weight_scale = f64::from(groups[0].scales[column]);
    let values = groups_of(row.len()).flat_map(|inputs| dequantised(&row[inputs]).0);
    values
        .zip(&weight[column * row.len()..])
        .map(|(value, w)| value * weight_scale * (f64::from(*w) / weight_scale).round())
        .sum()
}

#[test]
fn rows_with_outliers_are_quantised_in_16_bits() {
    let (count, inner) = (40, 600);
    let values = rows_with_outliers(count, inner);
    for (row, values) in values.chunks(inner).enumerate() {
        let (dequantised, has_outliers) = dequantised(values);
        assert_eq!(has_outliers, row % 3 != 1);
        let largest =
            values.iter().zip(&dequantised).map(|(x, y)| (f64::from(*x) - y).abs()).fold(0.0, f64::max);
        // Half a step of 2 / 254, or of 31 / 254 / 254.
        assert!(largest < if has_outliers { 0.000_26 } else { 0.004 }, "row {row}: {largest}");
    }
}

#[test]
fn products_agree_with_the_definition_on_awkward_sizes() {
    let sizes = [
        (1, 1, 1),
        (2, 7, 3),
        (12, 64, 32),
        (13, 33, 65),
        (130, 5, 17),
        (1, 700, 5),
        (50, 601, 33),
        (7, 1601, 3),
    ];
    for isa in Int8Isa::available() {
        for (count, inner, columns) in sizes {
            let left = rows_with_outliers(count, inner);
            let weight = test_numbers(columns * inner, 2);
            let groups = Int8Matrix::transposed(isa, &weight, columns, inner);
            let product = product(&Weight::Int8(groups.clone()), &left, count);
            for (index, got) in product.into_iter().enumerate() {
                let row = &left[index / columns * inner..][..inner];
                let expected = by_definition(&groups, &weight, row, index % columns);
                let error = (f64::from(got) - expected).abs();
                assert!(error < 1e-5 * inner as f64, "{isa:?}: {got}, {expected}");
            }
        }
    }
}

#[test]
fn all_instruction_sets_agree_at_the_ends_of_the_range() {
    let (inner, columns, count) = (3072, 33, 13);
    let ends = [-1.0_f32, 1.0, 1.0, -0.25, 0.0, 1.0, -1.0];
    let mut left: Vec<f32> = (0..count * inner).map(|index| ends[index % 7]).collect();
    // Some rows with outliers.
    left[3 * inner..4 * inner].iter_mut().for_each(|value| *value *= 0.01);
    left[3 * inner + 5] = 1.0;
    left[12 * inner + 9] = -90.0;
    let weights = [-128_i8, 127, 127, -128, -127, 0, 1];
    let integers: Vec<i8> = (0..columns * inner).map(|index| weights[index * 5 % 7]).collect();
    let products = |isa| -> Vec<u32> {
        let groups = Int8Matrix::from_rows8(isa, &integers, &vec![0.01; columns], inner);
        product(&Weight::Int8(groups), &left, count).into_iter().map(f32::to_bits).collect()
    };
    let expected = products(Int8Isa::Portable);
    for isa in Int8Isa::available() {
        assert_eq!(products(isa), expected, "{isa:?}");
    }
}

#[test]
fn error_is_within_the_quantisation_steps() {
    let (inner, columns) = (256, 32);
    let left = test_numbers(inner, 5);
    let weight = test_numbers(columns * inner, 6);
    let groups = Int8Matrix::transposed(Int8Isa::best(), &weight, columns, inner);
    let out = product(&Weight::Int8(groups), &left, 1);
    for column in 0..columns {
        let exact: f32 = left.iter().zip(&weight[column * inner..]).map(|(x, w)| x * w).sum();
        // Errors of half a step, 1 / 254 and 1 / 254, on each of 256 factors of up to 1, with random signs.
        assert!((out[column] - exact).abs() < 0.25, "{} is not {exact}", out[column]);
    }
}

#[test]
fn rows8_weights_pack_to_the_same_matrix() {
    let (inner, columns) = (37, 40);
    let weight = test_numbers(columns * inner, 4);
    for isa in Int8Isa::available() {
        let made = &Int8Matrix::transposed(isa, &weight, columns, inner)[0];
        let scales = &made.scales[..columns];
        let integers: Vec<i8> =
            (0..weight.len()).map(|index| (weight[index] / scales[index / inner]).round() as i8).collect();
        let given = &Int8Matrix::from_rows8(isa, &integers, scales, inner)[0];
        assert_eq!((&given.panels, &given.scales, &given.sums), (&made.panels, &made.scales, &made.sums));
        assert_eq!((given.columns(), given.inner()), (columns, inner));
    }
}

#[test]
fn an_outlier_costs_its_group_alone_16_bits() {
    let inner = 4 * GROUP_INPUTS;
    let mut row = test_numbers(inner, 7);
    row[2 * GROUP_INPUTS + 5] = 60.0;
    let weight = test_numbers(inner, 8);
    for isa in Int8Isa::available() {
        let groups = Int8Matrix::transposed(isa, &weight, 1, inner);
        assert_eq!(groups.iter().map(Int8Matrix::inner).collect::<Vec<_>>(), [GROUP_INPUTS; 4]);
        let is_fine = |(group, values): (&Int8Matrix, &[f32])| {
            let mut rows = Int8Rows::default();
            rows.fill(group, Rows { values, stride: values.len(), count: 1 });
            !rows.fine_rows.is_empty()
        };
        let fine: Vec<bool> = groups.iter().zip(row.chunks(GROUP_INPUTS)).map(is_fine).collect();
        assert_eq!(fine, [false, false, true, false], "{isa:?}");
    }
}

//! Quantises the rows of a left side: in 8 bits, and the residuals of rows with outliers in 8 more.

use crate::functions::{ROUND, Statistics, rounded_bits, statistics};
use crate::isa::multiply_add;

/// Largest quantised value of the left side.
pub(super) const LARGEST_VALUE: f32 = 254.0;

/// Rows whose range exceeds this multiple of their root mean square are quantised in 16 bits. Measured on trained models
/// (docs/measurements/performance.md): few rows do, but they cause most of the error of 8 bits.
const OUTLIER_RANGE: f32 = 16.0;

/// Quantises `values` as `scale * integer + offset`. Returns the scale (NaN if a value is not finite), the offset, and
/// whether the row has outliers.
#[inline(always)]
pub(super) fn quantise<const FMA: bool>(values: &[f32], integers: &mut [u8]) -> (f32, f32, bool) {
    let Statistics { low, high, square, bad } = statistics::<FMA>(values);
    let scale = if bad { f32::NAN } else { ((high - low) / LARGEST_VALUE).max(f32::MIN_POSITIVE) };
    let inverse = 1.0 / scale;
    for (integer, value) in integers.iter_mut().zip(values) {
        *integer = rounded_bits(multiply_add::<FMA>(*value - low, inverse, ROUND)) as u8;
    }
    let mean_square = square / values.len() as f32;
    // A row with a non-finite value is NaN already by its scale.
    (scale, low, !bad && (high - low) * (high - low) > OUTLIER_RANGE * OUTLIER_RANGE * mean_square)
}

/// Quantises the residuals of `values`, which range from minus half a step to plus half a step.
#[inline(always)]
pub(super) fn quantise_residuals<const FMA: bool>(
    values: &[f32],
    coarse: &[u8],
    scale: f32,
    offset: f32,
    integers: &mut [u8],
) {
    let inverse = LARGEST_VALUE / scale;
    for ((integer, value), coarse) in integers.iter_mut().zip(values).zip(coarse) {
        let residual = *value - multiply_add::<FMA>(scale, f32::from(*coarse), offset);
        let steps = multiply_add::<FMA>(residual, inverse, LARGEST_VALUE / 2.0).clamp(0.0, LARGEST_VALUE);
        *integer = rounded_bits(steps + ROUND) as u8;
    }
}

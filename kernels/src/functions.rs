//! Pointwise and row-wise functions as plain loops that the compiler vectorises. Sums use a fixed number of lanes, so
//! that their order does not depend on the vector width.

use crate::isa::multiply_add;

/// Number of partial sums.
pub(crate) const LANES: usize = 16;

/// Above this, erf rounds to 1 in f32.
const ERF_LIMIT: f32 = 3.92;

/// erf(x) / x as a polynomial in `2 x^2 / ERF_LIMIT^2 - 1`, lowest power first: a Chebyshev fit in double precision. The
/// absolute error of erf is below 2e-7 in f32.
#[allow(clippy::excessive_precision)]
const ERF: [f32; 17] = [
    0.360_736_82,
    -0.180_108_56,
    0.134_083_3,
    -0.109_181_85,
    0.090_624_51,
    -0.073_989_89,
    0.058_167_435,
    -0.043_585_733,
    0.030_624_324,
    -0.019_617_49,
    0.012_177_927,
    -0.008_170_484,
    0.004_379_646,
    -0.001_045_277_9,
    0.000_552_894_7,
    -0.000_939_271_94,
    0.000_393_740_86,
];

/// As [`ERF_LIMIT`], for half the digits.
const SHORT_ERF_LIMIT: f32 = 2.9;

/// As [`ERF`], with an error of GELU below `2e-5 * max(1, |x|)`, a fiftieth of bf16's last digit.
#[allow(clippy::excessive_precision)]
const SHORT_ERF: [f32; 9] = [
    0.485_837_245,
    -0.234_458_008,
    0.158_274_123,
    -0.107_686_688,
    0.067_123_391,
    -0.036_117_992,
    0.020_516_627,
    -0.013_481_361,
    0.004_809_301,
];

/// exp(r) for |r| <= ln(2) / 2, lowest power first: a least-squares fit, relative error below 1e-7.
const EXP: [f32; 7] = [1.0, 1.0, 0.5, 0.166_664_05, 0.041_666_2, 0.008_375_971, 0.001_394_978_3];

/// 2^r for |r| <= 1 / 2, lowest power first: a least-squares fit, relative error below 1e-4.
#[allow(clippy::excessive_precision)]
const EXP2_TO_BF16: [f32; 4] = [0.999_928_940, 0.693_276_242, 0.242_604_051, 0.055_088_684];

#[inline(always)]
fn polynomial<const FMA: bool>(coefficients: &[f32], x: f32) -> f32 {
    let mut sum = coefficients[coefficients.len() - 1];
    for coefficient in coefficients.iter().rev().skip(1) {
        sum = multiply_add::<FMA>(sum, x, *coefficient);
    }
    sum
}

/// `x * Phi(x)` in place: the exact GELU within 1e-6.
#[inline(always)]
pub(crate) fn gelu<const FMA: bool>(values: &mut [f32]) {
    gelu_by::<FMA>(values, ERF_LIMIT, &ERF);
}

/// GELU with the accuracy that bf16 and 8-bit values need.
#[inline(always)]
pub(crate) fn short_gelu<const FMA: bool>(values: &mut [f32]) {
    gelu_by::<FMA>(values, SHORT_ERF_LIMIT, &SHORT_ERF);
}

#[inline(always)]
fn gelu_by<const FMA: bool>(values: &mut [f32], limit: f32, coefficients: &[f32]) {
    for value in values {
        let x = (*value * std::f32::consts::FRAC_1_SQRT_2).clamp(-limit, limit);
        let u = multiply_add::<FMA>(x * x, 2.0 / (limit * limit), -1.0);
        let erf = polynomial::<FMA>(coefficients, u) * x;
        *value = multiply_add::<FMA>(*value * 0.5, erf, *value * 0.5);
    }
}

/// GELU's tanh approximation in place, as `x * sigmoid(2 u)`, since `1 + tanh(u) = 2 sigmoid(2 u)`.
#[inline(always)]
pub(crate) fn gelu_tanh<const FMA: bool>(values: &mut [f32]) {
    const FACTOR: f32 = 1.595_769; // 2 sqrt(2 / pi)
    for value in values {
        let x = *value;
        *value = x * sigmoid::<FMA>(FACTOR * multiply_add::<FMA>(0.044_715 * x * x, x, x));
    }
}

/// `x * sigmoid(x)` in place.
#[inline(always)]
pub(crate) fn silu<const FMA: bool>(values: &mut [f32]) {
    for value in values {
        *value *= sigmoid::<FMA>(*value);
    }
}

#[inline(always)]
fn sigmoid<const FMA: bool>(x: f32) -> f32 {
    let small = exp::<FMA>(-x.abs());
    (if x < 0.0 { small } else { 1.0 }) / (1.0 + small)
}

/// The dot product.
#[inline(always)]
pub(crate) fn dot<const FMA: bool>(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; LANES];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane = multiply_add::<FMA>(*a, *b, *lane);
        }
    }
    for ((lane, a), b) in lanes.iter_mut().zip(rest_a).zip(rest_b) {
        *lane = multiply_add::<FMA>(*a, *b, *lane);
    }
    fold(lanes, |a, b| a + b)
}

/// `out += factor * values`.
#[inline(always)]
pub(crate) fn add_scaled<const FMA: bool>(out: &mut [f32], factor: f32, values: &[f32]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out = multiply_add::<FMA>(factor, *value, *out);
    }
}

/// `max(x, 0)` in place; NaN stays NaN.
#[inline(always)]
pub(crate) fn relu<const FMA: bool>(values: &mut [f32]) {
    for value in values {
        *value = if *value < 0.0 { 0.0 } else { *value };
    }
}

/// 1.5 * 2^23. Adding it to a number below 2^22 rounds that to an integer, which is then in the low bits.
pub(crate) const ROUND: f32 = 12_582_912.0;

/// The integer in the low bits after adding [`ROUND`], in two's complement. Unlike a cast, this vectorises to one
/// instruction.
#[inline(always)]
pub(crate) fn rounded_bits(rounded: f32) -> u32 {
    rounded.to_bits().wrapping_sub(ROUND.to_bits())
}

/// exp(x) for x <= 0, clamped at exp(-87); NaN stays NaN.
#[inline(always)]
fn exp<const FMA: bool>(x: f32) -> f32 {
    let x = if x < -87.0 { -87.0 } else { x };
    let rounded = multiply_add::<FMA>(x, std::f32::consts::LOG2_E, ROUND);
    let n = rounded - ROUND;
    let r = multiply_add::<FMA>(n, -0.693_359_4, x);
    let r = multiply_add::<FMA>(n, 2.121_944_4e-4, r);
    let scale = f32::from_bits(rounded_bits(rounded).wrapping_add(127) << 23);
    polynomial::<FMA>(&EXP, r) * scale
}

/// As [`exp`], with a relative error below 1e-4, a twentieth of bf16's last digit.
#[inline(always)]
fn exp_to_bf16<const FMA: bool>(x: f32) -> f32 {
    let x = if x < -87.0 { -87.0 } else { x };
    let two_to = x * std::f32::consts::LOG2_E;
    let rounded = two_to + ROUND;
    let scale = f32::from_bits(rounded_bits(rounded).wrapping_add(127) << 23);
    polynomial::<FMA>(&EXP2_TO_BF16, two_to - (rounded - ROUND)) * scale
}

/// `exp(scale * (x - max)) / sum` in place.
#[inline(always)]
pub(crate) fn softmax<const FMA: bool>(row: &mut [f32], scale: f32) {
    let larger = |a, b| if a > b { a } else { b };
    let max = fold(lanes(row, f32::NEG_INFINITY, |max, x| larger(x, max)), larger);
    for value in row.iter_mut() {
        *value = exp::<FMA>((*value - max) * scale);
    }
    let total = 1.0 / sum(row);
    for value in row.iter_mut() {
        *value *= total;
    }
}

/// `exp(scale * (x - max))` in place, with the accuracy that bf16 needs. Returns the sum.
#[inline(always)]
pub(crate) fn exponentials<const FMA: bool>(row: &mut [f32], scale: f32) -> f32 {
    let larger = |a, b| if a > b { a } else { b };
    let max = fold(lanes(row, f32::NEG_INFINITY, |max, x| larger(x, max)), larger);
    let mut sums = [0f32; LANES];
    let (whole, rest) = row.as_chunks_mut::<LANES>();
    for chunk in whole {
        for (value, sum) in chunk.iter_mut().zip(&mut sums) {
            *value = exp_to_bf16::<FMA>((*value - max) * scale);
            *sum += *value;
        }
    }
    for (value, sum) in rest.iter_mut().zip(&mut sums) {
        *value = exp_to_bf16::<FMA>((*value - max) * scale);
        *sum += *value;
    }
    fold(sums, |a, b| a + b)
}

/// `(x - mean) / sqrt(variance + epsilon) * weight + bias` in place, with the biased variance.
#[inline(always)]
pub(crate) fn layer_norm<const FMA: bool>(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row) / count;
    let squares = lanes(row, 0.0, |sum, x| multiply_add::<FMA>(x - mean, x - mean, sum));
    let variance = fold(squares, |a, b| a + b) / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = multiply_add::<FMA>((*value - mean) * scale, *weight, *bias);
    }
}

/// `x / sqrt(mean of squares + epsilon) * weight` in place.
#[inline(always)]
pub(crate) fn rms_norm<const FMA: bool>(row: &mut [f32], weight: &[f32], epsilon: f32) {
    let squares = lanes(row, 0.0, |sum, x| multiply_add::<FMA>(x, x, sum));
    let scale = 1.0 / (fold(squares, |a, b| a + b) / row.len() as f32 + epsilon).sqrt();
    for (value, weight) in row.iter_mut().zip(weight) {
        *value = *value * scale * *weight;
    }
}

/// What quantisation needs to know of a row.
pub(crate) struct Statistics {
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// The sum of squares.
    pub(crate) square: f32,
    /// Whether a value is not finite.
    pub(crate) bad: bool,
}

/// The statistics of a row, in one pass.
#[inline(always)]
pub(crate) fn statistics<const FMA: bool>(row: &[f32]) -> Statistics {
    let smaller = |a, b| if a < b { a } else { b };
    let larger = |a, b| if a > b { a } else { b };
    let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    let (mut squares, mut zeros) = ([0f32; LANES], [0f32; LANES]);
    let mut take = |values: &[f32]| {
        for (lane, value) in values.iter().enumerate() {
            low[lane] = smaller(*value, low[lane]);
            high[lane] = larger(*value, high[lane]);
            squares[lane] = multiply_add::<FMA>(*value, *value, squares[lane]);
            // Not zero for infinity and NaN.
            zeros[lane] = multiply_add::<FMA>(*value, 0.0, zeros[lane]);
        }
    };
    let (whole, rest) = row.as_chunks::<LANES>();
    whole.iter().for_each(|values| take(values));
    take(rest);
    let add = |a, b| a + b;
    Statistics {
        low: fold(low, smaller),
        high: fold(high, larger),
        square: fold(squares, add),
        bad: fold(zeros, add) != 0.0,
    }
}

#[inline(always)]
fn sum(row: &[f32]) -> f32 {
    fold(lanes(row, 0.0, |sum, x| sum + x), |a, b| a + b)
}

/// Folds the lanes into one value, halving their number at each step.
#[inline(always)]
fn fold(mut lanes: [f32; LANES], step: impl Fn(f32, f32) -> f32) -> f32 {
    for half in [8, 4, 2, 1] {
        let (low, high) = lanes.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low = step(*low, *high);
        }
    }
    lanes[0]
}

/// Folds a row into lanes: lane i takes values i, i + LANES, ...
#[inline(always)]
fn lanes(row: &[f32], start: f32, step: impl Fn(f32, f32) -> f32) -> [f32; LANES] {
    let mut lanes = [start; LANES];
    let (whole, rest) = row.as_chunks::<LANES>();
    for chunk in whole {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = step(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = step(*lane, *value);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Isa, vectorised};
    use crate::test_numbers;

    #[test]
    fn gelu_agrees_with_the_definition() {
        let inputs: Vec<f32> =
            (-12_000..12_000).map(|i| i as f32 / 1000.0).chain([1e-20, -1e30, 1e30]).collect();
        // gelu(x) = x * Phi(x), with Phi from a series that is independent of the polynomial.
        let phi = |x: f64| {
            if x.abs() > 8.0 {
                return f64::from(u8::from(x > 0.0));
            }
            let (mut term, mut sum, mut n) = (x, x, 1.0);
            while term.abs() > 1e-18 {
                n += 2.0;
                term *= x * x / n;
                sum += term;
            }
            0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        };
        for isa in Isa::available() {
            let mut values = inputs.clone();
            vectorised!(isa, gelu(&mut values));
            let mut short = inputs.clone();
            vectorised!(isa, short_gelu(&mut short));
            for ((x, got), short) in inputs.iter().zip(&values).zip(&short) {
                let expected = f64::from(*x) * phi(f64::from(*x));
                let tolerance = 1.5e-6 + expected.abs() * 1e-6;
                assert!(
                    (f64::from(*got) - expected).abs() < tolerance,
                    "{isa:?}: gelu({x}) = {got}, not {expected}"
                );
                let tolerance = 2e-5 * f64::from(x.abs()).max(1.0);
                assert!(
                    (f64::from(*short) - expected).abs() < tolerance,
                    "{isa:?}: short gelu({x}) = {short}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn other_activations_agree_with_their_definitions() {
        let inputs: Vec<f32> = (-9_000..9_000).map(|i| i as f32 / 700.0).collect();
        let tanh_gelu = |x: f64| {
            0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh())
        };
        for isa in Isa::available() {
            let (mut gelus, mut silus) = (inputs.clone(), inputs.clone());
            vectorised!(isa, gelu_tanh(&mut gelus));
            vectorised!(isa, silu(&mut silus));
            for (index, x) in inputs.iter().map(|x| f64::from(*x)).enumerate() {
                let near =
                    |got: f32, expected: f64| (f64::from(got) - expected).abs() < 2e-6 + x.abs() * 5e-7;
                assert!(near(gelus[index], tanh_gelu(x)), "{isa:?}: gelu_tanh({x}) = {}", gelus[index]);
                assert!(near(silus[index], x / (1.0 + (-x).exp())), "{isa:?}: silu({x}) = {}", silus[index]);
            }
        }
    }

    #[test]
    fn dot_and_rms_norm_agree_with_their_definitions() {
        for isa in Isa::available() {
            for length in [1, 15, 16, 33, 768] {
                let (a, b) = (test_numbers(length, 6), test_numbers(length, 7));
                let wide = |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
                let exact: f64 = wide(&a).iter().zip(wide(&b)).map(|(a, b)| a * b).sum();
                assert!((f64::from(vectorised!(isa, dot(&a, &b))) - exact).abs() < 1e-5, "{isa:?}, {length}");
                let mean = wide(&a).iter().map(|x| x * x).sum::<f64>() / length as f64;
                let mut got = a.clone();
                vectorised!(isa, rms_norm(&mut got, &b, 1e-6));
                for (index, (x, weight)) in wide(&a).iter().zip(wide(&b)).enumerate() {
                    let expected = x / (mean + 1e-6).sqrt() * weight;
                    assert!((f64::from(got[index]) - expected).abs() < 1e-5, "{isa:?}, {length}");
                }
            }
        }
    }

    #[test]
    fn exponentials_and_softmax_agree_with_their_definitions() {
        for isa in Isa::available() {
            for length in [1, 2, 15, 16, 17, 130, 1000] {
                let mut row = test_numbers(length, 5);
                row.iter_mut().for_each(|x| *x *= 40.0);
                let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let exact: Vec<f64> = row.iter().map(|x| (f64::from(*x - most) * 0.7).exp()).collect();
                let exact_sum: f64 = exact.iter().sum();
                let mut shares = row.clone();
                vectorised!(isa, softmax(&mut shares, 0.7));
                let sum = vectorised!(isa, exponentials(&mut row, 0.7));
                assert!((f64::from(sum) / exact_sum - 1.0).abs() < 1e-4, "{isa:?}");
                for ((got, share), exact) in row.iter().zip(&shares).zip(&exact) {
                    assert!((f64::from(*got) - exact).abs() < 1e-4 * exact + 1e-37, "{isa:?}, {length}");
                    assert!((f64::from(*share) - exact / exact_sum).abs() < 1e-6, "{isa:?}, {length}");
                }
            }
        }
    }

    #[test]
    fn non_finite_values_propagate() {
        for isa in Isa::available() {
            for bad in [f32::NAN, f32::INFINITY] {
                let mut row = test_numbers(40, 9);
                row[21] = bad;
                let [mut by_gelu, mut by_relu, mut by_silu] = [row.clone(), row.clone(), row.clone()];
                vectorised!(isa, gelu(&mut by_gelu));
                vectorised!(isa, relu(&mut by_relu));
                vectorised!(isa, silu(&mut by_silu));
                assert!([by_gelu, by_relu, by_silu].iter().all(|values| !values[21].is_finite()));
                vectorised!(isa, softmax(&mut row, 1.0));
                assert!(row.iter().any(|x| x.is_nan()), "{isa:?}");
            }
        }
    }

    #[test]
    fn layer_norm_agrees_with_the_definition() {
        for isa in Isa::available() {
            for length in [1, 3, 16, 47, 384] {
                let (row, weight, bias) =
                    (test_numbers(length, 6), test_numbers(length, 7), test_numbers(length, 8));
                let mean: f64 = row.iter().map(|x| f64::from(*x)).sum::<f64>() / length as f64;
                let variance: f64 =
                    row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / length as f64;
                let mut got = row.clone();
                vectorised!(isa, layer_norm(&mut got, &weight, &bias, 1e-5));
                for i in 0..length {
                    let normal = (f64::from(row[i]) - mean) / (variance + 1e-5).sqrt();
                    let expected = normal * f64::from(weight[i]) + f64::from(bias[i]);
                    assert!((f64::from(got[i]) - expected).abs() < 1e-5, "{isa:?}, {length}");
                }
            }
        }
    }
}

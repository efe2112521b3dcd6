//! Tail probabilities of the distributions that the tests need: normal, Student's t, chi-square with one degree of
//! freedom, binomial with 1/2; by the special functions of `libm` (exact far into the tails) and `statrs`.

use std::f64::consts::FRAC_1_SQRT_2;

use libm::erfc;
use statrs::function::beta::beta_reg;

/// The probability of a normal deviate at least as far from zero as `z`.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() * FRAC_1_SQRT_2)
}

/// The probability that a chi-square variable with one degree of freedom, a squared normal one, exceeds `x`.
pub(super) fn chi_square_above(x: f64) -> f64 {
    erfc((x / 2.0).sqrt())
}

/// The probability of a Student t at least as far from zero as `t`.
pub(super) fn student_two_sided(t: f64, degrees: f64) -> f64 {
    beta_reg(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The same for the t of a correlation coefficient: t^2 = degrees r^2 / (1 - r^2).
pub(super) fn correlation_two_sided(coefficient: f64, degrees: f64) -> f64 {
    beta_reg(degrees / 2.0, 0.5, ((1.0 - coefficient) * (1.0 + coefficient)).max(0.0))
}

/// The probability of at most `successes` heads in `tosses` of a fair coin.
pub(super) fn fair_coin_at_most(successes: u64, tosses: u64) -> f64 {
    if successes >= tosses {
        return 1.0;
    }
    beta_reg((tosses - successes) as f64, successes as f64 + 1.0, 0.5)
}

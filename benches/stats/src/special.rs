//! Tail probabilities of the distributions that the tests need: Student's t, chi-square with one degree of
//! freedom, binomial with 1/2; by the special functions of `libm` (exact far into the tails) and `statrs`.

use libm::erfc;
use statrs::function::beta::beta_reg;

/// The probability that a chi-square variable with one degree of freedom, a squared normal one, exceeds `x`.
pub(super) fn chi_square_above(x: f64) -> f64 {
    erfc((x / 2.0).sqrt())
}

/// The probability of a Student t at least as far from zero as `t`.
pub(super) fn student_two_sided(t: f64, degrees: f64) -> f64 {
    beta_reg(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The probability of at most `successes` heads in `tosses` of a fair coin; `successes` is at most half of the tosses.
pub(super) fn fair_coin_at_most(successes: u64, tosses: u64) -> f64 {
    // The last term, C(tosses, successes) / 2^tosses, halved on the way so that it stays in range.
    let (mut last, mut halvings) = (1.0, tosses);
    for i in 1..=successes {
        last *= (tosses - successes + i) as f64 / i as f64;
        while last > 1.0 && halvings > 0 {
            last /= 2.0;
            halvings -= 1;
        }
    }
    last *= 0.5_f64.powi(i32::try_from(halvings).unwrap_or(i32::MAX));
    let (mut term, mut sum) = (last, last);
    for heads in (1..=successes).rev() {
        term *= heads as f64 / (tosses - heads + 1) as f64;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(ours: f64, expected: f64) {
        assert!((ours - expected).abs() <= 1e-12 * expected.abs(), "{ours}, expected {expected}");
    }

    #[test]
    fn fair_coin_probabilities() {
        assert_close(fair_coin_at_most(0, 0), 1.0);
        assert_close(fair_coin_at_most(1, 3), 0.5);
        assert_close(fair_coin_at_most(0, 60), 0.5_f64.powi(60));
        // An odd number of tosses splits in the middle.
        assert!((fair_coin_at_most(5_000, 10_001) - 0.5).abs() < 1e-11);
    }
}

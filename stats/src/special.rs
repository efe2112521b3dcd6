//! Tail probabilities of the distributions that the tests need: normal, Student's t, chi-square with one degree of
//! freedom, binomial with 1/2. Relative errors are below 1e-12 even far into the tails; Student's t loses digits with its
//! degrees of freedom, to some 1e-11 at a million.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// The normal distribution function.
pub(super) fn normal_below(z: f64) -> f64 {
    libm::erfc(-z * FRAC_1_SQRT_2) / 2.0
}

/// The probability of a normal deviate at least as far from zero as `z`.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * FRAC_1_SQRT_2)
}

/// The inverse of [`normal_below`]: infinite at 0 and 1.
pub(super) fn normal_quantile(share: f64) -> f64 {
    if share > 0.5 {
        return -normal_quantile(1.0 - share);
    }
    if share <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // Abramowitz and Stegun 26.2.23, with an error up to 4.5e-4, then Halley's steps, which cube the error.
    let t = (-2.0 * share.ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = above / below - t;
    for _ in 0..3 {
        let density = (-z * z / 2.0).exp() / (SQRT_2 * PI.sqrt());
        let newton = (normal_below(z) - share) / density;
        z -= newton / (1.0 + z * newton / 2.0);
    }
    z
}

/// The probability that a chi-square variable with one degree of freedom, a squared normal one, exceeds `x`.
pub(super) fn chi_square_above(x: f64) -> f64 {
    libm::erfc((x / 2.0).sqrt())
}

/// The probability of a Student t at least as far from zero as `t`.
pub(super) fn student_two_sided(t: f64, degrees: f64) -> f64 {
    let squared = t * t;
    if squared.is_infinite() {
        return 0.0;
    }
    beta_half(degrees / 2.0, degrees / (degrees + squared), squared / (degrees + squared))
}

/// The same for the t of a correlation coefficient: t^2 = degrees r^2 / (1 - r^2).
pub(super) fn correlation_two_sided(coefficient: f64, degrees: f64) -> f64 {
    beta_half(degrees / 2.0, (1.0 - coefficient) * (1.0 + coefficient), coefficient * coefficient)
}

/// The regularized incomplete beta function I_x(a, 1/2), given y = 1 - x (DLMF 8.17).
fn beta_half(a: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let log_x = if y < 0.5 { (-y).ln_1p() } else { x.ln() };
    let front = (a * log_x).exp() * (y / PI).sqrt() * gamma_half_step(a);
    // The fraction converges fast on this side only; I_x(a, b) = 1 - I_y(b, a) gives the other.
    if x < (a + 1.0) / (a + 2.5) {
        front * beta_fraction(a, 0.5, x) / a
    } else {
        1.0 - front * beta_fraction(0.5, a, y) / 0.5
    }
}

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const MOST_STEPS: u32 = 100_000;
    let nonzero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut lower = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut upper = 1.0;
    let mut value = lower;
    for m in (1..MOST_STEPS).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for part in [even, odd] {
            lower = 1.0 / nonzero(1.0 + part * lower);
            upper = nonzero(1.0 + part / upper);
            value *= upper * lower;
        }
        if (upper * lower - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Gamma(a + 1/2) / Gamma(a): Stirling's series for a large `a`, and the recurrence up to one for a small `a`.
fn gamma_half_step(mut a: f64) -> f64 {
    let mut factor = 1.0;
    while a < 25.0 {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    let square = a * a;
    let series = -1.0 / 8.0 + (1.0 / 192.0 - (1.0 / 640.0 - 17.0 / 14336.0 / square) / square) / square;
    factor * a.sqrt() * (series / a).exp()
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

    /// Values from published tables and closed forms.
    #[test]
    fn known_values() {
        assert_close(normal_below(1.959_963_984_540_054), 0.975);
        assert_close(normal_quantile(0.975), 1.959_963_984_540_054);
        assert_close(chi_square_above(3.841_458_820_694_124), 0.05);
        // One degree of freedom is the Cauchy distribution, two have a closed form.
        assert_close(student_two_sided(1.0, 1.0), 0.5);
        assert_close(student_two_sided(2.0, 2.0), 1.0 - 2.0 / 6.0_f64.sqrt());
        assert_close(gamma_half_step(1.0), PI.sqrt() / 2.0);
        assert_close(gamma_half_step(0.5), 1.0 / PI.sqrt());
    }

    #[test]
    fn quantiles_invert_the_distribution() {
        for exponent in 1..300 {
            let share = 0.37 * 10.0_f64.powi(-exponent);
            assert!((normal_below(normal_quantile(share)) / share - 1.0).abs() < 1e-10, "{share}");
        }
        assert!(normal_quantile(0.5).abs() < 1e-16);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    #[test]
    fn both_sides_of_the_fraction_agree() {
        for degrees in [1.0, 2.0, 3.0, 10.0, 1e3, 1e6, 1e9] {
            let squared = 3.0 * degrees / (degrees + 2.0);
            let [under, over] =
                [0.999_999_f64, 1.000_001].map(|by| student_two_sided((squared * by).sqrt(), degrees));
            assert!((under - over).abs() < 1e-5 && under > over, "{degrees}: {under} {over}");
        }
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

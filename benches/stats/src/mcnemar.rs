//! McNemar's test: whether one set of decisions is right more often than another on the same rows. Only discordant rows
//! count, on which one is right and the other wrong.

use super::special::{chi_square_above, fair_coin_at_most};
use super::undefined::{Undefined, same_length};

/// The numbers of discordant rows of two sets of decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discordant {
    /// Rows on which only the first is right.
    pub only_first: u64,
    /// Rows on which only the second is right.
    pub only_second: u64,
}

impl Discordant {
    /// Counts discordant rows, given whether each set is right on each row.
    ///
    /// # Errors
    /// If the lists differ in length.
    pub fn count(first_right: &[bool], second_right: &[bool]) -> Result<Self, Undefined> {
        same_length(first_right.len(), second_right.len())?;
        let count = |of: (bool, bool)| {
            first_right.iter().zip(second_right).filter(|row| (*row.0, *row.1) == of).count()
        };
        Ok(Self { only_first: count((true, false)) as u64, only_second: count((false, true)) as u64 })
    }

    fn rows(self) -> u64 {
        self.only_first.saturating_add(self.only_second)
    }
}

/// The two-sided p value of the exact test: twice the probability of at most the smaller count under a binomial distribution
/// of all discordant rows with 1/2, at most 1 (`statsmodels.stats.contingency_tables.mcnemar`). 1 without discordant rows.
#[must_use]
pub fn mcnemar_exact(counts: Discordant) -> f64 {
    let fewer = counts.only_first.min(counts.only_second);
    (2.0 * fair_coin_at_most(fewer, counts.rows())).min(1.0)
}

/// That of the chi-square test with Edwards' continuity correction: (|b - c| - 1)^2 / (b + c), one degree of freedom
/// (`mcnemar(exact=False)`). For some 25 discordant rows and more. None without discordant rows.
#[must_use]
pub fn mcnemar_chi_square(counts: Discordant) -> Option<f64> {
    let distance = counts.only_first.abs_diff(counts.only_second) as f64 - 1.0;
    (counts.rows() > 0).then(|| chi_square_above(distance * distance / counts.rows() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concordant_rows_do_not_count() {
        let counts = Discordant::count(&[true, true, false, false, true], &[true, false, true, false, false]);
        assert_eq!(counts, Ok(Discordant { only_first: 2, only_second: 1 }));
        assert!(Discordant::count(&[true], &[]).is_err());
    }

    #[test]
    fn equal_counts_have_p_value_one() {
        let none = Discordant { only_first: 0, only_second: 0 };
        assert_eq!(mcnemar_exact(none), 1.0);
        assert_eq!(mcnemar_chi_square(none), None);
        assert_eq!(mcnemar_exact(Discordant { only_first: 4, only_second: 4 }), 1.0);
    }

    #[test]
    fn many_rows_do_not_overflow() {
        let counts = Discordant { only_first: 4_000, only_second: 6_000 };
        let (exact, approximate) = (mcnemar_exact(counts), mcnemar_chi_square(counts).unwrap());
        assert!(exact > 0.0 && exact < 1e-80 && (exact.ln() / approximate.ln() - 1.0).abs() < 0.02);
    }
}

//! Whether one set of decisions is right more often than another on the same rows. Only the rows on which one
//! is right and the other wrong say anything about it.

use super::special::{chi_square_above, fair_coin_at_most};
use super::undefined::{Undefined, same_length};

/// The rows that tell two sets of decisions apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discordant {
    /// Rows on which only the first is right.
    pub only_first: u64,
    /// Rows on which only the second is right.
    pub only_second: u64,
}

impl Discordant {
    /// Counts them, given whether each set is right on each row.
    ///
    /// # Errors
    /// When the lists differ in length.
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

/// The outcome of McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// The smaller count for the exact test, else chi-square.
    pub statistic: f64,
    /// The two-sided p value.
    pub p_value: f64,
}

/// The exact test: as many tosses of a fair coin as there are such rows, twice the chance of at most the
/// smaller count, at most 1 (`statsmodels.stats.contingency_tables.mcnemar`). 1 without such rows.
#[must_use]
pub fn mcnemar_exact(counts: Discordant) -> McNemar {
    let fewer = counts.only_first.min(counts.only_second);
    McNemar { statistic: fewer as f64, p_value: (2.0 * fair_coin_at_most(fewer, counts.rows())).min(1.0) }
}

/// The chi-square test with Edwards' continuity correction: (|b - c| - 1)^2 / (b + c), one degree of freedom
/// (`mcnemar(exact=False)`). For some 25 such rows and more. None without such rows.
#[must_use]
pub fn mcnemar_chi_square(counts: Discordant) -> Option<McNemar> {
    let distance = counts.only_first.abs_diff(counts.only_second) as f64 - 1.0;
    let statistic = distance * distance / counts.rows() as f64;
    (counts.rows() > 0).then(|| McNemar { statistic, p_value: chi_square_above(statistic) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_on_which_both_agree_do_not_count() {
        let counts = Discordant::count(&[true, true, false, false, true], &[true, false, true, false, false]);
        assert_eq!(counts, Ok(Discordant { only_first: 2, only_second: 1 }));
        assert!(Discordant::count(&[true], &[]).is_err());
    }

    #[test]
    fn without_a_difference_there_is_no_evidence() {
        let nothing = Discordant { only_first: 0, only_second: 0 };
        assert_eq!(mcnemar_exact(nothing).p_value, 1.0);
        assert_eq!(mcnemar_chi_square(nothing), None);
        assert_eq!(mcnemar_exact(Discordant { only_first: 4, only_second: 4 }).p_value, 1.0);
    }

    #[test]
    fn many_rows_take_no_overflow() {
        let counts = Discordant { only_first: 4_000, only_second: 6_000 };
        let (exact, approximate) =
            (mcnemar_exact(counts).p_value, mcnemar_chi_square(counts).unwrap().p_value);
        assert!(exact > 0.0 && exact < 1e-80 && (exact.ln() / approximate.ln() - 1.0).abs() < 0.02);
    }
}

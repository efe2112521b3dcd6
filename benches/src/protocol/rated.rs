//! Correlations of scores with human ratings of summaries that several systems wrote of the same documents: over all
//! summaries, given the system (partial), over the systems' means, and within each document. Intervals are bootstrapped over
//! documents, each with all its summaries. Means and deviations from them are rounded to about eight digits, so that values
//! that differ only by rounding, even in the authors' files, are ties, as they are on paper.

use super::case::Case;
use super::error::BenchError;
use super::estimate::Estimate;
use super::figures::{Figures, figures};
use super::groups::{grouped, one_by_one};
use veridic_stats::{Undefined, group_deviations};

pub(crate) type Correlate = fn(&[f64], &[f64]) -> Result<f64, Undefined>;

/// Means and deviations are rounded to multiples of their unit divided by this. Both are powers of two: a mean of decimal
/// numbers then lies midway between two multiples, where rounding decides, only by chance.
const STEPS: f64 = (1 << 27) as f64;

/// FineSurE's program leaves systems with fewer summaries out of their rank.
pub(crate) const LEAST_SUMMARIES: usize = 5;

/// The human rating of a summary, and the system that wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    pub(crate) system: String,
    pub(crate) value: f64,
}

/// A scored summary with its human rating.
#[derive(Clone, Copy)]
pub(crate) struct RatedSummary<'s> {
    pub(crate) document: &'s str,
    pub(crate) system: &'s str,
    pub(crate) score: f64,
    pub(crate) rating: f64,
}

impl<'s> RatedSummary<'s> {
    pub(crate) fn of<Label>(case: &'s Case<Label>, rating: &'s Rating, score: f64) -> Self {
        Self { document: &case.document, system: &rating.system, score, rating: rating.value }
    }
}

pub(crate) struct Rated {
    scores: Vec<f64>,
    ratings: Vec<f64>,
    /// The number of the system that wrote each.
    systems: Vec<usize>,
    system_count: usize,
    /// Whether each system has enough summaries to be compared with others.
    is_ranked: Vec<bool>,
    /// The summaries of each document.
    documents: Vec<Vec<usize>>,
}

impl Rated {
    /// All cases, each with the rating in its label.
    pub(crate) fn of<Label>(
        cases: &[Case<Label>],
        scores: &[f64],
        rating: impl Fn(&Label) -> &Rating,
    ) -> Self {
        let scored = cases.iter().zip(scores);
        Self::new(scored.map(|(case, score)| RatedSummary::of(case, rating(&case.label), *score)))
    }

    pub(crate) fn new<'s>(summaries: impl IntoIterator<Item = RatedSummary<'s>>) -> Self {
        let summaries: Vec<RatedSummary<'s>> = summaries.into_iter().collect();
        let of_systems = grouped(summaries.iter().map(|summary| summary.system).zip(0..));
        let mut systems = vec![0; summaries.len()];
        for (system, numbers) in of_systems.iter().enumerate() {
            numbers.iter().for_each(|&number| systems[number] = system);
        }
        Self {
            scores: summaries.iter().map(|summary| summary.score).collect(),
            ratings: summaries.iter().map(|summary| summary.rating).collect(),
            systems,
            system_count: of_systems.len(),
            is_ranked: vec![true; of_systems.len()],
            documents: grouped(summaries.iter().map(|summary| summary.document).zip(0..)),
        }
    }

    /// Leaves systems with fewer than `least` summaries out of the comparison of systems.
    pub(crate) fn ranking_from(mut self, least: usize) -> Self {
        let mut counts = vec![0; self.system_count];
        self.systems.iter().for_each(|&system| counts[system] += 1);
        self.is_ranked = counts.into_iter().map(|count| count >= least).collect();
        self
    }

    pub(crate) fn summaries(&self) -> usize {
        self.scores.len()
    }

    /// Returns the numbers of summaries, of their documents and of the systems that wrote them.
    pub(crate) fn counts(&self) -> Figures {
        figures! {
            "summaries": self.summaries(), "documents": self.documents.len(), "systems": self.system_count,
        }
    }

    pub(crate) fn check(&self, what: &str) -> Result<(), BenchError> {
        match self.ratings.as_slice() {
            [] => Err(BenchError::Data("holds no summaries to measure".into())),
            [_] => Err(BenchError::Data("holds one summary: a correlation needs several".into())),
            [first, rest @ ..] if rest.iter().all(|rating| rating == first) => {
                Err(BenchError::Data(format!("{what} of all {} summaries is {first}", self.summaries())))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn warning(&self) -> Option<String> {
        let first = self.scores.first()?;
        let is_constant = self.scores.iter().all(|score| score == first);
        is_constant.then(|| format!("all scores are {first}: there is no correlation"))
    }

    pub(crate) fn over_summaries(&self, correlate: Correlate) -> Option<Estimate> {
        self.estimate(|rows| {
            let (scores, ratings) = self.lists(rows);
            correlate(&scores, &ratings).ok()
        })
    }

    /// The partial correlation given the system: over all summaries, of the deviations from the mean of the system, which
    /// are the residuals of a regression on the system, a categorical variable.
    pub(crate) fn beyond_systems(&self, correlate: Correlate) -> Option<Estimate> {
        self.estimate(|rows| {
            let (scores, ratings) = self.lists(rows);
            let systems: Vec<usize> = rows.iter().map(|row| self.systems[*row]).collect();
            let left = |values: &[f64]| {
                group_deviations(values, &systems).map(|left| comparable(&left, largest(values)))
            };
            correlate(&left(&scores).ok()?, &left(&ratings).ok()?).ok()
        })
    }

    /// The correlation over the systems, each by the means of its summaries.
    pub(crate) fn over_systems(&self, correlate: Correlate) -> Option<Estimate> {
        self.estimate(|rows| {
            let mut sums = vec![[0.0; 3]; self.system_count];
            for &row in rows.iter().filter(|row| self.is_ranked[self.systems[**row]]) {
                let [score, rating, count] = &mut sums[self.systems[row]];
                *score += self.scores[row];
                *rating += self.ratings[row];
                *count += 1.0;
            }
            // A sample of documents need not have summaries of every system.
            sums.retain(|[.., count]| *count > 0.0);
            let means = |which: usize| -> Vec<f64> {
                let means: Vec<f64> = sums.iter().map(|sum| sum[which] / sum[2]).collect();
                comparable(&means, largest(&means))
            };
            correlate(&means(0), &means(1)).ok()
        })
    }

    /// Returns the mean over documents of the correlation within a document, and the number of documents that have one: it
    /// needs two summaries with different scores and different ratings.
    pub(crate) fn within_documents(&self, correlate: Correlate) -> (Option<Estimate>, usize) {
        let of_document = |rows: &Vec<usize>| {
            let (scores, ratings) = self.lists(rows);
            correlate(&scores, &ratings).ok()
        };
        let coefficients: Vec<f64> = self.documents.iter().filter_map(of_document).collect();
        let groups = one_by_one(coefficients.len());
        let mean = |numbers: &[usize]| {
            let sum: f64 = numbers.iter().map(|number| coefficients[*number]).sum();
            (!numbers.is_empty()).then(|| sum / numbers.len() as f64)
        };
        (Estimate::on_groups(&groups, mean), coefficients.len())
    }

    fn lists(&self, rows: &[usize]) -> (Vec<f64>, Vec<f64>) {
        rows.iter().map(|row| (self.scores[*row], self.ratings[*row])).unzip()
    }

    fn estimate(&self, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Estimate> {
        Estimate::on_groups(&self.documents, statistic)
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

/// Rounded values; their unit is the largest power of two up to `largest`.
fn comparable(values: &[f64], largest: f64) -> Vec<f64> {
    let unit = if largest > 0.0 { largest.log2().floor().exp2() } else { 1.0 };
    values.iter().map(|value| (value / unit * STEPS).round() + 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic_stats::{kendall, pearson, spearman};

    /// Summaries as (document, system, score, rating).
    fn rated(rows: &[(&str, &str, f64, f64)]) -> Rated {
        Rated::new(rows.iter().map(|&(document, system, score, rating)| RatedSummary {
            document,
            system,
            score,
            rating,
        }))
    }

    fn value(estimate: Option<Estimate>) -> f64 {
        estimate.unwrap().value
    }

    const ROWS: [(&str, &str, f64, f64); 6] = [
        ("a", "x", 0.1, 0.0),
        ("a", "y", 0.2, 0.5),
        ("a", "z", 0.9, 1.0),
        ("b", "x", 0.3, 0.5),
        ("b", "y", 0.8, 0.5),
        ("b", "z", 0.7, 0.0),
    ];

    #[test]
    fn correlations_match_hand_counts() {
        let rated = rated(&ROWS);
        assert_eq!(rated.counts(), figures! { "summaries": 6, "documents": 2, "systems": 3 });
        // Means of scores: 0.2, 0.5, 0.8; of ratings: 0.25, 0.5, 0.5.
        assert!((value(rated.over_systems(pearson)) - 0.75_f64.sqrt()).abs() < 1e-7);
        assert!((value(rated.over_systems(kendall)) - 2.0 / 6.0_f64.sqrt()).abs() < 1e-12);
        // Document a is concordant; of b's three pairs one is concordant, one discordant, one tied.
        let (within, documents) = rated.within_documents(kendall);
        assert_eq!((value(within), documents), (0.5, 2));
        // Deviations from the systems' means: of scores -0.1, -0.3, 0.1, 0.1, 0.3, -0.1; of ratings -0.25, 0, 0.5, 0.25, 0, -0.5.
        let expected = 0.15 / (0.22_f64 * 0.625).sqrt();
        assert!((value(rated.beyond_systems(pearson)) - expected).abs() < 1e-7);
    }

    #[test]
    fn systems_with_few_summaries_leave_the_rank() {
        let mut rows = ROWS.to_vec();
        rows.push(("a", "w", 0.9, 0.0));
        // Means of scores: 0.2, 0.5, 0.8 and 0.9; of ratings: 0.25, 0.5, 0.5 and 0.
        let ranked = |least| value(rated(&rows).ranking_from(least).over_systems(pearson));
        assert!(ranked(1) < 0.0 && (ranked(2) - 0.75_f64.sqrt()).abs() < 1e-7);
        assert_eq!(rated(&rows).ranking_from(3).over_systems(pearson), None);
    }

    #[test]
    fn ratings_explained_by_the_system_have_no_partial_correlation() {
        // The mean of 0.1 three times is not 0.1 in floating point, which must not count.
        let rows = [("a", "x", 0.1), ("b", "x", 0.1), ("c", "x", 0.1), ("a", "y", 0.7), ("b", "y", 0.7)];
        let rows: Vec<_> =
            rows.iter().zip([0.0, 1.0, 0.5, 1.0, 0.5]).map(|(r, h)| (r.0, r.1, r.2, h)).collect();
        let rated = rated(&rows);
        assert_eq!(rated.beyond_systems(pearson), None);
        assert_eq!(rated.beyond_systems(spearman), None);
        assert!(rated.over_summaries(spearman).is_some());
    }

    #[test]
    fn constant_lists_have_no_correlation() {
        let constant = rated(&ROWS.map(|row| (row.0, row.1, 0.5, row.3)));
        assert_eq!((constant.over_summaries(pearson), constant.over_systems(pearson)), (None, None));
        assert_eq!(constant.within_documents(kendall), (None, 0));
        assert!(constant.warning().unwrap().contains("0.5") && rated(&ROWS).warning().is_none());
        let same = rated(&ROWS.map(|row| (row.0, row.1, row.2, 1.0)));
        assert_eq!(same.check("the rating").unwrap_err().to_string(), "the rating of all 6 summaries is 1");
        assert!(rated(&ROWS[..1]).check("the rating").unwrap_err().to_string().contains("several"));
        assert!(rated(&[]).check("the rating").unwrap_err().to_string().contains("no summaries"));
        assert!(rated(&ROWS).check("the rating").is_ok());
    }
}

//! A figure with its 95% interval. A figure keeps its values on the samples, so that a mean of independent figures also has
//! an interval: its value on a sample is the mean of theirs.

use serde::Serialize;

use super::groups::drawn;
use veridic_stats::{
    AGGREFACT_RESAMPLES, AGGREFACT_SHARE, PairedDifference, aggrefact_half_width, bootstrap,
    percentile_interval, subsample,
};

/// The number of samples behind every interval.
pub(crate) const RESAMPLES: usize = AGGREFACT_RESAMPLES;

/// The level of every interval.
pub(crate) const LEVEL: f64 = 0.95;

pub type Interval = [f64; 2];

/// A figure with the middle 95% of its values on bootstrap samples of documents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Estimate {
    /// Returns the statistic of all rows and its interval over bootstrap samples of groups of rows. `None` if it has no
    /// value.
    pub(crate) fn on_groups(
        groups: &[Vec<usize>],
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        Sampled::on_groups(groups, 0, statistic).map(|figure| figure.estimate())
    }

    /// Creates a figure from a stored value and interval.
    pub(crate) fn within(value: f64, interval: Option<Interval>) -> Self {
        let [low, high] = interval.map_or([None; 2], |ends| ends.map(Some));
        Self { value, low, high }
    }

    pub(crate) fn interval(&self) -> Option<Interval> {
        Some([self.low?, self.high?])
    }

    /// Formats the estimate in percent, as `70.5 [68.1, 72.9]`.
    pub fn percent(&self) -> String {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        match self.interval().map(|ends| ends.map(percent)) {
            Some([low, high]) => format!("{} [{low}, {high}]", percent(self.value)),
            None => percent(self.value),
        }
    }
}

impl From<PairedDifference> for Estimate {
    fn from(found: PairedDifference) -> Self {
        Self::within(found.difference, Some([found.interval.low, found.interval.high]))
    }
}

/// A figure and its values on samples; empty if there is nothing to resample.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sampled {
    pub(crate) value: f64,
    samples: Vec<f64>,
}

impl Sampled {
    pub(crate) fn alone(value: f64) -> Self {
        Self { value, samples: Vec::new() }
    }

    /// Returns the statistic of all rows and of AggreFact's subsamples: 80% of the rows, without replacement. `None` if it
    /// has no value.
    pub(crate) fn on_shares(
        rows: usize,
        seed: u64,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        let all: Vec<usize> = (0..rows).collect();
        let value = statistic(&all)?;
        let sampled = subsample(rows, AGGREFACT_SHARE, RESAMPLES, seed, statistic).ok()?;
        Some(Self { value, samples: sampled.values })
    }

    /// Returns the statistic of all rows and of bootstrap samples of groups of rows. `None` if it has no value.
    pub(crate) fn on_groups(
        groups: &[Vec<usize>],
        seed: u64,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        let value = statistic(&groups.concat())?;
        let samples = match groups.len() {
            0 | 1 => Vec::new(),
            count => bootstrap(count, RESAMPLES, seed, |sample| statistic(&drawn(groups, sample))).values,
        };
        Some(Self { value, samples })
    }

    /// Returns the weighted mean of independent figures. `None` without figures.
    pub(crate) fn mean(parts: &[(usize, &Self)]) -> Option<Self> {
        let total: usize = parts.iter().map(|(weight, _)| weight).sum();
        if total == 0 {
            return None;
        }
        let mean = |figure: &dyn Fn(&Self) -> f64| {
            parts.iter().map(|(weight, part)| *weight as f64 * figure(part)).sum::<f64>() / total as f64
        };
        let is_complete = parts.iter().all(|(_, part)| part.samples.len() == RESAMPLES);
        let samples = if is_complete { RESAMPLES } else { 0 };
        Some(Self {
            value: mean(&|part| part.value),
            samples: (0..samples).map(|sample| mean(&|part| part.samples[sample])).collect(),
        })
    }

    /// Returns the unweighted mean of independent figures. `None` without figures.
    pub(crate) fn plain_mean<'s>(parts: impl IntoIterator<Item = &'s Self>) -> Option<Self> {
        Self::mean(&parts.into_iter().map(|part| (1, part)).collect::<Vec<_>>())
    }

    /// Returns how far the figure lies above the 2.5th percentile of its values on samples.
    pub(crate) fn half_width(&self) -> Option<f64> {
        aggrefact_half_width(self.value, &self.samples).ok()
    }

    pub(crate) fn estimate(&self) -> Estimate {
        let interval = percentile_interval(&self.samples, LEVEL).ok();
        Estimate::within(self.value, interval.map(|interval| [interval.low, interval.high]))
    }
}

/// Returns the unweighted mean of figures; `None` if one of them has no value, or without figures.
pub(crate) fn complete_mean(figures: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let figures: Vec<f64> = figures.collect::<Option<_>>()?;
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(value: f64, step: f64) -> Sampled {
        Sampled { value, samples: (0..RESAMPLES).map(|sample| value + step * sample as f64).collect() }
    }

    #[test]
    fn mean_is_weighted_sample_by_sample() {
        let (first, second) = (sampled(0.2, 0.001), sampled(0.8, -0.001));
        let mean = Sampled::mean(&[(1, &first), (3, &second)]).unwrap();
        assert!((mean.value - 0.65).abs() < 1e-12);
        assert!((mean.samples[100] - (0.3 + 3.0 * 0.7) / 4.0).abs() < 1e-12);
        let alone = Sampled { value: 0.5, samples: Vec::new() };
        let mean = Sampled::plain_mean([&first, &alone]).unwrap();
        assert_eq!((mean.value, mean.half_width()), (0.35, None));
        assert_eq!(Sampled::mean(&[]), None);
    }

    #[test]
    fn one_group_has_no_interval() {
        let of_one = Estimate::on_groups(&[vec![0, 1]], |rows| Some(rows.len() as f64)).unwrap();
        assert_eq!(of_one, Estimate { value: 2.0, low: None, high: None });
        assert_eq!(Sampled::on_groups(&[vec![0], vec![1]], 0, |_| None), None);
        assert_eq!(Sampled::on_shares(1, 0, |rows| rows.first().map(|_| 0.5)).unwrap().half_width(), None);
    }

    #[test]
    fn estimate_is_shown_in_percent() {
        let estimate = Estimate { value: 0.7051, low: Some(0.681), high: Some(0.729) };
        assert_eq!(estimate.percent(), "70.5 [68.1, 72.9]");
    }
}

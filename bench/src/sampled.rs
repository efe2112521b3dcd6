//! A figure and how far it may be off. Figures keep their values on the samples, so that a mean of independent
//! figures has an interval, too: its value on a sample is the mean of theirs.

use serde::Serialize;

use veridic_stats::{
    AGGREFACT_RESAMPLES, AGGREFACT_SHARE, aggrefact_half_width, bootstrap, percentile_interval, subsample,
};

/// Samples behind every interval.
pub const RESAMPLES: usize = AGGREFACT_RESAMPLES;

/// The level of bootstrap intervals.
const LEVEL: f64 = 0.95;

/// A figure with the middle 95% of its values on bootstrap samples of documents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end; none where there is nothing to resample.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// In percent, as `70.5 [68.1, 72.9]`.
    #[must_use]
    pub fn percent(&self) -> String {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        match (self.low, self.high) {
            (Some(low), Some(high)) => {
                format!("{} [{}, {}]", percent(self.value), percent(low), percent(high))
            }
            _ => percent(self.value),
        }
    }

    /// As [`Estimate::percent`], or a dash.
    pub(super) fn shown(estimate: Option<Self>) -> String {
        estimate.map_or_else(|| "-".into(), |estimate| estimate.percent())
    }
}

/// A figure and its values on samples; none where there is nothing to resample.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sampled {
    pub(super) value: f64,
    samples: Vec<f64>,
}

impl Sampled {
    /// A figure that is not resampled.
    pub(super) fn alone(value: f64) -> Self {
        Self { value, samples: Vec::new() }
    }

    /// The statistic of all rows and on AggreFact's subsamples: 80% of them, without replacement. None if it has
    /// no value.
    pub(super) fn on_shares(
        rows: usize,
        seed: u64,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        let all: Vec<usize> = (0..rows).collect();
        let value = statistic(&all)?;
        let sampled = subsample(rows, AGGREFACT_SHARE, RESAMPLES, seed, statistic).ok()?;
        Some(Self { value, samples: sampled.values })
    }

    /// The statistic of all rows and on bootstrap samples of groups of rows. None if it has no value.
    pub(super) fn on_groups(
        groups: &[Vec<usize>],
        seed: u64,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        let value = statistic(&groups.concat())?;
        let drawn = |sample: &[usize]| -> Vec<usize> {
            sample.iter().flat_map(|&group| groups[group].iter().copied()).collect()
        };
        let samples = match groups.len() {
            0 | 1 => Vec::new(),
            count => bootstrap(count, RESAMPLES, seed, |sample| statistic(&drawn(sample))).values,
        };
        Some(Self { value, samples })
    }

    /// The mean of independent figures by weight. None without figures.
    pub(super) fn mean(parts: &[(usize, &Self)]) -> Option<Self> {
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

    /// How far the figure lies above the 2.5th percentile of its values on samples.
    pub(super) fn half_width(&self) -> Option<f64> {
        aggrefact_half_width(self.value, &self.samples).ok()
    }

    pub(super) fn estimate(&self) -> Estimate {
        let interval = percentile_interval(&self.samples, LEVEL).ok();
        Estimate { value: self.value, low: interval.map(|i| i.low), high: interval.map(|i| i.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(value: f64, step: f64) -> Sampled {
        Sampled { value, samples: (0..RESAMPLES).map(|sample| value + step * sample as f64).collect() }
    }

    #[test]
    fn a_mean_is_weighted_sample_by_sample() {
        let (first, second) = (sampled(0.2, 0.001), sampled(0.8, -0.001));
        let mean = Sampled::mean(&[(1, &first), (3, &second)]).unwrap();
        assert!((mean.value - 0.65).abs() < 1e-12);
        assert!((mean.samples[100] - (0.3 + 3.0 * 0.7) / 4.0).abs() < 1e-12);
        let alone = Sampled { value: 0.5, samples: Vec::new() };
        let mean = Sampled::mean(&[(1, &first), (1, &alone)]).unwrap();
        assert_eq!((mean.value, mean.half_width()), (0.35, None));
        assert_eq!(Sampled::mean(&[]), None);
    }

    #[test]
    fn one_group_has_no_interval() {
        let of_one = Sampled::on_groups(&[vec![0, 1]], 0, |rows| Some(rows.len() as f64)).unwrap();
        assert_eq!(of_one.estimate(), Estimate { value: 2.0, low: None, high: None });
        assert_eq!(Sampled::on_groups(&[vec![0], vec![1]], 0, |_| None), None);
        assert_eq!(Sampled::on_shares(1, 0, |rows| rows.first().map(|_| 0.5)).unwrap().half_width(), None);
    }

    #[test]
    fn an_estimate_is_shown_in_percent() {
        let estimate = Estimate { value: 0.7051, low: Some(0.681), high: Some(0.729) };
        assert_eq!(estimate.percent(), "70.5 [68.1, 72.9]");
    }
}

//! Maps a distance between two tokens to a row of the position projections.
//!
//! Distances up to half the buckets have a row each; longer ones share rows on a logarithmic scale up to `max_distance`
//! (DeBERTa v2's code release; He et al. 2021; the rounding is that of `make_log_bucket_position` in Python's
//! `transformers`, in f32); beyond that they are clamped. The table is computed on the host, once a batch.

use super::config::RelativeConfig;

/// The map for one model.
#[derive(Debug, Clone)]
pub struct DistanceSlots {
    span: i64,
    buckets: Option<(i64, f32)>,
}

impl DistanceSlots {
    /// `span`: half the number of slots; `buckets`: their number, if distances are bucketed; `max_distance`: the distance
    /// from which on all share a bucket.
    #[must_use]
    pub fn new(span: usize, buckets: Option<usize>, max_distance: usize) -> Self {
        let log_of_largest = |middle: i64| ((max_distance as i64 - 1) as f32 / middle as f32).ln();
        let buckets = buckets.map(|count| count as i64 / 2).map(|middle| (middle, log_of_largest(middle)));
        Self { span: span as i64, buckets }
    }

    pub(crate) fn of(config: &RelativeConfig) -> Self {
        Self::new(config.span, config.buckets, config.max_distance)
    }

    /// The bucket of a distance (query position minus key position), before clamping.
    #[must_use]
    pub fn bucket(&self, distance: i64) -> i64 {
        let Some((middle, log_of_largest)) = self.buckets else {
            return distance;
        };
        if distance.abs() <= middle {
            return distance;
        }
        let log = (distance.abs() as f32 / middle as f32).ln() / log_of_largest;
        let bucket = (log * (middle - 1) as f32).ceil() as i64 + middle;
        bucket * distance.signum()
    }

    /// The slots of all distances `-(longest - 1)..=longest - 1`.
    #[must_use]
    pub fn table(&self, longest: usize) -> Vec<u32> {
        let longest = longest as i64;
        (1 - longest..longest)
            .map(|distance| (self.bucket(distance) + self.span).clamp(0, 2 * self.span - 1) as u32)
            .collect()
    }
}

//! Buckets of relative distances (Raffel et al. 2020, section 2.1; the rounding is that of
//! `_relative_position_bucket` in Python's transformers, in f32). A distance is the query's position
//! minus the key's. Near distances have a bucket each; further ones share on a logarithmic scale up to
//! `max_distance`. The encoder has half of the buckets for each direction; the decoder looks back
//! only and has all of them for that.

use super::T5Config;

/// The bucket of a distance when both directions are told apart.
pub(super) fn both_ways(config: &T5Config, distance: i64) -> usize {
    let half = config.buckets / 2;
    let bucket = one_way(half, config.max_distance, distance.unsigned_abs());
    if distance < 0 { half + bucket } else { bucket }
}

/// The bucket of a distance back.
pub(super) fn backward(config: &T5Config, distance: u64) -> usize {
    one_way(config.buckets, config.max_distance, distance)
}

fn one_way(buckets: usize, max_distance: usize, distance: u64) -> usize {
    let exact = buckets / 2;
    if distance < exact as u64 {
        return distance as usize;
    }
    let log = (distance as f32 / exact as f32).ln();
    let scale = (max_distance as f64 / exact as f64).ln() as f32;
    let further = (log / scale * (buckets - exact) as f32) as usize;
    (exact + further).min(buckets - 1)
}

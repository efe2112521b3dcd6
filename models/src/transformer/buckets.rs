//! Buckets of relative distances (Raffel et al. 2020, section 2.1; the rounding is that of
//! `_relative_position_bucket` in Python's `transformers`, in f32), as in T5 and MPNet. A distance is the query's
//! position minus the key's. Short distances have a bucket each; longer ones share buckets on a logarithmic scale up to
//! `max_distance`. Attention in both directions has half of the buckets for each; attention to earlier tokens uses all of
//! them.

use candle_core::Tensor;

use crate::error::Result;

/// The assignment of distances to buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DistanceBuckets {
    /// Number of buckets, a multiple of 4.
    pub(crate) count: usize,
    /// Distance from which on all share a bucket.
    pub(crate) max_distance: usize,
}

impl DistanceBuckets {
    /// The bucket of a distance to an earlier token, in attention to earlier tokens only.
    pub(crate) fn backward(self, distance: u64) -> usize {
        self.one_way(self.count, distance)
    }

    /// Slots of all distances `-(longest - 1)..=longest - 1` in attention in both directions: the buckets in the order of
    /// distances, which the attention kernels need.
    pub(crate) fn slots(self, longest: usize) -> Vec<u32> {
        let longest = longest as i64;
        (1 - longest..longest).map(|distance| self.slot(distance)).collect()
    }

    /// The slot of a distance.
    fn slot(self, distance: i64) -> u32 {
        let half = self.count / 2;
        let away = self.one_way(half, distance.unsigned_abs()) as i64;
        (half as i64 - 1 + distance.signum() * away) as u32
    }

    /// Reorders the biases by bucket to biases by slot: `(buckets, heads) -> (heads, slots)`.
    pub(crate) fn by_slot(self, bias: &Tensor) -> Result<Tensor> {
        let half = self.count as u32 / 2;
        // Later keys, the farthest first; the query itself; then earlier keys, the nearest first.
        let order: Vec<u32> = (1..half).rev().map(|away| half + away).chain(0..half).collect();
        let rows = bias.index_select(&Tensor::new(order, bias.device())?, 0)?; // (slots, heads)
        Ok(rows.t()?.contiguous()?)
    }

    fn one_way(self, buckets: usize, distance: u64) -> usize {
        let exact = buckets / 2;
        if distance < exact as u64 {
            return distance as usize;
        }
        let log = (distance as f32 / exact as f32).ln();
        let scale = (self.max_distance as f64 / exact as f64).ln() as f32;
        let further = (log / scale * (buckets - exact) as f32) as usize;
        (exact + further).min(buckets - 1)
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;
    use serde_json::Value;

    use super::*;

    /// The fixture is made by scripts/fixtures/make_classifiers.py.
    #[test]
    fn every_distance_has_the_bias_of_its_bucket_in_transformers() {
        let file = include_bytes!("../../tests/fixtures/bert/buckets.json");
        let file: Value = serde_json::from_slice(file).unwrap();
        let buckets = file["buckets"].as_array().unwrap();
        let ours = DistanceBuckets { count: 32, max_distance: 128 };
        let bias: Vec<f32> = (0..32).map(|bucket| bucket as f32).collect();
        let bias = Tensor::from_vec(bias, (32, 1), &Device::Cpu).unwrap();
        let by_slot = ours.by_slot(&bias).unwrap().to_vec2::<f32>().unwrap();
        let slots = ours.slots(601);
        assert_eq!((buckets.len(), slots.len(), slots.is_sorted()), (1201, 1201, true));
        for (index, (slot, bucket)) in slots.iter().zip(buckets).enumerate() {
            let distance = file["first_distance"].as_i64().unwrap() + index as i64;
            assert_eq!(by_slot[0][*slot as usize], bucket.as_f64().unwrap() as f32, "{distance}");
            assert_eq!(ours.slot(distance), *slot, "{distance}");
        }
    }
}

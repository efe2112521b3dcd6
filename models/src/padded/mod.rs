//! The networks by candle's own operations on padded batches, for every device of candle: GPUs, and the CPU, where tests
//! compare them with the fused kernels.
//!
//! Sequences of similar lengths are padded to one length; a mask keeps padding out of every result, so that each sequence's
//! logits depend on that sequence only. Weights in 8 bits become floating-point numbers at load. Softmax and heads are
//! computed in f32, everything else in the target's dtype.

mod batches;
mod encoder;
mod modernbert;
mod network;
mod parts;
mod t5;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use candle_core::{DType, Device, Tensor};
use veridic_kernels::Precision;

pub(crate) use self::encoder::PaddedEncoder;
pub(crate) use self::modernbert::PaddedModernBert;
pub(crate) use self::network::PaddedNetwork;
pub(crate) use self::parts::Target;
pub(crate) use self::t5::PaddedT5;

use self::batches::{MOST_TOKENS, PaddedBatch, padded_batches};
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::network::Classifier;
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// The device in candle's terms, with the dtype that a network has there.
pub(crate) fn target(device: ComputeDevice, precision: Precision) -> Result<Target> {
    let found = match device {
        ComputeDevice::Cpu | ComputeDevice::CpuCandle => Ok(Device::Cpu),
        ComputeDevice::Cuda(number) => Device::new_cuda(number),
        ComputeDevice::Metal => Device::new_metal(0),
    };
    let dtype = match precision {
        Precision::F32 => DType::F32,
        Precision::Bf16 => DType::BF16,
        Precision::Int8 => {
            let (value, expected) =
                (precision.name().to_owned(), format!("{device} computes in f32 or bf16"));
            return Err(ModelError::Setting { setting: "dtype", value, expected });
        }
    };
    let device = found.map_err(|reason| device.refused(format!("it cannot be opened: {reason}")))?;
    Ok(Target { device, dtype })
}

/// A padded network as the classifier of packed batches.
pub(crate) struct PaddedClassifier {
    network: Box<dyn PaddedNetwork>,
    device: ComputeDevice,
    /// Tokens of the largest padded batch that the device's memory is thought to hold.
    most_tokens: AtomicUsize,
}

impl PaddedClassifier {
    /// Builds the network of these weights on a device; `build` builds it on a target.
    ///
    /// # Errors
    /// A device that cannot be opened or has no memory for the weights; weights that do not fit the configuration.
    pub(crate) fn load(
        weights: &Weights,
        device: ComputeDevice,
        precision: Precision,
        build: impl FnOnce(&Target) -> Result<Box<dyn PaddedNetwork>>,
    ) -> Result<Self> {
        let target = target(device, precision)?;
        let network = build(&target).map_err(|error| {
            let megabytes = weights.parameters() * target.dtype.size_in_bytes() / 1_000_000;
            as_memory(error, device, || format!("the weights, {megabytes} MB in {}", precision.name()))
        })?;
        Ok(Self { network, device, most_tokens: AtomicUsize::new(MOST_TOKENS) })
    }

    /// Computes a padded batch, and brings its results to the processor.
    fn on_host(&self, padded: &PaddedBatch) -> Result<(Tensor, Tensor)> {
        let (logits, states) = self.network.forward(padded)?;
        let on_host = |tensor: Tensor| tensor.to_dtype(DType::F32)?.to_device(&Device::Cpu);
        Ok((on_host(logits)?, on_host(states)?))
    }
}

impl Classifier for PaddedClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(self.network.token_limit())?;
        let (sequences, padding_id) = (batch.sequences(), self.network.padding_id());
        let (mut logits, mut states) = (vec![None; sequences], vec![None; sequences]);
        let most_tokens = self.most_tokens.load(Ordering::Relaxed);
        let mut waiting: VecDeque<_> = padded_batches(batch, padding_id, most_tokens).into();
        while let Some(padded) = waiting.pop_front() {
            let (count, longest) = padded.shape();
            let (all_logits, all_states) = match self.on_host(&padded) {
                // A batch that the device has no memory for is computed in halves, and later calls have smaller ones.
                Err(error) if count > 1 && is_of_memory(&error) => {
                    self.most_tokens.fetch_min(count * longest / 2, Ordering::Relaxed);
                    padded
                        .halves(batch, padding_id)
                        .into_iter()
                        .rev()
                        .for_each(|half| waiting.push_front(half));
                    continue;
                }
                found => found.map_err(|error| {
                    as_memory(error, self.device, || {
                        format!("one text of {longest} tokens beside the weights")
                    })
                })?,
            };
            for (row, &place) in padded.places.iter().enumerate() {
                logits[place] = Some(all_logits.narrow(0, row, 1)?);
                states[place] = Some(all_states.get(row)?.narrow(0, 0, padded.lengths[row])?);
            }
        }
        let joined =
            |rows: Vec<Option<Tensor>>| Tensor::cat(&rows.into_iter().flatten().collect::<Vec<_>>(), 0);
        Ok((joined(logits)?, joined(states)?))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.1)
    }
}

/// Whether a device has run out of memory, by the words of CUDA, cuBLAS and Metal.
fn is_of_memory(error: &ModelError) -> bool {
    let ModelError::Tensor(error) = error else { return false };
    let words = error.to_string().to_lowercase();
    ["out of memory", "out_of_memory", "alloc_failed", "failed to allocate"]
        .iter()
        .any(|part| words.contains(part))
}

/// The same error, or one of the device's memory if it is one.
fn as_memory(error: ModelError, device: ComputeDevice, what: impl FnOnce() -> String) -> ModelError {
    if is_of_memory(&error) {
        ModelError::Memory { device: device.to_string(), what: what(), reason: error.to_string() }
    } else {
        error
    }
}

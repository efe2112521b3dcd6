//! The networks by candle's own operations on padded batches, for every device of candle: GPUs, and the CPU, where tests
//! compare them with the fused kernels.
//!
//! Sequences of similar lengths are padded to one length; a mask keeps padding out of every result, so that each sequence's
//! logits depend on that sequence only. Weights in 8 bits become floating-point numbers at load. Softmax and heads are
//! computed in f32, everything else in the target's dtype.

mod batches;
mod bert;
mod deberta;
mod encoder;
mod modernbert;
mod parts;
mod t5;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use candle_core::{DType, Device, Tensor};
use veridic_kernels::Precision;

pub(crate) use self::encoder::PaddedEncoder;
pub(crate) use self::modernbert::PaddedModernBert;
pub(crate) use self::parts::Target;
pub(crate) use self::t5::PaddedT5;

use self::batches::{PaddedBatch, padded_batches};
use crate::classifier::Classifier;
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;

/// A classifier of padded batches.
pub(crate) trait PaddedNetwork: Send + Sync {
    /// A token id that may stand for padding.
    fn padding_id(&self) -> u32 {
        0
    }

    /// Maximum tokens of a sequence, if a table limits it.
    fn token_limit(&self) -> Option<usize>;

    /// Logits, `(sequences, labels)`, and the states before the last layer, `(sequences, longest, hidden)`, both on the
    /// network's device.
    fn forward(&self, batch: &PaddedBatch) -> Result<(Tensor, Tensor)>;
}

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
pub(crate) struct PaddedClassifier(pub(crate) Box<dyn PaddedNetwork>);

impl Classifier for PaddedClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(self.0.token_limit())?;
        let sequences = batch.sequences();
        let (mut logits, mut states) = (vec![None; sequences], vec![None; sequences]);
        for padded in padded_batches(batch, self.0.padding_id()) {
            let (all_logits, all_states) = self.0.forward(&padded)?;
            let on_host = |tensor: Tensor| tensor.to_dtype(DType::F32)?.to_device(&Device::Cpu);
            let (all_logits, all_states) = (on_host(all_logits)?, on_host(all_states)?);
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

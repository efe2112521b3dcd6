//! The networks by candle's own operations on padded batches, for every device of candle: GPUs, and the CPU, where tests
//! compare them with the fused kernels.
//!
//! Sequences of similar lengths are padded to one length; a mask keeps padding out of every result, so that each sequence's
//! logits depend on that sequence only. Weights in 8 bits become floating-point numbers at load. Softmax and heads are
//! computed in f32, everything else in the target's dtype.

mod batches;
mod classifier;
mod encoder;
mod memory;
mod modernbert;
mod network;
mod parts;
#[cfg(feature = "sleeping")]
mod sleeping;
mod t5;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{DType, Device, Tensor};
use veridic_kernels::Precision;

pub(crate) use self::classifier::PaddedClassifier;
pub(crate) use self::encoder::PaddedEncoder;
pub(crate) use self::modernbert::{PaddedModernBert, PaddedModernBertClassifier};
pub(crate) use self::network::PaddedNetwork;
pub(crate) use self::parts::Target;
pub(crate) use self::t5::{PaddedT5, PaddedT5Judge};

use self::batches::{MOST_TOKENS, PaddedBatch, padded_batches};
use self::memory::{as_memory, is_of_memory};
use crate::device::ComputeDevice;
use crate::error::Result;
use crate::network::{Classifier, Encoder};
use crate::packed::PackedBatch;
use crate::token_head::TokenHead;
use crate::weights::Weights;

/// A network of padded batches that reads packed ones.
pub(crate) struct OnDevice<const N: usize> {
    network: Box<dyn PaddedNetwork<N>>,
    device: ComputeDevice,
    /// The device's, held while a batch is computed.
    turn: Arc<Mutex<()>>,
    /// Tokens of the largest padded batch that the device's memory is thought to hold.
    most_tokens: AtomicUsize,
}

impl<const N: usize> OnDevice<N> {
    /// Builds the network of these weights on a device; `build` builds it on a target.
    ///
    /// # Errors
    /// A device that cannot be opened or has no memory for the weights; weights that do not fit the configuration.
    pub(crate) fn load(
        weights: &Weights,
        device: ComputeDevice,
        precision: Precision,
        build: impl FnOnce(&Target) -> Result<Box<dyn PaddedNetwork<N>>>,
    ) -> Result<Self> {
        let target = Target::of(device, precision)?;
        let network = build(&target).map_err(|error| {
            let megabytes = weights.parameters() * target.dtype.size_in_bytes() / 1_000_000;
            as_memory(error, device, || format!("the weights, {megabytes} MB in {}", precision.name()))
        })?;
        #[cfg(feature = "sleeping")]
        let network = Box::new(sleeping::Sleeping::of(network)?);
        Ok(Self { network, device, turn: target.turn, most_tokens: AtomicUsize::new(MOST_TOKENS) })
    }

    /// What `pick` takes of the network's outputs, for all sequences, on the processor, end to end: `(sequences, columns)` or
    /// `(tokens, columns)`.
    fn outputs<const W: usize>(
        &self,
        batch: &PackedBatch,
        pick: impl Fn([Tensor; N]) -> Result<[Tensor; W]>,
    ) -> Result<[Tensor; W]> {
        batch.check_lengths(self.network.token_limit())?;
        let padding_id = self.network.padding_id();
        let mut rows = vec![[const { None }; W]; batch.sequences()];
        let most_tokens = self.most_tokens.load(Ordering::Relaxed);
        let mut waiting: VecDeque<_> = padded_batches(batch, padding_id, most_tokens).into();
        while let Some(padded) = waiting.pop_front() {
            let (count, longest) = padded.shape();
            let outputs = match self.on_host(&padded, &pick) {
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
                for (output, of_row) in outputs.iter().zip(&mut rows[place]) {
                    *of_row = Some(match output.rank() {
                        2 => output.narrow(0, row, 1)?,
                        _ => output.get(row)?.narrow(0, 0, padded.lengths[row])?,
                    });
                }
            }
        }
        let joined = |output: usize| {
            let rows: Vec<&Tensor> = rows.iter().filter_map(|row| row[output].as_ref()).collect();
            Tensor::cat(&rows, 0)
        };
        let joined = (0..W).map(joined).collect::<candle_core::Result<Vec<_>>>()?;
        Ok(joined.try_into().expect("W outputs"))
    }

    /// Computes a padded batch, and brings what `pick` takes of its outputs to the processor.
    fn on_host<const W: usize>(
        &self,
        padded: &PaddedBatch,
        pick: impl Fn([Tensor; N]) -> Result<[Tensor; W]>,
    ) -> Result<Vec<Tensor>> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let on_host = |output: Tensor| Ok(output.to_dtype(DType::F32)?.to_device(&Device::Cpu)?);
        pick(self.network.forward(padded)?)?.into_iter().map(on_host).collect()
    }
}

impl Classifier for OnDevice<2> {
    fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        let [logits] = self.outputs(batch, |[logits, _]| Ok([logits]))?;
        Ok(logits)
    }

    fn logits_and_token_logits(&self, batch: &PackedBatch, head: &TokenHead) -> Result<(Tensor, Vec<f64>)> {
        let pick = |[logits, states]: [Tensor; 2]| Ok([logits, head.on_device(&states)?]);
        let [logits, of_tokens] = self.outputs(batch, pick)?;
        Ok((logits, as_f64(&of_tokens)?))
    }

    fn token_logits(&self, batch: &PackedBatch, head: &TokenHead) -> Result<Vec<f64>> {
        let [of_tokens] = self.outputs(batch, |[_, states]| Ok([head.on_device(&states)?]))?;
        as_f64(&of_tokens)
    }

    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let [logits, states] = self.outputs(batch, Ok)?;
        Ok((logits, states))
    }
}

fn as_f64(logits: &Tensor) -> Result<Vec<f64>> {
    Ok(logits.flatten_all()?.to_dtype(DType::F64)?.to_vec1()?)
}

impl Encoder for OnDevice<1> {
    fn states(&self, batch: &PackedBatch) -> Result<Tensor> {
        let [states] = self.outputs(batch, Ok)?;
        Ok(states)
    }
}

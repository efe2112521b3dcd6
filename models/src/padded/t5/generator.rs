//! T5 as a text-to-text network.

use std::sync::PoisonError;

use candle_core::{DType, Device, Tensor};
use candle_nn::{Linear, Module};

use super::decoder::Decoder;
use super::encoder::Encoder;
use super::parts::Parts;
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::generation::{GenerationOptions, Output, generate};
use crate::network::Generator;
use crate::packed::PackedBatch;
use crate::padded::batches::{MOST_TOKENS, padded_batches};
use crate::padded::memory::as_memory;
use crate::padded::parts::Target;
use crate::t5::{T5Config, head, head_scale, words};
use crate::weights::Weights;
use veridic_kernels::Precision;

/// A T5 that generates, in f32.
pub(crate) struct PaddedT5 {
    device: ComputeDevice,
    target: Target,
    encoder: Encoder,
    decoder: Decoder,
    head: Linear,
    /// Factor on the decoder's states before the head.
    head_scale: f64,
    weights_file: String,
}

impl PaddedT5 {
    /// # Errors
    /// A device that cannot be opened or has no memory for the weights; weights that do not fit the configuration.
    pub(crate) fn load(config: &T5Config, weights: &Weights, device: ComputeDevice) -> Result<Self> {
        let target = Target::of(device, Precision::F32)?;
        let load = || {
            let table = words(config, weights)?;
            let (words, parts) = (target.place(&table)?, Parts { config, weights, target: &target });
            let (encoder, decoder) = (Encoder::load(&parts, &words)?, Decoder::load(&parts, &words)?);
            let head = Linear::new(target.place(&head(config, weights, &table)?)?, None);
            Ok((encoder, decoder, head))
        };
        let (encoder, decoder, head) =
            load().map_err(|error| as_memory(error, device, || "the weights of a T5".to_owned()))?;
        let weights_file = weights.file().to_owned();
        Ok(Self { device, encoder, decoder, head, head_scale: head_scale(config), weights_file, target })
    }

    /// The logits of the next token of each row, on the processor.
    fn logits(&self, states: &Tensor) -> Result<Vec<Vec<f32>>> {
        let logits = self.head.forward(&(states.squeeze(1)? * self.head_scale)?)?;
        Ok(logits.to_dtype(DType::F32)?.to_device(&Device::Cpu)?.to_vec2()?)
    }
}

impl Generator for PaddedT5 {
    fn generate(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>> {
        let batch = PackedBatch::of_one_type(sequences.iter().copied());
        batch.check_lengths(None)?;
        let mut outputs = vec![Output::default(); sequences.len()];
        for padded in padded_batches(&batch, 0, MOST_TOKENS) {
            let count = padded.places.len();
            let search = || {
                let _turn = self.target.turn.lock().unwrap_or_else(PoisonError::into_inner);
                let mask = self.target.mask(&padded)?;
                let mut state = self.decoder.start(&self.encoder.forward(&padded, &mask)?.0, mask)?;
                generate(options, count, &mut |rows| {
                    let logits = self.logits(&self.decoder.step(&mut state, rows)?)?;
                    match logits.iter().position(|row| row.iter().any(|score| !score.is_finite())) {
                        Some(row) => {
                            let sequence = padded.places[state.sequence(row)];
                            Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence })
                        }
                        None => Ok(logits),
                    }
                })
            };
            let what = || format!("{count} texts of {} tokens beside the weights", padded.shape().1);
            let found = search().map_err(|error| as_memory(error, self.device, what))?;
            padded.places.iter().zip(found).for_each(|(place, output)| outputs[*place] = output);
        }
        Ok(outputs)
    }
}

//! What the padded networks share: tensors on the target's device, linear layers, norms, attention, and the look-up of
//! embeddings.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use candle_core::{D, DType, Device, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::{LayerNorm, Linear};
use veridic_kernels::{Heads, Precision};

use super::batches::PaddedBatch;
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::tables::check_ids;
use crate::weights::{Matrix, Weights};

/// Added to the scores of padding, so that its weight after the softmax is 0.
const MASKED: f32 = -1e30;

/// The lock of each device.
static TURNS: LazyLock<Mutex<HashMap<ComputeDevice, Arc<Mutex<()>>>>> = LazyLock::new(Mutex::default);

/// The device and the dtype of a padded network.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) device: Device,
    pub(crate) dtype: DType,
    /// Held while the device computes: networks take turns, and its memory is that of one batch.
    pub(super) turn: Arc<Mutex<()>>,
}

impl Target {
    /// The device in candle's terms, with the dtype that a network has there.
    pub(super) fn of(device: ComputeDevice, precision: Precision) -> Result<Self> {
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
        let turn =
            Arc::clone(TURNS.lock().unwrap_or_else(PoisonError::into_inner).entry(device).or_default());
        let device = found.map_err(|reason| device.refused(format!("it cannot be opened: {reason}")))?;
        Ok(Self { device, dtype, turn })
    }

    /// A tensor in the target's dtype on its device.
    pub(super) fn place(&self, tensor: &Tensor) -> Result<Tensor> {
        Ok(tensor.to_dtype(self.dtype)?.to_device(&self.device)?)
    }

    /// The layer with this matrix and bias.
    pub(super) fn layer(&self, weight: &Matrix, bias: Option<&Tensor>) -> Result<Linear> {
        let bias = bias.map(|bias| self.place(bias)).transpose()?;
        Ok(Linear::new(self.place(&weight.to_f32()?)?, bias))
    }

    /// The layer `name.weight`, with `name.bias` if it has one.
    pub(super) fn linear(
        &self,
        weights: &Weights,
        name: &str,
        inputs: usize,
        outputs: usize,
        has_bias: bool,
    ) -> Result<Linear> {
        let weight = weights.matrix(&format!("{name}.weight"), [outputs, inputs])?;
        let bias = has_bias.then(|| weights.tensor(&format!("{name}.bias"), &[outputs])).transpose()?;
        self.layer(&weight, bias.as_ref())
    }

    /// The norm `name.weight`, with `name.bias` if it has one.
    pub(super) fn norm(
        &self,
        weights: &Weights,
        name: &str,
        columns: usize,
        epsilon: f64,
        has_bias: bool,
    ) -> Result<LayerNorm> {
        let weight = self.place(&weights.tensor(&format!("{name}.weight"), &[columns])?)?;
        Ok(if has_bias {
            let bias = self.place(&weights.tensor(&format!("{name}.bias"), &[columns])?)?;
            LayerNorm::new(weight, bias, epsilon)
        } else {
            LayerNorm::new_no_bias(weight, epsilon)
        })
    }

    /// The same device in f32, for heads.
    pub(super) fn in_f32(&self) -> Self {
        Self { dtype: DType::F32, ..self.clone() }
    }

    /// The scores' mask of a batch, `(sequences, 1, 1, longest)`: 0 for tokens, [`MASKED`] for padding.
    pub(super) fn mask(&self, batch: &PaddedBatch) -> Result<Tensor> {
        let (sequences, longest) = batch.shape();
        let of_row =
            |&length: &usize| (0..longest).map(move |token| if token < length { 0.0 } else { MASKED });
        let mask: Vec<f32> = batch.lengths.iter().flat_map(of_row).collect();
        Ok(Tensor::from_vec(mask, (sequences, 1, 1, longest), &self.device)?)
    }
}

/// The rows of a table for all tokens of a batch, `(sequences, longest, columns)`; `what` is an id's name in errors.
pub(super) fn rows_of(table: &Tensor, ids: &[u32], batch: &PaddedBatch, what: &str) -> Result<Tensor> {
    check_ids(table.dim(0)?, ids, what)?;
    let (sequences, longest) = batch.shape();
    let rows = table.index_select(&Tensor::new(ids, table.device())?, 0)?;
    Ok(rows.reshape((sequences, longest, ()))?)
}

/// Queries, keys and values by head, each `(sequences, heads, longest, size)`, from all columns side by side.
pub(super) fn by_head(projected: &Tensor, heads: Heads) -> Result<[Tensor; 3]> {
    let (sequences, longest, _) = projected.dims3()?;
    let cut =
        projected.reshape((sequences, longest, 3, heads.count, heads.size))?.permute((2, 0, 3, 1, 4))?;
    let part = |index: usize| cut.get(index)?.contiguous();
    Ok([part(0)?, part(1)?, part(2)?])
}

/// `(sequences, heads, longest, longest)`, the products of queries and keys.
pub(super) fn scores(query: &Tensor, key: &Tensor) -> Result<Tensor> {
    Ok(query.matmul(&key.transpose(D::Minus2, D::Minus1)?.contiguous()?)?)
}

/// The values weighted by the softmax of masked scores: `(sequences, queries, heads * size)`.
pub(super) fn context(scores: &Tensor, mask: &Tensor, value: &Tensor) -> Result<Tensor> {
    let shares = softmax_last_dim(&scores.to_dtype(DType::F32)?.broadcast_add(mask)?)?;
    let context = shares.to_dtype(value.dtype())?.matmul(value)?; // (sequences, heads, queries, size)
    Ok(context.transpose(1, 2)?.flatten_from(2)?)
}

/// The first token's state of each sequence in f32: `(sequences, hidden)`.
pub(super) fn first_states(states: &Tensor) -> Result<Tensor> {
    Ok(states.narrow(1, 0, 1)?.squeeze(1)?.to_dtype(DType::F32)?.contiguous()?)
}

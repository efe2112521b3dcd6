//! A network that sleeps as long as a card would compute, and knows nothing: for measuring how well a run keeps a card busy
//! where there is none.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use candle_core::{DType, Device, Tensor};

use super::batches::PaddedBatch;
use super::network::PaddedNetwork;
use crate::error::Result;

/// The tokens that it computes in a second.
const RATE: &str = "VERIDIC_SLEEPING_TOKENS_PER_SECOND";

/// The microseconds that all networks have slept.
static SLEPT: AtomicU64 = AtomicU64::new(0);

/// The network in its place.
pub(super) struct Sleeping<const N: usize> {
    network: Box<dyn PaddedNetwork<N>>,
    shapes: [Vec<usize>; N],
    rate: f64,
}

impl<const N: usize> Sleeping<N> {
    /// # Errors
    /// When the network fails on one token.
    pub(super) fn of(network: Box<dyn PaddedNetwork<N>>) -> Result<Self> {
        let one = crate::packed::PackedBatch::of_one_type([&[3][..]]);
        let batch = super::batches::padded_batches(&one, 0, 1).swap_remove(0);
        let shapes = network.forward(&batch)?.map(|output| output.dims().to_vec());
        let rate = std::env::var(RATE).ok().and_then(|rate| rate.parse().ok()).unwrap_or(500_000.0);
        Ok(Self { network, shapes, rate })
    }
}

impl<const N: usize> PaddedNetwork<N> for Sleeping<N> {
    fn padding_id(&self) -> u32 {
        self.network.padding_id()
    }

    fn token_limit(&self) -> Option<usize> {
        self.network.token_limit()
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; N]> {
        let (sequences, longest) = batch.shape();
        let start = Instant::now();
        sleep(Duration::from_secs_f64((sequences * longest) as f64 / self.rate));
        SLEPT.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
        let outputs: Vec<Tensor> = self
            .shapes
            .iter()
            .map(|shape| {
                let mut shape = shape.clone();
                shape[0] = sequences;
                if shape.len() == 3 {
                    shape[1] = longest;
                }
                Tensor::zeros(shape, DType::F32, &Device::Cpu)
            })
            .collect::<candle_core::Result<_>>()?;
        Ok(outputs.try_into().expect("N outputs"))
    }
}

impl<const N: usize> Drop for Sleeping<N> {
    #[allow(clippy::print_stderr)]
    fn drop(&mut self) {
        eprintln!("the device has slept {:.3} s", SLEPT.load(Ordering::Relaxed) as f64 / 1e6);
    }
}

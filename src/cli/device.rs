//! `--device`: where models are computed. One device a process, opened when the first model asks for it.

use std::sync::OnceLock;

use anyhow::{Result, bail};
use veridic_models::{Device, Precision};

use super::args::{DeviceChoice, DtypeChoice};
use super::show;

static OPEN: OnceLock<Device> = OnceLock::new();

/// The device that the flag names.
pub(super) fn open(choice: DeviceChoice) -> Result<Device> {
    if let Some(device) = OPEN.get() {
        return Ok(device.clone());
    }
    let device = match choice {
        DeviceChoice::Cpu => Device::Host,
        DeviceChoice::Cuda(ordinal) => Device::cuda(ordinal)?,
        DeviceChoice::Metal => bail!(
            "--device metal: this program has no networks for Metal yet; --device cpu computes everything"
        ),
    };
    Ok(OPEN.get_or_init(|| device).clone())
}

/// Says that something is computed on the CPU although a GPU is asked for.
pub(super) fn tell_host(what: &str, choice: DeviceChoice) {
    if choice != DeviceChoice::Cpu {
        show::note(&format!(
            "note: {what} is computed on the CPU: only encoders and classifiers run on a GPU"
        ));
    }
}

/// The numbers that the NLI model is computed in: those asked for, or the device's own.
pub(super) fn precision(dtype: Option<DtypeChoice>, device: &Device) -> Precision {
    match dtype {
        None => device.usual_precision(),
        Some(DtypeChoice::F32) => Precision::F32,
        Some(DtypeChoice::Int8) => Precision::Int8,
        Some(DtypeChoice::F16) => Precision::F16,
        Some(DtypeChoice::Bf16) => Precision::Bf16,
    }
}

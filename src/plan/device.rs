//! Where models are computed and in which arithmetic: how both are written, and opening a device. The models of a process
//! share a GPU, which is opened with the first of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use veridic_models::{Device as OpenDevice, Precision};

use crate::error::Result;
use crate::named;

/// Open GPUs by number.
static OPEN: Mutex<BTreeMap<usize, OpenDevice>> = Mutex::new(BTreeMap::new());

/// The arithmetic of an NLI model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dtype {
    /// The fastest that is accurate on this processor or GPU.
    #[default]
    Auto,
    /// 32-bit floating point.
    F32,
    /// 8-bit integers with scales.
    Int8,
    /// 16-bit floating point, sums in 32 bits; GPUs only.
    F16,
    /// bfloat16, sums in 32 bits; GPUs, and CPUs with instructions for it.
    Bf16,
}

named!(Dtype, "dtype", { Auto = "auto", F32 = "f32", Int8 = "int8", F16 = "f16", Bf16 = "bf16" });

impl Dtype {
    /// The arithmetic to load a model in; none for [`Dtype::Auto`].
    #[must_use]
    pub fn precision(self) -> Option<Precision> {
        match self {
            Self::Auto => None,
            Self::F32 => Some(Precision::F32),
            Self::Int8 => Some(Precision::Int8),
            Self::F16 => Some(Precision::F16),
            Self::Bf16 => Some(Precision::Bf16),
        }
    }
}

/// Where models are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Device {
    /// The CPU.
    #[default]
    Cpu,
    /// The NVIDIA GPU of that number.
    Cuda(usize),
}

/// A text that is not a [`Device`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("known are cpu, cuda and cuda:N")]
pub struct UnknownDevice;

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => formatter.write_str("cpu"),
            Self::Cuda(number) => write!(formatter, "cuda:{number}"),
        }
    }
}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownDevice> {
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                number.parse().map(Self::Cuda).map_err(|_| UnknownDevice)
            }
            _ => Err(UnknownDevice),
        }
    }
}

impl Device {
    /// The device, opened if it is not.
    ///
    /// # Errors
    /// When this machine or this build does not have it.
    pub fn open(self) -> Result<OpenDevice> {
        let ordinal = match self {
            Self::Cpu => return Ok(OpenDevice::Host),
            Self::Cuda(ordinal) => ordinal,
        };
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.get(&ordinal) {
            return Ok(device.clone());
        }
        let device = OpenDevice::cuda(ordinal)?;
        open.insert(ordinal, device.clone());
        Ok(device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_read() {
        for (text, choice) in [("cpu", Device::Cpu), ("cuda", Device::Cuda(0)), ("cuda:3", Device::Cuda(3))] {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0:0", "cpu:0", "metal", "CUDA"] {
            assert_eq!(text.parse::<Device>(), Err(UnknownDevice), "{text}");
        }
    }
}

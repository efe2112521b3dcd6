//! Where models are computed: how a device is typed, and opening it. The models of a process share a GPU, which is
//! opened when the first of them asks. Refuses what this program has no networks for.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use veridic_models::Device;

use crate::error::Result;

/// Open GPUs by number.
static OPEN: Mutex<BTreeMap<usize, Device>> = Mutex::new(BTreeMap::new());

/// Where models are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// This machine's processor.
    #[default]
    Cpu,
    /// The NVIDIA GPU of that number.
    Cuda(usize),
}

/// A word that says no device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("known are cpu, cuda and cuda:N")]
pub struct UnknownDevice;

impl FromStr for DeviceChoice {
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

impl DeviceChoice {
    /// The device, opened if it is not.
    ///
    /// # Errors
    /// When this machine or this build does not have it.
    pub fn open(self) -> Result<Device> {
        let ordinal = match self {
            Self::Cpu => return Ok(Device::Host),
            Self::Cuda(ordinal) => ordinal,
        };
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.get(&ordinal) {
            return Ok(device.clone());
        }
        let device = Device::cuda(ordinal)?;
        open.insert(ordinal, device.clone());
        Ok(device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_read() {
        for (text, choice) in
            [("cpu", DeviceChoice::Cpu), ("cuda", DeviceChoice::Cuda(0)), ("cuda:3", DeviceChoice::Cuda(3))]
        {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0:0", "cpu:0", "metal", "CUDA"] {
            assert_eq!(text.parse::<DeviceChoice>(), Err(UnknownDevice), "{text}");
        }
    }
}

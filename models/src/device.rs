//! The devices that compute a network.

use std::fmt;
use std::str::FromStr;

use crate::error::ModelError;

/// The device that computes a network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ComputeDevice {
    /// The processor, by this project's kernels.
    #[default]
    Cpu,
    /// The processor, by candle's operations on padded batches: the very code that GPUs run.
    CpuCandle,
    /// An NVIDIA GPU with this number.
    Cuda(usize),
    /// Apple's GPU.
    Metal,
}

impl ComputeDevice {
    /// Refuses a device that this program was not built for.
    ///
    /// # Errors
    /// What to build with.
    pub fn check(self) -> Result<(), String> {
        let (feature, is_built) = match self {
            Self::Cpu => return Ok(()),
            Self::CpuCandle => ("candle", cfg!(feature = "candle")),
            Self::Cuda(_) => ("cuda", cfg!(feature = "cuda")),
            Self::Metal => ("metal", cfg!(feature = "metal")),
        };
        if is_built {
            return Ok(());
        }
        Err(format!("this program was built without it; build it with the feature `{feature}`, or use cpu"))
    }

    /// Its kind.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::CpuCandle => "cpu-candle",
            Self::Cuda(_) => "cuda",
            Self::Metal => "metal",
        }
    }

    /// Maximum tokens per batch that suits it; `None` for the processor, where the caller knows its threads.
    #[must_use]
    pub fn batch_tokens(self) -> Option<usize> {
        // Four padded batches: pairs of similar lengths are found among more of them.
        (self != Self::Cpu).then_some(65_536)
    }

    pub(crate) fn refused(self, expected: String) -> ModelError {
        ModelError::Setting { setting: "device", value: self.to_string(), expected }
    }
}

impl fmt::Display for ComputeDevice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cuda(number) if *number > 0 => write!(formatter, "cuda:{number}"),
            _ => formatter.write_str(self.name()),
        }
    }
}

impl FromStr for ComputeDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "cpu" => Self::Cpu,
            "cpu-candle" => Self::CpuCandle,
            "cuda" => Self::Cuda(0),
            "metal" => Self::Metal,
            _ => match text.strip_prefix("cuda:").and_then(|number| number.parse().ok()) {
                Some(number) => Self::Cuda(number),
                None => return Err("the devices are cpu, cpu-candle, cuda, cuda:N and metal".to_owned()),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["cpu", "cpu-candle", "cuda", "cuda:3", "metal"] {
            assert_eq!(name.parse::<ComputeDevice>().map(|device| device.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("cuda:0".parse(), Ok(ComputeDevice::Cuda(0)));
        for other in ["gpu", "cuda:", "cuda:x", "CPU", ""] {
            assert!(other.parse::<ComputeDevice>().is_err(), "{other}");
        }
    }
}

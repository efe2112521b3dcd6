//! The flag `--device` of commands that load a model and judge nothing.

use clap::Args;
use veridic::plan::ModelSettings;
use veridic::settings::Given;

/// Where models are computed.
#[derive(Debug, Clone, Args)]
pub struct DeviceArgs {
    /// Where models are computed: cpu
    ///
    /// GPUs are not supported yet.
    #[arg(long = "device", value_name = "DEVICE", default_value = "cpu", help_heading = "Model")]
    pub device: String,
}

impl DeviceArgs {
    /// Refuses a device that there is not.
    pub fn check(&self) -> veridic::Result<()> {
        let mut given = Given::default();
        given.set("device", &self.device, "--device")?;
        ModelSettings::of(&given).map(drop)
    }
}

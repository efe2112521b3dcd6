//! The settings of commands that measure: those of the library, and those of metrics.

use veridic::settings::{Given, Setting};
use veridic_program::settings::{Audience, SettingArgs};

use crate::plan::{MetricSettings, all};

/// Commands that measure: all commands of this program with settings.
#[derive(Debug, Clone)]
pub(crate) enum Measuring {}

impl Audience for Measuring {
    fn all() -> Vec<&'static Setting> {
        all().collect()
    }

    fn is_list(setting: &Setting) -> bool {
        ["metric", "prompt_template"].contains(&setting.key)
    }

    fn check(given: &Given) -> veridic::Result<()> {
        MetricSettings::of(given).map(drop)
    }
}

/// The settings of metrics among all settings.
pub(crate) trait Metrics {
    /// Returns the given settings of metrics, including those of a rules file.
    fn metrics(&self) -> MetricSettings;

    /// Returns the same arguments with other metrics.
    fn with_metrics(self, names: &[String]) -> Self;
}

impl Metrics for SettingArgs<Measuring> {
    fn metrics(&self) -> MetricSettings {
        // They were checked when the command line was read.
        MetricSettings::of(&self.all_given()).unwrap_or_default()
    }

    fn with_metrics(self, names: &[String]) -> Self {
        self.with("metric", &names.join(";"))
    }
}

//! The flags of `veridic mcp`.

use clap::Args;

use veridic_program::settings::{Judging, SettingArgs};

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

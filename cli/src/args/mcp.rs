//! The flags of `veridic mcp`.

use clap::Args;

use super::{ModelArgs, ProfileArgs};

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
}

//! The flags of `veridic serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::{ModelArgs, ProfileArgs};

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address and port; port 0 takes a free one
    ///
    /// Other machines reach it only under an address of this one.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT", help_heading = "Server")]
    pub(crate) listen: SocketAddr,
    /// File with the token that clients must send
    ///
    /// As `Authorization: Bearer TOKEN`. By default VERIDIC_TOKEN, if that is set.
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    pub(crate) token_file: Option<PathBuf>,
    /// Seconds that an answer may take
    ///
    /// A row of a batch may take them from its turn on.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", help_heading = "Server")]
    pub(crate) timeout: f64,
    /// Requests that wait before others are refused
    #[arg(long, default_value = "256", value_name = "N", help_heading = "Server")]
    pub(crate) queue: NonZeroUsize,
    /// Megabytes of a request's body
    #[arg(long, default_value = "8", value_name = "N", help_heading = "Server")]
    pub(crate) max_body_mb: NonZeroUsize,
    /// Connections that are open at the same time
    #[arg(long, default_value = "512", value_name = "N", help_heading = "Server")]
    pub(crate) connections: NonZeroUsize,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) profile: ProfileArgs,
}

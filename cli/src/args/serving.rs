//! The flags of `veridic serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use veridic_program::settings::{Judging, SettingArgs};

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on
    ///
    /// Port 0 chooses a free one.
    ///
    /// Other machines can connect only if it is not a loopback address.
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT", help_heading = "Server")]
    pub(crate) listen: SocketAddr,
    /// Ask the server at --listen whether it is ready
    ///
    /// It starts none. The exit code is 0 if that one accepts requests, and 1 if not. It is the health check of a container, and
    /// reads neither a model nor a token.
    #[arg(long, help_heading = "Server")]
    pub(crate) probe: bool,
    /// File with the token that clients must send
    ///
    /// Sent as `Authorization: Bearer TOKEN`. By default the value of VERIDIC_TOKEN, if it is set.
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    pub(crate) token_file: Option<PathBuf>,
    /// Name under which clients without a token reach the server
    ///
    /// Without a token, requests for other hosts than localhost and the address it listens on are refused, so that a page
    /// that resolves its own name to this machine reads nothing. Give it several times for several names.
    #[arg(long, value_name = "NAME", help_heading = "Server")]
    pub(crate) allow_host: Vec<String>,
    /// Time limit of an answer, in seconds
    ///
    /// In a batch, the time of each group of rows, counted from its start.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", help_heading = "Server")]
    pub(crate) timeout: f64,
    /// Requests in the queue before others are refused
    #[arg(long, default_value = "256", value_name = "N", help_heading = "Server")]
    pub(crate) queue: NonZeroUsize,
    /// Maximum size of a request's body in megabytes
    #[arg(long, default_value = "8", value_name = "N", help_heading = "Server")]
    pub(crate) max_body_mb: NonZeroUsize,
    /// Maximum number of open connections
    #[arg(long, default_value = "512", value_name = "N", help_heading = "Server")]
    pub(crate) connections: NonZeroUsize,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

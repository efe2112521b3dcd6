//! Flags of `models`.

use clap::{Args, Subcommand};

use super::DeviceArgs;

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// The models that have a name, and which of them are on this machine
    List,
    /// Architecture, size, labels, token limit, licence and digest of a model
    Info {
        /// A name, a folder, or a hub id
        #[arg(value_name = "NAME|DIR|ID")]
        name: String,
    },
    /// Fetch models from the hub into the cache that Hugging Face's tools share
    ///
    /// What was cut goes on.
    Pull {
        /// Names of models or bundles, or hub ids
        ///
        /// A bundle is such as fenice; a hub id is OWNER/NAME or OWNER/NAME@REVISION.
        #[arg(value_name = "NAME|ID", required = true)]
        names: Vec<String>,
        /// Take what the hub has now, and record that
        #[arg(long)]
        update: bool,
        /// No network: only record the digests of what is here
        #[arg(long)]
        offline: bool,
        /// No progress on stderr
        #[arg(long, short)]
        quiet: bool,
    },
    /// Compare files with the digests that the first pull recorded
    Verify {
        /// Names or hub ids [default: every named model that is here]
        #[arg(value_name = "NAME|ID")]
        names: Vec<String>,
    },
    /// Load a model and show what it says of three plain pairs
    ///
    /// Is the order of its labels right?
    Check(ModelCheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ModelCheckArgs {
    /// A name, a folder, or a hub id
    #[arg(value_name = "NAME|DIR|ID")]
    pub(crate) name: String,
    /// Names of the model's outputs in order, where its config.json has none
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) labels: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

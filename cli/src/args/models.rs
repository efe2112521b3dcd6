//! Flags of `models`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// List the named models, and whether they are on this machine
    List,
    /// Show architecture, size, labels, token limit, licence and digest of a model
    Info {
        /// A name, a folder, or a hub id
        #[arg(value_name = "NAME|DIR|ID")]
        name: String,
    },
    /// Fetch models from the hub into the cache that Hugging Face's tools share
    ///
    /// An interrupted download is resumed.
    Pull {
        /// Names of models or bundles, or hub ids
        ///
        /// A bundle is a set of models, such as fenice; a hub id is OWNER/NAME or OWNER/NAME@REVISION.
        #[arg(value_name = "NAME|ID", required = true)]
        names: Vec<String>,
        /// Fetch the newest files of the hub and record their digests
        #[arg(long)]
        update: bool,
        /// Use no network; record the digests of the cached files
        #[arg(long)]
        offline: bool,
        /// Show no progress
        #[arg(long, short)]
        quiet: bool,
    },
    /// Compare files with the digests that the first pull recorded
    Verify {
        /// Names or hub ids [default: all named models on this machine]
        #[arg(value_name = "NAME|ID")]
        names: Vec<String>,
    },
    /// Load a model and show its answers to three simple pairs
    ///
    /// Shows whether the order of its labels is right.
    Check(ModelCheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ModelCheckArgs {
    /// A name, a folder, or a hub id
    #[arg(value_name = "NAME|DIR|ID")]
    pub(crate) name: String,
    /// Names of the model's outputs in order, if its config.json has none
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    pub(crate) labels: Option<Vec<String>>,
    /// Where the model is computed: cpu, cuda[:N], metal
    #[arg(long, value_name = "DEVICE", default_value = "cpu", help_heading = "Model")]
    pub(crate) device: String,
}

//! The models that come with Veridic, as data: `mini` is compiled in, `base` is a folder of this package that is read
//! from disk. Depends on nothing and builds no network.

/// The folder of this package; in a checkout it holds the folders `base` and `mini`.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The files of a model.
#[derive(Debug, Clone, Copy)]
pub struct ModelFiles {
    /// The model's name.
    pub name: &'static str,
    /// config.json.
    pub config: &'static [u8],
    /// tokenizer.json.
    pub tokenizer: &'static [u8],
    /// model.int8.safetensors.
    pub weights: &'static [u8],
    /// SHA-256 of the weights, in hexadecimal.
    pub sha256: &'static str,
    /// README.md, the model's card.
    pub card: &'static str,
    /// rules.toml.
    pub rules: &'static str,
}

/// The small NLI model.
pub static MINI: ModelFiles = ModelFiles {
    name: "mini",
    config: include_bytes!("../mini/config.json"),
    tokenizer: include_bytes!("../mini/tokenizer.json"),
    weights: include_bytes!("../mini/model.int8.safetensors"),
    sha256: "1dc0e8839ae3879737f764622e7a1f8f4b95a44c1a8381c040d1baed30a52e54",
    card: include_str!("../mini/README.md"),
    rules: include_str!("../mini/rules.toml"),
};

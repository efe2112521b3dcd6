//! The part of a model that a repository is pulled for.

/// What is pulled of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Contents {
    /// A model: configuration, tokenizer and weights.
    #[default]
    Whole,
    /// A model whose tokenizer is in another repository.
    WithoutTokenizer,
    /// The tokenizer of such a model.
    Tokenizer,
    /// The PyTorch Lightning checkpoint with this name; its configuration and tokenizer are in another repository.
    Checkpoint(&'static str),
    /// The configuration and tokenizer of such a checkpoint.
    Settings,
}

impl Contents {
    /// The name of the checkpoint.
    pub(crate) fn checkpoint(self) -> Option<&'static str> {
        match self {
            Self::Checkpoint(name) => Some(name),
            _ => None,
        }
    }
}

//! What a class of tokenizers takes for granted where no file says otherwise.

/// A class of tokenizers in `transformers`.
#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) name: &'static str,
    /// Of networks that use it.
    pub(super) model_type: &'static str,
}

/// A format's special tokens.
#[derive(Clone, Copy)]
pub(super) struct SpecialTokens {
    pub(super) cls: &'static str,
    pub(super) sep: &'static str,
    pub(super) unk: &'static str,
    pub(super) pad: &'static str,
    pub(super) mask: &'static str,
    /// Whether `cls` and `sep` are also the tokens of a text's beginning and end.
    pub(super) has_ends: bool,
}

impl SpecialTokens {
    /// DeBERTa's.
    pub(super) const DEBERTA: Self =
        Self { cls: "[CLS]", sep: "[SEP]", unk: "[UNK]", pad: "[PAD]", mask: "[MASK]", has_ends: true };
}

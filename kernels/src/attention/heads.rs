//! The heads of an attention layer.

/// The heads of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// Number of heads.
    pub count: usize,
    /// Columns of one head.
    pub size: usize,
}

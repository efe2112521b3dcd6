//! What is read from a reply, or why it cannot be read.

/// Why a reply cannot be read, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unparsable(pub String);

/// What is read from a reply.
pub type Parsed<T> = Result<T, Unparsable>;

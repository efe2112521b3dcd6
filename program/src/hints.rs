//! What to give instead of an argument that people know from other programs, or one that is missing.

use clap::error::{ContextKind, ContextValue};

/// A message about an argument of some commands.
#[derive(Debug, Clone, Copy)]
pub struct Hint {
    /// The commands that it is about.
    pub commands: &'static [&'static str],
    /// The unknown flag, or the missing argument as clap writes it: `<NAME>`.
    pub argument: &'static str,
    /// The message.
    pub message: &'static str,
}

impl Hint {
    /// Whether the hint is about the argument that an error of this command names.
    pub(crate) fn is_about(&self, command: &str, error: &clap::Error) -> bool {
        let is_named = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(name)) => name.split('=').next() == Some(self.argument),
            Some(ContextValue::Strings(names)) => names.iter().any(|name| name == self.argument),
            _ => false,
        };
        is_named && self.commands.contains(&command)
    }
}

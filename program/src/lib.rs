//! What a command-line program on the library is made of. `veridic` and the laboratory's program are built from these parts,
//! and neither knows the other.
//!
//! | module | what |
//! |---|---|
//! | [`start`], [`hints`] | parses a command line, runs its command, reports an error in one line |
//! | [`settings`] | flags of the library's settings, rules files |
//! | [`args`] | flags that several commands have: rows, tables, claims |
//! | [`load`] | flags to the library's scorers, models and extractors |
//! | [`run`], [`observer`] | the command `run`: judges a corpus; what a program adds to it |
//! | [`progress`], [`output`] | lines on stderr and stdout |
//! | [`files`], [`signals`], [`completions`], [`choice`] | whole files; Ctrl-C; completions and manual pages; flags of enums |
//!
//! Nothing here is global: what a program knows of itself is a [`start::Program`], which is handed to whoever words a message.

pub mod args;
pub mod choice;
pub mod completions;
pub mod files;
mod fold;
mod help;
pub mod hints;
pub mod load;
pub mod observer;
pub mod output;
pub mod progress;
pub mod run;
pub mod settings;
pub mod signals;
pub mod start;

//! Lets a caller stop the reading of a long text.

use std::convert::Infallible;

/// Asks the caller whether to go on; its error ends the work. Whatever reads whole documents asks at least once in
/// [`POLLED`] words or lines, so that the work ends soon after a deadline.
pub type Poll<'a, E> = dyn Fn() -> Result<(), E> + Sync + 'a;

/// Words or lines that are read between two polls.
pub const POLLED: usize = 1024;

/// A [`Poll`] for texts so short that nobody stops the reading.
pub fn go_on() -> Result<(), Infallible> {
    Ok(())
}

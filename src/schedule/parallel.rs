//! Maps long lists on all cores, in slices: the threads are shared by all callers, and whoever has a few texts waits for a
//! slice of somebody's long document, not for all of it.

use rayon::prelude::*;

/// Number of texts up to which other threads are not used for preparing them, since these may be busy with another
/// caller's long work.
pub(crate) const PREPARED_AT_ONCE: usize = 64;

/// Pieces of work for each thread in a slice, so that threads end together.
const PIECES_PER_THREAD: usize = 8;

/// Maps the items in order, slice by slice.
///
/// # Errors
/// The first of a slice; the rest is not mapped.
pub(crate) fn in_slices<T: Send, U: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    map: impl Fn(T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let size = PREPARED_AT_ONCE * PIECES_PER_THREAD * rayon::current_num_threads();
    let mut items = items.into_iter();
    let mut mapped = Vec::new();
    loop {
        let slice: Vec<T> = items.by_ref().take(size).collect();
        if slice.is_empty() {
            return Ok(mapped);
        }
        let slice = slice.into_par_iter().with_min_len(PREPARED_AT_ONCE).map(&map);
        mapped.extend(slice.collect::<Result<Vec<U>, E>>()?);
    }
}

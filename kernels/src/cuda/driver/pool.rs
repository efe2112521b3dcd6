//! Things that are lent and come back to be used again. One that is being copied from or to when it is given up, and
//! of which nobody knows when that ends, never comes back: whoever took it next would write into the copy.

use std::sync::{Arc, Mutex, PoisonError};

/// Things that nobody holds.
pub(super) struct Pool<T> {
    free: Arc<Mutex<Vec<T>>>,
}

/// A thing in use; it goes back to the others when it is dropped.
pub(super) struct Held<T> {
    thing: Option<T>,
    home: Arc<Mutex<Vec<T>>>,
    is_unnoted: bool,
}

impl<T> Pool<T> {
    pub(super) fn new() -> Self {
        Self { free: Arc::default() }
    }

    /// A free thing that fits, or else what `make` makes.
    pub(super) fn take<E>(
        &self,
        fits: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Held<T>, E> {
        let kept = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.iter().position(fits).map(|index| free.swap_remove(index))
        };
        let thing = Some(kept.map_or_else(make, Ok)?);
        Ok(Held { thing, home: Arc::clone(&self.free), is_unnoted: false })
    }
}

impl<T> Held<T> {
    pub(super) fn get(&self) -> &T {
        self.thing.as_ref().expect("taken only by drop")
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        self.thing.as_mut().expect("taken only by drop")
    }

    /// A copy is about to be queued, the end of which nothing tells yet.
    pub(super) fn copy_begins(&mut self) {
        self.is_unnoted = true;
    }

    /// The thing tells from now on when its copy ends.
    pub(super) fn copy_is_noted(&mut self) {
        self.is_unnoted = false;
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        let thing = self.thing.take();
        match self.is_unnoted {
            // Its memory is lost, which is better than a copy of something else.
            true => std::mem::forget(thing),
            false => self.home.lock().unwrap_or_else(PoisonError::into_inner).extend(thing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(pool: &Pool<u32>, new: u32) -> Held<u32> {
        pool.take(|_| true, || Ok::<_, ()>(new)).unwrap()
    }

    #[test]
    fn things_come_back_and_are_used_again() {
        let pool = Pool::new();
        let mut held = take(&pool, 1);
        *held.get_mut() += 3;
        drop(held);
        assert_eq!(*take(&pool, 2).get(), 4);
        assert_eq!(*pool.take(|thing| *thing > 5, || Ok::<_, ()>(7)).unwrap().get(), 7);
    }

    /// A pinned buffer was used again while the GPU still copied, when noting the copy had failed.
    #[test]
    fn a_thing_whose_copy_was_never_noted_does_not_come_back() {
        let pool = Pool::new();
        let mut held = take(&pool, 1);
        held.copy_begins();
        drop(held);
        assert_eq!(*take(&pool, 2).get(), 2);
        let mut held = take(&pool, 3);
        held.copy_begins();
        held.copy_is_noted();
        drop(held);
        assert_eq!(*take(&pool, 4).get(), 2);
    }
}

//! A pool of reusable resources. A resource that is dropped during a copy whose completion is not recorded is leaked:
//! its next user would overwrite the copy's data.

use std::sync::{Arc, Mutex, PoisonError};

/// The free resources.
pub(super) struct Pool<T> {
    free: Arc<Mutex<Vec<T>>>,
}

/// A resource in use, which returns to the pool when it is dropped.
pub(super) struct Held<T> {
    resource: Option<T>,
    pool: Arc<Mutex<Vec<T>>>,
    has_unrecorded_copy: bool,
}

impl<T> Pool<T> {
    pub(super) fn new() -> Self {
        Self { free: Arc::default() }
    }

    /// Takes a free resource that fits, or creates one with `make`.
    pub(super) fn take<E>(
        &self,
        fits: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Held<T>, E> {
        let free_resource = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.iter().position(fits).map(|index| free.swap_remove(index))
        };
        let resource = Some(free_resource.map_or_else(make, Ok)?);
        Ok(Held { resource, pool: Arc::clone(&self.free), has_unrecorded_copy: false })
    }
}

impl<T> Held<T> {
    pub(super) fn get(&self) -> &T {
        self.resource.as_ref().expect("taken only by drop")
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        self.resource.as_mut().expect("taken only by drop")
    }

    /// Marks the start of a copy whose completion is not yet recorded.
    pub(super) fn begin_copy(&mut self) {
        self.has_unrecorded_copy = true;
    }

    /// Marks that the copy's completion is recorded in the resource.
    pub(super) fn end_copy(&mut self) {
        self.has_unrecorded_copy = false;
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        let resource = self.resource.take();
        match self.has_unrecorded_copy {
            // Leaking the memory is better than corrupting the copy.
            true => std::mem::forget(resource),
            false => self.pool.lock().unwrap_or_else(PoisonError::into_inner).extend(resource),
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
    fn dropped_resources_are_reused() {
        let pool = Pool::new();
        let mut held = take(&pool, 1);
        *held.get_mut() += 3;
        drop(held);
        assert_eq!(*take(&pool, 2).get(), 4);
        assert_eq!(*pool.take(|resource| *resource > 5, || Ok::<_, ()>(7)).unwrap().get(), 7);
    }

    /// A pinned buffer was reused during a copy when recording the copy's completion had failed.
    #[test]
    fn resource_with_unrecorded_copy_is_not_reused() {
        let pool = Pool::new();
        let mut held = take(&pool, 1);
        held.begin_copy();
        drop(held);
        assert_eq!(*take(&pool, 2).get(), 2);
        let mut held = take(&pool, 3);
        held.begin_copy();
        held.end_copy();
        drop(held);
        assert_eq!(*take(&pool, 4).get(), 2);
    }
}

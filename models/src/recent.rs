//! The values that were used last, in memory within a bound, shared by threads. When the young generation is full it
//! becomes the old one, and the old one is dropped; a value that is used moves to the young one.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// A cache of the values used last.
#[derive(Debug)]
pub struct Recent<K, V> {
    /// The largest size of a generation.
    most: usize,
    generations: Mutex<Generations<K, V>>,
}

#[derive(Debug)]
struct Generations<K, V> {
    /// Values with their sizes.
    young: HashMap<K, (V, usize)>,
    /// The sum of the sizes in `young`.
    size: usize,
    old: HashMap<K, (V, usize)>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// A cache of values that have together at most this size.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let generations = Generations { young: HashMap::new(), size: 0, old: HashMap::new() };
        Self { most: most / 2, generations: Mutex::new(generations) }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((value, _)) = generations.young.get(key) {
            return Some(value.clone());
        }
        let (key, (value, size)) = generations.old.remove_entry(key)?;
        generations.put(key, value.clone(), size, self.most);
        Some(value)
    }

    /// Keeps a value of this size; one that is larger than a generation is not kept.
    pub fn put(&self, key: K, value: V, size: usize) {
        if size <= self.most {
            let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
            generations.put(key, value, size, self.most);
        }
    }
}

impl<K: Eq + Hash, V> Generations<K, V> {
    fn put(&mut self, key: K, value: V, size: usize, most: usize) {
        if self.size + size > most {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        self.size += size;
        if let Some((_, before)) = self.young.insert(key, (value, size)) {
            self.size -= before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_values_stay_and_the_bound_holds() {
        let cache = Recent::new(20);
        for number in 0..1000 {
            cache.put(number, number, 1);
            assert_eq!(cache.get(&0), Some(0), "after {number}");
            let generations = cache.generations.lock().unwrap();
            assert!(generations.young.len() + generations.old.len() <= 20);
        }
        assert_eq!((cache.get(&999), cache.get(&500)), (Some(999), None));
    }

    #[test]
    fn sizes_count_and_a_value_replaces_the_one_before() {
        let cache = Recent::new(20);
        for _ in 0..10 {
            cache.put("a", 1, 6);
        }
        cache.put("b", 2, 4);
        assert_eq!((cache.get(&"a"), cache.get(&"b")), (Some(1), Some(2)));
        cache.put("c", 3, 10);
        cache.put("d", 4, 10);
        assert_eq!((cache.get(&"a"), cache.get(&"d")), (None, Some(4)));
        cache.put("e", 5, 11);
        assert_eq!(cache.get(&"e"), None);
    }

    #[test]
    fn a_cache_of_size_zero_keeps_nothing() {
        let cache = Recent::new(0);
        cache.put(1, 1, 1);
        assert_eq!(cache.get(&1), None);
    }
}

//! Every guarantee of the score cache, on real files.

mod damage;
mod guarantees;
mod processes;

use std::path::Path;

use super::{Key, MovedAside, ScoreCache, Scores};

const SCOPE: [u8; 32] = [7; 32];

/// The whole cache is never checked at opening.
const CHECK_NOTHING: u64 = 0;

/// A key that looks random, as digests do.
fn key(number: u64) -> Key {
    let mixed = |salt: u64| {
        let mut state = number.wrapping_add(salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    };
    let mut key = [0; 16];
    key[..8].copy_from_slice(&mixed(1).to_le_bytes());
    key[8..].copy_from_slice(&mixed(1 << 60).to_le_bytes());
    key
}

/// The right scores of a pair.
fn scores(number: u64) -> Scores {
    let part = |salt: u64| f32::from(u16::from_le_bytes([key(number + salt)[0], key(number)[1]])) / 65535.0;
    [part(0), part(1 << 40), part(1 << 41)]
}

fn entries(numbers: std::ops::Range<u64>) -> Vec<(Key, Scores)> {
    numbers.map(|number| (key(number), scores(number))).collect()
}

fn open(folder: &Path) -> (ScoreCache, Option<MovedAside>) {
    ScoreCache::open(folder, &SCOPE).unwrap()
}

/// Fills a cache with these entries and closes it.
fn filled(folder: &Path, numbers: std::ops::Range<u64>) {
    let (cache, moved) = open(folder);
    assert_eq!(moved, None);
    cache.put_many(&entries(numbers));
}

/// Number of entries that are found; all of them are right, bit for bit.
fn found(cache: &ScoreCache, numbers: std::ops::Range<u64>) -> usize {
    let keys: Vec<Key> = numbers.clone().map(key).collect();
    let known = cache.get_many(&keys);
    assert_eq!(known.len(), keys.len());
    let right = numbers.map(|number| scores(number).map(f32::to_bits));
    for (known, right) in known.iter().zip(right) {
        assert!(known.is_none_or(|known| known.map(f32::to_bits) == right), "a wrong score: {known:?}");
    }
    known.iter().flatten().count()
}

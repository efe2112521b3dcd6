//! The cache of outcomes, by the digest of a pair's tokens.

use sha2::{Digest, Sha256};
use veridic_models::{PairTokens, Probabilities, Recent};

/// Bytes of an entry: key, value and size are 40, and the table has room for twice as many after it has grown.
const ENTRY_BYTES: usize = 84;

/// The digest of a pair's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey([u8; 16]);

impl PairKey {
    /// The key of a pair; pairs with the same tokens and token types have the same key.
    #[must_use]
    pub fn of(pair: &PairTokens) -> Self {
        let mut digest = Sha256::new();
        digest.update((pair.ids.len() as u64).to_le_bytes());
        for numbers in [&pair.ids, &pair.types] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            digest.update(&bytes);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&digest.finalize()[..16]);
        Self(key)
    }
}

/// Outcomes of the pairs used last. A pair's outcome depends on its tokens alone, so a cached outcome equals a computed one
/// bit for bit.
pub(crate) type OutcomeCache = Recent<PairKey, Probabilities>;

/// A cache of about `bytes`; of 0 it keeps nothing.
#[must_use]
pub(crate) fn outcome_cache(bytes: usize) -> OutcomeCache {
    Recent::new(bytes / ENTRY_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(id: u32) -> PairTokens {
        PairTokens { ids: vec![1, id, 2], types: vec![0, 0, 1], cut: false }
    }

    #[test]
    fn keys_differ_by_ids_types_and_lengths() {
        let key = |ids: &[u32], types: &[u32]| {
            PairKey::of(&PairTokens { ids: ids.to_vec(), types: types.to_vec(), cut: false })
        };
        let keys =
            [key(&[1, 2], &[0, 1]), key(&[1, 2], &[0, 0]), key(&[1, 2, 0], &[1]), key(&[2, 1], &[0, 1])];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key));
        }
        assert_eq!(PairKey::of(&pair(5)), PairKey::of(&PairTokens { cut: true, ..pair(5) }));
    }
}

//! An entry's row on disk. Its key includes the scope, so that another model's score is never found; its value ends with
//! check bits over key and value, so that a damaged row is never taken for a score.

use sha2::{Digest, Sha256};

/// The key of a pair within a scope: half of a SHA-256.
pub type Key = [u8; 16];

/// The probabilities of entailment, neutral and contradiction.
pub type Scores = [f32; 3];

/// A row's key.
pub(super) type RowKey = [u8; 16];

/// A row's value: three `f32` and the check bits, little-endian.
pub(super) type RowValue = [u8; 16];

/// Bytes of a value before its check bits.
const SCORES_BYTES: usize = 12;

/// The scope's part of every row's key, digested once.
#[derive(Debug, Clone)]
pub(super) struct Scope(Sha256);

impl Scope {
    pub(super) fn new(scope: &[u8; 32]) -> Self {
        // Exactly one block of the digest, so that each key costs one block more.
        let mut block = [0; 64];
        block[..17].copy_from_slice(b"veridic score key");
        block[32..].copy_from_slice(scope);
        Self(Sha256::new_with_prefix(block))
    }

    /// The key of the row for this pair in this scope.
    pub(super) fn row_key(&self, key: &Key) -> RowKey {
        let mut row_key = [0; 16];
        row_key.copy_from_slice(&self.0.clone().chain_update(key).finalize()[..16]);
        row_key
    }
}

/// Whether all scores are probabilities: finite and in 0..=1.
pub(super) fn plausible(scores: &Scores) -> bool {
    scores.iter().all(|score| (0.0..=1.0).contains(score))
}

/// The row's value.
pub(super) fn encode(row_key: &RowKey, scores: &Scores) -> RowValue {
    let mut value = [0; 16];
    for (place, score) in value.chunks_exact_mut(4).zip(scores) {
        place.copy_from_slice(&score.to_le_bytes());
    }
    let check = check_bits(row_key, &value[..SCORES_BYTES]);
    value[SCORES_BYTES..].copy_from_slice(&check);
    value
}

/// The scores of a row; none where the row is damaged.
pub(super) fn decode(row_key: &[u8], value: &[u8]) -> Option<Scores> {
    let (scores, check) = value.split_at_checked(SCORES_BYTES)?;
    if check != check_bits(row_key, scores) {
        return None;
    }
    let mut numbers = [0.0; 3];
    for (number, bytes) in numbers.iter_mut().zip(scores.chunks_exact(4)) {
        *number = f32::from_le_bytes(bytes.try_into().ok()?);
    }
    plausible(&numbers).then_some(numbers)
}

fn check_bits(row_key: &[u8], scores: &[u8]) -> [u8; 4] {
    let digest =
        Sha256::new_with_prefix(b"veridic score").chain_update(row_key).chain_update(scores).finalize();
    [digest[0], digest[1], digest[2], digest[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: Scores = [0.25, 0.5, 0.25];

    #[test]
    fn rows_round_trip_bit_for_bit() {
        for scores in [SCORES, [0.0, -0.0, 1.0], [f32::MIN_POSITIVE, 1e-42, 1.0 - f32::EPSILON]] {
            let back = decode(&[7; 16], &encode(&[7; 16], &scores)).unwrap();
            assert_eq!(back.map(f32::to_bits), scores.map(f32::to_bits));
        }
    }

    #[test]
    fn a_changed_bit_of_key_or_value_is_detected() {
        let key = [7; 16];
        let value = encode(&key, &SCORES);
        for bit in 0..128 {
            let flip = |mut bytes: [u8; 16]| {
                bytes[bit / 8] ^= 1 << (bit % 8);
                bytes
            };
            assert_eq!(decode(&key, &flip(value)), None);
            assert_eq!(decode(&flip(key), &value), None);
        }
    }

    #[test]
    fn other_lengths_and_impossible_numbers_are_refused() {
        let key = [7; 16];
        let value = encode(&key, &SCORES);
        assert_eq!(decode(&key, &value[..15]), None);
        assert_eq!(decode(&key, &[&value[..], &[0]].concat()), None);
        assert_eq!(decode(&key, &[]), None);
        for wrong in [f32::NAN, f32::INFINITY, 1.0 + f32::EPSILON, -1e-7] {
            assert_eq!(decode(&key, &encode(&key, &[0.5, wrong, 0.5])), None);
        }
    }

    #[test]
    fn scopes_have_different_keys() {
        let (one, other) = (Scope::new(&[1; 32]), Scope::new(&[2; 32]));
        assert_eq!(one.row_key(&[3; 16]), one.row_key(&[3; 16]));
        assert_ne!(one.row_key(&[3; 16]), other.row_key(&[3; 16]));
        assert_ne!(one.row_key(&[3; 16]), one.row_key(&[4; 16]));
    }
}

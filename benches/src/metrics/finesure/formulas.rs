//! Equations 1 and 2 of FineSurE, over verdicts and edges.

use std::collections::BTreeSet;

/// Sentences without an error / sentences; 1 without sentences.
pub(super) fn faithfulness(is_faithful: &[bool]) -> f64 {
    share(is_faithful.iter().filter(|good| **good).count(), is_faithful.len()).unwrap_or(1.0)
}

/// Key facts with an edge / key facts; edges are (key fact, sentence).
pub(super) fn completeness(edges: &[(usize, usize)], key_facts: usize) -> f64 {
    let found: BTreeSet<usize> = edges.iter().map(|edge| edge.0).collect();
    share(found.len(), key_facts).unwrap_or(0.0)
}

/// Sentences with an edge / sentences.
pub(super) fn conciseness(edges: &[(usize, usize)], sentences: usize) -> f64 {
    let found: BTreeSet<usize> = edges.iter().map(|edge| edge.1).collect();
    share(found.len(), sentences).unwrap_or(0.0)
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_counted_by_hand() {
        assert_eq!(faithfulness(&[true, false, true, true]), 0.75);
        assert_eq!(faithfulness(&[]), 1.0);
        // Key facts 0 and 2 of four are found, in sentences 0 and 1 of three.
        let edges = [(0, 0), (0, 1), (2, 1)];
        assert_eq!(completeness(&edges, 4), 0.5);
        assert_eq!(conciseness(&edges, 3), 2.0 / 3.0);
        assert_eq!((completeness(&[], 4), conciseness(&[], 3)), (0.0, 0.0));
    }
}

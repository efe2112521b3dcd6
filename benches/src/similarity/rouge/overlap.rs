//! Items that two lists share, in any order; an item counts as often as both lists have it (ROUGE-N's clipped counts).

use std::cmp::Ordering;

/// The number of shared items.
pub(super) fn shared<T: Copy + Ord>(left: &[T], right: &[T]) -> usize {
    let [left, right] = [left, right].map(|items| {
        let mut items = items.to_vec();
        items.sort_unstable();
        items
    });
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut shared = 0;
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let order = first.cmp(second);
        shared += usize::from(order == Ordering::Equal);
        if order != Ordering::Greater {
            left.next();
        }
        if order != Ordering::Less {
            right.next();
        }
    }
    shared
}

/// The pairs of neighbours.
pub(super) fn pairs<T: Copy>(items: &[T]) -> Vec<(T, T)> {
    items.iter().copied().zip(items.iter().copied().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_counts_as_often_as_both_lists_have_it() {
        assert_eq!(shared(&[3, 1, 1, 2, 1], &[1, 4, 1, 3]), 3);
        assert_eq!(shared(&[1, 2], &[]), 0);
        assert_eq!(shared::<u8>(&[], &[]), 0);
    }

    #[test]
    fn there_is_one_pair_fewer_than_items() {
        assert_eq!(pairs(&[1, 2, 2]), [(1, 2), (2, 2)]);
        assert!(pairs(&[1]).is_empty() && pairs::<u8>(&[]).is_empty());
    }
}

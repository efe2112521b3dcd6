//! Groups of rows. Rows of one document are not independent: they tune or measure together, and a bootstrap draws them
//! together.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::case::Case;

/// Groups rows by document, in order of first appearance in `rows`.
pub(crate) fn by_document<Label>(cases: &[Case<Label>], rows: &[usize]) -> Vec<Vec<usize>> {
    grouped(rows.iter().map(|&row| (&*cases[row].document, row)))
}

/// Groups items by key, in order of first appearance.
pub(crate) fn grouped<Key: Hash + Eq, V>(items: impl Iterator<Item = (Key, V)>) -> Vec<Vec<V>> {
    let mut number_of = HashMap::new();
    let mut groups: Vec<Vec<V>> = Vec::new();
    for (key, item) in items {
        let number = *number_of.entry(key).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(item);
    }
    groups
}

/// Groups items by key, in key order.
pub(crate) fn by_name<Key: Ord, V>(items: impl Iterator<Item = (Key, V)>) -> BTreeMap<Key, Vec<V>> {
    let mut groups: BTreeMap<Key, Vec<V>> = BTreeMap::new();
    items.for_each(|(key, item)| groups.entry(key).or_default().push(item));
    groups
}

/// Returns `count` groups of one row each.
pub(crate) fn one_by_one(count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|row| vec![row]).collect()
}

/// Returns the rows of a sample of groups.
pub(crate) fn drawn(groups: &[Vec<usize>], sample: &[usize]) -> Vec<usize> {
    sample.iter().flat_map(|&group| groups[group].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_in_order_of_appearance_or_of_keys() {
        let items = || [("b", 0), ("a", 1), ("b", 2)].into_iter();
        assert_eq!(grouped(items()), [vec![0, 2], vec![1]]);
        assert_eq!(by_name(items()).into_values().collect::<Vec<_>>(), [vec![1], vec![0, 2]]);
    }
}

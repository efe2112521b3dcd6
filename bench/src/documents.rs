//! Rows by document. Rows of one document are not independent: they tune or measure together, and a bootstrap
//! draws them together.

use std::collections::HashMap;

use super::benchmark::Case;

/// The rows of each document, documents in the order in which `rows` have them.
pub(super) fn by_document<K>(cases: &[Case<K>], rows: &[usize]) -> Vec<Vec<usize>> {
    grouped(rows.iter().map(|&row| (&*cases[row].document, row)))
}

/// What belongs to each key, keys in the order of their first appearance.
pub(super) fn grouped<Key: std::hash::Hash + Eq, V>(items: impl Iterator<Item = (Key, V)>) -> Vec<Vec<V>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_in_order_of_appearance() {
        let groups = grouped([("b", 0), ("a", 1), ("b", 2)].into_iter());
        assert_eq!(groups, [vec![0, 2], vec![1]]);
    }
}

//! Builds clusters from antecedents: a mention joins its antecedent's cluster.

/// `antecedents`: the antecedent of each mention, in the text's order. Clusters are ordered by their second mention;
/// within a cluster, mentions are in the order of joining.
pub(super) fn clusters(antecedents: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    let mut cluster_of: Vec<Option<usize>> = vec![None; antecedents.len()];
    for (mention, antecedent) in antecedents.iter().enumerate() {
        let Some(antecedent) = *antecedent else { continue };
        let cluster = *cluster_of[antecedent].get_or_insert_with(|| {
            clusters.push(vec![antecedent]);
            clusters.len() - 1
        });
        clusters[cluster].push(mention);
        cluster_of[mention] = Some(cluster);
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::clusters;

    #[test]
    fn mentions_join_their_antecedents() {
        let antecedents = [None, None, Some(1), Some(0), Some(2), None, Some(3)];
        assert_eq!(clusters(&antecedents), [vec![1, 2, 4], vec![0, 3, 6]]);
        assert!(clusters(&[None, None]).is_empty());
        assert!(clusters(&[]).is_empty());
    }
}

//! Packs pairs into batches. Pure: lengths in, groups out. Results never depend on it.

/// Groups of indices into `lengths`, each of at most `max_batch_tokens` tokens; a longer pair forms a batch by itself.
/// Pairs of similar length share batches, the longest first.
#[must_use]
pub fn pack(lengths: &[usize], max_batch_tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(lengths[index]), index));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut tokens = 0;
    for index in order {
        match batches.last_mut() {
            Some(batch) if tokens + lengths[index] <= max_batch_tokens => batch.push(index),
            _ => {
                batches.push(vec![index]);
                tokens = 0;
            }
        }
        tokens += lengths[index];
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_pair_is_in_one_batch_within_the_budget(
            lengths in proptest::collection::vec(1usize..600, 0..200),
            budget in 1usize..2000,
        ) {
            let batches = pack(&lengths, budget);
            let mut seen: Vec<usize> = batches.concat();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let tokens: usize = batch.iter().map(|&i| lengths[i]).sum();
                prop_assert!(tokens <= budget || batch.len() == 1);
            }
            // Batches are full: none has room for the first pair of the next one.
            for pair in batches.windows(2) {
                let tokens: usize = pair[0].iter().map(|&i| lengths[i]).sum();
                prop_assert!(tokens + lengths[pair[1][0]] > budget);
            }
        }
    }
}

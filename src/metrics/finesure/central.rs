//! The sentences that a document is most about: those whose words are nearest to the words of the whole, each word
//! weighed by how few sentences have it (the centroid of Radev et al. 2004, over sentences).

use std::collections::{BTreeMap, BTreeSet};

use veridic_text::{WordKind, words};

/// The `count` most central sentences, in the document's order; of equal ones the earlier.
pub(super) fn most_central<'t>(sentences: &[&'t str], count: usize) -> Vec<&'t str> {
    let forms = |sentence: &&str| -> BTreeSet<String> {
        words(sentence)
            .into_iter()
            .filter(|word| word.kind != WordKind::Function)
            .map(|word| word.form)
            .collect()
    };
    let bags: Vec<BTreeSet<String>> = sentences.iter().map(forms).collect();
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    for form in bags.iter().flatten() {
        *holders.entry(form).or_default() += 1;
    }
    // What many sentences have says what the text is about, what all have says nothing.
    let all = bags.len() as f64;
    let weight = |form: &String| {
        let holders = holders[form.as_str()] as f64;
        holders * ((all + 1.0) / holders).ln()
    };
    let centrality = |bag: &BTreeSet<String>| match bag.len() {
        0 => 0.0,
        length => bag.iter().map(weight).sum::<f64>() / (length as f64).sqrt(),
    };
    let scores: Vec<f64> = bags.iter().map(centrality).collect();
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.truncate(count);
    order.sort_unstable();
    order.into_iter().map(|index| sentences[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_is_central() {
        let sentences = [
            "The pool in Harwell will close.",
            "It rained.",
            "The Harwell pool is old and its beams are rusty.",
            "A dog barked.",
            "The council will close the old pool.",
        ];
        assert_eq!(most_central(&sentences, 2), [sentences[2], sentences[4]]);
        assert_eq!(most_central(&sentences, 9), sentences);
        assert!(most_central(&[], 3).is_empty());
    }
}

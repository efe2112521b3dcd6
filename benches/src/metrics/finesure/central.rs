//! The most central sentences of a document: those nearest to the centroid of its words, which are weighted by inverse
//! sentence frequency (Radev et al. 2004, over sentences).

use std::collections::{BTreeMap, BTreeSet};

use veridic::text::{WordKind, words};

/// The `count` most central sentences, in the document's order; ties by position.
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
    // Words in many sentences are on topic; words in all sentences have no weight.
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
    fn sentences_with_repeated_words_are_central() {
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

use std::collections::BTreeSet;

use super::*;
use crate::benchmarks::jsonl::{self, Labelled};
use crate::benchmarks::qags::Qags;

/// Rows of group `big`, and three of group `small`.
fn rows(big: usize) -> Reading<jsonl::Label> {
    let benchmark = Labelled { group: Some("set".into()), ..Labelled::default() };
    let row = |number: usize| {
        let set = if number < big { "big" } else { "small" };
        format!("{{\"document\":\"d\",\"summary\":\"s\",\"label\":1,\"set\":\"{set}\"}}\n")
    };
    let file: String = (0..big + 3).map(row).collect();
    read_file(&benchmark, "rows.jsonl", file).unwrap()
}

#[test]
fn every_stratum_has_its_share() {
    let reading = rows(30);
    let of_small = |limit| {
        let sample = stratified_sample(&reading.cases, limit, 1);
        assert_eq!(sample.len(), limit.min(33));
        assert!(sample.is_sorted() && sample.iter().collect::<BTreeSet<_>>().len() == sample.len());
        sample.iter().filter(|row| **row >= 30).count()
    };
    assert_eq!([2, 11, 22, 33, 99].map(of_small), [1, 1, 2, 3, 3]);
    assert_eq!(of_small(0), 0);
}

#[test]
fn same_seed_draws_the_same_rows() {
    let reading = rows(40);
    let sample = |seed| stratified_sample(&reading.cases, 12, seed);
    assert_eq!(sample(7), sample(7));
    assert_ne!(sample(7), sample(8));
    // A larger sample contains the smaller one.
    let larger: BTreeSet<usize> = stratified_sample(&reading.cases, 20, 7).into_iter().collect();
    assert!(sample(7).iter().all(|row| larger.contains(row)));
}

#[test]
fn row_brings_all_its_texts() {
    let sentence = r#"{"sentence":"S.","responses":[{"worker_id":1,"response":"yes"}]}"#;
    let row = format!("{{\"article\":\"a\",\"summary_sentences\":[{sentence},{sentence}]}}\n");
    let benchmark = Qags::default();
    let reading = read_file(&benchmark, "mturk_cnndm.jsonl", row.repeat(5)).unwrap();
    let sample = stratified_sample(&reading.cases, 2, 0);
    assert_eq!(sample.len(), 6);
    assert!(sample.chunks(3).all(|row| row[0] % 3 == 0 && row[2] == row[0] + 2));
}

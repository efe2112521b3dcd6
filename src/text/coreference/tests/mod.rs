//! Invented documents for each rule and for each refusal.

mod acronyms;
mod awkward;
mod names;
mod pronouns;
mod quotations;

use std::ops::Range;

use super::{Cluster, MentionKind, coreference_clusters};

/// The sentences joined by single spaces, and their byte ranges.
fn document(sentences: &[&str]) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    for sentence in sentences {
        if !text.is_empty() {
            text.push(' ');
        }
        ranges.push(text.len()..text.len() + sentence.len());
        text.push_str(sentence);
    }
    (text, ranges)
}

fn found(sentences: &[&str]) -> (String, Vec<Cluster>) {
    let (text, ranges) = document(sentences);
    let clusters = coreference_clusters(&text, &ranges);
    (text, clusters)
}

/// The clusters of a document, each as its mentions joined by " | ".
fn links(sentences: &[&str]) -> Vec<String> {
    let (text, clusters) = found(sentences);
    let show = |cluster: &Cluster| {
        let mentions: Vec<&str> =
            cluster.mentions.iter().map(|mention| &text[mention.span.clone()]).collect();
        mentions.join(" | ")
    };
    clusters.iter().map(show).collect()
}

/// The kinds of the mentions of the first cluster.
fn kinds(sentences: &[&str]) -> Vec<MentionKind> {
    let (_, clusters) = found(sentences);
    clusters[0].mentions.iter().map(|mention| mention.kind).collect()
}

/// Asserts that a document has exactly these clusters.
#[track_caller]
fn assert_links(sentences: &[&str], expected: &[&str]) {
    assert_eq!(links(sentences), expected, "{sentences:?}");
}

/// Asserts that a document has no clusters.
#[track_caller]
fn assert_nothing(sentences: &[&str]) {
    assert_links(sentences, &[]);
}

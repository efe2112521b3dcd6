//! Documents made up for each rule, and for each reason to refuse.

mod acronyms;
mod awkward;
mod descriptions;
mod names;
mod neuters;
mod pronouns;
mod quotations;

use std::ops::Range;

use super::{Cluster, MentionKind, coreference_clusters};

/// The sentences put together, one space between them, and their ranges.
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

/// The clusters of a document, each as its mentions with " | " between them.
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

/// That a document has these clusters and no other.
#[track_caller]
fn assert_links(sentences: &[&str], expected: &[&str]) {
    assert_eq!(links(sentences), expected, "{sentences:?}");
}

/// That nothing is linked in a document.
#[track_caller]
fn assert_nothing(sentences: &[&str]) {
    assert_links(sentences, &[]);
}

//! Invented documents for each rule and for each refusal, in `links.tsv`; unusual texts in `awkward`.

mod awkward;

use std::ops::Range;

use super::{Cluster, MentionKind};
use crate::text::go_on;

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

fn coreference_clusters(text: &str, sentences: &[Range<usize>]) -> Vec<Cluster> {
    let Ok(clusters) = super::coreference_clusters(text, sentences, &go_on);
    clusters
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

#[test]
fn documents_have_their_clusters() {
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let rows: Vec<&str> = include_str!("links.tsv").lines().filter(is_row).collect();
    assert_eq!(rows.len(), 89);
    for row in rows {
        let (sentences, clusters) = row.split_once('\t').unwrap_or((row, ""));
        let expected: Vec<&str> = clusters.split(" ‖ ").filter(|cluster| !cluster.is_empty()).collect();
        assert_eq!(links(&sentences.split(" ‖ ").collect::<Vec<_>>()), expected, "{sentences}");
    }
}

#[test]
fn mentions_have_kinds() {
    use MentionKind::{Name, PossessivePronoun, Pronoun};
    for (sentences, expected) in [
        (&["The prize went to Peter Halloran.", "Critics liked what Halloran wrote."][..], &[Name, Name][..]),
        (
            &["Martha Dunmore sold her car.", "A thief had followed her.", "The car was hers."],
            &[Name, PossessivePronoun],
        ),
        (
            &["Martha Dunmore was ill.", "Doctors helped her at once.", "She thanked her nurses."],
            &[Name, Pronoun, Pronoun, PossessivePronoun],
        ),
    ] {
        let (_, clusters) = found(sentences);
        let kinds: Vec<MentionKind> = clusters[0].mentions.iter().map(|mention| mention.kind).collect();
        assert_eq!(kinds, expected, "{sentences:?}");
    }
}

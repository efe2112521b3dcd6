//! Unusual texts: empty, random, very long, in capitals, with markup.

use std::time::Instant;

use proptest::prelude::*;

use super::{coreference_clusters, document, found, links};

#[test]
fn empty_texts() {
    assert!(coreference_clusters("", &[]).is_empty());
    assert!(coreference_clusters("Peter Halloran left. Then Halloran came.", &[]).is_empty());
    let empty = 0..0;
    assert!(coreference_clusters("", std::slice::from_ref(&empty)).is_empty());
    assert!(links(&["", " ", "...", "\"'\"", "(", "’s", "-"]).is_empty());
}

#[test]
fn invalid_sentence_ranges_do_not_panic() {
    let text = "Zoë left. Then Zoë came.";
    let reversed = std::ops::Range { start: 9, end: 2 };
    for range in [0..3, 2..3, 3..900, 900..901, reversed] {
        coreference_clusters(text, std::slice::from_ref(&range));
    }
    coreference_clusters(text, &[5..20, 0..9, 3..4]);
}

#[test]
fn unusual_texts_do_not_panic() {
    links(&["ſtraße İstanbul ǅ 東京 الرئيس Привет", "e\u{301} \u{200d}\u{feff} ’’ ‘ “ ” « »"]);
    links(&["A.B.C. X.Y", "U.S.", "1,2.3-4-year-old", "a-year-old, 300,", "Brown, 999999999999,"]);
    links(&["It took 2.4 million euros OF John Smith.", "FOR John Smith it is much."]);
    links(&[
        "<p class=\"x\">Peter Halloran</p>",
        "<a href='https://example.org/?a=b&c'>He</a> &amp; she</p>",
    ]);
}

#[test]
fn lower_case_text() {
    let sentence =
        "Peter halloran left the house on monday, and then halloran came back to see what he had lost.";
    assert!(links(&[sentence; 10]).is_empty());
}

#[test]
fn mentions_are_valid_and_in_order() {
    let (text, clusters) = found(&[
        "Peter Halloran, 61, the captain of the side, met Zoë Ångström of Zentrix Widgets Ltd.",
        "She said it was late; Mr Halloran said he was ill, and Zentrix said it had its reasons.",
        "“The 61-year-old is ill,” she said.",
    ]);
    assert!(!clusters.is_empty());
    let firsts: Vec<usize> = clusters.iter().map(|cluster| cluster.mentions[0].span.start).collect();
    assert!(firsts.is_sorted());
    for cluster in &clusters {
        assert!(cluster.mentions.len() > 1);
        assert!(cluster.mentions.is_sorted_by_key(|mention| mention.span.start));
        assert!(cluster.mentions.iter().all(|mention| !text[mention.span.clone()].trim().is_empty()));
    }
}

#[test]
fn results_are_deterministic() {
    let sentences =
        ["Peter Halloran met Martha Dunmore.", "Then Halloran left.", "They asked Martha why she stayed."];
    let first = links(&sentences);
    assert!((0..20).all(|_| links(&sentences) == first));
}

/// Pieces of random texts.
const PIECES: &str = "Peter|Halloran|Martha|van|Mr|Mrs|Sir|President|the|a|company|Ltd|of|and|he|she|his|her|him|it|its|\
    said|is|was|,|, 31,|.|\"|'|’s|‘|“|”|(|)|ABC|U.S.|Jr|council|Quendon|that|to|31-year-old|é|🦀|-|&|May|\
    prime minister|Zoë’s|-al|al-Zoë|\n|\u{a0}|:|captain|Council|for|in|<b>";

fn sentence_strategy() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(PIECES.split('|').collect::<Vec<_>>());
    proptest::collection::vec(piece, 0..25).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_texts_give_valid_clusters(sentences in proptest::collection::vec(sentence_strategy(), 1..7)) {
        let (text, clusters) = found(&sentences.iter().map(String::as_str).collect::<Vec<_>>());
        for cluster in clusters {
            prop_assert!(cluster.mentions.len() > 1, "{text}");
            prop_assert!(cluster.mentions.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{text}");
            prop_assert!(cluster.mentions.iter().all(|mention| !text[mention.span.clone()].is_empty()), "{text}");
        }
    }
}

/// Time is linear in the text; in quadratic time each of these would take minutes.
#[test]
fn long_documents_take_linear_time() {
    let began = Instant::now();
    let many = 50_000;
    let one_sentence = [
        "Halloran met ".repeat(many),
        "Peter Halloran, he, his man, ".repeat(many / 5),
        format!("Peter Halloran left {}", "when he saw him and said he ".repeat(many / 5)),
        "Peter ".repeat(many),
        "the company, (ABC) of of of ".repeat(many / 5),
        "\" ' “ ” ' s' ".repeat(many / 5),
        "a.b".repeat(many),
        "-'".repeat(many),
        "A".repeat(many),
        format!("({})", "A".repeat(many)),
    ];
    for text in &one_sentence {
        links(&[text]);
    }
    let mut varied: Vec<String> = Vec::new();
    for number in 0..many / 20 {
        varied.push(format!("Peter Hallo{number}n met a company, Zentrix{number} Ltd, and Halloran."));
        varied.push("He said the company had cut its staff, and he left.".to_owned());
    }
    let sentences: Vec<&str> = varied.iter().map(String::as_str).collect();
    let (text, ranges) = document(&sentences);
    coreference_clusters(&text, &ranges);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

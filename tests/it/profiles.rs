//! The rules of each profile, recomputed here from `nli`'s probabilities of every premise. There are few premises, since
//! the rules are tested, not the model.
use crate::common;
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::common::{CLAIMS, Place, SENTENCES, article, assert_spans, list, models, number, summary};
use serde_json::{Value, json};
use veridic::text::{WordKind, words};

/// A premise: its level, its span, and (entailment, neutral, contradiction) by `nli`.
#[derive(Debug)]
struct Premise {
    level: &'static str,
    span: (usize, usize),
    probabilities: [f64; 3],
}

/// Spans of every sentence, of every window of `window`, and of the whole article, in that order.
fn premise_spans(window: usize) -> Vec<(&'static str, (usize, usize))> {
    let article = article();
    let sentences: Vec<(usize, usize)> = SENTENCES
        .iter()
        .map(|sentence| {
            let start = article.find(sentence).unwrap();
            (start, start + sentence.len())
        })
        .collect();
    let mut spans: Vec<(&str, (usize, usize))> = sentences.iter().map(|&span| ("sentence", span)).collect();
    spans.extend(sentences.windows(window).map(|w| ("window", (w[0].0, w[window - 1].1))));
    spans.push(("document", (0, article.len())));
    spans
}

/// The premises of the bundled model, computed once because it is slow.
#[cfg(feature = "bundled")]
static OF_MINI: LazyLock<Vec<Vec<Premise>>> = LazyLock::new(|| compute(&Place::new(), "mini"));
static OF_TINY: LazyLock<Vec<Vec<Premise>>> = LazyLock::new(|| compute(&Place::new(), &common::tiny()));

/// For each claim, every premise with its probabilities; windows have three sentences.
fn premises(model: &str) -> &'static [Vec<Premise>] {
    #[cfg(feature = "bundled")]
    if model == "mini" {
        return &OF_MINI;
    }
    assert_eq!(model, common::tiny());
    &OF_TINY
}

fn compute(place: &Place, model: &str) -> Vec<Vec<Premise>> {
    let article = article();
    let spans = premise_spans(3);
    let mut rows = Vec::new();
    for claim in CLAIMS {
        for &(_, (start, end)) in &spans {
            rows.push(json!({"premise": article[start..end], "hypothesis": claim}).to_string());
        }
    }
    place.write("premises.jsonl", rows.join("\n"));
    let computed = place.run(["nli", "--input", "premises.jsonl", "--model", model]).json_lines();
    let probabilities = |row: &Value| ["entailment", "neutral", "contradiction"].map(|p| number(&row[p]));
    computed
        .chunks(spans.len())
        .map(|rows| {
            let with_rows = spans.iter().zip(rows);
            with_rows
                .map(|(&(level, span), row)| Premise { level, span, probabilities: probabilities(row) })
                .collect()
        })
        .collect()
}

fn entailment(premise: &Premise) -> f64 {
    premise.probabilities[0]
}

fn minus_contradiction(premise: &Premise) -> f64 {
    premise.probabilities[0] - premise.probabilities[2]
}

fn minus_neutral(premise: &Premise) -> f64 {
    premise.probabilities[0] - premise.probabilities[1]
}

/// The best premise of the given levels; the first one on a tie.
fn best<'a>(premises: &'a [Premise], levels: &[&str], score: fn(&Premise) -> f64) -> &'a Premise {
    let mut candidates = premises.iter().filter(|premise| levels.contains(&premise.level));
    let first = candidates.next().unwrap();
    candidates.fold(first, |best, premise| if score(premise) > score(best) { premise } else { best })
}

#[track_caller]
fn assert_claim(claim: &Value, expected: &Premise, score: fn(&Premise) -> f64) {
    assert_eq!(claim["level"], expected.level, "{claim}\n{expected:?}");
    let span = [&claim["evidence"]["span"][0], &claim["evidence"]["span"][1]].map(|x| x.as_u64().unwrap());
    assert_eq!((span[0] as usize, span[1] as usize), expected.span, "{claim}");
    let probabilities =
        ["entailment", "neutral", "contradiction"].map(|p| number(&claim["probabilities"][p]));
    assert_eq!(probabilities, expected.probabilities, "the same pair has the same bits");
    assert!((number(&claim["score"]) - score(expected)).abs() < 1e-6, "{claim}");
}

/// Every premise is compared, unless `more` says otherwise.
fn score(place: &Place, model: &str, more: &[&str]) -> Value {
    let screen: &[&str] =
        if more.iter().any(|flag| flag.starts_with("screen=")) { &[] } else { &["--set", "screen=off"] };
    let more = [&["--claims", "sentence"], screen, more].concat();
    let result = place.score(model, &article(), &summary(), &more).json();
    assert_spans(&result, &article(), &summary());
    result
}

fn count(result: &Value, field: &str) -> u64 {
    result["ledger"][field].as_u64().unwrap()
}

#[test]
fn veridic_takes_the_best_entailment_of_all_levels_unless_a_rule_caps_it() {
    let place = Place::new();
    for model in models() {
        let expected = premises(&model);
        let fixed = ["--set", "window=3", "--set", "epsilon=0", "--coref", "off"];
        let off = ["--set", "quantity_nowhere=off", "--set", "date_nowhere=off", "--set", "instead=off"];
        let uncapped = score(&place, &model, &[&fixed[..], &off].concat());
        for (claim, premises) in list(&uncapped["claims"]).iter().zip(expected) {
            assert_claim(claim, best(premises, &["sentence", "window", "document"], entailment), entailment);
            assert_eq!(claim["cap"], Value::Null);
        }
        let result = score(&place, &model, &fixed);
        for (claim, uncapped) in list(&result["claims"]).iter().zip(list(&uncapped["claims"])) {
            assert_eq!(claim["evidence"], uncapped["evidence"], "a cap changes no evidence");
            let entailment = number(&uncapped["score"]);
            match claim["cap"].as_str() {
                Some(cap) => {
                    assert_eq!(claim["score"], result["limits"][cap], "{claim}");
                    assert!(number(&claim["score"]) < entailment, "{claim}");
                }
                None => assert_eq!(number(&claim["score"]), entailment, "{claim}"),
            }
        }
        let scores = list(&result["claims"]).iter().map(|claim| number(&claim["score"]));
        assert_eq!(number(&result["score"]), scores.fold(1.0, f64::min), "the lowest claim's");
        assert_eq!(count(&result, "premises"), (7 + 5 + 1) * 3);
        assert_eq!(count(&result, "premises_skipped"), 0);
    }
}

#[test]
fn paper_ends_at_a_sentence_that_reaches_the_threshold_and_else_takes_window_or_document() {
    let place = Place::new();
    for model in models() {
        let expected = premises(&model);
        // The tiny model's scores are about 0.15, so this threshold divides its claims.
        let thresholds: &[f64] = if model == "mini" { &[0.8] } else { &[-1.0, 0.15, 0.17, 0.8, 1.0] };
        for &threshold in thresholds {
            let text = threshold.to_string();
            let more = [
                "--profile",
                "paper",
                "--coref",
                "off",
                "--set",
                "window=3",
                "--set",
                &format!("threshold={text}"),
            ];
            let result = score(&place, &model, &more[..if threshold == 0.8 { 6 } else { 8 }]);
            let mut computed = 0;
            for (claim, premises) in list(&result["claims"]).iter().zip(expected) {
                let sentence = best(premises, &["sentence"], minus_contradiction);
                let ends = minus_contradiction(sentence) >= threshold;
                let wider = best(premises, &["window", "document"], minus_contradiction);
                assert_claim(claim, if ends { sentence } else { wider }, minus_contradiction);
                computed += if ends { 7 } else { 7 + 5 + 1 };
            }
            assert_eq!(count(&result, "premises"), computed, "threshold {threshold}");
        }
    }
}

#[test]
fn released_takes_the_best_e_minus_n_of_all_levels() {
    let place = Place::new();
    for model in models() {
        let expected = premises(&model);
        let result = score(&place, &model, &["--profile", "released", "--set", "window=3"]);
        for (claim, premises) in list(&result["claims"]).iter().zip(expected) {
            let best = best(premises, &["sentence", "window", "document"], minus_neutral);
            assert_claim(claim, best, minus_neutral);
        }
        assert_eq!(count(&result, "premises") + count(&result, "premises_skipped"), (7 + 5 + 1) * 3);
    }
}

#[test]
fn epsilon_skips_premises_and_costs_at_most_epsilon() {
    let place = Place::new();
    for model in models() {
        let full = score(&place, &model, &["--set", "epsilon=0", "--set", "window=3", "--coref", "off"]);
        let epsilons: &[&str] =
            if model == "mini" { &["0.3"] } else { &["0.01", "0.83", "0.84", "0.9", "1"] };
        let mut skipped = 0;
        for epsilon in epsilons {
            let lazy = score(
                &place,
                &model,
                &["--set", &format!("epsilon={epsilon}"), "--set", "window=3", "--coref", "off"],
            );
            assert_eq!(count(&lazy, "premises") + count(&lazy, "premises_skipped"), (7 + 5 + 1) * 3);
            skipped += count(&lazy, "premises_skipped");
            for (lazy, full) in list(&lazy["claims"]).iter().zip(list(&full["claims"])) {
                let lost = number(&full["score"]) - number(&lazy["score"]);
                let epsilon: f64 = epsilon.parse().unwrap();
                assert!(lost >= 0.0 && lost <= epsilon + 1e-6, "{lost} lost at epsilon {epsilon}");
            }
        }
        assert!(skipped > 0, "{model}");
    }
}

#[test]
fn counter_evidence_is_the_most_contradicting_sentence_about_the_claim() {
    let place = Place::new();
    for model in models() {
        let expected = premises(&model);
        let result = score(&place, &model, &["--set", "window=3", "--set", "epsilon=0"]);
        let contradicted = number(&result["profile"]["verdicts"]["contradicted"]);
        for (claim, premises) in list(&result["claims"]).iter().zip(expected) {
            let about = premises.iter().filter(|premise| {
                let sentence = &article()[premise.span.0..premise.span.1];
                premise.level == "sentence" && is_about(claim["text"].as_str().unwrap(), sentence)
            });
            let Some(against) = about.max_by(|a, b| a.probabilities[2].total_cmp(&b.probabilities[2])) else {
                assert_ne!(claim["verdict"], "contradicted", "{claim}");
                continue;
            };
            let strongest = against.probabilities[2];
            if claim["verdict"] == "contradicted" {
                assert_eq!(number(&claim["counter_evidence"]["contradiction"]), strongest, "{claim}");
                let start = claim["counter_evidence"]["span"][0].as_u64().unwrap() as usize;
                assert_eq!(start, against.span.0);
            } else if claim["verdict"] == "unsupported" {
                assert!(strongest <= contradicted, "{claim}: {against:?}");
            }
        }
    }
}

/// Whether the sentence has three of the claim's content words, or all of them if there are fewer.
fn is_about(claim: &str, sentence: &str) -> bool {
    let of_sentence: Vec<String> = words(sentence).into_iter().map(|word| word.form).collect();
    let telling = words(claim).into_iter().filter(|word| word.kind != WordKind::Function);
    let telling: HashSet<String> = telling.map(|word| word.form).collect();
    telling.iter().filter(|form| of_sentence.contains(form)).count() >= telling.len().min(3)
}

/// An epsilon that skips only premises that cannot change a score: premises are requested in a different order and in waves,
/// and every claim has the same result, bit for bit.
#[test]
fn the_smallest_epsilon_changes_no_result() {
    let place = Place::new();
    for model in models() {
        let scores = |epsilon: &str| {
            let result =
                score(&place, &model, &["--set", &format!("epsilon={epsilon}"), "--set", "window=3"]);
            list(&result["claims"]).iter().map(|claim| claim["score"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(scores("0"), scores("1e-9"));
    }
}

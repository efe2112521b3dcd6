//! The library as a Rust caller sees it: the builder, settings as JSON, texts in pieces, work that is ended.
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use veridic::plan::Builder;
use veridic::result::Verdict;
use veridic::rules::ScoreRule;
use veridic::schedule::{Event, ignore_events};
use veridic::{Error, Pair, Scorer};

use crate::common::tiny;

/// A builder on the tiny model.
fn with(settings: &[(&str, &str)]) -> Builder {
    settings.iter().fold(Scorer::builder(tiny()), |builder, (key, value)| builder.set(key, value).unwrap())
}

#[test]
fn a_builder_with_settings_scores_and_can_be_used_again() {
    let builder = with(&[("profile", "paper"), ("claims", "sentence")]);
    let document = "The pool closes in March. Its roof leaks.";
    let scores = [(); 2].map(|()| builder.build().unwrap().score(document, "The pool closes.").unwrap());
    assert_eq!(scores[0], scores[1]);
    assert_eq!(scores[0].claims.len(), 1);
    assert!([Verdict::Supported, Verdict::Unsupported, Verdict::Contradicted].contains(&scores[0].verdict));
}

#[test]
fn settings_as_json_have_the_names_of_the_builder() {
    let builder = |settings: Value| Builder::from_json(settings.as_object().unwrap());
    let settings = json!({
        "model": tiny(), "profile": "released", "claims": "sentence", "levels": ["sentence", "document"],
        "window": 3, "score": "e-t", "over_claims": "minimum", "screen": "off", "epsilon": 0.0,
        "languages": "any", "coref": null,
    });
    let scorer = builder(settings).unwrap().build().unwrap();
    let rules = &scorer.settings().rules;
    assert_eq!((rules.score, rules.window.get()), (ScoreRule::EntailmentMinusContradiction, 3));
    assert_eq!((rules.levels.len(), &rules.languages), (2, &None));
    let unknown = builder(json!({"epsilonn": 0})).unwrap_err().to_string();
    assert_eq!(unknown, "there is no setting `epsilonn` (did you mean `epsilon`?)");
    let object = builder(json!({"levels": {"sentence": true}})).unwrap_err().to_string();
    assert!(object.starts_with("`levels` {\"sentence\":true}: "), "{object}");
    for (settings, message) in [
        (json!({"score": "t"}), "`score` t: no rule `t`: known are e, e-t, e-n"),
        (json!({"window": 0}), "`window` 0: "),
        (json!({"levels": ["sentences"]}), "`levels` sentences: "),
    ] {
        let error = builder(settings).unwrap().build().err().unwrap().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_text_in_pieces_gives_the_result_of_the_whole_text() {
    let document = "The pool closes in March. Its roof leaks. Dr. Lee said repairs cost 4.2 million euros.";
    let text = "The pool closes in March, e.g. on the 3rd. ***\n\nDr. Lee said: \"It costs 2.4 million euros.\"  The roof \
                leaks and the pool is old";
    let scorer = Scorer::builder(tiny()).build().unwrap();
    let whole = scorer.score(document, text).unwrap();
    for size in [1, 5, 200] {
        let mut stream = scorer.stream(document).unwrap();
        let characters: Vec<char> = text.chars().collect();
        let mut judged = Vec::new();
        for piece in characters.chunks(size) {
            judged.extend(stream.push(&piece.iter().collect::<String>(), &ignore_events).unwrap());
        }
        let (last, result) = stream.finish(&ignore_events).unwrap();
        judged.extend(last);
        assert_eq!(result, whole, "pieces of {size}");
        for sentence in &judged {
            assert_eq!(sentence.span.slice(text), sentence.text);
        }
        let claims: Vec<_> = judged.into_iter().flat_map(|sentence| sentence.claims).collect();
        assert_eq!(claims, whole.claims);
    }
}

#[test]
fn a_stream_without_words_or_with_given_claims_is_refused() {
    let scorer = Scorer::builder(tiny()).build().unwrap();
    assert!(scorer.stream(" ").err().unwrap().to_string().contains("the document is empty"));
    let mut stream = scorer.stream("The pool closes.").unwrap();
    assert!(!stream.add("***").unwrap());
    let error = stream.finish(&ignore_events).unwrap_err().to_string();
    assert!(error.contains("the summary has no word"), "{error}");
    let long = stream.add(&"a ".repeat(200_000)).unwrap_err().to_string();
    assert!(long.contains("400003 characters, the limit is 200000"), "{long}");
    let given = with(&[("claims", "given")]).build().unwrap();
    assert!(given.stream("The pool closes.").err().unwrap().to_string().contains("cannot be given"));
}

/// A server's worker was held until a long document had been prepared, although its client had left.
#[test]
fn work_can_be_ended_while_a_document_is_prepared() {
    let document = "The pool closes in March. ".repeat(200);
    let summary = "The pool closes. ".repeat(20);
    for screen in ["off", "words:4"] {
        let scorer = with(&[("claims", "sentence"), ("screen", screen)]).build().unwrap();
        let score = |most: usize| {
            let (polls, batches) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let on_event = |event: Event| {
                let is_over = match event {
                    Event::Poll => polls.fetch_add(1, Ordering::Relaxed) >= most,
                    Event::Computed { .. } => batches.fetch_add(1, Ordering::Relaxed) == usize::MAX,
                    _ => false,
                };
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let result = scorer.score_batch(&[Pair::new(&document, &summary)], &on_event).remove(0);
            (result, polls.into_inner(), batches.into_inner())
        };
        let (result, all, batches) = score(usize::MAX);
        assert!(result.is_ok() && batches > 0);
        // Each sentence and each claim of the pair.
        assert!(all > 220, "{all} polls");
        for most in [0, 100, 210] {
            let (result, polls, batches) = score(most);
            assert!(matches!(result, Err(Error::Stopped)), "{screen}, {most}: {result:?}");
            assert!(polls <= most + 8 && batches == 0, "{screen}, {most}: {polls} polls, {batches} batches");
        }
    }
}

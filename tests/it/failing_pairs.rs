//! A pair for which the model's outputs are not finite does not affect others: they never get its outcomes, whatever its
//! position and however many pairs are in flight.
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use crate::common::failing::{BAD, failing_model};
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;
use veridic::pipeline::Settings;
use veridic::rules::{Level, Rules};
use veridic::schedule::ignore_events;
use veridic::{Pair, Scorer};

static MODEL: LazyLock<TempDir> = LazyLock::new(failing_model);

static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
    let levels = vec![Level::Sentence, Level::Window, Level::Document];
    let rules = Rules { levels, screen: None, ..Rules::veridic() };
    let settings = Settings { rules, ..Settings::default() };
    crate::common::scorer(MODEL.path().to_str().unwrap(), settings)
});

/// A document of several sentences, one of them with the bad token if the pair is to fail, and a summary of several claims.
fn texts(number: usize, fails: bool) -> (String, String) {
    let words = ["cat", "dog", "mayor", "city", "bridge", "river", "game"];
    let (one, two) = (words[number % 7], words[(number * 3 + 1) % 7]);
    let mut sentences: Vec<String> = (0..3 + number % 4)
        .map(|place| format!("The {} sat on the {two}.", words[(number + place) % 7]))
        .collect();
    if fails {
        let place = number % sentences.len();
        sentences[place] = format!("The {} left the {one} late.", BAD.0);
    }
    (sentences.join(" "), format!("The {one} was not {two}. The {two} sat in the city. It was open."))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn other_pairs_never_get_the_outcomes_of_a_failed_one(
        fails in vec(any::<bool>(), 2..8),
        pairs_in_flight in 1usize..40,
    ) {
        let settings = Settings {
            pairs_in_flight: NonZeroUsize::new(pairs_in_flight).unwrap(),
            cache_bytes: 0,
            ..SCORER.settings().clone()
        };
        let scorer = SCORER.clone().with_settings(settings);
        let texts: Vec<(String, String)> =
            fails.iter().enumerate().map(|(number, fails)| texts(number, *fails)).collect();
        let pairs: Vec<Pair<'_>> = texts.iter().map(|(document, summary)| Pair::new(document, summary)).collect();
        let good: Vec<Pair<'_>> =
            pairs.iter().zip(&fails).filter(|(_, fails)| !**fails).map(|(pair, _)| *pair).collect();
        let mut alone = SCORER.score_batch(&good, &ignore_events).into_iter();
        for (result, fails) in scorer.score_batch(&pairs, &ignore_events).into_iter().zip(&fails) {
            if *fails {
                prop_assert!(result.unwrap_err().to_string().contains("not finite"));
            } else {
                let alone = serde_json::to_string(&alone.next().unwrap().unwrap()).unwrap();
                prop_assert_eq!(serde_json::to_string(&result.unwrap()).unwrap(), alone);
            }
        }
    }
}

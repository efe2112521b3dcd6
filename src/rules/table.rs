//! The keys of the rules: parsing, formatting and description of each; and the digest over their values.

use sha2::{Digest, Sha256};

use super::choices::UnknownClaims;
use super::kinds::{Level, Pooling, ScoreRule};
use super::screen::Screen;
use super::values::Rules;
use crate::settings::{
    RULES_GROUP, Row, Setting, between, list, list_text, number, off_or, off_or_text, parsed, switch,
    switch_text,
};
use crate::text::Languages;

/// The range of scores.
const ANY_SCORE: std::ops::RangeInclusive<f32> = -1.0..=1.0;
const PROBABILITY: std::ops::RangeInclusive<f32> = 0.0..=1.0;
/// The lowest limit of a pair's tokens: room for a short claim and a piece of a premise.
const MIN_TOKENS: usize = 32;

/// Hexadecimal digits of [`Rules::digest`].
const DIGEST_DIGITS: usize = 12;

/// Every key of the rules, in the order in which they are read and printed.
pub(crate) const RULES: &[Row<Rules>] = &[
    Row {
        setting: flag(
            "profile",
            "NAME",
            "The profile to start from: veridic, paper, released, checker, ...",
            "veridic: the best measured settings; paper: FENICE's equations; released: the program of FENICE's authors; \
             released-aggrefact: that program as its authors ran it on AggreFact; checker: a checker as its authors use it. \
             The default is checker for a checker, else veridic.",
        ),
        read: |rules, text| parsed(&mut rules.profile, text),
        show: |rules| rules.profile.to_string(),
    },
    Row {
        setting: flag(
            "claims",
            "HOW",
            "Where claims come from: sentence, given, t5, answers",
            "sentence: each sentence of the summary; given: the rows' field `claims`; t5=NAME|DIR: written by the text-to-text model \
             of that name or folder, or with t5 alone by FENICE's; answers: written by a language model that the caller asks.",
        ),
        read: |rules, text| {
            rules.claims = text.parse().map_err(|error: UnknownClaims| error.to_string())?;
            Ok(())
        },
        show: |rules| rules.claims.to_string(),
    },
    Row {
        setting: key_and(
            "layout",
            "on|off",
            "Whether headings, lists, Markdown and speakers' names are recognised",
            "on: list markers, Markdown syntax, time stamps and citation markers are removed; headings, greetings and questions \
             are not claims; each premise of a transcript begins with the speaker's name. off: texts are read unchanged. \
             The default is on under the profiles veridic and checker, else off.",
        ),
        read: |rules, text| switch(&mut rules.layout, text),
        show: |rules| switch_text(rules.layout),
    },
    Row {
        setting: flag(
            "coref",
            "off|rules|DIR",
            "The coreference resolver of the level coref",
            "off, rules, or an F-Coref model by name or folder. The default is rules under the profiles veridic and paper, \
             else off. off removes the level coref.",
        ),
        read: |rules, text| parsed(&mut rules.coref, text),
        show: |rules| rules.coref.to_string(),
    },
    Row {
        setting: key("levels", "LEVEL,...", "Levels of premises: sentence, coref, window, document"),
        read: |rules, text| {
            let mut levels: Vec<Level> = list(text)?;
            levels.sort_unstable();
            levels.dedup();
            rules.levels = levels;
            Ok(())
        },
        show: |rules| list_text(&rules.levels),
    },
    Row {
        setting: key("window", "J", "Number of sentences in a window"),
        read: |rules, text| {
            parsed(&mut rules.window, text).map_err(|_| "give a whole number from 1 on".into())
        },
        show: |rules| rules.window.to_string(),
    },
    Row {
        setting: key("stride", "N", "Number of sentences from the start of one window to the next"),
        read: |rules, text| {
            parsed(&mut rules.stride, text).map_err(|_| "give a whole number from 1 on".into())
        },
        show: |rules| rules.stride.to_string(),
    },
    Row {
        setting: key_and(
            "screen",
            "METHOD:K|off",
            "Premises that the judge reads for a claim: the best K sentences, K/2 windows and one run",
            "METHOD ranks them: words, by the rare words that they share with the claim; mini, by the probabilities of the model \
             mini for each sentence; mini+words, by both. off: the judge reads all premises. The default under the profile \
             veridic is mini+words:6, or words:8 if mini is the judge; profiles of published programs never screen.",
        ),
        read: |rules, text| {
            off_or(&mut rules.screen, text, |text| text.parse::<Screen>().map_err(|error| error.to_string()))
        },
        show: |rules| off_or_text(rules.screen.as_ref()),
    },
    Row {
        setting: key(
            "epsilon",
            "E",
            "A claim whose score reaches 1 - E skips its remaining premises; 0 skips none",
        ),
        read: |rules, text| between(&mut rules.epsilon, text, PROBABILITY),
        show: |rules| rules.epsilon.to_string(),
    },
    Row {
        setting: key_and(
            "score",
            "e|e-t|e-n",
            "The score of a premise: entailment, or entailment minus contradiction or neutral",
            "e: the probability of entailment; e-t: minus that of contradiction, as in FENICE's paper; e-n: minus that of \
             neutral, as in its authors' program.",
        ),
        read: |rules, text| parsed::<ScoreRule>(&mut rules.score, text),
        show: |rules| rules.score.to_string(),
    },
    Row {
        setting: key(
            "temperature",
            "T",
            "The temperature of the probabilities for scores; 1 leaves them unchanged",
        ),
        read: |rules, text| between(&mut rules.temperature, text, 0.1..=10.0),
        show: |rules| rules.temperature.to_string(),
    },
    Row {
        setting: key_and(
            "threshold",
            "T|off",
            "FENICE's T: a sentence score of at least T decides a claim",
            "Below T, only windows and the document decide (equation 7). off: the maximum over all levels decides.",
        ),
        read: |rules, text| {
            let mut threshold = None;
            off_or(&mut threshold, text, |text| {
                let mut number = 0.0;
                between(&mut number, text, ANY_SCORE).map(|()| number)
            })?;
            rules.pooling = threshold.map_or(Pooling::Maximum, |threshold| Pooling::Cascade { threshold });
            Ok(())
        },
        show: |rules| off_or_text(rules.pooling.threshold().as_ref()),
    },
    Row {
        setting: key(
            "over_claims",
            "RULE",
            "The summary's score, pooled from its claims': minimum, mean or soft-minimum",
        ),
        read: |rules, text| parsed(&mut rules.over_claims, text),
        show: |rules| rules.over_claims.to_string(),
    },
    Row {
        setting: key("supported", "X", "A claim whose score is at least X is supported"),
        read: |rules, text| between(&mut rules.thresholds.supported, text, ANY_SCORE),
        show: |rules| rules.thresholds.supported.to_string(),
    },
    Row {
        setting: key(
            "contradicted",
            "X",
            "An unsupported claim is contradicted if a sentence about it contradicts it above X",
        ),
        read: |rules, text| between(&mut rules.thresholds.contradicted, text, PROBABILITY),
        show: |rules| rules.thresholds.contradicted.to_string(),
    },
    Row {
        setting: key(
            "shared_words",
            "N",
            "A sentence is about a claim if they share at least N content words",
        ),
        read: |rules, text| {
            rules.thresholds.shared_words = number(text, 0)?;
            Ok(())
        },
        show: |rules| rules.thresholds.shared_words.to_string(),
    },
    Row {
        setting: key(
            "quantity_nowhere",
            "X|off",
            "Highest score of a claim with a number that is nowhere in the document",
        ),
        read: |rules, text| cap(&mut rules.caps.quantity_nowhere, text),
        show: |rules| off_or_text(rules.caps.quantity_nowhere.as_ref()),
    },
    Row {
        setting: key(
            "date_nowhere",
            "X|off",
            "Highest score of a claim with a date that is nowhere in the document",
        ),
        read: |rules, text| cap(&mut rules.caps.date_nowhere, text),
        show: |rules| off_or_text(rules.caps.date_nowhere.as_ref()),
    },
    Row {
        setting: key(
            "instead",
            "X|off",
            "Highest score of a claim for which the document says something else instead",
        ),
        read: |rules, text| cap(&mut rules.caps.instead, text),
        show: |rules| off_or_text(rules.caps.instead.as_ref()),
    },
    Row {
        setting: key_and(
            "contrast",
            "on|off",
            "Whether the judge looks for what the document says instead",
            "The judge also reads the claim with a number, date or name replaced by another one of the evidence. If the evidence \
             contradicts the claim and entails the changed claim, the claim is contradicted, and the result says what the \
             document says.",
        ),
        read: |rules, text| switch(&mut rules.contrast, text),
        show: |rules| switch_text(rules.contrast),
    },
    Row {
        setting: flag(
            "abstain",
            "D|off",
            "Claims with a score closer than D to the limit are unsure",
            "D is a distance between probabilities, such as 0.2: with the limit 0.5, scores between 0.3 and 0.7 get the verdict \
             unsure. docs/how-to/thresholds.md has the share of correct verdicts among the others. The default is off.",
        ),
        read: |rules, text| {
            off_or(&mut rules.abstain, text, |text| {
                let mut distance = 0.0;
                between(&mut distance, text, 0.0..=0.5).map(|()| distance)
            })?;
            rules.abstain = rules.abstain.filter(|distance| *distance > 0.0);
            Ok(())
        },
        show: |rules| off_or_text(rules.abstain.as_ref()),
    },
    Row {
        setting: key_and(
            "languages",
            "CODE,...|any",
            "Languages of texts that get a verdict",
            "The default is the languages on the model's card. Claims in others are unsupported, with the reason `language`. \
             any gives verdicts for all languages.",
        ),
        read: |rules, text| {
            rules.languages = match text {
                "any" => None,
                text => {
                    let mut codes: Vec<String> = list(&text.to_lowercase())?;
                    codes.dedup();
                    if rules.languages.as_ref() == Some(&codes) {
                        return Ok(());
                    }
                    if Languages::of(&codes).is_none() {
                        return Err(
                            "give codes of languages that can be detected, such as en,de, or any".to_owned()
                        );
                    }
                    Some(codes)
                }
            };
            Ok(())
        },
        show: |rules| rules.languages.as_ref().map_or_else(|| "any".to_owned(), |codes| list_text(codes)),
    },
    Row {
        setting: key("max_tokens", "N", "Maximum tokens of a pair, at most the model's own limit"),
        read: |rules, text| {
            rules.max_tokens = number(text, MIN_TOKENS)?;
            Ok(())
        },
        show: |rules| rules.max_tokens.to_string(),
    },
    Row {
        setting: key("pair_tokens", "N|off", "Maximum tokens of a pair with a sentence or window, if lower"),
        read: |rules, text| tokens(&mut rules.pair_tokens, text),
        show: |rules| off_or_text(rules.pair_tokens.as_ref()),
    },
    Row {
        setting: key(
            "rewritten_tokens",
            "N|off",
            "Maximum tokens of a pair with a rewritten sentence, if lower",
        ),
        read: |rules, text| tokens(&mut rules.rewritten_tokens, text),
        show: |rules| off_or_text(rules.rewritten_tokens.as_ref()),
    },
    Row {
        setting: key(
            "document_tokens",
            "N|off",
            "Maximum tokens of a pair with the whole document, if lower",
        ),
        read: |rules, text| tokens(&mut rules.document_tokens, text),
        show: |rules| off_or_text(rules.document_tokens.as_ref()),
    },
    Row {
        setting: key("run_tokens", "N|off", "Maximum tokens of the runs in which a longer document is read"),
        read: |rules, text| tokens(&mut rules.run_tokens, text),
        show: |rules| off_or_text(rules.run_tokens.as_ref()),
    },
];

impl Rules {
    /// A short digest of the values of all keys, in hexadecimal: equal rules have equal digests.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for row in RULES {
            digest.update(format!("{}={}\n", row.setting.key, (row.show)(self)));
        }
        let mut text: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        text.truncate(DIGEST_DIGITS);
        text
    }
}

/// The settings of the table.
pub(crate) fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
    RULES.iter().map(|row| &row.setting)
}

/// A key without a command-line flag.
const fn key(key: &'static str, value: &'static str, about: &'static str) -> Setting {
    key_and(key, value, about, "")
}

const fn key_and(key: &'static str, value: &'static str, about: &'static str, more: &'static str) -> Setting {
    Setting { key, value, about, more, has_flag: false, group: RULES_GROUP }
}

/// A key with a command-line flag.
const fn flag(key: &'static str, value: &'static str, about: &'static str, more: &'static str) -> Setting {
    Setting { key, value, about, more, has_flag: true, group: RULES_GROUP }
}

fn cap(place: &mut Option<f32>, text: &str) -> Result<(), String> {
    off_or(place, text, |text| {
        let mut most = 0.0;
        between(&mut most, text, PROBABILITY).map(|()| most)
    })
}

fn tokens(place: &mut Option<usize>, text: &str) -> Result<(), String> {
    off_or(place, text, |text| number(text, MIN_TOKENS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_profile_is_read_back_from_its_text() {
        for rules in [Rules::veridic(), Rules::paper(), Rules::released(), Rules::released_aggrefact()] {
            let mut same = rules.clone();
            for row in RULES {
                let text = (row.show)(&rules);
                (row.read)(&mut same, &text)
                    .unwrap_or_else(|expected| panic!("{}: {expected}", row.setting.key));
            }
            assert_eq!(same, rules);
        }
    }

    #[test]
    fn values_out_of_range_are_refused_with_what_is_expected() {
        let refused = |key: &str, text: &str| {
            let row = RULES.iter().find(|row| row.setting.key == key).unwrap();
            (row.read)(&mut Rules::veridic(), text).unwrap_err()
        };
        for (key, text, part) in [
            ("window", "0", "from 1 on"),
            ("epsilon", "1.5", "from 0 to 1"),
            ("epsilon", "NaN", "from 0 to 1"),
            ("threshold", "2", "from -1 to 1, or off"),
            ("levels", "sentence,page", "no level `page`"),
            ("contrast", "yes", "on or off"),
            ("max_tokens", "31", "from 32 on"),
            ("abstain", "0.6", "from 0 to 0.5, or off"),
            ("languages", "english", "such as en,de"),
            ("languages", "off", "such as en,de"),
            ("screen", "words", "METHOD:K"),
        ] {
            let expected = refused(key, text);
            assert!(expected.contains(part), "{key} {text}: {expected}");
        }
    }

    #[test]
    fn the_digest_changes_with_every_value() {
        let rules = Rules::veridic();
        assert_eq!(rules.digest().len(), DIGEST_DIGITS);
        let mut other = rules.clone();
        other.thresholds.supported = 0.51;
        assert_ne!(rules.digest(), other.digest());
        assert_eq!(rules.digest(), Rules::veridic().digest());
    }
}

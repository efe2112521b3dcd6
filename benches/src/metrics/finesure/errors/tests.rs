//! Examples of each type.

use super::*;

const DOCUMENT: &str = "The council of Harwell closed its pool in May after engineers found rust in the beams. \
    Mayor Anna Keller blamed the NFB for the delay. The library in Aston will open in June with 40 desks. Repairs \
    are not planned.";

fn error_in(claim: &str, evidence: &str, contradiction: f32) -> SentenceError {
    let probabilities = Probabilities { entailment: 0.1, neutral: 0.9 - contradiction, contradiction };
    error_of(&[UnsupportedClaim { text: claim, evidence, probabilities }], &Lookup::new(DOCUMENT))
}

fn check(claim: &str, evidence: &str, expected: (ErrorType, WrongPart), reason: &str) {
    let error = error_in(claim, evidence, 0.6);
    assert_eq!((error.error_type, error.part), (expected.0, Some(expected.1)), "{claim}: {}", error.reason);
    assert!(error.reason.contains(reason), "{claim}: {}", error.reason);
}

const CLOSED: &str = "The council of Harwell closed its pool in May after engineers found rust in the beams.";
const BLAMED: &str = "Mayor Anna Keller blamed the NFB for the delay.";
const REPAIRS: &str = "Repairs are not planned.";

#[test]
fn words_that_are_nowhere_are_out_of_context() {
    let noun_phrase = (ErrorType::OutOfContext, WrongPart::NounPhrase);
    check("The council of Brixham closed its pool.", CLOSED, noun_phrase, "\"Brixham\" is nowhere");
    check("Harwell closed its pool on 12 August.", CLOSED, noun_phrase, "\"12\" and \"August\" are nowhere");
    check(
        "The beams crumbled, snapped and sagged.",
        CLOSED,
        (ErrorType::OutOfContext, WrongPart::Predicate),
        "sagged",
    );
}

#[test]
fn nouns_from_elsewhere_are_entities_or_circumstances() {
    let entity = (ErrorType::Entity, WrongPart::NounPhrase);
    check(
        "Anna Keller closed the pool in Harwell.",
        CLOSED,
        entity,
        "\"Anna\" and \"Keller\" are not in the evidence",
    );
    let circumstance = (ErrorType::Circumstantial, WrongPart::NounPhrase);
    check("The council closed its pool in June.", CLOSED, circumstance, "\"June\" is not");
    check("The council closed its pool in Aston.", CLOSED, circumstance, "\"Aston\" is not");
}

#[test]
fn verbs_and_negations_are_predicates() {
    let predicate = (ErrorType::Predicate, WrongPart::Predicate);
    check("The council opened its pool in May.", CLOSED, predicate, "\"opened\" is not");
    check("Repairs are planned.", REPAIRS, predicate, "denies");
    check("The council closed the pool in May.", DOCUMENT, predicate, "says otherwise");
    check("Rust found engineers in the beams.", CLOSED, predicate, "says otherwise");
}

#[test]
fn links_and_pronouns_come_last() {
    let evidence = "Engineers found rust. The council closed the pool.";
    let linking = (ErrorType::Linking, WrongPart::Predicate);
    check("The council closed the pool because engineers found rust.", evidence, linking, "\"because\" ties");
    check("She blamed the NFB.", BLAMED, (ErrorType::Coreference, WrongPart::NounPhrase), "\"She\" may");
}

#[test]
fn repeated_words_are_grammatical_errors() {
    let grammatical = (ErrorType::Grammatical, WrongPart::Predicate);
    check("The pool the pool closed in May.", CLOSED, grammatical, "\"The pool\" is said twice");
}

#[test]
fn other_is_what_no_rule_matches() {
    assert_eq!(error_in("Rust found engineers.", CLOSED, 0.1).error_type, ErrorType::Other);
    assert_eq!(error_in("", "", 0.1).error_type, ErrorType::Other);
}

#[test]
fn initials_match_names_and_stems_match_words() {
    let error = error_in("Keller blamed the National Fund Board.", BLAMED, 0.6);
    assert_eq!(error.error_type, ErrorType::Predicate, "{}", error.reason);
    let error = error_in("The councillors closed the pool.", CLOSED, 0.1);
    assert_eq!(error.error_type, ErrorType::Other, "{}", error.reason);
}

#[test]
fn a_reason_names_only_a_few_words() {
    let error = error_in("Ann, Bob, Cy, Dan, Eve, Flo, Gus and Hal swam.", CLOSED, 0.1);
    assert!(error.reason.contains("\"Flo\" and 2 more are nowhere"), "{}", error.reason);
}

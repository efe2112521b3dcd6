//! Suggests the known name closest to a misspelt one. Makes no suggestion if no name is similar enough. Tells a slip of the
//! finger, which only one known name can explain, from another name.

/// Minimum Jaro similarity (0 to 1) of a suggestion, ignoring case.
const MIN_SIMILARITY: f64 = 0.75;
/// A slip changes at most one character in this many, and one in a shorter name.
const CHARACTERS_A_SLIP: usize = 8;

/// The most similar name; ties go to the first. `None` if no name is similar enough.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let similarity = |name: &str| strsim::jaro(&word, &name.to_lowercase());
    let mut best: Option<(f64, &str)> = None;
    for (similarity, name) in names.into_iter().map(|name| (similarity(name), name)) {
        if similarity >= MIN_SIMILARITY && best.is_none_or(|(most, _)| similarity > most) {
            best = Some((similarity, name));
        }
    }
    best.map(|(_, name)| name)
}

/// ` (did you mean NAME?)` to append to the name in an error; empty without a suggestion.
#[must_use]
pub fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The name of which `word` is a slip of the finger, ignoring case; the name itself is one as well.
#[must_use]
pub fn slip_of<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let is_slip = |name: &&str| strsim::osa_distance(&word, name) <= (name.len() / CHARACTERS_A_SLIP).max(1);
    names.into_iter().find(is_slip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifest;

    fn model(word: &str) -> Option<&'static str> {
        nearest(word, Manifest::get().names())
    }

    #[test]
    fn misspelt_names_are_suggested() {
        for (word, name) in [
            ("deberta-lage", "deberta-large"),
            ("DeBERTa_base", "deberta-base"),
            ("minichek-roberta", "minicheck-roberta"),
            ("fcoref", "f-coref"),
            ("t5-claim", "t5-claims"),
            ("fenise", "fenice"),
        ] {
            assert_eq!(model(word), Some(name), "{word}");
        }
    }

    #[test]
    fn dissimilar_words_have_no_suggestion() {
        for word in ["", "x", "gpt-4", "nonsense", "models/mine", "\u{0}"] {
            assert_eq!(model(word), None, "{word}");
        }
        assert_eq!(nearest("paper", []), None);
        assert_eq!(did_you_mean("papr", ["veridic", "paper"]), " (did you mean `paper`?)");
        assert_eq!(did_you_mean("x", ["veridic", "paper"]), "");
    }
    #[test]
    fn a_slip_is_nearer_than_another_name() {
        let slip = |word| slip_of(word, ["claims", "document_sentences"]);
        for word in ["claims", "claim", "Claims", "cliams", "clains"] {
            assert_eq!(slip(word), Some("claims"), "{word}");
        }
        for word in ["document_sentance", "doc_sentences", "class", "label", "names", "aims", "sentences", ""]
        {
            let expected = (word == "document_sentance").then_some("document_sentences");
            assert_eq!(slip(word), expected, "{word}");
        }
    }
}

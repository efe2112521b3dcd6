//! Which known name a misspelt word most likely means. Refuses to guess where none is much like it.

/// How like a name must be (Jaro similarity, 0 to 1), small and capital letters alike.
const LEAST_LIKENESS: f64 = 0.75;

/// The name that is most like the word, the first of equals; none if no name is much like it.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let likeness = |name: &str| strsim::jaro(&word, &name.to_lowercase());
    let mut best: Option<(f64, &str)> = None;
    for (like, name) in names.into_iter().map(|name| (likeness(name), name)) {
        if like >= LEAST_LIKENESS && best.is_none_or(|(most, _)| like > most) {
            best = Some((like, name));
        }
    }
    best.map(|(_, name)| name)
}

/// ` (did you mean NAME?)`, or nothing, to stand behind the word in an error.
#[must_use]
pub fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifest;

    fn model(word: &str) -> Option<&'static str> {
        nearest(word, Manifest::get().names())
    }

    #[test]
    fn a_misspelt_name_is_found() {
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
    fn nothing_is_guessed_for_another_word() {
        for word in ["", "x", "gpt-4", "nonsense", "models/mine", "\u{0}"] {
            assert_eq!(model(word), None, "{word}");
        }
        assert_eq!(nearest("paper", []), None);
        assert_eq!(did_you_mean("papr", ["veridic", "paper"]), " (did you mean `paper`?)");
        assert_eq!(did_you_mean("x", ["veridic", "paper"]), "");
    }
}

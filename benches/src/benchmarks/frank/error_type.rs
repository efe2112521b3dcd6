//! The error types of FRANK's sentences, and the type that most annotators name. FineSurE's files hold an annotator's types
//! for all sentences in one list, in which a sentence may have several.

/// The types, in the order of FineSurE's table 2, each with its category in FineSurE's prompt: information that is not in
/// the document, a wrong entity, a wrong predicate (FRANK's RelE), a wrong circumstance such as place or time (FRANK's
/// CircE), wrong grammar, a wrong link between statements, a wrong antecedent.
pub(super) const TYPES: [(&str, &str); 7] = [
    ("OutE", "out-of-context"),
    ("EntE", "entity"),
    ("PredE", "predicate"),
    ("CirE", "circumstantial"),
    ("GramE", "grammatical"),
    ("LinkE", "linking"),
    ("CorefE", "coreference"),
];

/// The annotation of a sentence without error.
pub(super) const NO_ERROR: &str = "NoE";

/// Returns the type of an annotation, by FRANK's or FineSurE's name; `None` for other errors.
pub(super) fn annotated(name: &str) -> Option<&'static str> {
    let name = match name {
        "RelE" | "PreE" => "PredE",
        "CircE" => "CirE",
        "LinE" => "LinkE",
        "CoreE" => "CorefE",
        name => name,
    };
    TYPES.into_iter().map(|(known, _)| known).find(|known| *known == name)
}

/// Returns the type of an answer: a type's name in results, or a category of FineSurE's prompt, such as `entity error`.
pub(super) fn answered(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let name = name.strip_suffix(" error").unwrap_or(&name);
    TYPES.into_iter().find(|(_, category)| *category == name).map(|(known, _)| known)
}

/// Returns the type that more than half of the annotators, and more than any other type, name for a sentence. `named` holds
/// each annotator's names.
pub(super) fn agreed(named: &[Vec<String>]) -> Option<String> {
    let count = |error: &str| {
        named.iter().filter(|names| names.iter().any(|name| annotated(name) == Some(error))).count()
    };
    let counts = TYPES.map(|(error, _)| (error, count(error)));
    let most = counts.iter().map(|(_, count)| *count).max().filter(|most| 2 * most > named.len())?;
    let mut with_most =
        counts.into_iter().filter(|(_, count)| *count == most).map(|(error, _)| error.to_owned());
    with_most.next().filter(|_| with_most.next().is_none())
}

/// Splits an annotator's list for all sentences into the names of each sentence. A sentence without error has just NoE.
/// Between two such sentences, names are assigned only if there are as many as sentences, or one sentence; otherwise, and if
/// the list does not fit the labels, they are left out.
pub(super) fn by_sentence(labels: &[Option<bool>], names: &[String]) -> Vec<Vec<String>> {
    let mut of_sentences = vec![Vec::new(); labels.len()];
    let mut rest = names;
    let mut sentence = 0;
    while sentence < labels.len() {
        if labels[sentence] != Some(true) {
            let Some((NO_ERROR, after)) = rest.split_first().map(|(first, after)| (first.as_str(), after))
            else {
                return vec![Vec::new(); labels.len()];
            };
            of_sentences[sentence] = vec![NO_ERROR.to_owned()];
            (sentence, rest) = (sentence + 1, after);
            continue;
        }
        let wrong = labels[sentence..].iter().take_while(|label| **label == Some(true)).count();
        let found = rest.iter().take_while(|name| *name != NO_ERROR).count();
        let (own, after) = rest.split_at(found);
        if found < wrong {
            return vec![Vec::new(); labels.len()];
        } else if wrong == 1 {
            of_sentences[sentence] = own.to_vec();
        } else if found == wrong {
            for (place, name) in own.iter().enumerate() {
                of_sentences[sentence + place] = vec![name.clone()];
            }
        }
        (sentence, rest) = (sentence + wrong, after);
    }
    if rest.is_empty() { of_sentences } else { vec![Vec::new(); labels.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn agreed_type_is_that_of_most_annotators() {
        let agreed = |named: [&[&str]; 3]| agreed(&named.map(names)).unwrap_or_default();
        assert_eq!(agreed([&["EntE"], &["GramE"], &["EntE"]]), "EntE");
        assert_eq!(agreed([&["RelE", "OutE"], &["PredE"], &["NoE"]]), "PredE");
        assert_eq!(agreed([&["EntE"], &["GramE"], &["OutE"]]), "");
        assert_eq!(agreed([&["EntE", "OutE"], &["OutE", "EntE"], &["NoE"]]), "", "two types have two each");
        assert_eq!(agreed([&["OtherE"], &["OtherE"], &["OtherE"]]), "");
    }

    #[test]
    fn a_list_of_all_sentences_is_divided_where_it_can_be() {
        let divided = |labels: &[u8], list: &[&str]| -> Vec<String> {
            let labels: Vec<Option<bool>> = labels.iter().map(|label| Some(*label == 1)).collect();
            by_sentence(&labels, &names(list)).iter().map(|names| names.join("+")).collect()
        };
        assert_eq!(divided(&[1, 0, 1], &["GramE", "NoE", "EntE"]), ["GramE", "NoE", "EntE"]);
        assert_eq!(divided(&[0, 1, 0], &["NoE", "OutE", "EntE", "NoE"]), ["NoE", "OutE+EntE", "NoE"]);
        assert_eq!(divided(&[1, 1], &["OutE", "EntE"]), ["OutE", "EntE"]);
        // As in the authors' sample: three types for the first two sentences.
        assert_eq!(
            divided(&[1, 1, 0, 1], &["OutE", "EntE", "CircE", "NoE", "GramE"]),
            ["", "", "NoE", "GramE"]
        );
        assert_eq!(divided(&[1, 0], &["NoE", "NoE"]), ["", ""]);
        assert_eq!(divided(&[0], &["NoE", "EntE"]), [""]);
    }

    #[test]
    fn names_of_answers_are_those_of_results_and_prompts() {
        for (name, expected) in [
            ("Out-of-context error", Some("OutE")),
            ("circumstantial", Some("CirE")),
            ("linking error", Some("LinkE")),
            ("other error", None),
            ("no error", None),
        ] {
            assert_eq!(answered(name), expected, "{name}");
        }
    }
}

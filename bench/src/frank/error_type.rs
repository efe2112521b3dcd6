//! The types of errors in FRANK's sentences, and the type that most annotators name. FineSurE's files hold an
//! annotator's types of all sentences in one list, in which a sentence may have several.

use std::collections::BTreeMap;

use serde::Serialize;

/// A type of error, in the order of FineSurE's table 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum ErrorType {
    /// Information that is not in the document.
    OutE,
    /// A wrong entity.
    EntE,
    /// A wrong predicate: FRANK's RelE.
    PredE,
    /// A wrong circumstance, such as place or time: FRANK's CircE.
    CirE,
    /// It is not grammatical.
    GramE,
    /// A wrong link between statements.
    LinkE,
    /// A wrong antecedent.
    CorefE,
}

/// The annotation of a sentence without error.
pub(super) const NO_ERROR: &str = "NoE";

impl ErrorType {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::OutE, Self::EntE, Self::PredE, Self::CirE, Self::GramE, Self::LinkE, Self::CorefE];

    /// Its name in FineSurE's table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutE => "OutE",
            Self::EntE => "EntE",
            Self::PredE => "PredE",
            Self::CirE => "CirE",
            Self::GramE => "GramE",
            Self::LinkE => "LinkE",
            Self::CorefE => "CorefE",
        }
    }

    /// The type of an annotation, by FRANK's or FineSurE's name; None for other errors.
    pub(super) fn annotated(name: &str) -> Option<Self> {
        match name {
            "RelE" | "PreE" => Some(Self::PredE),
            "CircE" => Some(Self::CirE),
            "LinE" => Some(Self::LinkE),
            "CoreE" => Some(Self::CorefE),
            name => Self::ALL.into_iter().find(|known| known.name() == name),
        }
    }

    /// The type of an answer: the name of a type in results, or a category of FineSurE's prompt, such as `entity error`.
    pub(super) fn answered(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        match name.strip_suffix(" error").unwrap_or(&name) {
            "out-of-context" => Some(Self::OutE),
            "entity" => Some(Self::EntE),
            "predicate" => Some(Self::PredE),
            "circumstantial" => Some(Self::CirE),
            "grammatical" => Some(Self::GramE),
            "linking" => Some(Self::LinkE),
            "coreference" => Some(Self::CorefE),
            _ => None,
        }
    }
}

/// The type that more than half of the annotators name for a sentence, and more of them than any other. `named` has the
/// names of each annotator.
pub(super) fn agreed(named: &[Vec<String>]) -> Option<ErrorType> {
    let mut counts: BTreeMap<ErrorType, usize> = BTreeMap::new();
    for names in named {
        for error in ErrorType::ALL {
            if names.iter().any(|name| ErrorType::annotated(name) == Some(error)) {
                *counts.entry(error).or_default() += 1;
            }
        }
    }
    let most = counts.values().copied().max().filter(|most| 2 * most > named.len())?;
    let mut with_most = counts.into_iter().filter(|(_, count)| *count == most).map(|(error, _)| error);
    with_most.next().filter(|_| with_most.next().is_none())
}

/// The names of each sentence, from an annotator's list of all sentences. A sentence without error has NoE alone. Between
/// two such sentences names are told apart where there are as many as sentences, or one sentence; elsewhere, and in a
/// list that does not fit the labels, they are left out.
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
        let agreed = |named: [&[&str]; 3]| agreed(&named.map(names));
        assert_eq!(agreed([&["EntE"], &["GramE"], &["EntE"]]), Some(ErrorType::EntE));
        assert_eq!(agreed([&["RelE", "OutE"], &["PredE"], &["NoE"]]), Some(ErrorType::PredE));
        assert_eq!(agreed([&["EntE"], &["GramE"], &["OutE"]]), None);
        assert_eq!(agreed([&["EntE", "OutE"], &["OutE", "EntE"], &["NoE"]]), None, "two types have two each");
        assert_eq!(agreed([&["OtherE"], &["OtherE"], &["OtherE"]]), None);
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
            ("Out-of-context error", Some(ErrorType::OutE)),
            ("circumstantial", Some(ErrorType::CirE)),
            ("linking error", Some(ErrorType::LinkE)),
            ("other error", None),
            ("no error", None),
        ] {
            assert_eq!(ErrorType::answered(name), expected, "{name}");
        }
    }
}

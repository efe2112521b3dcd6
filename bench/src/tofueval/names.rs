//! TofuEval's names: its two corpora, its two kinds of topics, its systems. Names that are none of them are refused.

use serde::Serialize;

use crate::fields;

/// The five systems of the paper, whose names the authors took away; which is which differs from topic to topic.
const SYSTEMS: [&str; 5] = ["model_A", "model_B", "model_C", "model_D", "model_E"];

/// The system that the authors added later.
pub(super) const EXTRA: &str = "Model-Extra";

/// The corpus of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dataset {
    /// Interviews of NPR and CNN (Zhu et al. 2021).
    MediaSum,
    /// Meetings of city councils (Hu et al. 2023).
    MeetingBank,
}

impl Dataset {
    /// Both.
    pub const ALL: [Self; 2] = [Self::MediaSum, Self::MeetingBank];

    /// Its name in the authors' files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MediaSum => "mediasum",
            Self::MeetingBank => "meetingbank",
        }
    }

    /// Where its transcripts are.
    pub(super) fn home(self) -> &'static str {
        match self {
            Self::MediaSum => "news_dialogue.json of github.com/zcgzcgzcg1/MediaSum",
            Self::MeetingBank => {
                "meetingbank.github.io, or lytang/MeetingBank-transcript on the Hugging Face hub"
            }
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dataset| dataset.name().eq_ignore_ascii_case(name))
    }

    /// The corpus that a file's name tells, such as `mediasum_factual_eval_dev.csv`.
    #[must_use]
    pub fn of_file(path: &str) -> Option<Self> {
        words(path).find_map(Self::named)
    }
}

/// How much a dialogue is about a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TopicKind {
    /// It is central.
    Main,
    /// It is touched.
    Marginal,
}

impl TopicKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Main, Self::Marginal];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Marginal => "marginal",
        }
    }
}

/// A system's name, if there is one of that name.
pub(super) fn system(name: &str) -> Result<String, String> {
    if name == EXTRA || SYSTEMS.contains(&name) {
        return Ok(name.to_owned());
    }
    let (name, known) = (fields::short(name), SYSTEMS.join(", "));
    Err(format!("field `model_name` is {name}: TofuEval's systems are {known} and {EXTRA}"))
}

/// The words of a file's name.
pub(super) fn words(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.split(|c: char| !c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_tells_its_corpus() {
        for (path, expected) in [
            ("factual_consistency/mediasum_factual_eval_dev.csv", Some(Dataset::MediaSum)),
            ("MeetingBank.topics.json", Some(Dataset::MeetingBank)),
            ("mediasum/rows.csv", None),
        ] {
            assert_eq!(Dataset::of_file(path), expected, "{path}");
        }
    }

    #[test]
    fn only_the_papers_systems_are_known() {
        assert!(system("model_E").is_ok() && system("Model-Extra").is_ok());
        for name in ["model_F", "Model_A", "gpt-4"] {
            let error = system(name).unwrap_err();
            assert!(
                error.contains(name) && error.contains("model_A") && error.contains("Model-Extra"),
                "{error}"
            );
        }
    }
}

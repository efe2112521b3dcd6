//! TofuEval's names: its two corpora, its two kinds of topics, its systems. Other names are refused.

use serde::Serialize;

use veridic::named;

/// The five systems of the paper, anonymized by the authors; which is which differs from topic to topic.
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

named!(Dataset, "dataset", { MediaSum = "mediasum", MeetingBank = "meetingbank" });

/// How central a topic is to a dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TopicKind {
    /// A central topic.
    Main,
    /// A topic that is only touched upon.
    Marginal,
}

named!(TopicKind, "kind of topic", { Main = "main", Marginal = "marginal" });

impl Dataset {
    /// Where to get its transcripts.
    pub(super) fn source(self) -> &'static str {
        match self {
            Self::MediaSum => "news_dialogue.json of github.com/zcgzcgzcg1/MediaSum",
            Self::MeetingBank => {
                "meetingbank.github.io, or lytang/MeetingBank-transcript on the Hugging Face hub"
            }
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        name.to_ascii_lowercase().parse().ok()
    }

    /// The corpus that a file's name holds, such as `mediasum_factual_eval_dev.csv`.
    pub(super) fn of_file(path: &str) -> Option<Self> {
        words(path).find_map(Self::named)
    }
}

/// Checks a system's name.
pub(super) fn system(name: &str) -> Result<String, String> {
    if name == EXTRA || SYSTEMS.contains(&name) {
        return Ok(name.to_owned());
    }
    let known = SYSTEMS.join(", ");
    Err(format!("field `model_name` must be one of TofuEval's systems: {known} or {EXTRA}"))
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
    fn file_name_gives_the_corpus() {
        for (path, expected) in [
            ("factual_consistency/mediasum_factual_eval_dev.csv", Some(Dataset::MediaSum)),
            ("MeetingBank.topics.json", Some(Dataset::MeetingBank)),
            ("mediasum/rows.csv", None),
        ] {
            assert_eq!(Dataset::of_file(path), expected, "{path}");
        }
    }

    #[test]
    fn unknown_system_is_an_error() {
        assert!(system("model_E").is_ok() && system("Model-Extra").is_ok());
        for name in ["model_F", "Model_A", "gpt-4"] {
            let error = system(name).unwrap_err();
            assert!(error.contains("model_A") && error.contains("Model-Extra"), "{error}");
        }
    }
}

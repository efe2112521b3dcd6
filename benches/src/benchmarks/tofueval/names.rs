//! TofuEval's names: its two corpora, its two kinds of topics, its systems. Other names are refused.

/// The five systems of the paper, anonymized by the authors; which is which differs from topic to topic.
const SYSTEMS: [&str; 5] = ["model_A", "model_B", "model_C", "model_D", "model_E"];

/// The system that the authors added later.
pub(super) const EXTRA: &str = "Model-Extra";

/// The corpora of transcripts, interviews of NPR and CNN (Zhu et al. 2021) and meetings of city councils (Hu et al. 2023),
/// each with where to get its transcripts.
pub(super) const DATASETS: [(&str, &str); 2] = [
    ("mediasum", "news_dialogue.json of github.com/zcgzcgzcg1/MediaSum"),
    ("meetingbank", "meetingbank.github.io, or lytang/MeetingBank-transcript on the Hugging Face hub"),
];

/// How central a topic is to a dialogue.
pub(super) const TOPICS: [&str; 2] = [MAIN, "marginal"];

pub(super) const MAIN: &str = "main";

pub(super) fn dataset(name: &str) -> Option<&'static str> {
    DATASETS.into_iter().map(|(known, _)| known).find(|known| name.eq_ignore_ascii_case(known))
}

/// Returns the corpus in a file's name, such as `mediasum_factual_eval_dev.csv`.
pub(super) fn dataset_of_file(path: &str) -> Option<&'static str> {
    words(path).find_map(dataset)
}

pub(super) fn system(name: &str) -> Result<String, String> {
    if name == EXTRA || SYSTEMS.contains(&name) {
        return Ok(name.to_owned());
    }
    let known = SYSTEMS.join(", ");
    Err(format!("field `model_name` must be one of TofuEval's systems: {known} or {EXTRA}"))
}

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
            ("factual_consistency/mediasum_factual_eval_dev.csv", Some("mediasum")),
            ("MeetingBank.topics.json", Some("meetingbank")),
            ("mediasum/rows.csv", None),
        ] {
            assert_eq!(dataset_of_file(path), expected, "{path}");
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

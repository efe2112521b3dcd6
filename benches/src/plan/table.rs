//! The settings of metrics, by key: what is measured, its inputs, and the language model that answers steps.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use veridic::settings::{
    Given, Row, Setting, between, number, off_or, off_or_text, parsed, switch, switch_text,
};

use crate::metrics::KeyFactsFrom;
use crate::metrics::sumautoeval::AlignmentRule;
use crate::metrics::summac_conv::NliLabels;

/// The metrics besides the claims, and their inputs.
#[derive(Debug, Clone, Default)]
pub struct MetricSettings {
    /// Names of metrics, each `NAME` or `NAME:AXIS,AXIS`; `all` is every metric for which a row has the texts.
    pub metric: Vec<String>,
    /// The source of FineSurE's key facts.
    pub key_facts: KeyFacts,
    /// The topic of summaries, for the metric `relevance`; by default each row's field `topic`.
    pub topic: Option<String>,
    /// How SumAutoEval's two checks of a section are combined.
    pub alignment_rule: AlignmentRule,
    /// The model whose tokenizer counts the budget; the NLI model by default.
    pub budget_tokenizer: Option<String>,
    /// BERTScore's encoder: a name, a folder or a hub id.
    pub bertscore_model: Option<String>,
    /// The layer of BERTScore's encoder; 0 is the embeddings.
    pub bertscore_layer: Option<usize>,
    /// The file of sentences, one per line, that weight BERTScore's tokens.
    pub bertscore_idf: Option<PathBuf>,
    /// The file of SummaC-Conv's weights.
    pub summac_conv: Option<PathBuf>,
    /// The relations for which SummaC-Conv's weights have a histogram.
    pub summac_labels: NliLabels,
    /// A file of a language model's answers, for claims and metrics that ask one.
    pub answers: Option<PathBuf>,
    /// The server that answers, and its request settings.
    pub judge: JudgeSettings,
    /// The wording of requests, instead of ours: `[STEP=]FILE`.
    pub prompt_templates: Vec<String>,
}

/// A server of chat completions, and its request settings.
#[derive(Debug, Clone)]
pub struct JudgeSettings {
    /// The URL of its OpenAI-compatible API.
    pub url: Option<String>,
    /// The server's model.
    pub model: Option<String>,
    /// Whether it may be on another machine.
    pub remote: bool,
    /// The number of concurrent requests.
    pub concurrency: NonZeroUsize,
    /// How often TofuEval's questions are asked.
    pub runs: u32,
    /// The sampling temperature.
    pub temperature: f32,
    /// The token limit of an answer, instead of each step's own.
    pub max_tokens: Option<NonZeroU32>,
}

/// The source of FineSurE's key facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFacts {
    /// One of the library's sources.
    From(KeyFactsFrom),
    /// A text file, one fact per line, for the single summary of `veridic score`.
    File(PathBuf),
}

impl Default for KeyFacts {
    fn default() -> Self {
        Self::From(KeyFactsFrom::Row)
    }
}

impl Default for JudgeSettings {
    fn default() -> Self {
        Self {
            url: None,
            model: None,
            remote: false,
            concurrency: NonZeroUsize::new(4).expect("4 is not 0"),
            runs: 1,
            temperature: 0.0,
            max_tokens: None,
        }
    }
}

impl MetricSettings {
    /// Parses the given settings.
    ///
    /// # Errors
    /// If a key does not accept its value.
    pub fn of(given: &Given) -> veridic::Result<Self> {
        let mut settings = Self::default();
        Row::apply(METRICS, given, &mut settings)?;
        Ok(settings)
    }
}

/// All settings: those of the library, then those of metrics.
pub fn all() -> impl Iterator<Item = &'static Setting> {
    veridic::plan::all_settings().chain(METRICS.iter().map(|row| &row.setting))
}

/// The setting of a key.
pub fn find(key: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.key == key)
}

/// The setting of a key.
///
/// # Errors
/// When there is none.
pub fn known(key: &str) -> veridic::Result<&'static Setting> {
    veridic::settings::known(all(), key)
}

/// Every key of the metrics.
pub(super) const METRICS: &[Row<MetricSettings>] = &[
    Row {
        setting: metric(
            "metric",
            "NAME[:AXIS]",
            "Metric [default: fenice]; may be given several times",
            "fenice (claims), finesure, summac-zs, summac-conv, menli, alignscore, nli-sent, rouge, rouge-stemmed, bertscore, \
             relevance, key-points, sumautoeval, each also as NAME:AXIS,AXIS; all: every metric that a row has the texts for. \
             rating and tofueval are computed by a language model and need answers or judge. In a setting, a semicolon separates \
             metrics.",
        ),
        read: |metrics, text| {
            metrics.metric =
                text.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
            Ok(())
        },
        show: |metrics| metrics.metric.join(";"),
    },
    Row {
        setting: metric(
            "key_facts",
            "FROM",
            "Key facts: row, reference, document or FILE",
            "FineSurE's. row: the row's field key_facts; reference: claims of its reference; document: claims of the document's \
             most central sentences, an approximation; for `score` also a text file, one fact per line.",
        ),
        read: |metrics, text| {
            metrics.key_facts = match text.parse() {
                Ok(from) => KeyFacts::From(from),
                Err(_) => KeyFacts::File(text.into()),
            };
            Ok(())
        },
        show: |metrics| match &metrics.key_facts {
            KeyFacts::From(from) => from.name().to_owned(),
            KeyFacts::File(file) => file.display().to_string(),
        },
    },
    Row {
        setting: metric(
            "topic",
            "TEXT",
            "What summaries should be about, for the metric relevance",
            "The default is each row's field topic.",
        ),
        read: |metrics, text| {
            metrics.topic = Some(text.to_owned()).filter(|topic| !topic.is_empty());
            Ok(())
        },
        show: |metrics| metrics.topic.clone().unwrap_or_default(),
    },
    Row {
        setting: metric(
            "alignment_rule",
            "any|all",
            "How SumAutoEval's two checks of a section are combined",
            "any: one suffices; all: both must hold.",
        ),
        read: |metrics, text| parsed(&mut metrics.alignment_rule, text),
        show: |metrics| metrics.alignment_rule.to_string(),
    },
    Row {
        setting: metric(
            "budget_tokenizer",
            "MODEL",
            "Model whose tokenizer counts the budget [default: NLI model]",
            "A name, a folder or a hub id; only its tokenizer is needed.",
        ),
        read: |metrics, text| off_or(&mut metrics.budget_tokenizer, text, own),
        show: |metrics| off_or_text(metrics.budget_tokenizer.as_ref()),
    },
    Row {
        setting: metric(
            "bertscore_model",
            "MODEL",
            "BERTScore's encoder: a name, a folder or a hub id",
            "BERT, RoBERTa, MPNet, ALBERT, ModernBERT or DeBERTa, pulled before. The default is bertscore \
             (FacebookAI/roberta-large) for the metric, and the NLI model for extracts. The metric all leaves BERTScore out \
             unless one of its settings is given.",
        ),
        read: |metrics, text| off_or(&mut metrics.bertscore_model, text, own),
        show: |metrics| off_or_text(metrics.bertscore_model.as_ref()),
    },
    Row {
        setting: metric(
            "bertscore_layer",
            "N",
            "The layer whose vectors are compared; 0 is the embeddings",
            "By default the layer published as the model's best, 17 for bertscore; else the last.",
        ),
        read: |metrics, text| off_or(&mut metrics.bertscore_layer, text, |text| number(text, 0)),
        show: |metrics| off_or_text(metrics.bertscore_layer.as_ref()),
    },
    Row {
        setting: metric(
            "bertscore_idf",
            "FILE",
            "Sentences, one per line, that weight BERTScore's tokens",
            "A token in many of the sentences has a low weight.",
        ),
        read: |metrics, text| off_or(&mut metrics.bertscore_idf, text, path),
        show: |metrics| path_text(metrics.bertscore_idf.as_ref()),
    },
    Row {
        setting: metric(
            "summac_conv",
            "FILE",
            "File of SummaC-Conv's weights, for the metric summac-conv",
            "A checkpoint of its authors' program, such as summac_conv_vitc_sent_perc_e.bin of github.com/tingofurro/summac, which was fitted to the NLI model tals/albert-xlarge-vitaminc-mnli.",
        ),
        read: |metrics, text| off_or(&mut metrics.summac_conv, text, path),
        show: |metrics| path_text(metrics.summac_conv.as_ref()),
    },
    Row {
        setting: metric(
            "summac_labels",
            "LABELS",
            "The weights' relations: e, c, n, ec, ... [default: e]",
            "e: entailment, c: contradiction, n: neutral; ec, en, cn, ecn.",
        ),
        read: |metrics, text| parsed(&mut metrics.summac_labels, text),
        show: |metrics| metrics.summac_labels.to_string(),
    },
    Row {
        setting: metric(
            "answers",
            "FILE",
            "File of a language model's answers",
            "Matched by the ids of the requests, which `veridic-bench prompts` writes. The metrics finesure, sumautoeval, rating and \
             tofueval then use the answers, and the claims `answers` do. With judge the file is read and extended.",
        ),
        read: |metrics, text| off_or(&mut metrics.answers, text, path),
        show: |metrics| path_text(metrics.answers.as_ref()),
    },
    Row {
        setting: metric(
            "judge",
            "URL",
            "Server that answers: the URL of an OpenAI-compatible API",
            "Such as http://localhost:8000/v1 of llama.cpp, vLLM or Ollama. Documents and summaries are sent to it, and nowhere \
             else.",
        ),
        read: |metrics, text| off_or(&mut metrics.judge.url, text, own),
        show: |metrics| off_or_text(metrics.judge.url.as_ref()),
    },
    Row {
        setting: metric("judge_model", "NAME", "The server's model", ""),
        read: |metrics, text| off_or(&mut metrics.judge.model, text, own),
        show: |metrics| off_or_text(metrics.judge.model.as_ref()),
    },
    Row {
        setting: metric(
            "judge_remote",
            "on|off",
            "Allow judge to send texts to another machine",
            "Without it, only addresses of this machine are accepted. The environment variable VERIDIC_JUDGE_KEY has the key, if \
             the server needs one.",
        ),
        read: |metrics, text| switch(&mut metrics.judge.remote, text),
        show: |metrics| switch_text(metrics.judge.remote),
    },
    Row {
        setting: metric("judge_concurrency", "N", "Requests at a time [default: 4]", ""),
        read: |metrics, text| parsed(&mut metrics.judge.concurrency, text).map_err(|_| WHOLE.to_owned()),
        show: |metrics| metrics.judge.concurrency.to_string(),
    },
    Row {
        setting: metric(
            "judge_runs",
            "N",
            "How many times TofuEval's questions are asked",
            "Each run sends separate requests. The score is the mean over runs.",
        ),
        read: |metrics, text| {
            let runs = text.parse().ok().filter(|runs| (1..=100).contains(runs));
            metrics.judge.runs = runs.ok_or_else(|| "give a whole number from 1 to 100".to_owned())?;
            Ok(())
        },
        show: |metrics| metrics.judge.runs.to_string(),
    },
    Row {
        setting: metric("judge_temperature", "T", "Temperature to answer with [default: 0]", ""),
        read: |metrics, text| between(&mut metrics.judge.temperature, text, 0.0..=2.0),
        show: |metrics| metrics.judge.temperature.to_string(),
    },
    Row {
        setting: metric(
            "judge_max_tokens",
            "N",
            "Maximum tokens of an answer, instead of each step's default",
            "An answer that reaches the limit is incomplete and is discarded. Models that reason before they answer need several \
             thousand.",
        ),
        read: |metrics, text| {
            off_or(&mut metrics.judge.max_tokens, text, |text| text.parse().map_err(|_| WHOLE.to_owned()))
        },
        show: |metrics| off_or_text(metrics.judge.max_tokens.as_ref()),
    },
    Row {
        setting: metric(
            "prompt_template",
            "[STEP=]FILE",
            "Custom wording of a step's requests; may be repeated",
            "Such as finesure:facts=FILE; a metric with one step needs no name. The file has {{document}}, {{sentences}} and so \
             on where texts go, and may have lines [system], [user] and [assistant] that begin messages. \
             docs/how-to/language-models.md lists steps and fields. In a setting, a semicolon separates files.",
        ),
        read: |metrics, text| {
            metrics.prompt_templates =
                text.split(';').map(|file| file.trim().to_owned()).filter(|file| !file.is_empty()).collect();
            Ok(())
        },
        show: |metrics| metrics.prompt_templates.join(";"),
    },
];

const WHOLE: &str = "give a whole number from 1 on";

const fn metric(key: &'static str, value: &'static str, about: &'static str, more: &'static str) -> Setting {
    Setting { key, value, about, more, has_flag: true, group: "Metrics" }
}

fn own(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

fn path(text: &str) -> Result<PathBuf, String> {
    Ok(text.into())
}

fn path_text(path: Option<&PathBuf>) -> String {
    path.map_or_else(|| "off".to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_read_back_from_its_text() {
        let (value, mut same) = (MetricSettings::default(), MetricSettings::default());
        for row in METRICS {
            let text = (row.show)(&value);
            (row.read)(&mut same, &text).unwrap_or_else(|expected| panic!("{}: {expected}", row.setting.key));
            assert_eq!((row.show)(&same), text);
        }
    }

    #[test]
    fn the_reference_page_has_every_key_with_its_value_and_line() {
        let page = include_str!("../../../docs/reference/settings.md");
        for Setting { key, value, about, .. } in METRICS.iter().map(|row| &row.setting) {
            let row = format!("| `{key}` | `{}` | {about} |", value.replace('|', "\\|"));
            assert!(page.contains(&row), "docs/reference/settings.md lacks this row:\n{row}");
        }
    }

    #[test]
    fn keys_are_unique() {
        let mut keys: Vec<&str> = all().map(|setting| setting.key).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}

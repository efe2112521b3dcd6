//! Flags of language models, for the steps that papers ask one.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use veridic::llm::Step;

/// The wording of a step.
#[derive(Debug, Clone)]
pub(crate) struct PromptTemplate {
    /// None: the step of the metric that has only one.
    pub(crate) step: Option<Step>,
    pub(crate) file: PathBuf,
}

impl FromStr for PromptTemplate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((step, file)) => {
                let step = step.parse().map_err(|error: veridic::internal::UnknownName| error.to_string())?;
                Ok(Self { step: Some(step), file: file.into() })
            }
            None => Ok(Self { step: None, file: text.into() }),
        }
    }
}

/// How requests to a language model are worded.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WordingArgs {
    /// Wording of a step's requests, instead of ours: [STEP=]FILE
    ///
    /// Such as finesure:facts=FILE; a metric with one step needs no name. The file has {{document}}, {{sentences}} and so on
    /// where texts go, and may have lines [system], [user] and [assistant] that begin messages. docs/how-to/language-models.md
    /// lists steps and fields.
    #[arg(long = "prompt-template", value_name = "[STEP=]FILE", help_heading = "Language model")]
    pub(crate) templates: Vec<PromptTemplate>,
    /// How often TofuEval's questions are asked
    ///
    /// Each run has requests of its own. The score is the mean over runs.
    #[arg(long = "judge-runs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Language model")]
    pub(crate) runs: u32,
    /// Temperature to answer with
    #[arg(long = "judge-temperature", value_name = "T", default_value_t = 0.0, value_parser = temperature, help_heading = "Language model")]
    pub(crate) temperature: f32,
    /// Most tokens of an answer, instead of each step's own number
    ///
    /// An answer that is cut at the limit cannot be read, and is not kept. Models that reason before they answer need several thousand.
    #[arg(
        id = "judge_max_tokens",
        long = "judge-max-tokens",
        value_name = "N",
        help_heading = "Language model"
    )]
    pub(crate) max_tokens: Option<NonZeroU32>,
}

/// What answers the steps that papers ask a language model.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct AskingArgs {
    /// File of a language model's answers
    ///
    /// Matched by the ids of the requests, which `veridic prompts` writes. The metrics finesure, sumautoeval, rating and tofueval
    /// then use the answers, and --claims answers does. With --judge the file is read and extended.
    #[arg(long, value_name = "FILE", help_heading = "Language model")]
    pub(crate) answers: Option<PathBuf>,
    /// Server that answers: the URL of an OpenAI-compatible API
    ///
    /// Such as http://localhost:8000/v1 of llama.cpp, vLLM or Ollama. Documents and summaries are sent there, and nowhere else.
    #[arg(long, value_name = "URL", requires = "judge_model", help_heading = "Language model")]
    pub(crate) judge: Option<String>,
    /// The server's model
    #[arg(long, value_name = "NAME", requires = "judge", help_heading = "Language model")]
    pub(crate) judge_model: Option<String>,
    /// Allow --judge to send texts to another machine
    ///
    /// Without it, only addresses of this machine are accepted. The environment variable VERIDIC_JUDGE_KEY has the key, if the
    /// server needs one.
    #[arg(long, requires = "judge", help_heading = "Language model")]
    pub(crate) judge_remote: bool,
    /// Requests at a time
    #[arg(long, value_name = "N", default_value = "4", requires = "judge", help_heading = "Language model")]
    pub(crate) judge_concurrency: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) wording: WordingArgs,
}

fn temperature(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=2.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 2".to_owned()),
    }
}

//! The steps of published evaluators that a chat model answers. Nothing here sends anything: a [`ChatModel`] is a file of
//! answers, a list of requests to be answered elsewhere, or a server that the caller reaches.
//!
//! `step` lists the steps, `templates` has their wording, `request` is what is asked, `answers` reads a file of replies,
//! `collector` writes requests, `language_model` asks and counts, and `literal` reads the lists in a reply.

mod answers;
mod collector;
mod language_model;
pub(crate) mod literal;
mod request;
mod step;
mod templates;

pub use self::answers::{AnswerLine, Answers, AnswersError};
pub use self::collector::{Collected, Collector};
pub use self::language_model::{LanguageModel, StepCounts, Unparsable};
pub use self::request::{Message, Request, RequestId, RequestLayout, Role};
pub use self::step::Step;
pub use self::templates::{TemplateError, Templates};

use crate::schedule::OnEvent;

/// Replies to requests.
pub trait ChatModel: Send + Sync {
    /// What its replies depend on beside the requests, as text: the digest of a file, or a model's name.
    fn stamp(&self) -> String;

    /// A reply to each request, in their order. When `on_event` ends the work, the rest are [`Reply::Stopped`].
    fn reply(&self, requests: &[Request], on_event: &OnEvent<'_>) -> Vec<Reply>;

    /// What there is to say about the replies so far, such as their cost, each one line for a person.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Its text.
    Text(String),
    /// There is none.
    Missing,
    /// The model refused or could not be reached, and why.
    Failed(String),
    /// The work was ended before.
    Stopped,
}

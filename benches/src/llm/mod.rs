//! The steps of published evaluators that a chat model answers. Nothing here sends anything: a [`ChatModel`] is a file of
//! answers, a list of requests to be answered elsewhere, or a server that the caller reaches.
//!
//! `chat_model` is what answers, `step` lists the steps, `templates` holds their wording, `request` defines requests, `answers` reads a file of replies,
//! `collector` writes requests, `language_model` asks and counts, `literal` parses the lists in a reply, and `wording`
//! formats texts for requests.

mod answers;
mod chat_model;
mod claims;
mod collector;
mod language_model;
pub(crate) mod literal;
mod no_answer;
mod parsed;
mod request;
mod step;
mod templates;
pub(crate) mod wording;

pub use self::answers::{AnswerLine, Answers, AnswersError};
pub use self::chat_model::{ChatModel, Reply};
pub use self::collector::{Collected, Collector};
pub use self::language_model::{LanguageModel, StepCounts};
pub use self::no_answer::NoAnswer;
pub use self::parsed::{Parsed, Unparsable};
pub use self::request::{Message, Request, RequestId, RequestLayout, Role};
pub use self::step::Step;
pub use self::templates::{TemplateError, Templates};

//! The wording of requests: ours, based on the papers' descriptions of their prompts, or the caller's own.
//!
//! A template is a text with `{{field}}` in place of each input. Lines `[system]`, `[user]` and `[assistant]` begin
//! messages; without them the whole text is a user message.

use std::collections::BTreeMap;
use std::sync::Arc;

use veridic_models::store::quoting::short_id;

use super::request::{Message, Request, RequestId, Role, digest};
use super::step::{Spec, Step};

/// An unusable template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A required field is missing.
    #[error("the template of {step} does not name {{{{{field}}}}}, which every request of it needs")]
    Lacks {
        /// The step.
        step: Step,
        /// The field.
        field: &'static str,
    },
    /// It names a field that the step lacks.
    #[error("the template of {step} names {{{{{field}}}}}, and has only {known}")]
    Unknown {
        /// The step.
        step: Step,
        /// The field.
        field: String,
        /// The fields of the step.
        known: String,
    },
    /// It is empty.
    #[error("the template of {0} has no message of a user")]
    Empty(Step),
}

#[derive(Debug, Clone)]
struct Template {
    text: String,
    digest: String,
    /// The messages, with the names of fields.
    messages: Vec<Message>,
    is_ours: bool,
}

/// A template for every step.
#[derive(Debug, Clone)]
pub struct Templates {
    all: Arc<BTreeMap<Step, Template>>,
}

impl Default for Templates {
    /// Returns our templates.
    fn default() -> Self {
        let ours = |step: Step| (step, Template::parse(step.spec().template, true));
        Self { all: Arc::new(Step::ALL.into_iter().map(ours).collect()) }
    }
}

impl Templates {
    /// Replaces the template of a step.
    ///
    /// # Errors
    /// If it lacks a required field, or names a field that the step lacks.
    pub fn with(mut self, step: Step, text: &str) -> Result<Self, TemplateError> {
        let template = Template::parse(text, false);
        template.check(step)?;
        Arc::make_mut(&mut self.all).insert(step, template);
        Ok(self)
    }

    /// Returns the digests of the templates of these steps, as text.
    pub(super) fn stamp(&self, steps: &[Step]) -> String {
        let of = |step: &Step| format!("{step}={}", self.all[step].digest);
        steps.iter().map(of).collect::<Vec<_>>().join(" ")
    }

    /// Creates a request of a step with these fields.
    pub(super) fn request(&self, step: Step, fields: &[(&str, &str)], run: u32, temperature: f32) -> Request {
        let template = &self.all[&step];
        Request {
            id: RequestId::of(&template.text, step, fields, run, temperature),
            step,
            run,
            messages: template.fill(fields),
            template: template.digest.clone(),
            temperature,
            max_tokens: step.spec().reply.max_tokens(),
            json: template.is_ours && step.spec().reply.is_json(),
        }
    }
}

impl Template {
    fn parse(text: &str, is_ours: bool) -> Self {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let mut messages: Vec<Message> = Vec::new();
        for line in text.split_inclusive('\n') {
            match (role(line.trim_end()), messages.last_mut()) {
                (Some(role), _) => messages.push(Message { role, content: String::new() }),
                (None, Some(message)) => message.content.push_str(line),
                (None, None) => messages.push(Message { role: Role::User, content: line.to_owned() }),
            }
        }
        messages.retain(|message| !message.content.trim().is_empty());
        messages.iter_mut().for_each(|message| message.content = message.content.trim().to_owned());
        Self { digest: digest(&text), text, messages, is_ours }
    }

    /// The names of the fields in all messages.
    fn fields(&self) -> Vec<String> {
        let mut names = Vec::new();
        for message in &self.messages {
            replaced(&message.content, |name| {
                names.push(name.to_owned());
                ""
            });
        }
        names
    }

    fn check(&self, step: Step) -> Result<(), TemplateError> {
        let Spec { required, optional, .. } = step.spec();
        let known = [required, optional].concat();
        let named = self.fields();
        if let Some(field) = named.iter().find(|field| !known.contains(&field.as_str())) {
            let known = known.iter().map(|field| format!("{{{{{field}}}}}")).collect::<Vec<_>>().join(", ");
            return Err(TemplateError::Unknown { step, field: short_id(field).to_owned(), known });
        }
        if let Some(field) = required.iter().find(|field| !named.iter().any(|named| named == *field)) {
            return Err(TemplateError::Lacks { step, field });
        }
        let asks = self.messages.iter().any(|message| message.role == Role::User);
        if asks { Ok(()) } else { Err(TemplateError::Empty(step)) }
    }

    fn fill(&self, fields: &[(&str, &str)]) -> Vec<Message> {
        let value =
            |name: &str| fields.iter().find(|(field, _)| *field == name).map_or("", |(_, text)| *text);
        let filled =
            |Message { role, content }: &Message| Message { role: *role, content: replaced(content, value) };
        self.messages.iter().map(filled).collect()
    }
}

fn role(line: &str) -> Option<Role> {
    match line.to_ascii_lowercase().as_str() {
        "[system]" => Some(Role::System),
        "[user]" => Some(Role::User),
        "[assistant]" => Some(Role::Assistant),
        _ => None,
    }
}

/// Replaces the fields of a template by their values. Braces around anything but words are text, since prompts contain
/// examples of JSON.
fn replaced<'v>(template: &str, mut value: impl FnMut(&str) -> &'v str) -> String {
    let (mut rest, mut text) = (template, String::new());
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        match after.split_once("}}").filter(|(name, _)| is_name(name.trim())) {
            Some((name, after)) => {
                text.push_str(value(name.trim()));
                rest = after;
            }
            None => {
                text.push_str("{{");
                rest = after;
            }
        }
    }
    text + rest
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || " _-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_templates_name_what_their_steps_have() {
        for (step, template) in Templates::default().all.iter() {
            assert_eq!(template.check(*step), Ok(()));
            let (spec, named) = (step.spec(), template.fields());
            let mut known = spec.required.iter().chain(spec.optional);
            assert!(known.all(|field| named.iter().any(|named| named == field)), "{step}: {named:?}");
        }
    }

    #[test]
    fn texts_are_filled_in_once() {
        let templates = Templates::default()
            .with(
                Step::TofuEvalSummary,
                "[system]\nBe { brief }.\n[user]\n{{document}}\n\nSummary: {{ summary }} {{}} {{\"a\": {1}}}",
            )
            .unwrap();
        let fields = [("document", "a {{summary}} b"), ("summary", "c")];
        let request = templates.request(Step::TofuEvalSummary, &fields, 1, 0.0);
        let said: Vec<(Role, &str)> = request.messages.iter().map(|m| (m.role, m.content.as_str())).collect();
        assert_eq!(
            said,
            [
                (Role::System, "Be { brief }."),
                (Role::User, "a {{summary}} b\n\nSummary: c {{}} {{\"a\": {1}}}")
            ]
        );
        assert!(!request.json);
    }

    #[test]
    fn templates_that_cannot_work_are_refused() {
        let refusal =
            |text: &str| Templates::default().with(Step::TofuEvalSummary, text).unwrap_err().to_string();
        assert!(refusal("{{document}}").contains("does not name {{summary}}"));
        assert!(
            refusal("{{document}} {{summary}} {{claim}}")
                .contains("names {{claim}}, and has only {{document}}, {{summary}}")
        );
        for odd in ["Summary", "the summary", "text-x", "summary.text"] {
            let error = refusal(&format!("{{{{document}}}} {{{{summary}}}} {{{{{odd}}}}}"));
            assert!(error.contains(&format!("names {{{{{odd}}}}}")), "{error}");
        }
        assert!(refusal("[system]\n{{document}} {{summary}}").contains("no message of a user"));
    }
}

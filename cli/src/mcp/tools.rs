//! The tools: their names, descriptions, and the JSON schemas of their arguments and answers.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

/// The tool that checks a text against its sources.
pub(super) const CHECK: &str = "check";

/// The tool that extracts the claims of a text.
pub(super) const EXTRACT_CLAIMS: &str = "extract_claims";

/// The names of all tools.
pub(super) const NAMES: [&str; 2] = [CHECK, EXTRACT_CLAIMS];

/// The JSON schemas, keyed by tool name.
const SCHEMAS: &str = include_str!("assets/schemas.json");

const CHECK_DESCRIPTION: &str = "Checks, claim by claim, whether a text is supported by its sources. For each claim: a verdict \
(supported, contradicted or unsupported), the passage of the sources that decides it with the source's id and place, and, \
where the sources say something else, what they say instead. It compares texts and knows no facts of its own.";

/// Tells the language model that texts stay on this machine.
const IS_LOCAL: &str = " Runs locally.";

const EXTRACT_DESCRIPTION: &str = "The claims of a text, with their places in it, without checking them.";

/// Returns the tools with their schemas.
pub(super) fn all() -> Vec<Tool> {
    vec![
        tool(CHECK, "Check a text against its sources", format!("{CHECK_DESCRIPTION}{IS_LOCAL}")),
        tool(EXTRACT_CLAIMS, "The claims of a text", format!("{EXTRACT_DESCRIPTION}{IS_LOCAL}")),
    ]
}

fn tool(name: &'static str, title: &str, description: String) -> Tool {
    // Read-only, not destructive, idempotent, no access to the outside.
    let annotations = ToolAnnotations::from_raw(None, Some(true), Some(false), Some(true), Some(false));
    Tool::new(name, description, schema(name, "arguments"))
        .with_title(title)
        .with_raw_output_schema(schema(name, "answer"))
        .annotate(annotations)
}

fn schema(name: &str, of: &str) -> Arc<JsonObject> {
    let schemas: JsonObject = serde_json::from_str(SCHEMAS).expect("a test reads the schemas");
    let schema = schemas.get(name).and_then(|schemas| schemas.get(of)).and_then(serde_json::Value::as_object);
    Arc::new(schema.expect("a test reads the schemas").clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_schemas_of_objects() {
        let tools = all();
        assert_eq!(tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), NAMES);
        for tool in tools {
            for schema in [Some(tool.input_schema), tool.output_schema].into_iter().flatten() {
                assert_eq!(schema["type"], "object", "{}", tool.name);
                assert!(!schema["required"].as_array().unwrap().is_empty());
            }
        }
    }
}

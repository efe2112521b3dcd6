//! What the styles of a Word document say of a paragraph. A style is known by its name, which Word keeps in English, not by its id,
//! which it translates; a style that is based on another is what that is.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::formats::block::Mark;

/// How many styles are followed until one says something.
const MAX_BASED_ON: usize = 16;

#[derive(Debug, Default)]
struct Style {
    mark: Option<Mark>,
    based_on: Option<String>,
}

/// Styles by their ids.
#[derive(Debug, Default)]
pub(super) struct Styles(HashMap<String, Style>);

impl Styles {
    /// Reads a part with styles. What comes after a fault in it is not read: the text of the document is, all the same.
    pub(super) fn read(xml: &str) -> Self {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().expand_empty_elements = true;
        let mut styles: HashMap<String, Style> = HashMap::new();
        let mut id = String::new();
        loop {
            let tag = match reader.read_event() {
                Ok(Event::Start(tag)) => tag,
                Ok(Event::Eof) | Err(_) => return Self(styles),
                Ok(_) => continue,
            };
            let style = styles.entry(id.clone()).or_default();
            match tag.local_name().as_ref() {
                "style" => id = attribute(&tag, "styleId").unwrap_or_default(),
                "name" => style.mark = attribute(&tag, "val").and_then(|name| mark_of(&name)),
                "basedOn" => style.based_on = attribute(&tag, "val"),
                "numPr" => style.mark = style.mark.or(Some(Mark::Item { depth: 0, number: None })),
                _ => {}
            }
        }
    }

    /// Returns what a paragraph of a style is.
    pub(super) fn mark(&self, id: &str) -> Mark {
        let mut id = id;
        for _ in 0..MAX_BASED_ON {
            match self.0.get(id) {
                Some(Style { mark: Some(mark), .. }) => return *mark,
                Some(Style { based_on: Some(other), .. }) => id = other,
                Some(_) => break,
                None => return mark_of(id).unwrap_or_default(),
            }
        }
        Mark::Paragraph
    }
}

/// Returns what a style's name says of its paragraphs.
fn mark_of(name: &str) -> Option<Mark> {
    let name = name.to_ascii_lowercase().replace(' ', "");
    if let Some(level) = name.strip_prefix("heading") {
        return level.parse().ok().filter(|level| (1..=9).contains(level)).map(Mark::Heading);
    }
    let is_list = name.starts_with("listbullet") || name.starts_with("listnumber");
    match name.as_str() {
        "title" => Some(Mark::Heading(1)),
        _ if is_list => Some(Mark::Item { depth: 0, number: None }),
        _ => None,
    }
}

/// Returns an attribute by its name without a prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes().flatten();
    let found = attributes.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.value.into_owned())
}

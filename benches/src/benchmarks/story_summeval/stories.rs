//! The stories of Story-SummEval by the id in the authors' rows: a Gutenberg story by the number of its book, a Wikisource
//! story by the title of its page. Rows of texts have `text`, and `title` (Wikisource) or `id` or `text_id` (Gutenberg;
//! manu/project_gutenberg appends a hyphen and more to some numbers), as in the two data sets on the Hugging Face hub
//! that the authors name. Only the stories that rows need are kept. The text that Project Gutenberg adds before and after
//! a book is removed.

use std::collections::{BTreeSet, HashMap};

use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text};
use veridic::named;
use veridic_models::store::quoting::{listed_names, quoted_name};

use crate::protocol::{BenchError, Missing, fields, read_fields};

/// The optional field of a row's own story.
pub(super) const DOCUMENT: &str = "document";

/// The beginnings of the lines before and after a book of Project Gutenberg.
const BOOK: [&str; 2] = ["*** START OF", "*** END OF"];

/// The library of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Library {
    Gutenberg,
    Wikisource,
}

/// The id of a story.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Story {
    library: Library,
    id: String,
}

/// The stories that rows need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredStories(BTreeSet<Story>);

/// The texts of stories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stories(HashMap<Story, String>);

named!(Library, "library", { Gutenberg = "gutenberg", Wikisource = "wikisource" });

impl Library {
    fn source(self) -> &'static str {
        match self {
            Self::Gutenberg => "manu/project_gutenberg on the Hugging Face hub, split en, by the field id",
            Self::Wikisource => {
                "wikimedia/wikisource on the Hugging Face hub, 20231201.en, by the field title"
            }
        }
    }

    fn of(fields: &Fields) -> Result<Self, String> {
        let parse = |name: &str| Self::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
        fields::required_choice(fields, "source", "gutenberg or wikisource", parse, None)
    }
}

impl Story {
    pub(super) fn of(fields: &Fields) -> Result<Self, String> {
        fields::require(fields, &["text_id", "source"])?;
        Ok(Self { library: Library::of(fields)?, id: fields::name(fields, "text_id")? })
    }

    /// The ids that a row of texts may have, the likeliest first.
    fn of_text(fields: &Fields) -> Result<Vec<Self>, String> {
        let library = match fields.get("source") {
            Some(_) => Library::of(fields)?,
            None if fields.get("title").is_some() => Library::Wikisource,
            None => Library::Gutenberg,
        };
        let names: &[&str] = match library {
            Library::Gutenberg => &["text_id", "id"],
            Library::Wikisource => &["text_id", "title"],
        };
        let Some(name) = names.iter().find(|name| fields.get(name).is_some()) else {
            let (names, found) = (names.join("`, `"), listed_names(&fields.names()));
            return Err(format!("is not a story: it has none of the fields `{names}` (its fields: {found})"));
        };
        let id = fields::name(fields, name)?;
        let number = id.split('-').next().unwrap_or_default().to_owned();
        let has_suffix = library == Library::Gutenberg && number != id;
        let ids = std::iter::once(id).chain(has_suffix.then_some(number));
        Ok(ids.map(|id| Self { library, id }).collect())
    }
}

impl RequiredStories {
    /// Reads which stories the rows of the authors' files need. Refuses the first row without a story.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut required = BTreeSet::new();
        read_fields(rows, |_, fields| {
            if fields.get(DOCUMENT).is_none() {
                required.insert(Story::of(&fields)?);
            }
            Ok(())
        })?;
        Ok(Self(required))
    }
}

impl Stories {
    /// Reads the stories that are required. Refuses a row that cannot be read or is not a story, and missing stories.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        required: &RequiredStories,
    ) -> Result<Self, BenchError> {
        let mut stories = Self::default();
        read_fields(rows, |_, mut fields| stories.add(&mut fields, required))?;
        let missing = Library::ALL.map(|library| {
            let is_missing = |story: &&Story| story.library == library && !stories.0.contains_key(*story);
            let ids = required.0.iter().filter(is_missing).map(|story| story.id.as_str());
            Missing { corpus: library.name(), source: library.source(), ids: ids.collect() }
        });
        Missing::refuse(&missing, "stories")?;
        Ok(stories)
    }

    pub(super) fn text(&self, story: &Story) -> Result<&str, String> {
        let missing = || format!("there is no story {} of {}", quoted_name(&story.id), story.library.name());
        self.0.get(story).map(String::as_str).ok_or_else(missing)
    }

    /// A number with a suffix does not replace the plain one.
    fn add(&mut self, fields: &mut Fields, required: &RequiredStories) -> Result<(), String> {
        let names = Story::of_text(fields)?;
        let Some(place) = names.iter().position(|name| required.0.contains(name)) else { return Ok(()) };
        if place > 0 && self.0.contains_key(&names[place]) {
            return Ok(());
        }
        let text = field_text(fields, "text")?;
        let text = if names[place].library == Library::Gutenberg { book(&text) } else { &text };
        self.0.insert(names[place].clone(), text.trim().to_owned());
        Ok(())
    }
}

/// The text between the lines that Project Gutenberg puts around a book.
fn book(text: &str) -> &str {
    let [start, end] = BOOK.map(|mark| text.find(mark));
    let begin = start.map_or(0, |at| text[at..].find('\n').map_or(at, |line| at + line + 1));
    let end = end.filter(|end| *end >= begin).unwrap_or(text.len());
    &text[begin..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn book_is_between_its_marks() {
        for (text, expected) in [
            ("x\n*** START OF THIS BOOK ***\nOnce.\n*** END OF IT ***\ny", "Once.\n"),
            ("Once.", "Once."),
            ("*** START OF", "*** START OF"),
            ("*** END OF\n*** START OF\nOnce.", "Once."),
            ("Once.\n*** END OF", "Once.\n"),
        ] {
            assert_eq!(book(text), expected, "{text}");
        }
    }
}

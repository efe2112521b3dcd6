//! The stories of Story-SummEval, by the id that its rows name: of Gutenberg the book's number, of Wikisource the
//! page's title. Rows of texts have `text` and, of Wikisource, `title`, of Gutenberg `id` or `text_id` (manu/
//! project_gutenberg adds a hyphen and more to some numbers), as the two data sets on the Hugging Face hub that the
//! authors name. Only what is needed is kept. What Project Gutenberg writes before and behind a book is cut away.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::fields;
use crate::read::BenchError;
use veridic::corpus::read::{RawRow, RowFault};
use veridic::corpus::{Fields, field_text};

/// How many missing ids an error names.
const NAMED: usize = 5;

/// What the lines begin with between which Project Gutenberg's books stand.
const BOOK: [&str; 2] = ["*** START OF", "*** END OF"];

/// Where a story is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
enum Library {
    Gutenberg,
    Wikisource,
}

/// A story's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Story {
    library: Library,
    id: String,
}

/// The stories that rows need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted(BTreeSet<Story>);

/// Their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stories(HashMap<Story, String>);

impl Library {
    const ALL: [Self; 2] = [Self::Gutenberg, Self::Wikisource];

    fn name(self) -> &'static str {
        match self {
            Self::Gutenberg => "gutenberg",
            Self::Wikisource => "wikisource",
        }
    }

    /// Where its texts are.
    fn home(self) -> &'static str {
        match self {
            Self::Gutenberg => "manu/project_gutenberg on the Hugging Face hub, split en, by the field id",
            Self::Wikisource => {
                "wikimedia/wikisource on the Hugging Face hub, 20231201.en, by the field title"
            }
        }
    }

    fn of(fields: &Fields) -> Result<Self, String> {
        let name = fields::name(fields, "source")?;
        let found = Self::ALL.into_iter().find(|library| library.name().eq_ignore_ascii_case(&name));
        found.ok_or_else(|| {
            format!("field `source` is {}: it must be gutenberg or wikisource", fields::short(&name))
        })
    }
}

impl Story {
    /// What a row of the authors' files names.
    pub(super) fn of(fields: &Fields) -> Result<Self, String> {
        fields::require(fields, &["text_id", "source"])?;
        Ok(Self { library: Library::of(fields)?, id: fields::name(fields, "text_id")? })
    }

    /// What a row of texts may be called, the likeliest first.
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
            let (names, found) = (names.join("`, `"), fields.names().join(", "));
            return Err(format!("is no story: it has none of the fields `{names}` (its fields: {found})"));
        };
        let id = fields::name(fields, name)?;
        let number = id.split('-').next().unwrap_or_default().to_owned();
        let is_other = library == Library::Gutenberg && number != id;
        let ids = std::iter::once(id).chain(is_other.then_some(number));
        Ok(ids.map(|id| Self { library, id }).collect())
    }
}

impl Wanted {
    /// What the rows of the authors' files need.
    ///
    /// # Errors
    /// The first row that names no story.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut wanted = BTreeSet::new();
        for row in rows {
            let RawRow { origin, fields } = row?;
            if fields.get(super::DOCUMENT).is_none() {
                let story = Story::of(&fields).map_err(|reason| BenchError::Row { origin, reason })?;
                wanted.insert(story);
            }
        }
        Ok(Self(wanted))
    }
}

impl Stories {
    /// Reads those that are wanted.
    ///
    /// # Errors
    /// A row that cannot be read or is no story, and stories that are not there.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        wanted: &Wanted,
    ) -> Result<Self, BenchError> {
        let mut stories = Self::default();
        for row in rows {
            let RawRow { origin, mut fields } = row?;
            stories.add(&mut fields, wanted).map_err(|reason| BenchError::Row { origin, reason })?;
        }
        stories.check(wanted)?;
        Ok(stories)
    }

    pub(super) fn text(&self, story: &Story) -> Result<&str, String> {
        let missing =
            || format!("there is no story {} of {}", fields::short(&story.id), story.library.name());
        self.0.get(story).map(String::as_str).ok_or_else(missing)
    }

    /// A number with more behind it does not replace the plain one.
    fn add(&mut self, fields: &mut Fields, wanted: &Wanted) -> Result<(), String> {
        let names = Story::of_text(fields)?;
        let Some(place) = names.iter().position(|name| wanted.0.contains(name)) else { return Ok(()) };
        if place > 0 && self.0.contains_key(&names[place]) {
            return Ok(());
        }
        let text = field_text(fields, "text")?;
        let text = if names[place].library == Library::Gutenberg { book(&text) } else { &text };
        self.0.insert(names[place].clone(), text.trim().to_owned());
        Ok(())
    }

    fn check(&self, wanted: &Wanted) -> Result<(), BenchError> {
        let told = |library: Library| {
            let missing =
                wanted.0.iter().filter(|story| story.library == library && !self.0.contains_key(story));
            let ids: Vec<&str> = missing.map(|story| story.id.as_str()).collect();
            let named = ids[..ids.len().min(NAMED)].join(", ");
            let more = match ids.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let (count, name, home) = (ids.len(), library.name(), library.home());
            (!ids.is_empty())
                .then(|| format!("{count} stories of {name} are not there ({named}{more}): get {home}, and give it by --stories"))
        };
        let missing: Vec<String> = Library::ALL.into_iter().filter_map(told).collect();
        if missing.is_empty() { Ok(()) } else { Err(BenchError::Data(missing.join("; "))) }
    }
}

/// What stands between the lines that Project Gutenberg puts around a book.
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
    fn a_book_stands_between_its_marks() {
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

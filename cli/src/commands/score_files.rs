//! The files of `veridic score`: the document or its sources, and the summary; and what they were read as.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Serialize;
use veridic::files::Kind;
use veridic::{SourceText, Sources};

use crate::args::{ScoreArgs, SourceFile};
use veridic_program::files::TextFile;

/// The texts of a pair, as they were read.
pub(super) struct ScoreFiles {
    document: DocumentFiles,
    pub(super) summary: TextFile,
}

enum DocumentFiles {
    One(TextFile),
    /// Each with its id, if it was given one.
    Sources(Vec<(Option<String>, TextFile)>),
}

/// The files that are no plain text, for the result.
#[derive(Serialize)]
pub(super) struct ExtractedFiles<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<ExtractedFile<'f>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<ExtractedFile<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<ExtractedFile<'f>>,
}

#[derive(Serialize)]
struct ExtractedFile<'f> {
    name: &'f str,
    read_as: Kind,
}

impl ScoreFiles {
    /// Reads the files that a command line names, and says of each what it is read as.
    pub(super) fn read(args: &ScoreArgs) -> Result<Self> {
        let source = |source: &SourceFile| Ok((source.id.clone(), read(&source.file, args)?));
        let document = match &args.document {
            Some(document) => DocumentFiles::One(read(document, args)?),
            None => DocumentFiles::Sources(args.sources.iter().map(source).collect::<Result<_>>()?),
        };
        Ok(Self { document, summary: read(&args.summary, args)? })
    }

    /// Returns the document, and its sources if it was given as several files.
    pub(super) fn joined(&self) -> Result<(String, Option<Sources>)> {
        let files = match &self.document {
            DocumentFiles::One(file) => return Ok((file.text.clone(), None)),
            DocumentFiles::Sources(files) => files,
        };
        let mut texts = Vec::with_capacity(files.len());
        for (number, (id, file)) in (1..).zip(files) {
            let source = SourceText::numbered(number, file.text.clone());
            texts.push(SourceText { id: id.clone().unwrap_or_else(|| source.id.clone()), ..source });
        }
        let (document, sources) =
            Sources::join(&texts).map_err(|error| anyhow!("the list of --source {error}"))?;
        Ok((document, Some(sources)))
    }

    /// Returns the files that are no plain text, if there are any.
    pub(super) fn extracted(&self) -> Option<ExtractedFiles<'_>> {
        let (document, sources) = match &self.document {
            DocumentFiles::One(file) => (extracted(file), Vec::new()),
            DocumentFiles::Sources(files) => {
                (None, files.iter().filter_map(|(_, file)| extracted(file)).collect())
            }
        };
        let files = ExtractedFiles { document, sources, summary: extracted(&self.summary) };
        let is_any = files.document.is_some() || !files.sources.is_empty() || files.summary.is_some();
        is_any.then_some(files)
    }
}

fn read(file: &Path, args: &ScoreArgs) -> Result<TextFile> {
    let read = TextFile::read(file, args.read_as.into())?;
    read.note_kind(args.settings.quiet);
    Ok(read)
}

fn extracted(file: &TextFile) -> Option<ExtractedFile<'_>> {
    file.is_extracted().then_some(ExtractedFile { name: &file.name, read_as: file.kind })
}

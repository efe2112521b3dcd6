//! The parts of a Word document's file, which is a ZIP. No part is inflated beyond a limit, whatever its header says.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::other_zips::{damaged_zip, unread_zip};
use crate::error::FileError;
use crate::kind::Kind;

/// The most bytes of a part, in units of 1,048,576.
const MAX_PART_MEGABYTES: usize = 16;
const DOCUMENT: &str = "word/document.xml";

pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
}

impl<'b> Package<'b> {
    /// Opens a ZIP, which must hold a Word document.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, FileError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged_zip(bytes))?;
        if archive.index_for_name(DOCUMENT).is_none() {
            return Err(unread_zip(|part| archive.index_for_name(part).is_some()));
        }
        Ok(Self { archive })
    }

    /// Returns the part with the document's body.
    pub(super) fn document(&mut self) -> Result<String, FileError> {
        self.part(DOCUMENT)?.ok_or(FileError::Damaged { kind: Kind::Docx })
    }

    /// Returns a part, if the file has it.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>, FileError> {
        let damaged = FileError::Damaged { kind: Kind::Docx };
        let part = match self.archive.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(_) => return Err(damaged),
        };
        let limit = MAX_PART_MEGABYTES << 20;
        let mut bytes = Vec::new();
        part.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|_| damaged)?;
        if bytes.len() > limit {
            return Err(FileError::Inflates { kind: Kind::Docx, megabytes: MAX_PART_MEGABYTES });
        }
        String::from_utf8(bytes).map(Some).map_err(|_| FileError::Damaged { kind: Kind::Docx })
    }
}

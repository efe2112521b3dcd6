//! The rows of a source, file by file. A fault costs its row, its file or the run, as it says itself.

use std::sync::Arc;

use super::fault::{Fault, Lost, Origin, RowFault};
use super::raw_row::{RawRow, Read};
use super::reader::{MAX_ROW_BYTES, Reader};
use super::share::ReadShare;
use super::source::{Input, Source};

/// The rows of a source, file by file. Ends after a fault that ends the run.
pub struct Rows {
    source: Source,
    /// The index of the current or next input.
    input: usize,
    file: Arc<str>,
    reader: Option<Reader>,
    share: ReadShare,
}

impl Source {
    /// Reads the files one after another.
    #[must_use]
    pub fn rows(self) -> Rows {
        let share = ReadShare::of(self.inputs());
        Rows { source: self, input: 0, file: "".into(), reader: None, share }
    }
}

impl Rows {
    /// Returns the share of the input that was read; it can be polled while another thread reads the rows.
    #[must_use]
    pub fn share(&self) -> ReadShare {
        self.share.clone()
    }

    /// Returns the files in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        self.source.inputs()
    }

    /// Returns the current file's next row, opening the file first if needed; `None` at its end.
    fn read(&mut self) -> Result<Option<Read>, Fault> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let input = &self.source.inputs()[self.input];
                self.file = input.name().into();
                self.reader.insert(Reader::open(input, MAX_ROW_BYTES, &self.share)?)
            }
        };
        reader.next()
    }

    fn next_file(&mut self) {
        self.reader = None;
        self.input += 1;
    }
}

impl Iterator for Rows {
    type Item = Result<RawRow, RowFault>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.input < self.inputs().len() {
            let read = self.read();
            if !matches!(read, Ok(None)) {
                self.share.add_row();
            }
            let origin = |place| Origin { file: Arc::clone(&self.file), place };
            match read {
                Ok(Some((place, fields))) => return Some(Ok(RawRow { origin: origin(place), fields })),
                Ok(None) => self.next_file(),
                Err(Fault { place, reason, argument, lost }) => {
                    let fault = RowFault { origin: origin(place), reason, argument, lost };
                    match lost {
                        Lost::Row => {}
                        Lost::File => self.next_file(),
                        Lost::Run => (self.input, self.reader) = (usize::MAX, None),
                    }
                    return Some(Err(fault));
                }
            }
        }
        None
    }
}

use super::*;

/// A disk that is full after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(self.0);
        self.0 -= length;
        if length == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(length) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn every_format() -> impl Iterator<Item = OutputFormat> {
    std::iter::once(OutputFormat::JsonLines).chain(TABLES.iter().copied())
}

#[track_caller]
fn assert_full(error: &WriteError) {
    assert!(matches!(&error.cause, Cause::Io(io) if io.kind() == io::ErrorKind::StorageFull), "{error:?}");
}

#[test]
fn a_full_disk_is_an_error_that_names_the_row() {
    let row = with_input(&format!("{{\"a\":\"{}\"}}", "x".repeat(100_000)));
    for format in every_format() {
        for room in [0, 10, 200_000] {
            let mut writer = RowWriter::new(format, Shape::default(), Box::new(Full(room)));
            let failed = (1..=6).find_map(|number| Some((number, writer.write(&row).err()?)));
            let error = match failed {
                Some((number, error)) => {
                    assert_eq!(error.part, Part::Row(number));
                    assert!(writer.write(&row).is_err());
                    error
                }
                // Groups of Parquet are small in a file.
                None if room > 100_000 => continue,
                None => writer.finish().unwrap_err(),
            };
            assert_full(&error);
            assert!(error.to_string().starts_with("cannot write "), "{error}");
        }
    }
}

#[test]
fn a_full_disk_at_the_end_is_an_error() {
    for format in every_format() {
        let mut writer = RowWriter::new(format, Shape::default(), Box::new(Full(10)));
        writer.write(RESULT).unwrap();
        let error = writer.finish().unwrap_err();
        assert_eq!(error.part, Part::End);
        assert_full(&error);
    }
}

#[test]
fn texts_that_are_not_rows_are_refused() {
    for format in TABLES {
        for row in ["", "[1]", "1", r#"{"id":1"#, r#"{"id":1}{}"#, r#"{"\ud800":1}"#] {
            let mut writer = RowWriter::new(*format, Shape::default(), Box::new(Memory::default()));
            writer.write(RESULT).unwrap();
            let error = writer.write(row).unwrap_err();
            assert_eq!(error.part, Part::Row(2));
            assert!(matches!(error.cause, Cause::InvalidRow(_)), "{error:?}");
        }
    }
    let mut writer = RowWriter::new(
        OutputFormat::JsonLines,
        Shape { explode: true, ..Shape::default() },
        Box::new(Memory::default()),
    );
    assert!(matches!(writer.write("[1]").unwrap_err().cause, Cause::InvalidRow(_)));
}

pub(crate) fn text(_: &[u8]) -> Result<String, crate::FileError> { Ok(String::new()) }

//! Concatenated Zstandard frames as one stream of bytes (RFC 8878). Skippable frames are skipped and checksums verified.
//! Refuses frames that need a dictionary or a window of more than 128 MB.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::bytes::fill;

/// Decompresses the frames of `input`.
pub(super) struct ZstdReader<R> {
    input: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> ZstdReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Begins the next frame; returns false at the end of the input.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !fill(&mut self.input)?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let frame = &mut (&mut self.input).take(length.into());
                    let skipped = io::copy(frame, &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    /// Verifies the checksum of a completely read frame.
    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        match self.decoder.get_checksum_from_data() {
            Some(expected) if self.decoder.get_calculated_checksum() != Some(expected) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "a checksum differs"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.in_frame && !self.begin_frame()? {
                return Ok(0);
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.end_frame()?;
            } else {
                self.decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        ZstdReader::new(bytes).read_to_end(&mut text).map(|_| text)
    }

    fn frame(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn concatenated_frames_are_one_stream() {
        let long = "many words ".repeat(100_000).into_bytes();
        let skippable = [&0x184D_2A53_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"abc"].concat();
        let bytes = [frame(&long), skippable, frame(b""), frame(b"end")].concat();
        assert_eq!(read(&bytes).unwrap(), [&long[..], b"end"].concat());
        assert_eq!(read(b"").unwrap(), b"");
    }

    #[test]
    fn truncated_or_changed_bytes_are_refused() {
        let whole = frame("many words ".repeat(1000).as_bytes());
        for length in 1..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(read(&changed).is_err(), "the checksum");
        assert!(read(&[&whole[..], b"more"].concat()).is_err());
        assert!(read(&[&0x184D_2A50_u32.to_le_bytes()[..], &9_u32.to_le_bytes(), b"abc"].concat()).is_err());
    }
}

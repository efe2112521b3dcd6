//! Windows: runs of consecutive sentences.
//!
//! Windows start at every `stride`-th sentence. If the last of them does not reach the last sentence, one more window
//! that ends there is added. All windows have the size asked for: a text with fewer sentences has none.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::span::Span;

/// The windows of `size` sentences over a text of `sentences` sentences, as ranges of sentence indices, in order.
pub fn windows(sentences: usize, size: NonZeroUsize, stride: NonZeroUsize) -> Vec<Range<usize>> {
    let size = size.get();
    let Some(last) = sentences.checked_sub(size) else {
        return Vec::new();
    };
    let mut starts: Vec<usize> = (0..=last).step_by(stride.get()).collect();
    if starts.last() != Some(&last) {
        starts.push(last);
    }
    starts.into_iter().map(|start| start..start + size).collect()
}

/// Splits sentences of these sizes into consecutive runs, each as long as its sizes sum to at most `limit`. Every
/// sentence is in one run; a sentence larger than the limit is a run by itself.
pub fn windows_by_size(sizes: &[usize], limit: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut left = 0;
    for (sentence, &size) in sizes.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if size <= left => {
                run.end = sentence + 1;
                left -= size;
            }
            _ => {
                runs.push(sentence..sentence + 1);
                left = limit.saturating_sub(size);
            }
        }
    }
    runs
}

/// The characters of a window, from the start of its first sentence to the end of its last one. `None` for a window that
/// is empty or reaches beyond `sentences`.
pub fn window_span(sentences: &[Span], window: &Range<usize>) -> Option<Span> {
    let inside = sentences.get(window.clone())?;
    Some(Span { start: inside.first()?.start, end: inside.last()?.end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn runs_are_as_long_as_the_limit_allows() {
        assert_eq!(windows_by_size(&[3, 4, 3, 5, 11, 1], 10), [0..3, 3..4, 4..5, 5..6]);
        assert_eq!(windows_by_size(&[0, 0, 1], 0), [0..2, 2..3]);
        assert!(windows_by_size(&[], 5).is_empty());
    }

    fn starts(sentences: usize, size: usize, stride: usize) -> Vec<usize> {
        let (size, stride) = (NonZeroUsize::new(size).unwrap(), NonZeroUsize::new(stride).unwrap());
        windows(sentences, size, stride).into_iter().map(|window| window.start).collect()
    }

    #[test]
    fn windows_by_size_and_stride() {
        assert!(starts(0, 1, 1).is_empty());
        assert!(starts(4, 5, 1).is_empty());
        assert_eq!(starts(5, 5, 1), [0]);
        assert_eq!(starts(7, 5, 1), [0, 1, 2]);
        assert_eq!(starts(3, 1, 1), [0, 1, 2]);
        assert_eq!(starts(5, 5, 5), [0]);
        assert_eq!(starts(10, 5, 5), [0, 5]);
        assert_eq!(starts(3, 2, usize::MAX), [0, 1]);
        assert!(starts(3, usize::MAX, 1).is_empty());
        assert_eq!(starts(12, 5, 5), [0, 5, 7]);
        assert_eq!(starts(6, 5, 5), [0, 1]);
        assert_eq!(starts(8, 3, 2), [0, 2, 4, 5]);
    }

    #[test]
    fn window_spans_include_inner_white_space() {
        let sentences = super::super::sentences("One.  Two.\n\nThree.");
        let span = window_span(&sentences, &(0..3)).unwrap();
        assert_eq!(span.slice("One.  Two.\n\nThree."), "One.  Two.\n\nThree.");
        assert_eq!(window_span(&sentences, &(1..1)), None);
        assert_eq!(window_span(&sentences, &(2..4)), None);
        assert_eq!(window_span(&[], &(0..0)), None);
    }

    proptest! {
        #[test]
        fn windows_are_in_order_and_cover_all_sentences(sentences in 0usize..200, size in 1usize..20, stride in 1usize..20) {
            let found = windows(
                sentences,
                NonZeroUsize::new(size).unwrap(),
                NonZeroUsize::new(stride).unwrap(),
            );
            prop_assert_eq!(found.is_empty(), sentences < size);
            for pair in found.windows(2) {
                let step = pair[1].start - pair[0].start;
                prop_assert!(step >= 1 && step <= stride);
            }
            for window in &found {
                prop_assert_eq!(window.len(), size);
                prop_assert!(window.end <= sentences);
            }
            if let (Some(first), Some(last)) = (found.first(), found.last()) {
                prop_assert_eq!(first.start, 0);
                prop_assert_eq!(last.end, sentences);
            }
        }
    }
}

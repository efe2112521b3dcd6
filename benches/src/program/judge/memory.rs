//! The most recent answers, so that a request is not sent twice.

use std::collections::{BTreeMap, VecDeque};

use crate::llm::RequestId;

/// The maximum size of all texts, in bytes. A server may run for months.
const MOST_BYTES: usize = 256 << 20;

/// Answers by request; the oldest are dropped first.
pub(super) struct Memory {
    texts: BTreeMap<RequestId, String>,
    order: VecDeque<RequestId>,
    bytes: usize,
    most: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::of(MOST_BYTES)
    }
}

impl Memory {
    fn of(most: usize) -> Self {
        Self { texts: BTreeMap::new(), order: VecDeque::new(), bytes: 0, most }
    }

    pub(super) fn get(&self, id: RequestId) -> Option<String> {
        self.texts.get(&id).cloned()
    }

    pub(super) fn insert(&mut self, id: RequestId, text: String) {
        self.bytes += text.len();
        match self.texts.insert(id, text) {
            Some(before) => self.bytes -= before.len(),
            None => self.order.push_back(id),
        }
        while self.bytes > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.texts.remove(&oldest).map_or(0, |text| text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_answers_are_dropped() {
        let [a, b, c] =
            ["a", "b", "c"].map(|digit| RequestId::parse(&digit.repeat(32)).expect("hexadecimal digits"));
        let mut memory = Memory::of(5);
        memory.insert(a, "one".into());
        memory.insert(b, "12".into());
        memory.insert(a, "two".into());
        assert_eq!([a, b, c].map(|id| memory.get(id)), [Some("two".into()), Some("12".into()), None]);
        memory.insert(c, "3".into());
        assert_eq!([a, b, c].map(|id| memory.get(id)), [None, Some("12".into()), Some("3".into())]);
    }
}

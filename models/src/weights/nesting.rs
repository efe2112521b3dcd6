//! Follows how deep the values of a pickle are nested while it is read, and how much it copies. Refuses a pickle beyond
//! both limits: values are compared, copied and freed by recursion, so a deep one would overflow the stack, and one that
//! puts a value twice into itself, again and again, would fill the memory.

use candle_core::pickle::Object;

/// Published checkpoints have less than 10 levels.
const MOST_LEVELS: usize = 64;

/// A checkpoint of 1,000 tensors copies some 3 MB.
const MOST_COPIED_BYTES: usize = 1 << 28;

/// The levels of each value on the stack, 1 for a value without parts, and the bytes that were copied so far.
#[derive(Default)]
pub(super) struct Nesting {
    levels: Vec<usize>,
    copied: usize,
}

impl Nesting {
    /// Takes note of what the operation `code` made of the stack.
    pub(super) fn follow(&mut self, code: u8, stack: &[Object]) -> Result<(), String> {
        let Some((top, below)) = stack.split_last() else {
            self.levels.clear();
            return Ok(());
        };
        let levels = match code {
            // The version, and the end.
            0x80 | b'.' => return Ok(()),
            // The top is copied into the memo (put), or a value of the memo onto the stack (get).
            b'q' | b'r' | b'h' | b'j' => {
                let (levels, bytes) = measure(top);
                self.copied = self.copied.saturating_add(bytes);
                levels
            }
            _ if stack.len() > self.levels.len() => 1,
            _ => {
                let taken = &self.levels[below.len()..];
                let inner = 1 + taken[1..].iter().max().unwrap_or(&0);
                match code {
                    // Appended to the list or dictionary below.
                    b'a' | b'e' | b's' | b'u' => inner.max(taken[0]),
                    _ => inner.max(1 + taken[0]),
                }
            }
        };
        self.levels.truncate(below.len());
        self.levels.push(levels);
        if levels > MOST_LEVELS {
            return Err(format!("its pickle nests values more than {MOST_LEVELS} levels deep"));
        }
        if self.copied > MOST_COPIED_BYTES {
            return Err("its pickle repeats values until they fill the memory".into());
        }
        Ok(())
    }
}

/// Levels and bytes of a value.
fn measure(value: &Object) -> (usize, usize) {
    let of = |parts: &mut dyn Iterator<Item = &Object>| {
        parts.map(measure).fold((0, 0), |(levels, bytes), part| (levels.max(part.0), bytes + part.1))
    };
    let (levels, bytes) = match value {
        Object::Tuple(parts) | Object::List(parts) => of(&mut parts.iter()),
        Object::Dict(entries) => of(&mut entries.iter().flat_map(|(key, value)| [key, value])),
        Object::Reduce { callable, args } | Object::Build { callable, args } => {
            of(&mut [&**callable, &**args].into_iter())
        }
        Object::PersistentLoad(inner) => of(&mut std::iter::once(&**inner)),
        Object::Unicode(text) => (0, text.len()),
        Object::Class { module_name, class_name } => (0, module_name.len() + class_name.len()),
        _ => (0, 0),
    };
    (levels + 1, bytes + size_of::<Object>())
}

//! A compiled table of replacements: a double-array trie (Darts-clone's layout) followed by the replacements, each ended
//! by a zero byte. Refuses a table that is damaged, or that makes a text much longer.

use tokenizers::NormalizedString;

/// The largest growth of a text by the steps before its tokens. Published tokenizers write a space as three bytes or a
/// byte as two.
pub(crate) const MOST_TIMES: f64 = 8.0;

/// Tables of published models have at most 400 kB, and replacements of at most 33 bytes.
const MOST_BYTES: usize = 1 << 22;
const LONGEST_REPLACEMENT: usize = 256;
/// Published tables have some 230,000 keys, counted with their beginnings 260,000.
const MOST_KEYS: usize = 1 << 22;

/// Longer keys are not looked at: their replacements are at most 8 times as long.
const LONGEST_KEY: usize = 32;

/// The offset of a unit's children.
pub(super) fn offset(unit: u32) -> u32 {
    (unit >> 10) << ((unit & (1 << 9)) >> 6)
}

/// Whether a unit is the child of its parent for this byte.
pub(super) fn is_child(unit: u32, byte: u8) -> bool {
    unit & 0x8000_00ff == u32::from(byte)
}

/// Whether a key ends at a unit.
pub(super) fn has_value(unit: u32) -> bool {
    unit >> 8 & 1 == 1
}

/// The units of the trie, and the replacements.
pub(super) fn split(charsmap: &[u8]) -> Result<(Vec<u32>, Vec<u8>), String> {
    if charsmap.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let (size, rest) = charsmap.split_at_checked(4).ok_or_else(damaged)?;
    let size = u32::from_le_bytes(size.try_into().map_err(|_| damaged())?) as usize;
    let (trie, replacements) = rest.split_at_checked(size).ok_or_else(damaged)?;
    let units = trie.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    Ok((units, replacements.to_vec()))
}

fn damaged() -> String {
    "its table of replacements is damaged".to_owned()
}

/// Checks the table of a SentencePiece model file, which may have none.
pub(crate) fn check(charsmap: &[u8]) -> Result<(), String> {
    if charsmap.is_empty() || growth(charsmap)? <= MOST_TIMES {
        return Ok(());
    }
    Err(format!(
        "its table of replacements can make a text more than {MOST_TIMES} times as long; use the file that was published with the model"
    ))
}

/// How many times as long as the key's compatibility form (NFKD) the longest replacement is. Unicode's own forms do not
/// count: they make one character, U+FDFA, 11 times as long, and repeating them adds nothing.
///
/// The crate `tokenizers` looks up units without asking whether they exist, so a trie that lacks some is refused.
pub(crate) fn growth(charsmap: &[u8]) -> Result<f64, String> {
    if charsmap.len() > MOST_BYTES {
        return Err(format!("its table of replacements has {} bytes", charsmap.len()));
    }
    let (trie, replacements) = split(charsmap)?;
    if 4 + 4 * trie.len() + replacements.len() != charsmap.len() {
        return Err(damaged());
    }
    let replacements = std::str::from_utf8(&replacements).map_err(|_| damaged())?;
    if replacements.split('\0').any(|replacement| replacement.len() > LONGEST_REPLACEMENT) {
        return Err(format!("its table of replacements has one of more than {LONGEST_REPLACEMENT} bytes"));
    }
    let (first, next) = children(&trie);
    let mut growth = 1.0f64;
    let mut keys = 0;
    let mut nodes = vec![(offset(*trie.first().ok_or_else(damaged)?) as usize, [0; LONGEST_KEY], 0)];
    while let Some((node, mut key, length)) = nodes.pop() {
        if node | 0xff >= trie.len() {
            return Err(damaged());
        }
        let mut place = first[node];
        while place > 0 {
            let unit = trie[place];
            key[length] = (place ^ node) as u8;
            let (child, key_bytes) = (place ^ offset(unit) as usize, length + 1);
            if has_value(unit) {
                let start = *trie.get(child).ok_or_else(damaged)? & 0x7fff_ffff;
                let rest = replacements.get(start as usize..).ok_or_else(damaged)?;
                let bytes = rest.find('\0').unwrap_or(rest.len());
                if bytes > key_bytes {
                    growth = growth.max(bytes as f64 / longest_form(&key[..key_bytes]) as f64);
                }
            }
            if key_bytes < LONGEST_KEY {
                nodes.push((child, key, key_bytes));
            }
            keys += 1;
            if keys > MOST_KEYS {
                return Err(format!("its table of replacements has more than {MOST_KEYS} keys"));
            }
            place = next[place];
        }
    }
    Ok(growth)
}

/// The first child of each node, and the next child of each unit's parent; 0 for none, since the root is no child. A
/// child lies at its parent's place, whose lowest bits are changed by the child's byte, so it tells its parent.
fn children(trie: &[u32]) -> (Vec<usize>, Vec<usize>) {
    let (mut first, mut next) = (vec![0; trie.len()], vec![0; trie.len()]);
    for (place, unit) in trie.iter().enumerate() {
        let parent = place ^ (unit & 0xff) as usize;
        if parent < trie.len() && parent != place && is_child(*unit, *unit as u8) {
            next[place] = first[parent];
            first[parent] = place;
        }
    }
    (first, next)
}

/// Bytes of a text or of its compatibility form, whichever is longer.
fn longest_form(key: &[u8]) -> usize {
    let normal = std::str::from_utf8(key).map_or(0, |text| NormalizedString::from(text).nfkd().get().len());
    normal.max(key.len())
}

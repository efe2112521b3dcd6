//! Parquet values as JSON. Types that JSON lacks become strings: dates and times in their usual form, decimals digit by
//! digit, bytes that are not UTF-8 as hexadecimal digits. NaN and infinities become null.

use std::str;

use parquet::record::Field;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Days from 1970 to the year 10,000, from which dates have no usual form and stay numbers.
const MAX_DAYS: i32 = 2_932_897;
const DAY_MILLIS: i64 = 86_400_000;
const MAX_MILLIS: i64 = MAX_DAYS as i64 * DAY_MILLIS;

/// Writes a value as JSON.
pub(super) struct Json<'f>(pub(super) &'f Field);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Field::Null => to.serialize_unit(),
            Field::Bool(value) => to.serialize_bool(*value),
            Field::Byte(value) => to.serialize_i8(*value),
            Field::Short(value) => to.serialize_i16(*value),
            Field::Int(value) => to.serialize_i32(*value),
            Field::Long(value) => to.serialize_i64(*value),
            Field::UByte(value) => to.serialize_u8(*value),
            Field::UShort(value) => to.serialize_u16(*value),
            Field::UInt(value) => to.serialize_u32(*value),
            Field::ULong(value) => to.serialize_u64(*value),
            Field::Float16(value) => to.serialize_f32(value.to_f32()),
            Field::Float(value) => to.serialize_f32(*value),
            Field::Double(value) => to.serialize_f64(*value),
            Field::Str(text) => to.serialize_str(text),
            Field::Bytes(bytes) => match str::from_utf8(bytes.data()) {
                Ok(text) => to.serialize_str(text),
                Err(_) => to.serialize_str(&hexadecimal(bytes.data())),
            },
            Field::Date(days) if !(-MAX_DAYS..MAX_DAYS).contains(days) => to.serialize_i32(*days),
            Field::TimestampMillis(time) if !is_usual(*time) => to.serialize_i64(*time),
            Field::TimestampMicros(time) if !is_usual(*time / 1000) => to.serialize_i64(*time),
            named @ (Field::Decimal(_)
            | Field::Date(_)
            | Field::TimeMillis(_)
            | Field::TimeMicros(_)
            | Field::TimestampMillis(_)
            | Field::TimestampMicros(_)) => to.collect_str(named),
            Field::Group(row) => {
                to.collect_map(row.get_column_iter().map(|(name, value)| (name, Json(value))))
            }
            Field::ListInternal(list) => to.collect_seq(list.elements().iter().map(Json)),
            Field::MapInternal(map) => map_of(map.entries(), to),
        }
    }
}

fn is_usual(millis: i64) -> bool {
    (-MAX_MILLIS..MAX_MILLIS).contains(&millis)
}

/// Serializes a map; keys that are not strings become the text of their JSON.
fn map_of<S: Serializer>(entries: &[(Field, Field)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        match key {
            Field::Str(key) => map.serialize_entry(key, &Json(value))?,
            key => {
                let key = serde_json::to_string(&Json(key)).map_err(serde::ser::Error::custom)?;
                map.serialize_entry(&key, &Json(value))?;
            }
        }
    }
    map.end()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

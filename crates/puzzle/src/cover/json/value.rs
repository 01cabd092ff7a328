//! Parses a JSON value within limits. The parser of `serde_json` has no limits, so a
//! deserialization seed checks them at each value.

use std::fmt;

use dlx::Limits;
use dlx::limits::Pace;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Parses JSON. A repeated key in an object is an error.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let limits = Limits::default();
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = Within(&mut Pace::new(&limits)).deserialize(&mut parser)?;
    parser.end()?;
    Ok(value)
}

const VALUE_WORK: u64 = 50;

/// A deserialization seed that checks the limits at each value and stops the parser when a limit is
/// reached.
pub(super) struct Within<'p, 'l>(pub(super) &'p mut Pace<'l>);

impl<'de> DeserializeSeed<'de> for Within<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Value, D::Error> {
        self.0.spend(VALUE_WORK).map_err(|limit| D::Error::custom(format_args!("{limit:?}")))?;
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(Within(&mut *self.0))? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Within(&mut *self.0))?;
            if values.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "expected each key once, found `{key}` again"
                )));
            }
            values.insert(key, value);
        }
        Ok(values.into())
    }
}

//! Ready-made functions for `normalize(..)`: what is taken for equal beyond what is compared anyway.
//!
//! A function of this kind sees the redacted body of each request, recorded and live alike, before it is compared; what is
//! sent and what is recorded stay as they are.

use crate::json::Json;

/// Makes each run of white space within a string one space, and takes it off the string's ends.
///
/// ```
/// use cassette_core::json::Json;
/// use cassette_core::normalize::whitespace;
///
/// let mut json = Json::parse(r#"{"content":"  To\n\tBergen "}"#).unwrap();
/// whitespace(&mut json);
/// assert_eq!(json, Json::parse(r#"{"content":"To Bergen"}"#).unwrap());
/// ```
pub fn whitespace(json: &mut Json) {
    match json {
        Json::String(text) => {
            let value = text.value();
            let single = value.split_whitespace().collect::<Vec<_>>().join(" ");
            if single != value {
                *json = single.into();
            }
        }
        Json::Array(elements) => elements.iter_mut().for_each(whitespace),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| whitespace(value)),
        _ => {}
    }
}

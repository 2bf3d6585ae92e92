//! Ready-made functions for `normalize(..)`: what is taken for equal beyond what is compared anyway.
//!
//! A function of this kind sees the redacted body of each request, recorded and live alike, before it is compared; what is
//! sent and what is recorded stay as they are. One of your own takes the same tree:
//!
//! ```
//! use cassette_core::json::Json;
//!
//! /// Takes the greeting, which says what time of day it is, for one.
//! fn greeting(body: &mut Json) {
//!     let Some(Json::Array(messages)) = body.get_mut("messages") else { return };
//!     for content in messages.iter_mut().filter_map(|message| message.get_mut("content")) {
//!         let plain = content.as_str().and_then(|text| Some(text.strip_prefix("Good evening! ")?.to_owned()));
//!         if let Some(plain) = plain {
//!             *content = format!("Good morning! {plain}").as_str().into();
//!         }
//!     }
//! }
//!
//! let mut body = Json::parse(r#"{"messages":[{"role":"user","content":"Good evening! When?"}]}"#).unwrap();
//! greeting(&mut body);
//! assert_eq!(body, Json::parse(r#"{"messages":[{"role":"user","content":"Good morning! When?"}]}"#).unwrap());
//! ```

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

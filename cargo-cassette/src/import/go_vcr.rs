//! go-vcr, versions 1 to 4: one layout, whose `status` and `code` changed places.

use std::time::Duration;

use super::headers;
use super::imported::{Exchange, Fault};
use super::message::{self, Answered, Asked, exchange, status, whole};
use super::node::{FIELDS, Node};

/// Reads a cassette.
pub(super) fn read(root: &Node) -> Result<Vec<Exchange>, Fault> {
    // What versions 1 and 2 of the tool write is version 1 of the file, and what 3 and 4 do is version 2.
    root.of_version(&["1", "2"])?;
    let Some(interactions) = root.get("interactions") else { return Ok(Vec::new()) };
    interactions.need_items()?.iter().map(one).collect()
}

fn one(node: &Node) -> Result<Exchange, Fault> {
    let (request, response) = (node.need("request")?, node.need("response")?);
    let body = request.get("body").map_or(Ok(Vec::new()), Node::bytes)?;
    if let Some(form) = request.get("form").filter(|form| body.is_empty() && !form.members().is_empty()) {
        return Err(Fault::at(form.line, FIELDS));
    }
    let asked = Asked {
        // So `http.Request` of Go has it: an empty one is GET.
        method: Some(request.need_text("method")?).filter(|method| !method.is_empty()).unwrap_or("GET").to_owned(),
        url: request.need_text("url")?.to_owned(),
        headers: headers::of(request.get("headers"))?,
        body,
    };
    let code = response.get("code").or_else(|| response.get("status"));
    let answered = Answered {
        status: status(code.ok_or_else(|| Fault::at(response.line, "`code` is missing"))?)?,
        headers: headers::of(response.get("headers"))?,
        body: whole(response.get("body").map_or(Ok(Vec::new()), Node::bytes)?, took(response)),
    };
    exchange(node.line, asked, answered)
}

/// Returns how long the reply took.
fn took(response: &Node) -> Option<Duration> {
    message::took(duration(response.get("duration")?.text()?))
}

/// Returns the seconds that Go spells as `1m2.5s`; a number alone is nanoseconds.
fn duration(text: &str) -> Option<f64> {
    if let Ok(nanoseconds) = text.parse::<u64>() {
        return Some(nanoseconds as f64 / 1e9);
    }
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let unit = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit);
        total += number.parse::<f64>().ok()? * scale(unit)?;
        rest = after;
    }
    Some(total)
}

fn scale(unit: &str) -> Option<f64> {
    Some(match unit {
        "h" => 3600.0,
        "m" => 60.0,
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" | "μs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_of_go_is_read() {
        let took = |text: &str| message::took(duration(text)).map(|took| took.as_millis());
        for (text, millis) in [("1.126607917s", 1126), ("1m2.5s", 62_500), ("450.5ms", 450), ("1500000", 1)] {
            assert_eq!(took(text), Some(millis), "{text}");
        }
        for unmeasured in ["", "0s", "0"] {
            assert_eq!(took(unmeasured), None, "{unmeasured}");
        }
        assert_eq!(duration("soon"), None);
    }
}

//! Addresses that stand for servers, and differ from run to run.

use crate::call::Call;
use crate::json::Json;

/// Returns a call in whose JSON the addresses of gateways are those of the servers for which they stand; `None` where it has none.
pub(super) fn addressed(call: &Call, gateways: &[(String, String)]) -> Option<Call> {
    let mut body = std::str::from_utf8(&call.body).ok().filter(|body| body.contains("http://127.0.0.1:"))?.to_owned();
    for (address, server) in gateways {
        let ends = |at: usize| !body[at + address.len()..].starts_with(|c: char| c.is_ascii_digit());
        let places: Vec<usize> =
            body.match_indices(address.as_str()).map(|(at, _)| at).filter(|at| ends(*at)).collect();
        places.iter().rev().for_each(|at| body.replace_range(*at..at + address.len(), server));
    }
    // Whatever else it is may count its own bytes.
    (body.as_bytes() != call.body && Json::parse(&body).is_ok())
        .then(|| Call { body: body.into_bytes(), ..call.clone() })
}

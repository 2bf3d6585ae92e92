//! Whether a call is word for word what was recorded.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use crate::call::{Call, Header};

pub(super) fn same(recorded: &Call, call: &Call, headers: &[String]) -> bool {
    recorded.kind == call.kind
        && recorded.name == call.name
        && recorded.body == call.body
        && counting(recorded, headers).eq(counting(call, headers))
}

pub(super) fn hash(call: &Call, headers: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (call.kind, &call.name, &call.body).hash(&mut hasher);
    counting(call, headers).for_each(|header| header.hash(&mut hasher));
    hasher.finish()
}

fn counting<'a>(call: &'a Call, headers: &'a [String]) -> impl Iterator<Item = &'a Header> {
    call.headers.iter().filter(|(name, _)| headers.contains(name))
}

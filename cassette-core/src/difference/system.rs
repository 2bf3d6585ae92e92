//! A system parameter on one side and the system message that it equals on the other.

use super::form::Form;
use super::node::{Node, Value};
use crate::call::Call;
use crate::dialect::{self, Dialect};
use crate::report::{Difference, Edit};

/// How a dialect names its system parameter, and the list in which a system message stands instead.
const PARAMETERS: &[(Dialect, &str, &str)] = &[
    (Dialect::Anthropic, "system", "messages"),
    (Dialect::BedrockInvoke, "system", "messages"),
    (Dialect::OpenAiResponses, "instructions", "input"),
];

/// The request whose parameter was taken for a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifted {
    side: Side,
    parameter: &'static str,
    list: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Recorded,
    Incoming,
}

/// Makes the system parameter of one request the first of its messages, where the other has such a message and no
/// parameter: compared as they stand, one would be gone and the other new.
pub(super) fn lift(calls: [&Call; 2], forms: [&mut Form; 2]) -> Option<Lifted> {
    let spoken = calls.map(dialect::detect);
    let (_, parameter, list) = PARAMETERS.iter().find(|(known, ..)| spoken == [Some(*known); 2])?;
    let [ours, theirs] = forms;
    let (side, form) = match (has(ours, parameter), has(theirs, parameter)) {
        (true, false) if begins(theirs, list) && !begins(ours, list) => (Side::Recorded, ours),
        (false, true) if begins(ours, list) && !begins(theirs, list) => (Side::Incoming, theirs),
        _ => return None,
    };
    // There the two are not equal: instructions of an earlier request are not carried over, and its items are.
    if ["previous_response_id", "conversation"].iter().any(|name| has(form, name)) {
        return None;
    }
    let (_, body) = form.fields.iter_mut().find(|(path, _)| path.is_empty())?;
    *body = lifted(body, parameter, list)?;
    Some(Lifted { side, parameter, list })
}

impl Lifted {
    /// Puts the paths of the request right, of which one message was none.
    pub(super) fn restore(self, differences: &mut [Difference]) {
        for difference in differences {
            let recorded = difference.from.take().unwrap_or_else(|| difference.path.clone());
            let (recorded, incoming) = match (difference.edit, self.side) {
                (Edit::Added, Side::Recorded) | (Edit::Removed, Side::Incoming) => continue,
                (Edit::Added | Edit::Removed, _) => (self.path(&recorded), self.path(&recorded)),
                (_, Side::Recorded) => (self.path(&recorded), difference.path.clone()),
                (_, Side::Incoming) => (recorded, self.path(&difference.path)),
            };
            difference.from = (recorded != incoming).then_some(recorded);
            difference.path = incoming;
        }
    }

    /// Returns a path in the request as it was sent.
    fn path(self, path: &str) -> String {
        let Some(rest) = path.strip_prefix(self.list).and_then(|rest| rest.strip_prefix('[')) else {
            return path.to_owned();
        };
        let Some((index, rest)) = rest.split_once(']') else { return path.to_owned() };
        match index.parse::<usize>() {
            Ok(0) => format!("{}{}", self.parameter, rest.strip_prefix(".content").unwrap_or(rest)),
            Ok(index) => format!("{}[{}]{rest}", self.list, index - 1),
            Err(_) => path.to_owned(),
        }
    }
}

fn body(form: &Form) -> &[(String, Node)] {
    match form.fields.iter().find(|(path, _)| path.is_empty()) {
        Some((_, Node { value: Value::Map(members), .. })) => members,
        _ => &[],
    }
}

fn has(form: &Form, name: &str) -> bool {
    body(form).iter().any(|(known, _)| known == name)
}

/// Returns whether the list begins with a system message of role and content.
fn begins(form: &Form, list: &str) -> bool {
    let list = body(form).iter().find(|(known, _)| known == list).map(|(_, node)| &node.value);
    let Some(Value::List(messages)) = list else { return false };
    let Some(Node { value: Value::Map(members), .. }) = messages.first() else { return false };
    let is_system =
        |(name, node): &(String, Node)| name == "role" && matches!(&node.value, Value::Text(role) if role == "system");
    members.iter().any(is_system)
}

fn lifted(body: &Node, parameter: &str, list: &str) -> Option<Node> {
    let Value::Map(members) = &body.value else { return None };
    let content = members.iter().find(|(name, _)| name == parameter).map(|(_, node)| node.clone())?;
    let role = Node::text("system".to_owned());
    let message = Node::map(vec![("role".to_owned(), role), ("content".to_owned(), content)]);
    let others = members.iter().filter(|(name, _)| name != parameter).cloned();
    let mut found = false;
    let mut members: Vec<_> = others.collect();
    for (_, node) in members.iter_mut().filter(|(name, _)| name == list) {
        let Value::List(messages) = &node.value else { return None };
        let messages = std::iter::once(message.clone()).chain(messages.iter().cloned()).collect();
        *node = Node::list(messages);
        found = true;
    }
    found.then(|| Node::map(members))
}

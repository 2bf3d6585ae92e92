//! Tools whose definition stands in a member of their own on one side, and beside their type on the other.

use super::form::Form;
use super::node::{Node, Value};
use super::path::{self, Counted};
use crate::call::Call;
use crate::dialect;
use crate::report::{Difference, Edit};

/// The list of tools, and the member of one in which its definition may stand.
const LIST: &str = "tools";
const MEMBER: &str = "function";

/// The request whose definitions were taken out of their members.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    side: Edit,
    /// The paths of what was taken out, as it is compared and as it was sent.
    paths: Vec<(String, String)>,
}

/// Takes the definitions of tools out of their members where they stand in one on one side alone: compared as they stand,
/// each tool would be gone and another be new.
pub(super) fn flatten(calls: [&Call; 2], forms: [&mut Form; 2]) -> Option<Flat> {
    let [ours, theirs] = calls.map(dialect::detect);
    if ours.is_none() || ours != theirs {
        return None;
    }
    let [recorded, incoming] = forms;
    let (side, form) = match (is_nested(recorded), is_nested(incoming)) {
        (Some(true), Some(false)) => (Edit::Removed, recorded),
        (Some(false), Some(true)) => (Edit::Added, incoming),
        _ => return None,
    };
    let mut paths = Vec::new();
    let (_, body) = form.fields.iter_mut().find(|(path, _)| path.is_empty())?;
    let Value::Map(members) = &body.value else { return None };
    let members = members.iter().map(|(name, node)| match &node.value {
        Value::List(tools) if name == LIST => {
            let tools = tools.iter().enumerate().map(|(i, tool)| flat(i, tool, &mut paths)).collect();
            (name.clone(), Node::list(tools))
        }
        _ => (name.clone(), node.clone()),
    });
    *body = Node::map(members.collect());
    Some(Flat { side, paths })
}

impl Flat {
    /// Puts the paths of the request right that was sent otherwise.
    pub(super) fn restore(self, differences: &mut [Difference]) {
        for difference in differences {
            let recorded = difference.from.take().unwrap_or_else(|| difference.path.clone());
            let incoming = difference.path.clone();
            let (recorded, incoming) = match (difference.edit, self.side) {
                (Edit::Added, Edit::Added) => (self.sent(&incoming), self.sent(&incoming)),
                (Edit::Removed, Edit::Removed) => (self.sent(&recorded), self.sent(&recorded)),
                (Edit::Added | Edit::Removed, _) => (recorded, incoming),
                (_, Edit::Removed) => (self.sent(&recorded), incoming),
                (_, _) => (recorded, self.sent(&incoming)),
            };
            difference.from = (recorded != incoming).then_some(recorded);
            difference.path = incoming;
        }
    }

    fn sent(&self, path: &str) -> String {
        let one = |(flat, sent): &(String, String)| {
            let rest = path.strip_prefix(flat.as_str())?;
            (rest.is_empty() || rest.starts_with(['.', '[', '~'])).then(|| format!("{sent}{rest}"))
        };
        self.paths.iter().find_map(one).unwrap_or_else(|| path.to_owned())
    }
}

/// Returns whether a tool has its definition in a member; `None` where there is no list of them.
fn is_nested(form: &Form) -> Option<bool> {
    let (_, body) = form.fields.iter().find(|(path, _)| path.is_empty())?;
    let Value::Map(members) = &body.value else { return None };
    let (_, tools) = members.iter().find(|(name, _)| name == LIST)?;
    let Value::List(tools) = &tools.value else { return None };
    Some(tools.iter().any(|tool| inner(tool).is_some()))
}

fn inner(tool: &Node) -> Option<&Vec<(String, Node)>> {
    let Value::Map(members) = &tool.value else { return None };
    match &members.iter().find(|(name, _)| name == MEMBER)?.1.value {
        Value::Map(inner) => Some(inner),
        _ => None,
    }
}

/// Returns a tool without the member, what stood in it beside the others; as it is where two would have one name.
fn flat(at: usize, tool: &Node, paths: &mut Vec<(String, String)>) -> Node {
    let (Value::Map(members), Some(inner)) = (&tool.value, inner(tool)) else { return tool.clone() };
    let others = members.iter().filter(|(name, _)| name != MEMBER);
    if others.clone().any(|(name, _)| inner.iter().any(|(known, _)| known == name)) {
        return tool.clone();
    }
    let place = path::element(LIST, at, Counted::Elements);
    let sent = path::member(&place, MEMBER);
    paths.extend(inner.iter().map(|(name, _)| (path::member(&place, name), path::member(&sent, name))));
    Node::map(others.chain(inner).cloned().collect())
}

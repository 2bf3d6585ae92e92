//! Tools and the choice of one, which dialects spell in two ways: in a member of their own or beside their type, with their schema
//! under one name or another.

use super::form::Form;
use super::node::{Node, Value};
use super::path::{self, Counted};
use crate::call::Call;
use crate::dialect;
use crate::report::{Difference, Edit};

/// The list of tools, and the choice of one.
const LIST: &str = "tools";
const CHOICE: &str = "tool_choice";

/// The member in which the definition of a tool may stand, and the two names of its schema.
const MEMBER: &str = "function";
const SCHEMA: &str = "input_schema";
const PARAMETERS: &str = "parameters";

/// What one of two spellings is, and how a body in it reads in the other; each path that is another there goes with the one that
/// was sent.
struct Spelling {
    /// Whether a body is spelled so; `None` where it holds nothing that could be.
    is_used: fn(&Members) -> Option<bool>,
    plain: fn(&Members, &mut Paths) -> Members,
}

type Members = Vec<(String, Node)>;

/// The paths of what was respelled, as it is compared and as it was sent.
type Paths = Vec<(String, String)>;

/// In the order in which they are taken away: what stands in a member may have its schema under either name.
const SPELLINGS: [Spelling; 3] = [
    Spelling { is_used: |body| Some(tools(body)?.iter().any(|tool| inner(tool).is_some())), plain: plain_tools },
    Spelling { is_used: |body| Some(tools(body)?.iter().any(names_schema)), plain: plain_schemas },
    Spelling { is_used: |body| member(body, CHOICE).map(|choice| inner(choice).is_some()), plain: plain_choice },
];

/// The request that was respelled.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    side: Edit,
    paths: Paths,
}

/// Respells what one request alone spells so: compared as they stand, each tool would be gone and another be new.
pub(super) fn flatten(calls: [&Call; 2], forms: [&mut Form; 2]) -> Vec<Flat> {
    let [ours, theirs] = calls.map(dialect::detect);
    if ours.is_none() || ours != theirs {
        return Vec::new();
    }
    let [recorded, incoming] = forms;
    let mut flats = Vec::new();
    for Spelling { is_used, plain } in SPELLINGS {
        let used = [&*recorded, &*incoming].map(|form| body(form).and_then(is_used));
        let (side, form) = match used {
            [Some(true), Some(false)] => (Edit::Removed, &mut *recorded),
            [Some(false), Some(true)] => (Edit::Added, &mut *incoming),
            _ => continue,
        };
        let mut paths = Vec::new();
        if let Some(members) = body(form).map(|members| plain(members, &mut paths))
            && let Some((_, node)) = form.fields.iter_mut().find(|(path, _)| path.is_empty())
        {
            *node = Node::map(members);
            flats.push(Flat { side, paths });
        }
    }
    // What was respelled last is put right first.
    flats.reverse();
    flats
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

fn body(form: &Form) -> Option<&Members> {
    match &form.fields.iter().find(|(path, _)| path.is_empty())?.1.value {
        Value::Map(members) => Some(members),
        _ => None,
    }
}

fn member<'a>(members: &'a Members, name: &str) -> Option<&'a Node> {
    members.iter().find(|(known, _)| known == name).map(|(_, node)| node)
}

fn tools(body: &Members) -> Option<&Vec<Node>> {
    match &member(body, LIST)?.value {
        Value::List(tools) => Some(tools),
        _ => None,
    }
}

/// Returns the members of what has its definition in a member.
fn inner(tool: &Node) -> Option<&Members> {
    let Value::Map(members) = &tool.value else { return None };
    match &member(members, MEMBER)?.value {
        Value::Map(inner) => Some(inner),
        _ => None,
    }
}

fn names_schema(tool: &Node) -> bool {
    let Value::Map(members) = &tool.value else { return false };
    member(members, SCHEMA).is_some() && member(members, PARAMETERS).is_none()
}

fn plain_tools(body: &Members, paths: &mut Paths) -> Members {
    each_tool(body, |place, tool| flat(place, tool, paths))
}

fn plain_schemas(body: &Members, paths: &mut Paths) -> Members {
    each_tool(body, |place, tool| {
        let Value::Map(members) = &tool.value else { return tool.clone() };
        if !names_schema(tool) {
            return tool.clone();
        }
        paths.push((path::member(place, PARAMETERS), path::member(place, SCHEMA)));
        let named = |name: &String| if name == SCHEMA { PARAMETERS.to_owned() } else { name.clone() };
        Node::map(members.iter().map(|(name, node)| (named(name), node.clone())).collect())
    })
}

fn plain_choice(body: &Members, paths: &mut Paths) -> Members {
    let choice = |(name, node): &(String, Node)| {
        let node = if name == CHOICE { flat(CHOICE, node, paths) } else { node.clone() };
        (name.clone(), node)
    };
    body.iter().map(choice).collect()
}

/// Returns the body with each tool as it is given back, by its path.
fn each_tool(body: &Members, mut respelled: impl FnMut(&str, &Node) -> Node) -> Members {
    let one = |(name, node): &(String, Node)| match &node.value {
        Value::List(tools) if name == LIST => {
            let places = (0..).map(|at| path::element(LIST, at, Counted::Elements));
            (name.clone(), Node::list(places.zip(tools).map(|(place, tool)| respelled(&place, tool)).collect()))
        }
        _ => (name.clone(), node.clone()),
    };
    body.iter().map(one).collect()
}

/// Returns a tool without the member, what stood in it beside the others; as it is where two would have one name.
fn flat(place: &str, tool: &Node, paths: &mut Paths) -> Node {
    let (Value::Map(members), Some(inner)) = (&tool.value, inner(tool)) else { return tool.clone() };
    let others = members.iter().filter(|(name, _)| name != MEMBER);
    if others.clone().any(|(name, _)| inner.iter().any(|(known, _)| known == name)) {
        return tool.clone();
    }
    let sent = path::member(place, MEMBER);
    paths.extend(inner.iter().map(|(name, _)| (path::member(place, name), path::member(&sent, name))));
    Node::map(others.chain(inner).cloned().collect())
}

//! The names that a document gives by other members than a value's own.

use std::collections::HashMap;

use super::detect::indirect;
pub(crate) use super::detect::indirect::Bond;
use super::scan::{Leaf, Role, Scan, value};
use super::tabled;

/// What other members say of the strings of a document: of `value` by `name`, of a key's parts by `kty`.
#[derive(Default)]
pub(crate) struct Spoken {
    /// By where the string begins.
    names: HashMap<usize, Name>,
    keys: Vec<usize>,
}

/// A name that stands elsewhere than before its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) bond: Bond,
}

impl Spoken {
    /// Returns the name that something else gives this leaf.
    pub(crate) fn of(&self, leaf: &Leaf) -> Option<&Name> {
        self.names.get(&leaf.span.start)
    }

    /// Returns whether this leaf stands in a JSON web key.
    pub(crate) fn is_in_key(&self, leaf: &Leaf) -> bool {
        self.keys.contains(&leaf.container)
    }

    fn name(&mut self, leaf: &Leaf, text: &str, bond: Bond) {
        self.names.entry(leaf.span.start).or_insert_with(|| Name { text: text.to_owned(), bond });
    }
}

/// Returns the names given by other members.
pub(crate) fn spoken_names(text: &str, scan: &Scan) -> Spoken {
    let mut spoken = Spoken::default();
    let mut leaves: Vec<Vec<&Leaf>> = vec![Vec::new(); scan.containers.len()];
    for leaf in scan.leaves.iter().filter(|leaf| leaf.role != Role::Key) {
        leaves[leaf.container].push(leaf);
    }
    for (cell, column) in tabled::cells(text, scan, &leaves) {
        spoken.name(cell, &column, Bond::Likely);
    }
    let above = above(text, scan);
    for (i, (container, leaves)) in scan.containers.iter().zip(&leaves).enumerate() {
        let name = container.name.clone().map_or("", |name| &text[name]);
        if container.object {
            object(text, leaves, &mut spoken)
        } else {
            array(text, leaves, name, &mut spoken)
        }
        if let Some(above) = above[i] {
            below(text, leaves, above, &mut spoken);
        }
    }
    stores(text, scan, &leaves, &mut spoken);
    spoken
}

/// Returns for each container the name that makes all in it secret: its own, or one above that it only carries on.
fn above<'a>(text: &'a str, scan: &Scan) -> Vec<Option<&'a str>> {
    let mut above: Vec<Option<&str>> = Vec::with_capacity(scan.containers.len());
    for container in &scan.containers {
        let name = container.name.clone().map_or("", |name| &text[name]);
        let outer = above.get(container.parent).copied().flatten();
        let carried = outer.filter(|outer| indirect::is_carrying(name, outer));
        above.push(if indirect::is_strong(name) { Some(name) } else { carried });
    }
    above
}

fn below(text: &str, leaves: &[&Leaf], above: &str, spoken: &mut Spoken) {
    for leaf in leaves {
        let member = leaf.name.clone().map_or("", |name| &text[name]);
        let carries = match leaf.role {
            Role::String => indirect::is_carrying(member, above),
            _ => indirect::is_blank(member),
        };
        if member != above && carries {
            spoken.name(leaf, above, Bond::Likely);
        }
    }
}

fn object(text: &str, leaves: &[&Leaf], spoken: &mut Spoken) {
    let member = |leaf: &Leaf| leaf.name.clone().map_or("", |name| &text[name]);
    if let Some(leaf) = leaves.iter().find(|leaf| leaf.role == Role::String && member(leaf) == "kty") {
        spoken.keys.push(leaf.container);
    }
    if leaves.iter().any(|leaf| indirect::is_speaking(member(leaf))) {
        let said: Vec<String> = leaves.iter().map(|leaf| value(text, &leaf.span)).collect();
        let members: Vec<(&str, &str)> = leaves.iter().zip(&said).map(|(leaf, said)| (member(leaf), &**said)).collect();
        for (i, name, bond) in indirect::named(&members) {
            spoken.name(leaves[i], name, bond);
        }
    }
}

/// Names what stands in the answers of stores that hold nothing but secrets.
fn stores(text: &str, scan: &Scan, leaves: &[Vec<&Leaf>], spoken: &mut Spoken) {
    let says = |container: usize, member: &str, is: fn(&str) -> bool| {
        let holds =
            |leaf: &&Leaf| leaf.name.clone().is_some_and(|name| &text[name] == member) && is(&text[leaf.span.clone()]);
        leaves[container].iter().any(holds)
    };
    for (i, container) in scan.containers.iter().enumerate().filter(|(_, container)| container.object) {
        let name = container.name.clone().map_or("", |name| &text[name]);
        let (parent, outer) = (container.parent, scan.containers[container.parent].parent);
        let bond = match name {
            "data" | "stringData" if says(parent, "kind", |kind| kind == "Secret") => Bond::Sure,
            "data" if says(scan.containers[outer].parent, "kind", |kind| kind == "SecretList") => Bond::Sure,
            "data" if says(parent, "lease_id", |_| true) || says(outer, "lease_id", |_| true) => Bond::Likely,
            "payload" if says(parent, "name", |name| name.contains("/secrets/")) => Bond::Sure,
            _ => continue,
        };
        for leaf in leaves[i].iter().filter(|leaf| leaf.role == Role::String) {
            spoken.name(leaf, "secret", bond);
        }
    }
}

fn array(text: &str, leaves: &[&Leaf], array: &str, spoken: &mut Spoken) {
    if let [name, said] = leaves
        && name.role == Role::String
    {
        let bond = if indirect::is_of_pairs(array) { Bond::Sure } else { Bond::Likely };
        spoken.name(said, &value(text, &name.span), bond);
    }
    for pair in
        leaves.windows(2).filter(|pair| pair[0].role == Role::String && text[pair[0].span.clone()].starts_with('-'))
    {
        if let Some(option) = indirect::option(&text[pair[0].span.clone()]) {
            spoken.names.insert(pair[1].span.start, Name { text: option.to_owned(), bond: Bond::Likely });
        }
    }
}

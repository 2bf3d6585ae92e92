//! The names that a document gives by other members than a value's own.

use std::collections::HashMap;

use super::detect::indirect;
use super::scan::{Leaf, Role, Scan, value};

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

/// How surely a name is that of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// As surely as if it stood before it.
    Sure,
    /// It may be a neighbour by chance: the value has to look secret too.
    Likely,
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
    tables(text, scan, &leaves, &mut spoken);
    for (container, leaves) in scan.containers.iter().zip(&leaves) {
        let name = container.name.clone().map_or("", |name| &text[name]);
        if container.object { object(text, leaves, name, &mut spoken) } else { array(text, leaves, name, &mut spoken) }
    }
    spoken
}

fn object(text: &str, leaves: &[&Leaf], object: &str, spoken: &mut Spoken) {
    let member = |leaf: &Leaf| leaf.name.clone().map_or("", |name| &text[name]);
    let strings = || leaves.iter().filter(|leaf| leaf.role == Role::String);
    if let Some(leaf) = strings().find(|leaf| member(leaf) == "kty") {
        spoken.keys.push(leaf.container);
    }
    if let Some(naming) = strings().find(|leaf| indirect::is_naming(member(leaf))) {
        let name = value(text, &naming.span);
        let named = leaves.iter().filter(|leaf| indirect::is_named(member(leaf)));
        named.for_each(|leaf| spoken.name(leaf, &name, Bond::Sure));
    }
    let carrying = strings().filter(|leaf| indirect::is_carrying(member(leaf), object));
    carrying.for_each(|leaf| spoken.name(leaf, object, Bond::Likely));
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

/// Names the cells of tables by the columns that stand beside them.
fn tables(text: &str, scan: &Scan, leaves: &[Vec<&Leaf>], spoken: &mut Spoken) {
    let named = |i: &usize, of: fn(&str) -> bool| {
        let container = &scan.containers[*i];
        !container.object && container.name.clone().is_some_and(|name| of(&text[name]))
    };
    let arrays = || 0..scan.containers.len();
    for columns in arrays().filter(|i| named(i, indirect::is_columns)) {
        let table = scan.containers[columns].parent;
        let width = leaves[columns].len();
        if !scan.containers[table].object || leaves[columns].iter().any(|leaf| leaf.role != Role::String) {
            continue;
        }
        let rows = arrays().filter(|i| named(i, indirect::is_rows) && *i != columns && leaves[*i].len() == width);
        let of_table = |i: &usize| {
            let parent = scan.containers[*i].parent;
            parent == table || scan.containers[parent].parent == table && !scan.containers[parent].object
        };
        for row in rows.filter(of_table) {
            for (column, cell) in leaves[columns].iter().zip(&leaves[row]) {
                spoken.name(cell, &value(text, &column.span), Bond::Likely);
            }
        }
    }
}

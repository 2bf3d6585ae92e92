//! Which pieces belong together: those under the same names.

use std::collections::HashMap;

/// Names below names, each path of them with a number.
pub(super) struct Kinship {
    nodes: Vec<Node>,
}

/// A path of names.
#[derive(Default)]
struct Node {
    name: String,
    below: HashMap<String, usize>,
    /// The number of the path that was last asked for below this one: most values are made as the one before.
    last: usize,
}

/// The number of the path of no names.
pub(super) const ROOT: usize = 0;

impl Default for Kinship {
    fn default() -> Kinship {
        Kinship { nodes: vec![Node::default()] }
    }
}

impl Kinship {
    /// Returns the number of the path that goes on with this name below another.
    pub(super) fn below(&mut self, path: usize, name: &str) -> usize {
        let last = self.nodes[path].last;
        if last != ROOT && self.nodes[last].name == name {
            return last;
        }
        let known = self.nodes[path].below.get(name).copied();
        let number = known.unwrap_or(self.nodes.len());
        if known.is_none() {
            self.nodes.push(Node { name: name.to_owned(), ..Node::default() });
            self.nodes[path].below.insert(name.to_owned(), number);
        }
        self.nodes[path].last = number;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::{Kinship, ROOT};

    #[test]
    fn equal_paths_have_one_number() {
        let mut kinship = Kinship::default();
        let mut path = |names: &[&str]| names.iter().fold(ROOT, |path, name| kinship.below(path, name));
        let numbers = [path(&["a", "b"]), path(&["a", "c"]), path(&["b"]), path(&["a", "b"]), path(&["a"]), path(&[])];
        assert_eq!(numbers, [2, 3, 4, 2, 1, ROOT]);
    }
}

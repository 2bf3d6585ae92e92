//! Tables in a document: columns that are named beside the rows, or by the first of them.

use std::collections::HashMap;

use super::detect::{indirect, names};
use super::scan::{Leaf, Role, Scan, value};

/// How far above its columns a table may be, and above its rows.
const ABOVE: usize = 3;

/// The longest name of a column.
const NAME: usize = 64;

/// The columns that a container names, by how many they are.
type Heads = HashMap<(usize, usize), Vec<String>>;

/// Returns the cells of a document's tables, each with the name of its column.
pub(super) fn cells<'a>(text: &str, scan: &Scan, leaves: &[Vec<&'a Leaf>]) -> Vec<(&'a Leaf, String)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); scan.containers.len()];
    for (i, container) in scan.containers.iter().enumerate().filter(|(i, container)| container.parent != *i) {
        children[container.parent].push(i);
    }
    let name = |i: usize| scan.containers[i].name.clone().map_or("", |name| &text[name]);
    let arrays = || (0..scan.containers.len()).filter(|i| !scan.containers[*i].object);
    let of = |array: usize, is: fn(&str) -> bool| {
        let mut elements: Vec<(usize, &'a Leaf)> = leaves[array].iter().map(|leaf| (leaf.place, *leaf)).collect();
        for child in children[array].iter().filter(|child| scan.containers[**child].object) {
            let held = leaves[*child].iter().find(|leaf| leaf.name.clone().is_some_and(|name| is(&text[name])));
            elements.extend(held.map(|leaf| (scan.containers[*child].place, *leaf)));
        }
        elements.sort_by_key(|(place, _)| *place);
        elements.into_iter().map(|(_, leaf)| leaf).collect::<Vec<_>>()
    };
    let said = |heads: Vec<&Leaf>| -> Option<Vec<String>> {
        let strings = !heads.is_empty() && heads.iter().all(|leaf| leaf.role == Role::String);
        // What is longer names no column.
        let name = |leaf: &&Leaf| if leaf.span.len() > NAME { String::new() } else { value(text, &leaf.span) };
        strings.then(|| heads.iter().map(name).collect())
    };
    let mut heads = Heads::new();
    for columns in arrays().filter(|i| indirect::is_columns(name(*i))) {
        let Some(said) = said(of(columns, indirect::is_head)) else { continue };
        let mut table = columns;
        for _ in 0..ABOVE {
            table = scan.containers[table].parent;
            heads.entry((table, said.len())).or_insert_with(|| said.clone());
        }
    }
    // Where nothing names the columns, the first row may: then one of them is secret by its name.
    let first =
        |table: usize| Some(children[table][0]).filter(|row| !scan.containers[*row].object && leaves[table].is_empty());
    for table in arrays().filter(|i| children[*i].len() > 1 && (name(*i).is_empty() || indirect::is_rows(name(*i)))) {
        let Some(row) = first(table).filter(|row| leaves[*row].len() > 1 && children[*row].is_empty()) else {
            continue;
        };
        let told = |said: &Vec<String>| said.iter().any(|head| names::judge(head).is_some());
        if let Some(said) = said(leaves[row].clone()).filter(told) {
            heads.entry((table, said.len())).or_insert(said);
        }
    }
    if heads.is_empty() {
        return Vec::new();
    }
    let mut cells = Vec::new();
    for row in arrays().filter(|i| indirect::is_rows(name(*i)) || name(*i).is_empty()) {
        let said = of(row, indirect::is_cell);
        let mut table = row;
        for _ in 0..=ABOVE {
            table = scan.containers[table].parent;
            if let Some(heads) = heads.get(&(table, said.len())) {
                cells.extend(said.iter().copied().zip(heads.iter().cloned()));
                break;
            }
        }
    }
    cells
}

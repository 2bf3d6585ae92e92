//! Lines whose columns stand below each other.

use std::io;
use std::ops::Range;

use super::{Line, Output};

/// Rows of cells; each column is as wide as its widest cell. On a terminal that is too narrow for all of them the last ones stand below.
#[derive(Debug, Default)]
pub(crate) struct Table {
    indent: usize,
    rows: Vec<Row>,
}

#[derive(Debug)]
enum Row {
    Cells(Vec<Line>),
    /// A line of its own, which widens no column but the first.
    Whole(Line, Line),
}

impl Table {
    /// Returns a table that stands so far to the right.
    pub(crate) fn indented(indent: usize) -> Table {
        Table { indent, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<Line>) {
        self.rows.push(Row::Cells(cells));
    }

    /// Adds a row with one cell, and a text across all other columns.
    pub(crate) fn across(&mut self, cell: Line, text: Line) {
        self.rows.push(Row::Whole(cell, text));
    }

    /// Prints the table, no line wider than the terminal.
    pub(crate) fn print(self, output: &mut Output) -> io::Result<()> {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            let cells = match row {
                Row::Cells(cells) => cells.iter().map(Line::width).collect(),
                Row::Whole(cell, _) => vec![cell.width()],
            };
            widths.resize(widths.len().max(cells.len()), 0);
            cells.into_iter().enumerate().for_each(|(i, width)| widths[i] = widths[i].max(width));
        }
        let width = output.width();
        let (lines, below) = layout(&widths, self.indent, width);
        for row in self.rows {
            let cells = match row {
                Row::Cells(cells) => cells,
                Row::Whole(cell, text) => {
                    let first = widths.first().copied().unwrap_or_default();
                    let line = Line::of(&" ".repeat(self.indent)).and(cell.padded(first + 2)).and(text);
                    output.line(&line.fitted(width))?;
                    continue;
                }
            };
            for columns in &lines {
                let indent = if columns.start == 0 { self.indent } else { below };
                let mut line = Line::of(&" ".repeat(indent));
                let last = columns.end.min(cells.len()).saturating_sub(1);
                for i in columns.clone().take_while(|i| *i < cells.len()) {
                    let cell = cells[i].clone();
                    line = line.and(if i == last { cell } else { cell.padded(widths[i] + 2) });
                }
                // What has a line to itself may take several.
                let told = if columns.len() == 1 { line.wrapped(width) } else { vec![line] };
                for line in told.into_iter().map(|line| line.fitted(width)) {
                    if columns.start == 0 || line.width() > 0 {
                        output.line(&line)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns which columns stand on one line, and how far those to the right of the first line's are indented below it: all of them
/// are on one where that is wide enough, for a cell that is cut says nothing.
fn layout(widths: &[usize], indent: usize, width: Option<usize>) -> (Vec<Range<usize>>, usize) {
    let first = indent + widths.first().copied().unwrap_or_default() + 2;
    let rest = widths.iter().skip(1).max().copied().unwrap_or_default();
    let below = if width.is_some_and(|width| first + rest > width) { indent + 2 } else { first };
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, indent);
    for (i, column) in widths.iter().enumerate() {
        if i > start && width.is_some_and(|width| at + column > width) {
            lines.push(start..i);
            (start, at) = (i, below);
        }
        at += column + 2;
    }
    lines.push(start..widths.len());
    (lines, below)
}

#[cfg(test)]
mod tests {
    use super::layout;

    #[test]
    fn columns_that_do_not_fit_stand_below() {
        let told = |(lines, below): (Vec<std::ops::Range<usize>>, usize)| format!("{lines:?} {below}");
        let of = |width| told(layout(&[6, 7, 30, 11, 12], 2, width));
        assert_eq!(of(None), "[0..5] 10");
        assert_eq!(of(Some(76)), "[0..5] 10");
        assert_eq!(of(Some(75)), "[0..4, 4..5] 10");
        assert_eq!(of(Some(50)), "[0..3, 3..5] 10");
        assert_eq!(of(Some(40)), "[0..2, 2..3, 3..5] 10");
        assert_eq!(told(layout(&[30, 30], 2, Some(40))), "[0..1, 1..2] 4");
    }
}

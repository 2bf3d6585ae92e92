//! Lines whose columns stand below each other.

use std::io;

use super::{Line, Output};

/// Rows of cells; each column is as wide as its widest cell.
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
        for row in self.rows {
            let mut line = Line::of(&" ".repeat(self.indent));
            let cells = match row {
                Row::Cells(cells) => cells,
                Row::Whole(cell, text) => vec![cell, text],
            };
            let last = cells.len() - 1;
            for (i, cell) in cells.into_iter().enumerate() {
                let is_last = i == last;
                line = line.and(if is_last { cell } else { cell.padded(widths[i] + 2) });
            }
            output.line(&line.fitted(width))?;
        }
        Ok(())
    }
}

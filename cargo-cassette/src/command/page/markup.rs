//! HTML that cannot be broken out of: names of elements and attributes are the program's own, everything else is escaped.

use crate::output::{grouped, visible};

/// A piece of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

/// How many bytes of one text are taken into a page.
const LONGEST: usize = 200_000;

/// An element's attributes.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// Elements that stand on lines of their own in the source.
const BLOCKS: [&str; 16] = [
    "html", "head", "body", "title", "header", "nav", "main", "section", "article", "footer", "div", "h1", "h2", "p",
    "ol", "li",
];

impl Markup {
    pub(crate) fn new() -> Markup {
        Markup::default()
    }

    /// Adds a text. What no eye would see in it is written out, and of one that nobody would read to its end the beginning, with how
    /// long it is.
    pub(crate) fn text(&mut self, text: &str) -> &mut Markup {
        let head = &text[..text.floor_char_boundary(LONGEST)];
        self.0.push_str(&escaped(&visible(head)));
        if head.len() < text.len() {
            self.0.push_str(&format!("… the first {} of {} bytes", grouped(head.len()), grouped(text.len())));
        }
        self
    }

    /// Returns how many bytes there are so far.
    pub(crate) fn size(&self) -> usize {
        self.0.len()
    }

    /// Adds an element with what stands in it.
    pub(crate) fn element(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Markup),
    ) -> &mut Markup {
        self.void(tag, attributes);
        inside(self);
        self.0.push_str(&format!("</{tag}>"));
        if BLOCKS.contains(&tag) {
            self.0.push('\n');
        }
        self
    }

    /// Adds an element that holds a text alone.
    pub(crate) fn words(&mut self, tag: &'static str, class: &str, text: &str) -> &mut Markup {
        let class = [("class", class)];
        let attributes: Attributes<'_> = if class[0].1.is_empty() { &[] } else { &class };
        self.element(tag, attributes, |inside| {
            inside.text(text);
        })
    }

    /// Adds an element that has no end.
    pub(crate) fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Markup {
        self.0.push_str(&format!("<{tag}"));
        for (name, value) in attributes {
            self.0.push_str(&format!(" {name}=\"{}\"", escaped(&visible(value))));
        }
        self.0.push('>');
        self
    }

    /// Adds what another piece holds.
    pub(crate) fn and(&mut self, other: Markup) -> &mut Markup {
        self.0.push_str(&other.0);
        self
    }

    /// Adds a style sheet of the program's own.
    pub(super) fn style(&mut self, sheet: &'static str) -> &mut Markup {
        self.0.push_str(&format!("<style>{sheet}</style>\n"));
        self
    }

    /// Returns the whole as a document.
    pub(super) fn document(self) -> String {
        format!("<!DOCTYPE html>\n{}", self.0)
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn of_a_text_that_nobody_reads_to_its_end_the_beginning_is_there() {
        let mut markup = Markup::new();
        markup.text(&"日".repeat(100_000));
        assert!(markup.0.ends_with("日… the first 199,998 of 300,000 bytes"));
        assert_eq!(Markup::new().text("short").0, "short");
    }

    #[test]
    fn nothing_breaks_out() {
        let mut markup = Markup::new();
        markup.element("b", &[("title", "\"><img src=x onerror=alert(1)>'")], |inside| {
            inside.text("</b></script><script>\u{202e}\u{0}&amp;");
        });
        assert_eq!(
            markup.0,
            "<b title=\"&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;\">&lt;/b&gt;&lt;/script&gt;&lt;script&gt;\\u{202e}\\u{0}&amp;amp;</b>"
        );
    }
}

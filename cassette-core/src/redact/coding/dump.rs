//! Dumps as `xxd` writes them: the place, the bytes in groups, and the letters once more.

use std::ops::Range;

/// How every dump begins.
const FIRST: &str = "00000000: ";

/// The longest line that is looked at: 64 bytes, their letters, and what stands between.
const LONGEST: usize = 300;

/// How many bytes stand in a line, and how many in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    width: usize,
    group: usize,
    /// Whether its bytes are a text in UTF-8; else each is a character of its number.
    is_text: bool,
}

/// Returns the dumps in a text: where each stands, and its bytes as the text that they are, else as characters of the same numbers.
pub(super) fn read(text: &str) -> Vec<(Range<usize>, String, Layout)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(FIRST).map(|at| from + at) {
        let (mut said, mut layout, mut end, mut at) = (Vec::new(), None, start, start);
        while let Some((bytes, group, length)) = line(&text[at..], said.len()) {
            layout.get_or_insert(Layout { width: bytes.len(), group, is_text: false });
            said.extend(bytes);
            end = at + length;
            at = end + usize::from(text[end..].starts_with('\r')) + 1;
            if !text[end..].trim_start_matches('\r').starts_with('\n') {
                break;
            }
        }
        if let Some(layout) = layout.filter(|_| said.len() >= 8) {
            let text = std::str::from_utf8(&said).ok().map(str::to_owned);
            let layout = Layout { is_text: text.is_some(), ..layout };
            found.push((start..end, text.unwrap_or_else(|| said.into_iter().map(char::from).collect()), layout));
        }
        from = end.max(start + FIRST.len());
    }
    found
}

/// Returns a dump of these characters.
pub(super) fn written(text: &str, layout: Layout) -> String {
    let numbers = || text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    let bytes: Vec<u8> = if layout.is_text { text.as_bytes().to_vec() } else { numbers() };
    let digits = 2 * layout.width + layout.width.div_ceil(layout.group) - 1;
    let line = |(i, bytes): (usize, &[u8])| {
        let group = |group: &[u8]| group.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let groups: Vec<String> = bytes.chunks(layout.group).map(group).collect();
        let letters: String =
            bytes.iter().map(|b| if matches!(b, b' '..=b'~') { char::from(*b) } else { '.' }).collect();
        format!("{:08x}: {:<digits$}  {letters}", i * layout.width, groups.join(" "))
    };
    bytes.chunks(layout.width).enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Reads one line that stands at this place of the dump: its bytes, how many stand in a group, and how long it is.
fn line(text: &str, place: usize) -> Option<(Vec<u8>, usize, usize)> {
    let rest = text.strip_prefix(&format!("{place:08x}: "))?;
    let end = rest.bytes().take(LONGEST).position(|byte| matches!(byte, b'\n' | b'\r'));
    let longest = (0..=LONGEST.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or_default();
    let line = &rest[..end.unwrap_or(longest)];
    let digits = &line[..line.find("  ").unwrap_or(line.len())];
    let mut bytes = Vec::new();
    for pair in digits.split(' ').flat_map(|group| group.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        bytes.push(u8::from_str_radix(pair, 16).ok()?);
    }
    let group = digits.split(' ').next()?.len() / 2;
    // Pairs by themselves are found without.
    (group > 1 && (1..=64).contains(&bytes.len())).then_some((bytes, group, text.len() - rest.len() + line.len()))
}

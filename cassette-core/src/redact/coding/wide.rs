//! Texts whose letters take two bytes each: UTF-16, as PowerShell encodes commands.

/// The fewest letters that are taken for a text.
const LEAST: usize = 8;

/// Which byte of a letter comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Returns the text that the bytes are in UTF-16, mostly of letters that one byte has room for.
pub(crate) fn text(bytes: &[u8]) -> Option<(String, Order)> {
    let (pairs, _) = bytes.as_chunks::<2>();
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    let order = if zeros(1) * 2 > pairs.len() {
        Order::Little
    } else if zeros(0) * 2 > pairs.len() {
        Order::Big
    } else {
        return None;
    };
    let unit = |pair: &[u8; 2]| match order {
        Order::Little => u16::from_le_bytes(*pair),
        Order::Big => u16::from_be_bytes(*pair),
    };
    let text: String = char::decode_utf16(pairs.iter().map(unit)).collect::<Result<_, _>>().ok()?;
    let printable = text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'));
    (printable && pairs.len() >= LEAST).then_some((text, order))
}

/// Returns the bytes of a text in UTF-16.
pub(crate) fn bytes(text: &str, order: Order) -> Vec<u8> {
    let bytes = |unit: u16| match order {
        Order::Little => unit.to_le_bytes(),
        Order::Big => unit.to_be_bytes(),
    };
    text.encode_utf16().flat_map(bytes).collect()
}

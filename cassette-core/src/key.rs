//! The name under which a request is filed.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The number of the canonical form that keys are made from. It changes when the same request would get another key.
pub const SCHEME: u32 = 4;

/// The key of a request: the scheme's number and 128 bits of a digest, `4.0123456789abcdef0123456789abcdef`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Returns the key over these digests, in this order.
    pub(crate) fn over<'a>(digests: impl IntoIterator<Item = &'a Digest>) -> Key {
        let mut sha = Sha256::new();
        digests.into_iter().for_each(|digest| sha.update(digest.0));
        Key(format!("{SCHEME}.{}", hex(&sha.finalize()[..16])))
    }

    /// Returns the key that a file holds, whatever its scheme.
    pub(crate) fn stored(text: &str) -> Option<Key> {
        let (scheme, digest) = text.split_once('.')?;
        let sound = scheme.parse::<u32>().is_ok() && digest.len() == 32 && digest.bytes().all(is_lower_hex);
        sound.then(|| Key(text.to_owned()))
    }

    /// Returns whether the key was made by today's scheme.
    pub fn is_current(&self) -> bool {
        self.0.split('.').next() == Some(&SCHEME.to_string())
    }

    /// Returns the key as a cassette holds it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What goes into every digest of a file beside the text, so that no table of digests made for another file tells its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Salt(String);

impl Salt {
    /// Returns the salt of a file, by what names it.
    ///
    /// It stands in the file, so it keeps nothing secret, and it need not be random: made so, two recordings of one test
    /// give one file.
    pub(crate) fn of(cassette: &str, test: &str) -> Salt {
        Salt(Digest::of(None, cassette, test.as_bytes()).hex())
    }

    /// Returns the salt that a file holds.
    pub(crate) fn stored(text: &str) -> Option<Salt> {
        (text.len() == 32 && text.bytes().all(is_lower_hex)).then(|| Salt(text.to_owned()))
    }

    /// Returns the salt as a file holds it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The digest of one part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of a salt, if there is one, a part's name and its canonical text, each preceded by its length.
    pub(crate) fn of(salt: Option<&Salt>, name: &str, text: &[u8]) -> Digest {
        let mut sha = Sha256::new();
        let salt = salt.map(|salt| salt.0.as_bytes());
        salt.into_iter().chain([name.as_bytes(), text]).for_each(|field| {
            sha.update((field.len() as u64).to_be_bytes());
            sha.update(field);
        });
        Digest(sha.finalize().into())
    }

    /// Returns the digest of a list by the digests of its elements, so that a list that grows costs only what is new.
    pub(crate) fn of_list(salt: Option<&Salt>, name: &str, elements: &[Digest]) -> Digest {
        let joined: Vec<u8> = elements.iter().flat_map(|digest| digest.0).collect();
        Digest::of(salt, &format!("{name}[]"), &joined)
    }

    /// Returns 128 bits of the digest, in hexadecimal.
    pub(crate) fn hex(&self) -> String {
        hex(&self.0[..16])
    }

    /// Returns the mark that is the beginning of the digest.
    pub(crate) fn mark(&self) -> Mark {
        Mark([self.0[0], self.0[1]])
    }
}

/// Sixteen bits of a digest: enough to tell where two requests differ, and too few to be sure of a text that was guessed.
///
/// Different texts have the same mark once in 65,536 times, so no mark decides what is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mark([u8; 2]);

impl Mark {
    /// Returns the mark that a file holds.
    pub(crate) fn stored(text: &str) -> Option<Mark> {
        let sound = text.len() == 4 && text.bytes().all(is_lower_hex);
        u16::from_str_radix(text, 16).ok().filter(|_| sound).map(|bits| Mark(bits.to_be_bytes()))
    }

    /// Returns the mark as a number.
    pub(crate) fn number(self) -> u64 {
        u64::from(u16::from_be_bytes(self.0))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Returns the bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

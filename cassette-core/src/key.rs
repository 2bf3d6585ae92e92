//! The name under which a request is filed.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The number of the canonical form that keys are made from. It changes when the same request would get another key.
pub const SCHEME: u32 = 3;

/// The key of a request: the scheme's number and 128 bits of a digest, `3.0123456789abcdef0123456789abcdef`.
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

/// The digest of one part of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of a part's name and its canonical text, each preceded by its length.
    pub(crate) fn of(name: &str, text: &[u8]) -> Digest {
        let mut sha = Sha256::new();
        [name.as_bytes(), text].into_iter().for_each(|field| {
            sha.update((field.len() as u64).to_be_bytes());
            sha.update(field);
        });
        Digest(sha.finalize().into())
    }

    /// Returns the digest of a list by the digests of its elements, so that a list that grows costs only what is new.
    pub(crate) fn of_list(name: &str, elements: &[Digest]) -> Digest {
        let joined: Vec<u8> = elements.iter().flat_map(|digest| digest.0).collect();
        Digest::of(&format!("{name}[]"), &joined)
    }
}

/// Returns the bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

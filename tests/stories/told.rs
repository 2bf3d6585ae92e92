//! Where the story's client goes.

use cassette_test::Cassette;

/// Returns the provider that a client would be given, as far as its path.
pub(crate) fn upstream() -> String {
    format!("{}/v1", stages::upstream())
}

/// Returns the base URL of the story's provider, as its client is to use it.
pub(crate) fn base(cassette: &Cassette) -> String {
    cassette.base_url(upstream())
}

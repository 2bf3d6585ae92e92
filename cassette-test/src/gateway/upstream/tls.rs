//! What is trusted when an upstream is called over TLS.

use std::sync::Arc;

use cassette_core::report::Refused;
use rustls::crypto::CryptoProvider;
use rustls::{ClientConfig, RootCertStore};

use crate::gateway::protocol::Protocol;

/// Returns the client's side of TLS: the machine's own roots, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
///
/// Whoever speaks HTTP/2 offers HTTP/1.1 as well: the upstream picks (RFC 7301). HTTP/1.1 is offered by saying nothing.
///
/// The provider is named here and nowhere installed. A feature of rustls that brings a provider, or a default of ours, would
/// decide for the user's own clients too.
///
/// # Errors
///
/// Fails on a machine that the provider cannot serve, and where no root can be read.
pub(super) fn config(protocol: Protocol) -> Result<ClientConfig, Refused> {
    let provider = provider().ok_or_else(|| {
        Refused::new(
            "this processor lacks the instructions that the TLS of the feature `record` is built on",
            "record on an x86-64 machine with AES, AVX2 and ADX, or on a 64-bit ARM machine with AES and SHA-2; \
             replaying works everywhere",
        )
    })?;
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        let why: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        let what = format!("there is no root certificate to check an upstream by {}", why.join("; "));
        let help =
            "install the system's root certificates (Debian: apt-get install ca-certificates), or set SSL_CERT_FILE";
        return Err(Refused::new(what.trim_end(), help));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(provider)).with_safe_default_protocol_versions();
    let config =
        config.map_err(|err| Refused::new(err.to_string(), "this is a fault of cassette-test: please report it"))?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    if protocol == Protocol::Http2 {
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    }
    Ok(config)
}

/// The provider panics on a processor it cannot use, so it is asked for only where it works.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn provider() -> Option<CryptoProvider> {
    graviola::util::is_cpu_supported().then(rustls_graviola::default_provider)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn provider() -> Option<CryptoProvider> {
    None
}

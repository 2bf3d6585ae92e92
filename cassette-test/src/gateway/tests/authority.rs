//! A certificate authority, and servers that speak TLS with its certificates.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graviola::hashing::Sha256;
use graviola::signing::ecdsa::{P256, SigningKey};
use rcgen::{
    BasicConstraints, CertificateParams, IsCa, Issuer, KeyIdMethod, PublicKeyData, SerialNumber, SignatureAlgorithm,
};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::upstream::whole;

/// A certificate authority of this test, its certificate in a file.
pub(super) struct Authority {
    /// The file, in PEM.
    pub(super) file: PathBuf,
    issuer: Issuer<'static, Key>,
}

/// A key of the provider that the gateway uses, so that the tests bring in no second one.
struct Key {
    key: SigningKey<P256>,
    point: Vec<u8>,
}

impl Authority {
    #[expect(clippy::disallowed_methods, reason = "no cassette, but a certificate for another process")]
    pub(super) fn new() -> Authority {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let mut params = params(Vec::new());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = Key::generate();
        let certificate = params.self_signed(&key).unwrap();
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        let file = std::env::temp_dir().join(format!("cassette-gateway-{}-{count}.pem", std::process::id()));
        std::fs::write(&file, certificate.pem()).unwrap();
        Authority { file, issuer: Issuer::new(params, key) }
    }

    /// Returns how a server named `name` speaks TLS.
    pub(super) fn vouch(&self, name: &str) -> ServerConfig {
        let key = Key::generate();
        let certificate = params(vec![name.to_owned()]).signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls_graviola::default_provider());
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivatePkcs8KeyDer::from(key.pkcs8()).into())
            .unwrap()
    }

    /// Starts a server named `name` that answers every request with `ok`. Where `tunnel` is set it first takes a request to be
    /// connected, as a proxy does, and answers with that. Returns its port.
    pub(super) fn serve(&self, name: &str, tunnel: bool) -> u16 {
        let config = Arc::new(self.vouch(name));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The thread ends with the process; a test that fails must not wait for it.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let config = Arc::clone(&config);
                std::thread::spawn(move || answer(stream.unwrap(), config, tunnel));
            }
        });
        port
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

fn answer(mut stream: TcpStream, config: Arc<ServerConfig>, tunnel: bool) {
    let mut asked = String::from("ok");
    if tunnel {
        asked = head(&mut stream);
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
    }
    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    // A client that does not trust this server ends the handshake, and there is nothing to be answered.
    while !head(&mut stream).is_empty() {
        stream.write_all(&whole("text/plain", asked.as_bytes())).unwrap();
        stream.flush().unwrap();
    }
}

/// Reads up to the end of a head, byte by byte; what is read is empty where the connection ends first.
fn head(stream: &mut impl Read) -> String {
    let mut head = String::new();
    let mut byte = [0];
    while !head.ends_with("\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(char::from(byte[0])),
            _ => return String::new(),
        }
    }
    head
}

fn params(names: Vec<String>) -> CertificateParams {
    let mut params = CertificateParams::new(names).unwrap();
    params.serial_number = Some(SerialNumber::from(1));
    params.key_identifier_method = KeyIdMethod::PreSpecified(vec![1]);
    params
}

impl Key {
    fn generate() -> Key {
        let key = SigningKey::<P256>::generate().unwrap();
        let mut room = [0; 256];
        let info = key.to_spki_der(&mut room).unwrap();
        // The point ends the structure: one byte of form, two coordinates (RFC 5480, section 2.2).
        let point = info[info.len() - 65..].to_vec();
        Key { key, point }
    }

    fn pkcs8(&self) -> Vec<u8> {
        self.key.to_pkcs8_der(&mut [0; 256]).unwrap().to_vec()
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.point
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_ECDSA_P256_SHA256
    }
}

impl rcgen::SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        let mut room = [0; 256];
        let signature = self.key.sign_asn1::<Sha256>(&[message], &mut room);
        Ok(signature.map_err(|_| rcgen::Error::RemoteKeyError)?.to_vec())
    }
}

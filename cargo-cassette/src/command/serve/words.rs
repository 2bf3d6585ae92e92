//! What is typed to serve cassettes again.

use cargo_cassette::workspace::Reach;
use cassette_core::env;
use cassette_core::redact::{Rules, Secrets, redact_text};

use super::Serve;
use crate::command::around::Surroundings;
use crate::output::{quoted, quoted_os, typed};

/// Which port the first address gets when it is served again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// The one that was asked for.
    Asked,
    /// Any that is free.
    Any,
}

/// Returns the words that serve it again in its mode.
pub(super) fn again_in(serve: &Serve, port: Port, around: &Surroundings) -> String {
    let mode = serve.mode.as_ref().map(|mode| format!("--mode {mode} ")).unwrap_or_default();
    format!("{mode}{}", again(serve, port, &[], around))
}

/// Returns the words that serve it again, behind `--mode`, with the upstreams that were not said this time.
pub(super) fn again(serve: &Serve, port: Port, unsaid: &[String], around: &Surroundings) -> String {
    let dir = around.standpoint.dir.as_deref().map(|dir| format!("--dir {}", quoted_os(dir.as_os_str())));
    let dir = dir.or_else(|| (around.standpoint.reach == Reach::Workspace).then(|| "--workspace".to_owned()));
    let upstreams = serve.upstream.iter().chain(unsaid).map(|upstream| format!("--upstream {}", quoted(upstream)));
    let port = (serve.port > 0 && port == Port::Asked).then(|| format!("--port {}", serve.port));
    let program = serve.program.iter().map(|word| quoted_os(word));
    let program: Vec<_> = program.collect();
    let program = (!program.is_empty()).then(|| format!("-- {}", program.join(" ")));
    let cassettes = serve.cassettes.iter().map(|cassette| typed(cassette));
    let words = cassettes.chain(dir).chain(upstreams).chain(port).chain(program).collect::<Vec<_>>().join(" ");
    // The words of the program are printed in reports, and what is secret in them is to be in none.
    redact_text(&words, &Rules::default(), &mut Secrets::new(&env::vars()))
}

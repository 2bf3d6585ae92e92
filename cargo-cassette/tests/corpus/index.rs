//! What the folder holds: its index, and what is known of its files.

use std::path::{Path, PathBuf};

use cargo_cassette::import::{Format, Refusal};

use crate::refused::REFUSED;

/// Files of which the index counts other exchanges, with their number and the reason.
pub(crate) const COUNTED_OTHERWISE: &[(&str, usize, &str)] = &[
    ("hoverfly.io.json", 2, "the index does not look into simulations"),
    ("user-profile-compression-base64.json5", 1, "the index does not read JSON5"),
    ("migration/old_cassette.yaml", 1, "the index does not read version 0"),
    ("unittest_curl_test", 3, "the index does not read php-vcr"),
];

/// What the index calls a format, or a file that is another, and what is recognised in them: by what they say.
pub(crate) const FORMATS: &[(&str, Option<Format>)] = &[
    ("vcr-cassette/tests/fixtures/example.json", Some(Format::RubyVcr)),
    ("betamax-json", Some(Format::Betamax)),
    ("dd-testagent-json", Some(Format::TestAgent)),
    ("exvcr-json", Some(Format::Exvcr)),
    ("go-vcr-v2-yaml", Some(Format::GoVcr)),
    ("govcr-seborama-json", Some(Format::Govcr)),
    ("grpc-proto-yaml", Some(Format::Grpc)),
    ("har", Some(Format::Har)),
    ("har-corrupt", Some(Format::RawJson)),
    ("har-invalid", Some(Format::RawJson)),
    ("har-requests-only", Some(Format::Har)),
    ("har-yaml", Some(Format::Har)),
    ("hoverfly-json", Some(Format::Hoverfly)),
    ("httpmock-yaml", Some(Format::Httpmock)),
    ("httprr", Some(Format::Httprr)),
    ("llamastack-json", Some(Format::LlamaStack)),
    ("nock-json", Some(Format::Nock)),
    ("php-vcr-yaml", Some(Format::PhpVcr)),
    ("r-vcr-yaml", Some(Format::RVcr)),
    ("raw-chunks", Some(Format::RawChunks)),
    ("raw-json", Some(Format::RawJson)),
    ("raw-other", None),
    ("raw-sse", Some(Format::RawEvents)),
    ("reqllm-json", Some(Format::ReqLlm)),
    ("ruby-vcr-yaml", Some(Format::RubyVcr)),
    ("stdio-transcript-json", Some(Format::Stdio)),
    ("talkback-json5", Some(Format::Talkback)),
    ("vcrpy-json", Some(Format::Vcrpy)),
    ("vcrpy-langchain-yaml", Some(Format::Vcrpy)),
    ("vcrpy-v0", Some(Format::VcrpyOld)),
    ("vcrpy-yaml", Some(Format::Vcrpy)),
    ("wiremock-body", Some(Format::RawJson)),
    ("wiremock-json", Some(Format::WireMock)),
    ("ws-yaml", Some(Format::WebSocket)),
];

pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) format: String,
    pub(crate) provider: String,
    pub(crate) interactions: usize,
}

pub(crate) fn traffic() -> Option<PathBuf> {
    let given = cassette_core::env::var("CASSETTE_SHARED").map(|folder| Path::new(&folder).join("traffic"));
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/traffic"));
    given.into_iter().chain(above).find(|folder| folder.join("INDEX.tsv").is_file())
}

pub(crate) fn rows(traffic: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(traffic.join("INDEX.tsv")).expect("the index is read");
    let mut lines = index.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("the index has a head");
    let column = |name: &str| head.iter().position(|column| *column == name).expect("the index has the column");
    let (path, format, provider) = (column("path"), column("format"), column("provider"));
    let interactions = column("interactions");
    let row = |fields: Vec<&str>| Row {
        path: fields[path].to_owned(),
        format: fields[format].to_owned(),
        provider: fields[provider].to_owned(),
        interactions: fields[interactions].parse().expect("a number of interactions"),
    };
    lines.map(row).collect()
}

pub(crate) fn mistaken(row: &Row, format: Option<Format>) -> Option<String> {
    let known =
        FORMATS.iter().find(|(name, _)| row.path.ends_with(name) || *name == row.format).map(|(_, format)| *format);
    (known != Some(format)).then(|| format!("{}: taken for {format:?}", row.path))
}

pub(crate) fn unfounded(row: &Row, refusal: &Refusal) -> Option<String> {
    let founded = !refusal.reason.is_empty() && (refusal.line.is_some() || refusal.format.is_none());
    (!founded).then(|| format!("{}: refused without a reason that names the line: {refusal}", row.path))
}

pub(crate) fn miscounted(row: &Row, count: usize) -> Option<String> {
    let listed = COUNTED_OTHERWISE.iter().find(|(path, ..)| row.path.ends_with(path)).map(|(_, count, _)| *count);
    let expected = listed.unwrap_or(row.interactions);
    (expected != count).then(|| format!("{}: {count} exchanges, and not {expected}", row.path))
}

/// Findings that are no fault: the provider in whose row they leave a gap, the end of the file's path, a word of the
/// finding, and the reason. There are none.
const LISTED: &[(&str, &str, &str, &str)] = &[];

/// Returns whether this finding is listed with a reason.
pub(crate) fn is_listed(row: &Row, what: &str) -> bool {
    LISTED.iter().any(|(_, path, said, _)| row.path.ends_with(path) && what.contains(said))
}

/// Returns whether a row may be short because of what is listed.
pub(crate) fn is_excused(provider: &str) -> bool {
    LISTED.iter().any(|(known, ..)| *known == provider)
}

/// Returns the finding that a file is refused which is not listed as one.
pub(crate) fn unlisted(row: &Row, refusal: &Refusal) -> Option<String> {
    let listed = REFUSED
        .iter()
        .any(|(reason, paths)| refusal.reason.contains(reason) && paths.iter().any(|path| row.path.ends_with(path)));
    (!listed).then(|| format!("{}: refused, and not listed so: {refusal}", row.path))
}

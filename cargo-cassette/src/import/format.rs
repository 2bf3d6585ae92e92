//! The formats that are known, with what each is called.

use std::fmt;

/// A recording format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// vcrpy, version 1: YAML or JSON, plain or gzip, and langchain's two parallel lists.
    Vcrpy,
    /// vcrpy before version 1: a list at the root, Python objects in its YAML.
    VcrpyOld,
    /// VCR of Ruby.
    RubyVcr,
    /// vcr of R.
    RVcr,
    /// betamax, and Rust's vcr-cassette, which share VCR's layout in JSON.
    Betamax,
    /// php-vcr.
    PhpVcr,
    /// httpmock's YAML, a document an exchange, as rig-cassette writes it too.
    Httpmock,
    /// go-vcr, versions 1 to 4.
    GoVcr,
    /// govcr of seborama.
    Govcr,
    /// HAR 1.2, and Polly's HAR in YAML.
    Har,
    /// httprr of Go.
    Httprr,
    /// req_llm's fixtures.
    ReqLlm,
    /// nock's recordings.
    Nock,
    /// WireMock's stub mappings.
    WireMock,
    /// exvcr.
    Exvcr,
    /// talkback's tapes.
    Talkback,
    /// hoverfly's simulations.
    Hoverfly,
    /// The test agent of Datadog's tracers.
    TestAgent,
    /// cassetter, version 1 in YAML.
    Cassetter,
    /// promptecho.
    Promptecho,
    /// llama-stack's recordings of client objects.
    LlamaStack,
    /// agent-rewind's traces.
    AgentRewind,
    /// llmtivo's tapes.
    Llmtivo,
    /// OpenProgram's recordings.
    OpenProgram,
    /// A cassette of this framework.
    Cassette,
    /// A transcript of gRPC messages.
    Grpc,
    /// A transcript of WebSocket messages.
    WebSocket,
    /// A transcript of a program's standard input and output.
    Stdio,
    /// The text of one event stream.
    RawEvents,
    /// The data of a stream's events, one a line.
    RawChunks,
    /// One JSON reply.
    RawJson,
}

impl Format {
    const NAMES: [(Format, &'static str); 31] = [
        (Format::Vcrpy, "vcrpy"),
        (Format::VcrpyOld, "vcrpy 0"),
        (Format::RubyVcr, "Ruby VCR"),
        (Format::RVcr, "R vcr"),
        (Format::Betamax, "betamax"),
        (Format::PhpVcr, "php-vcr"),
        (Format::Httpmock, "httpmock"),
        (Format::GoVcr, "go-vcr"),
        (Format::Govcr, "govcr"),
        (Format::Har, "HAR"),
        (Format::Httprr, "httprr"),
        (Format::ReqLlm, "req_llm"),
        (Format::Nock, "nock"),
        (Format::WireMock, "WireMock"),
        (Format::Exvcr, "exvcr"),
        (Format::Talkback, "talkback"),
        (Format::Hoverfly, "hoverfly"),
        (Format::TestAgent, "test agent"),
        (Format::Cassetter, "cassetter"),
        (Format::Promptecho, "promptecho"),
        (Format::LlamaStack, "llama-stack"),
        (Format::AgentRewind, "agent-rewind"),
        (Format::Llmtivo, "llmtivo"),
        (Format::OpenProgram, "OpenProgram"),
        (Format::Cassette, "cassette"),
        (Format::Grpc, "gRPC transcript"),
        (Format::WebSocket, "WebSocket transcript"),
        (Format::Stdio, "stdio transcript"),
        (Format::RawEvents, "raw events"),
        (Format::RawChunks, "raw chunks"),
        (Format::RawJson, "raw JSON"),
    ];

    /// Returns what the format is called.
    pub fn as_str(self) -> &'static str {
        Format::NAMES.iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

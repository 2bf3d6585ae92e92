//! Every recording of `shared/traffic` is imported, or refused with a reason; what is imported is recorded and replays.
//!
//! The folder lies outside the repository: it is found by walking up from this package, or by `CASSETTE_SHARED`. Where it
//! is absent the test says so and passes.
#![expect(clippy::print_stdout, reason = "the test prints its tables")]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cargo_cassette::import::{Exchange, Format, Refusal, import};
use cassette_core::call::Call;
use cassette_core::disk;
use cassette_core::json::{Json, Layout};
use cassette_core::mode::Mode;
use cassette_core::prove::Proven;
use cassette_core::redact::{Depth, Rules, Secrets, placeholders, redact_call, redact_error, redact_reply};
use cassette_core::reply::{Chunk, Outcome, Reply};
use cassette_core::report::Report;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Outages, Plan, Session, Step};
use cassette_core::store::{MemoryStore, Opened, Store, StoreError};
use cassette_core::tape::Tape;

/// Files of which the index counts other exchanges, with their number and the reason.
const COUNTED_OTHERWISE: &[(&str, usize, &str)] = &[
    ("hoverfly.io.json", 2, "the index does not look into simulations"),
    ("user-profile-compression-base64.json5", 1, "the index does not read JSON5"),
    ("migration/old_cassette.yaml", 1, "the index does not read version 0"),
    ("unittest_curl_test", 3, "the index does not read php-vcr"),
];

/// What the index calls a format, or a file that is another, and what is recognised in them: by what they say.
const FORMATS: &[(&str, Option<Format>)] = &[
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

/// What the audit finds in the corpus and somebody would vouch for: the rule, how what it found begins, and why.
const VOUCHED: &[(&str, &str, &str)] = &[
    ("opaque-body", "g0AA", "a reply in Brotli, which nothing here unpacks"),
    ("opaque-body", "Ct8Q", "telemetry in Protocol Buffers, with bytes that are no text"),
    ("opaque-body", "H4sI", "a gzip that is damaged on purpose"),
];

/// The largest file that is recorded a second time.
const LARGEST: usize = 50_000;

/// Pairs of different requests that share a key, by a word of each, with the reason.
const SAME_KEY: &[(&str, &str)] = &[];

struct Row {
    path: String,
    format: String,
    interactions: usize,
}

#[derive(Default)]
struct Tally {
    files: usize,
    imported: usize,
    refused: usize,
    exchanges: usize,
    /// Exchanges that replay as the source has them, byte for byte and piece for piece.
    exact: usize,
    /// Exchanges that replay as redaction left them.
    hidden: usize,
    /// Files whose findings somebody has to vouch for.
    vouched: usize,
}

#[test]
fn every_recording_is_imported_and_replays_or_is_refused_with_a_reason() {
    let Some(traffic) = traffic() else {
        println!("skipped: there is no folder `shared/traffic` above this package, and CASSETTE_SHARED names none");
        return;
    };
    let started = Instant::now();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut refused = Vec::new();
    let mut vouched = Vec::new();
    let mut slowest = Vec::new();
    let mut keys = HashMap::new();
    for row in rows(&traffic) {
        let tally = tallies.entry(row.format.clone()).or_default();
        tally.files += 1;
        let path = traffic.join(&row.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let began = Instant::now();
        let outcome = import(&path, &bytes);
        wrong.extend(mistaken(&row, outcome.as_ref().map_or_else(|refusal| refusal.format, |it| Some(it.format))));
        match outcome {
            Err(refusal) => {
                tally.refused += 1;
                wrong.extend(unfounded(&row, &refusal));
                refused.push(format!("{refusal}\n    {}", row.path));
            }
            Ok(imported) => {
                tally.imported += 1;
                tally.exchanges += imported.exchanges.len();
                wrong.extend(miscounted(&row, imported.exchanges.len()));
                match recorded(&imported.exchanges) {
                    Err(_) if imported.exchanges.is_empty() => {}
                    Err(why) => wrong.push(format!("{}: not saved: {why}", row.path)),
                    Ok(kept) => {
                        let in_order: Vec<usize> = (0..imported.exchanges.len()).collect();
                        let replay = replayed(&kept, &imported.exchanges, &in_order);
                        tally.exact += replay.exact;
                        tally.hidden += replay.hidden;
                        tally.vouched += usize::from(!kept.vouched.is_empty());
                        wrong.extend(replay.wrong.iter().map(|what| format!("{}: {what}", row.path)));
                        vouched.extend(kept.vouched);
                        collect(&mut keys, &kept.tape);
                    }
                }
            }
        }
        slowest.push((began.elapsed(), row.path, bytes.len()));
    }
    wrong.extend(shared_keys(&keys));
    slowest.sort();
    print(&tallies, &refused, &vouched);
    for (took, path, size) in slowest.iter().rev().take(5) {
        println!("{:>6} ms, {size} bytes: {path}", took.as_millis());
    }
    println!("{} keys, {:.0} s", keys.len(), started.elapsed().as_secs_f64());
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn in_whatever_pieces_and_order_every_call_gets_its_own_answer() {
    let Some(traffic) = traffic() else { return };
    let mut numbers = Numbers(20_261_129);
    let mut wrong = Vec::new();
    let mut checked = 0;
    for row in rows(&traffic) {
        let path = traffic.join(&row.path);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(mut imported) = import(&path, &bytes) else { continue };
        if bytes.len() > LARGEST || imported.exchanges.is_empty() {
            continue;
        }
        in_other_pieces(&mut imported.exchanges, &mut numbers);
        match recorded(&imported.exchanges) {
            Ok(kept) => {
                let order = another_order(&kept.tape, &mut numbers);
                let replay = replayed(&kept, &imported.exchanges, &order);
                checked += replay.exact + replay.hidden;
                wrong.extend(replay.wrong.iter().map(|what| format!("{}: {what}", row.path)));
            }
            Err(why) => wrong.push(format!("{}: not saved: {why}", row.path)),
        }
    }
    println!("{checked} exchanges in other pieces and another order");
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 200, "{checked} exchanges were checked");
}

fn traffic() -> Option<PathBuf> {
    let given = cassette_core::env::var("CASSETTE_SHARED").map(|folder| Path::new(&folder).join("traffic"));
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/traffic"));
    given.into_iter().chain(above).find(|folder| folder.join("INDEX.tsv").is_file())
}

fn rows(traffic: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(traffic.join("INDEX.tsv")).expect("the index is read");
    let mut lines = index.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("the index has a head");
    let column = |name: &str| head.iter().position(|column| *column == name).expect("the index has the column");
    let (path, format, interactions) = (column("path"), column("format"), column("interactions"));
    let row = |fields: Vec<&str>| Row {
        path: fields[path].to_owned(),
        format: fields[format].to_owned(),
        interactions: fields[interactions].parse().expect("a number of interactions"),
    };
    lines.map(row).collect()
}

fn mistaken(row: &Row, format: Option<Format>) -> Option<String> {
    let known =
        FORMATS.iter().find(|(name, _)| row.path.ends_with(name) || *name == row.format).map(|(_, format)| *format);
    (known != Some(format)).then(|| format!("{}: taken for {format:?}", row.path))
}

fn unfounded(row: &Row, refusal: &Refusal) -> Option<String> {
    let founded = !refusal.reason.is_empty() && (refusal.line.is_some() || refusal.format.is_none());
    (!founded).then(|| format!("{}: refused without a reason that names the line: {refusal}", row.path))
}

fn miscounted(row: &Row, count: usize) -> Option<String> {
    let listed = COUNTED_OTHERWISE.iter().find(|(path, ..)| row.path.ends_with(path)).map(|(_, count, _)| *count);
    let expected = listed.unwrap_or(row.interactions);
    (expected != count).then(|| format!("{}: {count} exchanges, and not {expected}", row.path))
}

/// Cassettes in memory, with a list of findings that somebody vouches for.
#[derive(Clone, Debug, Default)]
struct Shelf {
    memory: MemoryStore,
    allowed: Vec<Json>,
}

impl Store for Shelf {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.load(name)
    }

    fn save(&self, name: &str, document: &Proven) -> Result<(), StoreError> {
        self.memory.save(name, document)
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        self.memory.journal(name)
    }

    fn keep_pending(&self, name: &str, document: &str) -> Result<(), StoreError> {
        self.memory.keep_pending(name, document)
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.pending(name)
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        self.memory.drop_pending(name)
    }

    fn allow_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(Some(Json::Array(self.allowed.clone()).print(Layout::Compact).into_bytes()))
    }

    fn place(&self, name: &str) -> String {
        self.memory.place(name)
    }

    fn pending_place(&self, name: &str) -> String {
        self.memory.pending_place(name)
    }
}

fn plan(store: &Shelf, mode: Mode) -> Plan {
    let rerun = Rerun {
        package: "cargo-cassette".into(),
        target: Target::Test("corpus".into()),
        test: "corpus".into(),
        ignored: false,
    };
    let mut plan = Plan::new("corpus", Arc::new(store.clone()), mode, "corpus::corpus", rerun);
    plan.outages = Outages::Allow;
    plan
}

/// What became of a file that was recorded anew.
struct Kept {
    store: Shelf,
    tape: Tape,
    /// The findings of the audit that had to be vouched for.
    vouched: Vec<String>,
}

/// Records exchanges as a run would, a second time where the audit's findings are ones that somebody would vouch for.
fn recorded(exchanges: &[Exchange]) -> Result<Kept, String> {
    let store = Shelf::default();
    let reports = record(&store, exchanges)?;
    let Some(Report::Leak(leak)) = reports.first().map(|report| &**report) else {
        return kept(store, Vec::new(), &reports);
    };
    let is_vouched =
        |line: &str| VOUCHED.iter().any(|(rule, beginning, _)| line.contains(&format!(": {rule}, {beginning}")));
    let lines = leak.findings.clone();
    if let Some(line) = lines.iter().find(|line| !is_vouched(line)) {
        return Err(format!("the audit found {line}"));
    }
    // The report ends with the entries to paste, their reasons left open.
    let entry = |line: &str| Json::parse(&line.trim().replace(r#""reason": """#, r#""reason": "VOUCHED""#)).ok();
    let store = Shelf { allowed: leak.help.lines().filter_map(entry).collect(), ..Shelf::default() };
    let reports = record(&store, exchanges)?;
    kept(store, lines, &reports)
}

fn record(store: &Shelf, exchanges: &[Exchange]) -> Result<Vec<Arc<Report>>, String> {
    let session = Session::open(plan(store, Mode::Record)).map_err(|report| report.to_string())?;
    for exchange in exchanges {
        match session.begin(exchange.call.clone()) {
            Step::Live(ticket) => ticket.finish(exchange.reply.clone()).map_err(|report| report.to_string())?,
            other => return Err(format!("a call did not go live: {other:?}")),
        }
    }
    Ok(session.finish(BodyEnd::Passed).reports)
}

fn kept(store: Shelf, vouched: Vec<String>, reports: &[Arc<Report>]) -> Result<Kept, String> {
    if let Some(report) = reports.first() {
        return Err(report.to_string());
    }
    let text = store.load("corpus").ok().flatten().ok_or("nothing was saved")?;
    let tape = disk::read(&text).map_err(|error| format!("{error:?}"))?;
    Ok(Kept { store, tape, vouched })
}

#[derive(Default)]
struct Replay {
    exact: usize,
    hidden: usize,
    wrong: Vec<String>,
}

/// Replays every call of a file, in this order, and compares each answer with what redaction leaves of the source.
fn replayed(kept: &Kept, exchanges: &[Exchange], order: &[usize]) -> Replay {
    let mut replay = Replay::default();
    if kept.tape.interactions.len() != exchanges.len() {
        replay.wrong.push(format!("{} exchanges became {}", exchanges.len(), kept.tape.interactions.len()));
        return replay;
    }
    let session = match Session::open(plan(&kept.store, Mode::Replay)) {
        Ok(session) => session,
        Err(report) => return Replay { wrong: vec![report.to_string()], ..replay },
    };
    let left = redacted(exchanges);
    for &i in order {
        let exchange = &exchanges[i];
        let (asked, answered) = &left[i];
        let served = match session.begin(exchange.call.clone()) {
            Step::Serve(served) => served.outcome,
            other => {
                replay.wrong.push(format!("exchange {}: not served: {other:?}", i + 1));
                return replay;
            }
        };
        let same_request = same_request_as(kept.tape.interactions[i].call().unwrap(), asked, &exchange.call);
        let same_reply = same_reply_as(&served, answered, &exchange.reply);
        match same_request.and_then(|request| Ok(request & same_reply?)) {
            Ok(true) => replay.exact += 1,
            Ok(false) => replay.hidden += 1,
            Err(what) => replay.wrong.push(format!("exchange {}: {what}", i + 1)),
        }
    }
    let verdict = session.finish(BodyEnd::Passed);
    replay.wrong.extend(verdict.reports.iter().map(|report| report.to_string()));
    replay
}

/// Returns what redaction leaves of the exchanges of a file.
fn redacted(exchanges: &[Exchange]) -> Vec<(Call, Outcome)> {
    let rules = Rules::default();
    let mut secrets = Secrets::default();
    let one = |Exchange { call, reply, .. }: &Exchange| {
        let asked = redact_call(call, &rules, Depth::Known, &mut secrets);
        let left = match reply {
            Outcome::Reply(reply) => Outcome::Reply((*redact_reply(reply, call, &rules, &mut secrets)).clone()),
            Outcome::Error(error) => Outcome::Error((*redact_error(error, &rules, &mut secrets)).clone()),
        };
        ((*asked).clone(), left)
    };
    exchanges.iter().map(one).collect()
}

/// Cuts each reply's body into up to ten pieces, anywhere.
fn in_other_pieces(exchanges: &mut [Exchange], numbers: &mut Numbers) {
    let replies = exchanges.iter_mut().filter_map(|exchange| match &mut exchange.reply {
        Outcome::Reply(reply) if !reply.chunks.is_empty() => Some(reply),
        _ => None,
    });
    for reply in replies {
        let body = reply.body();
        let mut cuts: Vec<usize> = (0..numbers.below(10)).map(|_| numbers.below(body.len())).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let piece = |cut: &[usize]| Chunk { bytes: body[cut[0]..cut[1]].to_vec(), at: Duration::ZERO };
        reply.chunks = cuts.windows(2).map(piece).collect();
    }
}

/// Returns the positions of a file's interactions in another order, equal requests among themselves in theirs.
fn another_order(tape: &Tape, numbers: &mut Numbers) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tape.interactions.len()).collect();
    (1..order.len()).rev().for_each(|i| order.swap(i, numbers.below(i + 1)));
    let key = |i: usize| tape.interactions[i].key();
    let mut unused: Vec<usize> = (0..order.len()).collect();
    let first_of_its_key = |i: usize| {
        let at = unused.iter().position(|other| key(*other) == key(i)).expect("each stands once in the order");
        unused.remove(at)
    };
    order.into_iter().map(first_of_its_key).collect()
}

/// The same numbers in every run (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

/// Returns whether the file has the source's own request, or one from which redaction took something.
fn same_request_as(kept: &Call, left: &Call, source: &Call) -> Result<bool, String> {
    let parts = |call: &Call| [call.name.clone().into_bytes(), call.body.clone()].map(|part| without_numbers(&part));
    if parts(kept) != parts(left) {
        let (kept, left) = (parts(kept).concat(), parts(left).concat());
        return Err(format!("the request is another: {}", first_difference(left.as_bytes(), kept.as_bytes())));
    }
    Ok((&kept.name, &kept.body) == (&source.name, &source.body))
}

/// Returns whether the answer is the source's own, byte for byte and piece for piece, or what redaction left of it.
fn same_reply_as(served: &Outcome, left: &Outcome, source: &Outcome) -> Result<bool, String> {
    let (source, left, served) = match (source, left, served) {
        (Outcome::Reply(source), Outcome::Reply(left), Outcome::Reply(served)) => (source, left, served),
        (source, _, served) if source == served => return Ok(true),
        _ => return Err("the failure is another".to_owned()),
    };
    if source.status != served.status {
        return Err("the status is another".to_owned());
    }
    // A volatile header has a stand-in, unless a later request took its value up.
    let headers = |reply: &Reply| {
        let header = |(name, value): &(String, String)| (name.clone(), without_numbers(value.as_bytes()));
        reply.headers.iter().map(header).collect::<Vec<_>>()
    };
    let (was, is_left, is) = (headers(source), headers(left), headers(served));
    let is_either = |i: usize| is_left.get(i) == Some(&is[i]) || was.get(i) == Some(&is[i]);
    if was.len() != is.len() || !(0..is.len()).all(is_either) {
        return Err(format!("the headers are others: {is:?}, and not {is_left:?}"));
    }
    if pieces(source) == pieces(served) {
        return Ok(true);
    }
    let is_hidden = placeholders(&String::from_utf8_lossy(&left.body())).next().is_some();
    let unnumbered = |reply: &Reply| pieces(reply).iter().map(|piece| without_numbers(piece)).collect::<Vec<_>>();
    if !is_hidden || unnumbered(left) != unnumbered(served) {
        return Err(format!("the body is another: {}", first_difference(&left.body(), &served.body())));
    }
    Ok(false)
}

fn pieces(reply: &Reply) -> Vec<Vec<u8>> {
    reply.chunks.iter().map(|chunk| chunk.bytes.clone()).collect()
}

/// Returns a text in which every placeholder has the same number: they are numbered by the whole file.
fn without_numbers(piece: &[u8]) -> String {
    let text = String::from_utf8_lossy(piece).into_owned();
    let mut found: Vec<_> = placeholders(&text).map(str::to_owned).collect();
    found.sort_by_key(|placeholder| std::cmp::Reverse(placeholder.len()));
    found.iter().fold(text.clone(), |text, placeholder| {
        let stem = placeholder.rsplit_once('.').map_or("", |(stem, _)| stem);
        text.replace(placeholder.as_str(), &format!("{stem}.N"))
    })
}

fn first_difference(left: &[u8], served: &[u8]) -> String {
    let at = left.iter().zip(served).take_while(|(left, served)| left == served).count();
    let around =
        |bytes: &[u8]| String::from_utf8_lossy(&bytes[at.saturating_sub(30)..bytes.len().min(at + 30)]).into_owned();
    format!("at byte {at} `{}`, and not `{}`", around(served), around(left))
}

/// Notes each request of a file under its key.
fn collect(keys: &mut HashMap<String, Vec<String>>, tape: &Tape) {
    for interaction in &tape.interactions {
        let meaning = meaning(interaction.call().unwrap());
        let known = keys.entry(interaction.key().to_string()).or_default();
        if !known.contains(&meaning) {
            known.push(meaning);
        }
    }
}

/// Returns what two requests must have in common to be the same: the name, and the body but for its white space.
fn meaning(call: &Call) -> String {
    let body = String::from_utf8_lossy(&call.body);
    let body = Json::parse(&body).map_or_else(|_| body.clone().into_owned(), |tree| tree.canonical());
    without_numbers(format!("{}\n{body}", call.name).as_bytes())
}

fn shared_keys(keys: &HashMap<String, Vec<String>>) -> Vec<String> {
    let listed =
        |requests: &[String]| SAME_KEY.iter().any(|(word, _)| requests.iter().all(|request| request.contains(word)));
    let shared = keys.iter().filter(|(_, requests)| requests.len() > 1 && !listed(requests));
    shared
        .map(|(key, requests)| {
            let difference = first_difference(requests[0].as_bytes(), requests[1].as_bytes());
            let name = requests[0].lines().next().unwrap_or_default();
            format!("{key} is shared by {} requests of {name}: {difference}", requests.len())
        })
        .collect()
}

fn print(tallies: &BTreeMap<String, Tally>, refused: &[String], vouched: &[String]) {
    let mut table = format!(
        "{:<24}{:>7}{:>9}{:>8}{:>11}{:>7}{:>8}{:>9}\n",
        "format", "files", "imported", "refused", "exchanges", "exact", "hidden", "vouched"
    );
    let mut line = |name: &str, Tally { files, imported, refused, exchanges, exact, hidden, vouched }: &Tally| {
        let line = writeln!(
            table,
            "{name:<24}{files:>7}{imported:>9}{refused:>8}{exchanges:>11}{exact:>7}{hidden:>8}{vouched:>9}"
        );
        line.expect("a string takes what is written");
    };
    tallies.iter().for_each(|(format, tally)| line(format, tally));
    line("all", &tallies.values().fold(Tally::default(), Tally::plus));
    println!("{table}\nrefused:");
    refused.iter().for_each(|line| println!("  {line}"));
    println!("\nfound by the audit, and vouched for:");
    for (rule, beginning, why) in VOUCHED {
        let count = vouched.iter().filter(|line| line.contains(&format!(": {rule}, {beginning}"))).count();
        println!("  {count:>4} {rule}, {beginning}..: {why}");
    }
}

impl Tally {
    fn plus(self, other: &Tally) -> Tally {
        Tally {
            files: self.files + other.files,
            imported: self.imported + other.imported,
            refused: self.refused + other.refused,
            exchanges: self.exchanges + other.exchanges,
            exact: self.exact + other.exact,
            hidden: self.hidden + other.hidden,
            vouched: self.vouched + other.vouched,
        }
    }
}

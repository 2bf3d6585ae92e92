//! A question in other words, served by what it means: embeddings say how alike two requests are, and come from a cassette
//! of their own.
//!
//! ```sh
//! cargo run --example embeddings
//! ```
//!
//! `CASSETTE_MODE=refresh cargo run --example embeddings` records that cassette anew. The model behind it is a small one that
//! stands at the end of this file, so that nothing here needs a key.
#![expect(clippy::print_stdout, reason = "it shows what it does")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use cassette_test::{Builder, Cassette, Json, Mode, Order, Request, Session, Similarity, Unused};
use stages::{Answer, Provider};

const RECORDED: [&str; 2] = ["When does the next train to Bergen leave?", "What does a ticket to Oslo cost?"];
const IN_OTHER_WORDS: &str = "At what time is the departure to Bergen?";
const ANOTHER: &str = "Is there a hotel in Oslo with a room?";

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).is_none() {
        let status = again()?;
        return if status.success() { Ok(()) } else { Err(format!("it ended with {status}").into()) };
    }
    let dir = tempfile::tempdir()?;
    record(dir.path())?;

    let model = Model::open()?;
    let explore = || trains(dir.path(), Mode::Replay).order(Order::Fuzzy);
    println!("2. by its words, the question `{IN_OTHER_WORDS}` is another one\n");
    let session = explore().open()?;
    let _swallowed = ask(&session, IN_OTHER_WORDS);
    println!("{}", indented(&refusal(session)?));

    println!("3. by its meaning it is not; what is served so is printed as the session ends\n");
    let session = explore().unused(Unused::Allow).similarity(model.by_meaning()).open()?;
    println!("   answer: {}\n", ask(&session, IN_OTHER_WORDS)?);
    session.finish()?;
    println!();

    println!("4. a question of another meaning is answered by nothing\n");
    let session = explore().similarity(model.by_meaning()).open()?;
    let _swallowed = ask(&session, ANOTHER);
    println!("{}", indented(&refusal(session)?));
    model.close()
}

/// Runs this program again without `CI`, where a run that explores is refused.
fn again() -> Result<ExitStatus, Box<dyn Error>> {
    Ok(Command::new(std::env::current_exe()?).arg("shown").env_remove("CI").status()?)
}

/// Records two questions, and shuts their provider down.
fn record(dir: &Path) -> Result<(), Box<dyn Error>> {
    println!("1. two questions are recorded, and their provider is shut down\n");
    let provider = Provider::start(|request| {
        let answer = if request.text().contains("train") { "The 09:04, from platform 2." } else { "29 pounds." };
        Answer::json(200, &format!(r#"{{"choices":[{{"message":{{"content":"{answer}"}}}}]}}"#))
    })?;
    let session = trains(dir, Mode::Record).open()?;
    let base = session.upstream("timetable", provider.url());
    for question in RECORDED {
        println!("   {question} {}", ask_at(&base, question)?);
    }
    println!();
    session.finish()?;
    Ok(())
}

fn trains(dir: &Path, mode: Mode) -> Builder {
    Cassette::builder("trains").dir(dir).mode(mode).allow_ci()
}

/// Asks a model, as a program would.
fn ask(session: &Session, question: &str) -> Result<String, Box<dyn Error>> {
    ask_at(&session.upstream("timetable", NOWHERE), question)
}

/// Where a server stands that is not needed.
const NOWHERE: &str = "http://127.0.0.1:9";

fn ask_at(base: &str, question: &str) -> Result<String, Box<dyn Error>> {
    let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"{question}"}}]}}"#);
    let mut reply = ureq::post(format!("{base}/v1/chat/completions")).content_type("application/json").send(body)?;
    let text = reply.body_mut().read_to_string()?;
    let content = text.split(r#""content":""#).nth(1).and_then(|rest| rest.split('"').next());
    Ok(content.ok_or("the reply holds no answer")?.to_owned())
}

/// Returns the report of a session that has to fail.
fn refusal(session: Session) -> Result<String, Box<dyn Error>> {
    match session.finish() {
        Ok(_) => Err("another question was answered".into()),
        Err(report) => Ok(report.to_string()),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("   {line}\n")).collect()
}

/// An embedding model, recorded or replayed as `CASSETTE_MODE` says.
struct Model {
    session: Session,
    url: String,
    /// Where it stands, if it is not replayed.
    _provider: Option<Provider>,
}

/// A similarity by the angle between two embeddings.
struct ByMeaning {
    url: String,
}

impl Model {
    fn open() -> Result<Model, Box<dyn Error>> {
        let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cassettes");
        let session = Cassette::builder("embeddings").dir(dir).order(Order::Any).repeat().open()?;
        let provider =
            (!session.is_replaying()).then(|| Provider::start(|request| embedding(&request.body))).transpose()?;
        let upstream = provider.as_ref().map_or(NOWHERE.to_owned(), Provider::url);
        let url = format!("{}/v1/embeddings", session.upstream("embeddings", upstream));
        Ok(Model { session, url, _provider: provider })
    }

    fn by_meaning(&self) -> ByMeaning {
        ByMeaning { url: self.url.clone() }
    }

    fn close(self) -> Result<(), Box<dyn Error>> {
        self.session.finish()?;
        Ok(())
    }
}

impl Similarity for ByMeaning {
    fn similarity(&self, recorded: &Request, incoming: &Request) -> f64 {
        let embed = |request: &Request| self.embed(&request.last_message()?);
        match (embed(recorded), embed(incoming)) {
            (Some(ours), Some(theirs)) => cosine(&ours, &theirs),
            // What is no number from 0 to 1 fails the test: nothing is served by a guess.
            _ => f64::NAN,
        }
    }
}

impl ByMeaning {
    fn embed(&self, text: &str) -> Option<Vec<f64>> {
        let body = Json::object([("model", "small".into()), ("input", text.into())]).canonical();
        let mut reply = ureq::post(&self.url).content_type("application/json").send(body).ok()?;
        let reply = Json::parse(&reply.body_mut().read_to_string().ok()?).ok()?;
        let numbers = reply.get("data")?.elements().first()?.get("embedding")?.elements().iter();
        numbers
            .map(|number| if let Json::Number(number) = number { number.source().parse().ok() } else { None })
            .collect()
    }
}

fn cosine(ours: &[f64], theirs: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    (dot(ours, theirs) / (dot(ours, ours) * dot(theirs, theirs)).sqrt()).clamp(0.0, 1.0)
}

/// What the small model knows of: the words for each thing.
const THINGS: [&[&str]; 6] = [
    &["train", "departure"],
    &["when", "time", "leave", "depart"],
    &["cost", "ticket", "price", "fare"],
    &["hotel", "room", "bed"],
    &["bergen"],
    &["oslo"],
];

/// Answers as a provider of embeddings does: a number for each thing that the input speaks of.
fn embedding(body: &[u8]) -> Answer {
    let input = Json::parse(&String::from_utf8_lossy(body)).ok();
    let input = input.and_then(|json| Some(json.get("input")?.as_str()?.to_lowercase())).unwrap_or_default();
    let words: Vec<_> = input.split(|c: char| !c.is_alphanumeric()).collect();
    let count = |thing: &&[&str]| words.iter().filter(|word| thing.contains(word)).count();
    let numbers: Vec<_> = THINGS.iter().map(|thing| format!("{}.0", count(thing))).collect();
    Answer::json(200, &format!(r#"{{"data":[{{"embedding":[{}],"index":0}}],"model":"small"}}"#, numbers.join(",")))
}

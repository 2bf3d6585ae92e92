//! `cargo cassette lint`: what is not as it should be.

use std::fmt;
use std::path::{Path, PathBuf};

use cargo_cassette::git;
use cargo_cassette::inspection::{self, Finding, Limits, Rule};
use cargo_cassette::ownership::{self, Orphans};
use cargo_cassette::registry::{self, Build, NoRegistry, Registry};
use cargo_cassette::shelf::{Shelf, Spot, holds_other, path_text};
use cargo_cassette::tenants::tenants;
use cargo_cassette::workspace::{NoShelf, real, root_of, shown};
use cassette_core::env;
use cassette_core::json::Json;
use cassette_core::settings::{self, Mistake};
use clap::{Args, ValueEnum};

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::form::{self, Form};
use super::undecided::{files, tell, undecided, undecided_json};
use crate::output::{Ink, Line, Output, count, printed, visible};

/// Check every cassette, and hold them against the tests that own them
///
/// Looked for are secrets, merge conflicts, changes by hand, keys that disagree, old formats, what is left pending, files
/// that are nobody's; and, from the test binaries themselves, cassettes without a test, tests without a cassette, and two
/// tests with one. Tests are built, and none is run. Anything found makes the exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette lint\n  cargo cassette lint --files --max-age 90d\n  cargo cassette lint --format github"
)]
pub(crate) struct Lint {
    /// Check the files alone, and build nothing
    #[arg(long, conflicts_with_all = ["features", "all_features"])]
    files: bool,
    /// How old a recording may be: `90d`, `12w`
    #[arg(long, value_name = "AGE", value_parser = days)]
    max_age: Option<u64>,
    /// What is built.
    #[command(flatten)]
    built: Built,
    /// How it is written.
    #[command(flatten)]
    form: Form<Format>,
}

/// How the tests are built that are asked what they own.
#[derive(Debug, Args)]
pub(super) struct Built {
    /// Features under which the tests are built
    #[arg(long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Build the tests with all features
    #[arg(long)]
    all_features: bool,
}

/// How the findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person at a terminal
    Text,
    /// For another program
    Json,
    /// For a workflow on GitHub: annotations
    Github,
}

impl form::Format for Format {
    const JSON: Format = Format::Json;
}

/// Why the tests could not be asked.
#[derive(Debug)]
pub(crate) struct LintError(NoRegistry);

impl fmt::Display for LintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhelp: mend that, or check the files alone: cargo cassette lint --files", self.0)
    }
}

/// What the tests answered, and what that leaves over.
type Asked<'a> = (&'a Registry, &'a Orphans<'a>);

pub(crate) fn run(lint: &Lint, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let registry = if lint.files { None } else { Some(ask(&lint.built, around)?) };
    let shelves = match around.shelves_anyway() {
        // Where nothing is recorded, every test's cassette is missing.
        Err(NoShelf::NothingRecorded(_)) if registry.as_ref().is_some_and(|it| !it.owned.is_empty()) => Vec::new(),
        shelves => shelves?,
    };
    if registry.is_none() {
        around.tell_unloaded();
    }
    let here = &around.standpoint.here;
    let shelves = match &registry {
        Some(registry) => ownership::with_tests_own(shelves, registry, here),
        None => shelves,
    };
    let said = around.said();
    let limits = Limits { today: around.today.clone(), max_age: lint.max_age.or(said.settings.max_age) };
    let mut findings: Vec<_> = said.mistakes.into_iter().map(misset).collect();
    for shelf in &shelves {
        let failed = |error| Failure::Directory(shelf.shown.clone(), error);
        findings.extend(inspection::files(shelf, &limits).map_err(failed)?);
    }
    let orphans = registry.as_ref().map(|registry| ownership::orphans(&shelves, registry)).transpose();
    let orphans = orphans.map_err(Failure::Output)?.unwrap_or_default();
    findings.extend(registry.iter().flat_map(|registry| ownership::findings(&orphans, &shelves, registry)));
    findings.sort();
    findings.iter_mut().for_each(|finding| finding.help = around.advice.here(&finding.help));
    let asked = registry.as_ref().map(|registry| (registry, &orphans));
    match lint.form.chosen() {
        Format::Text => text(&findings, &shelves, asked, output)?,
        Format::Json => output.json(&document(&findings, asked))?,
        Format::Github => {
            let root = checkout(&around.standpoint.here);
            let here = &around.standpoint.here;
            findings.iter().try_for_each(|it| output.bytes(annotation(it, here, root.as_deref()).as_bytes()))?;
        }
    }
    Ok(Found::something_if(!findings.is_empty()))
}

/// Asks the test binaries, those of the directory that was asked for alone.
pub(super) fn ask(built: &Built, around: &Surroundings) -> Result<Registry, Failure> {
    let standpoint = &around.standpoint;
    let build = Build {
        tenants: tenants(standpoint)?,
        dir: standpoint.dir.as_ref().map(|dir| standpoint.here.join(dir)),
        features: built.features.clone(),
        all_features: built.all_features,
        arguments: Vec::new(),
    };
    let mut registry = registry::ask(&build).map_err(|error| Failure::Lint(LintError(error)))?;
    let root = root_of(&registry.tenants.here);
    for owned in &mut registry.owned {
        let file = root.join(&owned.file);
        if file.is_file() {
            owned.file = shown(&standpoint.here, &file);
        }
    }
    Ok(registry)
}

/// Reads an age: so many days, or weeks.
fn days(text: &str) -> Result<u64, String> {
    settings::days(text).ok_or_else(|| "give days or weeks, as 90d or 12w".to_owned())
}

/// Returns the finding of a mistake in `cassette.toml`.
fn misset(mistake: Mistake) -> Finding {
    let Mistake { file, line, what, help, .. } = mistake;
    Finding { file, line, rule: Rule::Settings, what, help }
}

fn text(findings: &[Finding], shelves: &[Shelf], asked: Option<Asked<'_>>, output: &mut Output) -> Result<(), Failure> {
    for finding in findings {
        let place = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let place = printed(&finding.file) + &place;
        let line = Line::new().ink(Ink::Strong, &place).plain(": ").ink(Ink::Bad, finding.rule.as_str());
        output.line(&line.plain(&format!(": {}", finding.what)))?;
        output.line(&Line::of("  ").ink(Ink::Faint, &format!("help: {}", finding.help)))?;
    }
    if let Some((registry, orphans)) = asked {
        for silent in &registry.silent {
            output.line(&Line::new().ink(Ink::Warn, &format!("not asked: {silent}")))?;
        }
        if !registry.off.is_empty() {
            let off = format!("not built: tests behind {}; --all-features builds them", registry.off.join(", "));
            output.line(&Line::new().ink(Ink::Warn, &off))?;
        }
        for spot in &orphans.unanswered {
            tell(spot, "whose test may be in a program that did not answer", output)?;
        }
        for (spot, features) in &orphans.behind {
            tell(spot, &format!("whose test may be behind {}", features.join(", ")), output)?;
        }
        if !orphans.behind.is_empty() {
            output.help("  ", "decide it: cargo cassette lint --all-features")?;
        }
        undecided(orphans, output)?;
        for (pattern, cases) in ownership::named_as_they_run(registry) {
            let what =
                format!("not decided: {} of `{pattern}`, whose cassettes are named as they run", count(cases, "case"));
            output.line(&Line::new().ink(Ink::Warn, &what))?;
        }
    }
    let is_one = |spot: &Spot| !spot.is_directory() && !holds_other(&spot.path);
    let cassettes: usize = shelves
        .iter()
        .map(|shelf| shelf.cassettes().map_or(0, |spots| spots.iter().filter(|spot| is_one(spot)).count()))
        .sum();
    let tests = asked.map(|(it, _)| format!(" and {}", count(it.owned.len(), "test"))).unwrap_or_default();
    let checked = format!("{}{tests} checked", count(cassettes, "cassette"));
    let found = if findings.is_empty() { "nothing found".to_owned() } else { count(findings.len(), "finding") };
    Ok(output.line(&Line::of(&format!("{checked}, {found}")))?)
}

fn document(findings: &[Finding], asked: Option<Asked<'_>>) -> Json {
    let one = |finding: &Finding| {
        Json::object([
            ("rule", finding.rule.as_str().into()),
            ("file", finding.file.as_str().into()),
            ("line", finding.line.map_or(Json::Null, |line| (line as u64).into())),
            ("what", finding.what.as_str().into()),
            ("help", finding.help.as_str().into()),
        ])
    };
    let texts = |texts: &[String]| texts.iter().map(|text| text.as_str().into()).collect::<Vec<Json>>().into();
    let asked = asked.map_or(Json::Null, |(registry, orphans)| {
        let asked = [
            ("tests", (registry.owned.len() as u64).into()),
            ("silent", texts(&registry.silent)),
            ("features_off", texts(&registry.off)),
            ("unanswered", files(&orphans.unanswered)),
            ("behind", files(orphans.behind.iter().map(|(spot, _)| spot))),
        ];
        let named = ownership::named_as_they_run(registry).keys().map(|it| (*it).into()).collect::<Vec<Json>>();
        Json::object(asked.into_iter().chain(undecided_json(orphans)).chain([("named_as_they_run", named.into())]))
    });
    Json::object([("findings", findings.iter().map(one).collect::<Vec<_>>().into()), ("registry", asked)])
}

/// Returns the directory from which a workflow names files: the checkout's, as GitHub says it, or as git does.
fn checkout(here: &Path) -> Option<PathBuf> {
    let here = real(here);
    let said = env::var("GITHUB_WORKSPACE").map(|dir| real(Path::new(&dir))).filter(|dir| here.starts_with(dir));
    said.or_else(|| git::root(&here))
}

/// Returns a file as it is named from the root of the checkout; one that lies elsewhere is named as it is.
fn from_root(file: &str, here: &Path, root: Option<&Path>) -> String {
    let path = here.join(file);
    // What is a link is shown where it stands, whatever it leads to.
    let dir = path.ancestors().skip(1).find(|dir| dir.exists()).unwrap_or(here);
    let below = path.strip_prefix(dir).unwrap_or(Path::new(""));
    let inside = root.and_then(|root| Some(real(dir).strip_prefix(real(root)).ok()?.join(below)));
    inside.map_or_else(|| file.to_owned(), |inside| path_text(&inside))
}

/// Returns the command by which a workflow shows a finding beside the file.
fn annotation(finding: &Finding, here: &Path, root: Option<&Path>) -> String {
    let data = |text: &str| visible(text).replace('%', "%25").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let line = finding.line.map_or(String::new(), |line| format!(",line={line}"));
    let (file, rule) = (property(&from_root(&finding.file, here, root)), finding.rule.as_str());
    format!(
        "::error file={file}{line},title=cassette {rule}::{}%0Ahelp: {}\n",
        data(&finding.what),
        data(&finding.help)
    )
}

//! `cargo cassette stats`: what the recordings took, and what replaying them saves.

mod json;
pub(super) mod text;

pub(super) use text::{Reach, cost, tokens};

use std::path::PathBuf;
use std::{fmt, fs};

use cargo_cassette::pricing::{self, NoPrice, PriceList};
use cargo_cassette::shelf::{Shelf, Spot, Unreadable, holds_other};
use cassette_core::account::{Account, Price, Prices, account};
use clap::Args;

use super::Found;
use super::around::Surroundings;
use super::failure::Failure;
use super::named::named_once;
use crate::output::{Output, note, printed};

/// Add up tokens, live time and cost: what the suite would take live, and what replaying it saves
///
/// Tokens are those that the replies count. What no reply counts, and what has no price, is told as unknown and never taken
/// for zero. A file that cannot be read makes the exit code 1.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo cassette stats\n  cargo cassette stats trains --price my-model=0.15/0.60\n  cargo cassette stats --runs 200"
)]
pub(crate) struct Stats {
    /// These cassettes alone, by name or path
    cassettes: Vec<String>,
    /// The price of a model, in dollars per million tokens; may be given several times
    #[arg(long, value_name = "MODEL=IN/OUT")]
    price: Vec<String>,
    /// A table of prices that come before those that come along
    #[arg(long, value_name = "FILE")]
    prices_file: Option<PathBuf>,
    /// Say nothing of cost
    #[arg(long, conflicts_with_all = ["price", "prices_file"])]
    no_cost: bool,
    /// How many replays of the suite the savings are of
    #[arg(long, value_name = "N", default_value_t = 1)]
    runs: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Why nothing is added up.
#[derive(Debug)]
pub(crate) enum StatsError {
    /// A price is none: what to type.
    Price(NoPrice, String),
    /// The file of prices cannot be read: which, and who names it, where that is `cassette.toml`.
    File(String, Option<String>, std::io::Error),
    /// The file of prices is no table of prices: which, who names it, why, and what to type.
    Prices(String, Option<String>, NoPrice, String),
}

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatsError::Price(error, again) => write!(f, "{error}\nhelp: {again}"),
            StatsError::File(file, None, error) => {
                write!(f, "could not read {file}: {error}\nhelp: name a file of prices: --prices-file <FILE>")
            }
            StatsError::File(file, Some(place), error) => {
                write!(f, "{place}: could not read {file}, which `prices_file` names: {error}")?;
                f.write_str("\nhelp: write it as docs/cargo-cassette.md shows, or take the line out")
            }
            StatsError::Prices(file, None, error, again) => write!(
                f,
                "{file} is no table of prices: {error}\nhelp: write it as docs/cargo-cassette.md shows, then: {again}"
            ),
            StatsError::Prices(file, Some(place), error, _) => {
                write!(f, "{place}: {file}, which `prices_file` names, is no table of prices: {error}")?;
                f.write_str("\nhelp: write it as docs/cargo-cassette.md shows, or take the line out")
            }
        }
    }
}

impl From<StatsError> for Failure {
    fn from(error: StatsError) -> Failure {
        Failure::Stats(error)
    }
}

/// What was added up.
struct Sums {
    cassettes: Vec<(Spot, Account)>,
    bad: Vec<(Spot, Unreadable)>,
    total: Account,
    /// The name of the cassette whose call is the first to fail.
    failing: Option<String>,
}

impl Sums {
    /// Returns whether everything was added up that took something.
    fn reach(&self) -> Reach {
        if self.bad.is_empty() && self.total.unanswered == 0 { Reach::All } else { Reach::Part }
    }

    /// Returns whether it is known that no model answered.
    fn is_nothing(&self) -> bool {
        self.total.models.is_empty() && self.reach() == Reach::All
    }
}

pub(crate) fn run(stats: &Stats, around: &Surroundings, output: &mut Output) -> Result<Found, Failure> {
    let (list, files) = if stats.no_cost { Default::default() } else { prices(stats, around)? };
    let sums = sums(&spots(stats, around)?, &list);
    around.tell_unloaded();
    if stats.json {
        output.json(&json::document(stats, &list, &sums))?;
    } else {
        text::print(stats, (&list, &files), &sums, output)?;
    }
    let unused = unused(stats, &sums.total);
    if !unused.is_empty() {
        output.flush()?;
        note(&format!("no model that answered goes by the price that was given for {}", unused.join(" and for ")));
    }
    Ok(Found::something_if(!sums.bad.is_empty()))
}

/// Returns what tokens cost, and the files that say so beside the table that comes along.
fn prices(stats: &Stats, around: &Surroundings) -> Result<(PriceList, Vec<String>), StatsError> {
    let own = pricing::own()
        .map_err(|error| StatsError::Prices("the table that comes along".into(), None, error, around.whole()));
    let (mut list, said, mut files) = (own?, around.said(), Vec::new());
    let asked = stats.prices_file.as_ref().map(|file| (around.standpoint.here.join(file), None));
    let said = said.settings.prices_file.map(|file| (file, said.prices_at));
    for (file, place) in said.into_iter().chain(asked) {
        let shown = file.strip_prefix(&around.standpoint.here).unwrap_or(&file).display().to_string();
        let text = fs::read_to_string(&file);
        let text = text.map_err(|error| StatsError::File(shown.clone(), place.clone(), error))?;
        let own =
            pricing::read(&text).map_err(|error| StatsError::Prices(shown.clone(), place, error, around.whole()))?;
        list.prices.extend(own.prices);
        files.push(shown);
    }
    for typed in &stats.price {
        let (model, price) = pricing::typed(typed).map_err(|error| {
            let model = typed.rsplit_once('=').map(|(model, _)| model).filter(|model| !model.is_empty());
            let price = format!("{}=0.15/0.60", model.unwrap_or("gpt-4o-mini"));
            StatsError::Price(error, around.with_value("--price", typed, &price))
        })?;
        list.prices.set(&model, price);
    }
    Ok((list, files))
}

/// Returns the models of which a price was given, and none that answered is one of them.
fn unused(stats: &Stats, total: &Account) -> Vec<String> {
    let given = stats.price.iter().filter_map(|typed| pricing::typed(typed).ok());
    let is_unused = |(model, price): (String, Price)| {
        let mut alone = Prices::default();
        alone.set(&model, price);
        (!total.models.keys().any(|answered| alone.of(answered).is_some())).then(|| printed(&model))
    };
    given.filter_map(is_unused).collect()
}

/// Returns the cassettes that are meant: the named ones, else all that are some.
fn spots(stats: &Stats, around: &Surroundings) -> Result<Vec<Spot>, Failure> {
    if stats.cassettes.is_empty() {
        let cassettes =
            |shelf: Shelf| shelf.cassettes().map_err(|error| Failure::Directory(shelf.shown.clone(), error));
        let spots = around.shelves()?.into_iter().map(cassettes).collect::<Result<Vec<_>, _>>()?;
        let is_one = |spot: &Spot| !holds_other(&spot.path);
        return Ok(spots.concat().into_iter().filter(is_one).collect());
    }
    Ok(named_once(&stats.cassettes, around)?)
}

fn sums(spots: &[Spot], list: &PriceList) -> Sums {
    let mut sums = Sums { cassettes: Vec::new(), bad: Vec::new(), total: Account::default(), failing: None };
    for spot in spots {
        match spot.open() {
            Err(error) => sums.bad.push((spot.clone(), error)),
            Ok(tape) => {
                let account = account(&tape, &list.prices);
                if sums.failing.is_none() && account.first_error.is_some() {
                    sums.failing = Some(spot.name.clone());
                }
                sums.total = std::mem::take(&mut sums.total).and(account.clone());
                sums.cassettes.push((spot.clone(), account));
            }
        }
    }
    sums
}

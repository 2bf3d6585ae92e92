//! Which recordings a program may leave unasked, though it must ask what it asks as it was recorded.
//!
//! A client of the Model Context Protocol may go before it has listened to its server, and before it has answered a question
//! that came by the way. Whether it does hangs on chance, so neither is missed. What somebody waits for is. Nor is a ping missed,
//! which earlier versions recorded: it is answered without a recording. One that brought more than its answer is.
//!
//! Nor is a function missed that lost a race against another one, and was given up: what is served comes at once, before the program
//! has asked the loser, or never puts a second question that it puts only where the first takes long. Over HTTP an answer takes its
//! time, so that the loser is asked as well.

use std::collections::HashSet;
use std::ops::Range;

use super::Shared;
use crate::call::Kind;
use crate::reply::{Outcome, Reply};
use crate::rpc::{Message, PING, What, asks, questions};
use crate::tape::{Asked, Interaction, Tape};

/// Returns, of each recording, whether it may be left unasked.
pub(super) fn may_be_left(tape: &Tape) -> Vec<bool> {
    let posts = tape.interactions.iter().filter(|interaction| !listens(interaction));
    // In the course of a request: its reply is held back until they are answered.
    let pressing: HashSet<_> = posts.filter_map(reply).flat_map(|reply| questions(&reply.body())).collect();
    let urls: HashSet<_> = tape.interactions.iter().filter_map(endpoint).collect();
    let one = |interaction: &Interaction| {
        let silent = reply(interaction).is_some_and(|reply| reply.chunks.is_empty() && reply.truncated.is_none());
        let name = interaction.asked.name();
        match name.strip_prefix("GET ") {
            Some(url) => listens(interaction) && urls.contains(url),
            None if name.starts_with("POST ") => match said(interaction) {
                Some(What::Answer { id }) => silent && !pressing.contains(&id),
                Some(What::Notice { method }) => silent && method == "notifications/cancelled",
                Some(What::Request { method, .. }) => method == PING && brings_nothing(interaction),
                None => false,
            },
            None if name.contains("answer to ") => silent,
            None => interaction.asked.kind() == Kind::Mcp && pings(name) && brings_nothing(interaction),
        }
    };
    tape.interactions.iter().map(one).collect()
}

/// Returns, of each recording, whether it is a function that the program gave up while another one was under way beside it that had an
/// answer, or was asked within such a one.
pub(super) fn lost(tape: &Tape) -> Vec<bool> {
    let all = &tape.interactions;
    let mut lost = Vec::with_capacity(all.len());
    for group in groups(tape) {
        let group = &all[group];
        let won = group.iter().any(has_won);
        lost.extend(
            group.iter().map(|one| won && one.within.is_none() && is_function(one) && one.outcome.is_given_up()),
        );
    }
    let within =
        |(i, one): (usize, &Interaction)| lost[i] || one.within.is_some_and(|outer| lost.get(outer) == Some(&true));
    all.iter().enumerate().map(within).collect()
}

impl Shared {
    /// Returns the name of a function that was served, and was under way as another one was that nothing asked for: it may have asked
    /// that itself, in a task which knew nothing of it, and as it is served it does not run.
    pub(super) fn function_beside(&self, unasked: &[usize], used: &[bool]) -> Option<&str> {
        let all = &self.tape.interactions;
        let is_own = |i: usize| all[i].within.is_none() && !matches!(all[i].asked.kind(), Kind::Http | Kind::Mcp);
        let missed: Vec<_> = unasked.iter().copied().filter(|i| is_own(*i)).collect();
        let mut groups = groups(&self.tape).filter(|group| missed.iter().any(|i| group.contains(i)));
        let served = groups.find_map(|mut group| group.find(|i| used[*i] && is_own(*i)))?;
        Some(all[served].asked.name())
    }
}

/// A race: the recordings that were given up as soon as another one had answered, and those that had an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Race {
    pub(super) losers: Vec<usize>,
    /// Those that ask something else than a loser: once all are served, the race is over.
    pub(super) winners: Vec<usize>,
}

/// Returns the races of a tape.
pub(super) fn races(tape: &Tape) -> Vec<Race> {
    let all = &tape.interactions;
    let is_loser = |i: usize| matches!(&all[i].outcome, Outcome::Error(error) if error.is_outrun());
    let race = |group: Range<usize>| {
        let losers: Vec<usize> = group.clone().filter(|i| is_loser(*i)).collect();
        let is_other = |i: &usize| losers.iter().all(|loser| all[*loser].key != all[*i].key);
        let winners = group.filter(|i| !losers.is_empty() && has_won(&all[*i])).filter(is_other).collect();
        Race { losers, winners }
    };
    groups(tape).map(race).filter(|race| !race.losers.is_empty() && !race.winners.is_empty()).collect()
}

/// Returns the recordings that overlapped, group by group.
fn groups(tape: &Tape) -> impl Iterator<Item = Range<usize>> + '_ {
    let starts = tape.interactions.iter().enumerate().filter(|(i, interaction)| *i == 0 || !interaction.overlaps);
    starts.map(|(start, _)| {
        let rest = tape.interactions[start + 1..].iter().take_while(|interaction| interaction.overlaps);
        start..start + 1 + rest.count()
    })
}

fn is_function(interaction: &Interaction) -> bool {
    interaction.asked.kind() != Kind::Http
}

fn has_won(interaction: &Interaction) -> bool {
    interaction.within.is_none() && is_function(interaction) && !interaction.outcome.is_given_up()
}

/// Returns whether this is the name of a ping: behind that of its server, if it has one.
fn pings(name: &str) -> bool {
    match name.strip_suffix(PING) {
        Some(before) => before.is_empty() || (before.ends_with(' ') && !before.ends_with("prompts/get ")),
        None => false,
    }
}

/// Returns whether nothing else was said in the course of this request.
fn brings_nothing(interaction: &Interaction) -> bool {
    reply(interaction).is_some_and(|reply| !String::from_utf8_lossy(&reply.body()).contains("\"method\""))
}

fn reply(interaction: &Interaction) -> Option<&Reply> {
    match &interaction.outcome {
        Outcome::Reply(reply) => Some(reply),
        Outcome::Error(_) => None,
    }
}

/// Returns whether this is a stream that was opened to listen.
fn listens(interaction: &Interaction) -> bool {
    let kind = reply(interaction).and_then(|reply| reply.header("content-type")).unwrap_or_default();
    interaction.asked.name().starts_with("GET ") && kind.starts_with("text/event-stream")
}

/// Returns the message of a call over HTTP.
fn said(interaction: &Interaction) -> Option<What> {
    let Asked::Whole(call) = &interaction.asked else { return None };
    let text = std::str::from_utf8(&call.body).ok().filter(|text| text.contains("\"jsonrpc\""))?;
    Message::read(text).ok().map(|message| message.what)
}

/// Returns the URL of a call over HTTP that speaks the protocol.
fn endpoint(interaction: &Interaction) -> Option<&str> {
    let Asked::Whole(call) = &interaction.asked else { return None };
    let url = call.name.strip_prefix("POST ")?;
    let text = std::str::from_utf8(&call.body).ok().filter(|text| text.contains("\"jsonrpc\""))?;
    crate::json::Json::parse(text).ok().filter(asks).map(|_| url)
}

//! What an adapter holds of its cassette, and what becomes of a call there.

use std::sync::{Arc, Weak};
use std::time::Duration;

use cassette_core::call::Call;
#[cfg(feature = "aws-smithy")]
use cassette_core::mode::Mode;
use cassette_core::reply::{Outcome, TransportError};
use cassette_core::report::{Report, Wiring};
use cassette_core::session::Served;
use hyper::HeaderMap;

use super::calling;
use super::live::Live;
use crate::ambient;
use crate::authority::authority;
use crate::gateway::{loopback, spelled};
use crate::guard::{self, ScopeId};
use crate::inside;
use crate::options::Pace;
use crate::proxies::proxies;
use crate::scope::Scope;
use crate::wire::{
    self, Clock, Desk, Held, Limits, Playback, Player, Reads, Recorded, Rhythm, Ruling, Silence, Waiting,
};

/// What an adapter holds of its cassette. The session is held weakly: a client may outlive its test.
#[derive(Clone, Debug)]
pub(super) struct Seam {
    desk: Arc<dyn Desk>,
    held: Arc<Held>,
    #[cfg(feature = "aws-smithy")]
    mode: Mode,
    pace: Pace,
    limits: Limits,
    guarded: Option<ScopeId>,
    /// The cassette, as reports call it.
    label: Arc<str>,
    scope: Weak<Scope>,
}

/// A request, as its client is about to send it.
pub(super) struct Asked<'a> {
    /// Its method.
    pub(super) method: &'a str,
    /// Its absolute URL.
    pub(super) url: &'a str,
    /// Its headers.
    pub(super) headers: &'a HeaderMap,
    /// Its body.
    pub(super) body: &'a [u8],
}

/// What becomes of a call.
pub(super) enum Turn {
    /// It is answered with what was recorded.
    Reply(Recorded, Box<Playback>),
    /// It fails as it did when it was recorded.
    Error(TransportError),
    /// The program gave up waiting when it was recorded, and is let do so again.
    Silence(Waiting),
    /// It goes live.
    Live(Live),
    /// It fails, and so does the test.
    Fail(Arc<Report>),
}

impl Seam {
    /// Returns the seam of this scope.
    ///
    /// # Errors
    ///
    /// Fails where there is no session yet, or no more.
    pub(super) fn of(scope: &Arc<Scope>) -> Result<Seam, Arc<Report>> {
        Ok(Seam {
            desk: Arc::new(Arc::downgrade(scope.session()?)),
            held: Arc::clone(scope.held()),
            #[cfg(feature = "aws-smithy")]
            mode: scope.settled.mode,
            pace: scope.settled.options.pace,
            limits: Limits::default(),
            guarded: scope.guarded(),
            label: scope.label.as_str().into(),
            scope: Arc::downgrade(scope),
        })
    }

    /// Returns how long a request's body may be, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.limits.request
    }

    /// Returns whether what was recorded is all there is.
    #[cfg(feature = "aws-smithy")]
    pub(super) fn is_replaying(&self) -> bool {
        self.mode == Mode::Replay
    }

    /// Returns the gateway that stands for this server.
    #[cfg(feature = "ureq")]
    pub(super) fn base_url(&self, method: &str, url: &str) -> Result<String, Arc<Report>> {
        let scope = self.open_scope(method, url)?;
        if let Some(report) = self.doubled(method, url).or_else(|| self.twice(url)) {
            return Err(self.desk.fail(Report::Wiring(report)));
        }
        scope.base_url(None, url)
    }

    /// Runs what the client does for a call.
    #[cfg(feature = "ureq")]
    pub(super) fn run<T>(&self, client: impl FnOnce() -> T) -> T {
        calling::run(&self.scope, client)
    }

    /// Returns the test's failure, if it has failed.
    #[cfg(feature = "ureq")]
    pub(super) fn failure(&self) -> Option<Arc<Report>> {
        self.scope.upgrade()?.opened()?.failure()
    }

    /// Takes a call; what is recorded is played by this clock.
    pub(super) fn begin(&self, asked: &Asked<'_>, clock: Clock) -> Turn {
        let url = match spelled(asked.url) {
            Ok(url) => url,
            Err(report) => return self.refuse(report),
        };
        let scope = match self.open_scope(asked.method, &url) {
            Ok(scope) => scope,
            Err(report) => return Turn::Fail(report),
        };
        let wrong = self.twice(&url).or_else(|| self.doubled(asked.method, &url));
        if let Some(report) = wrong.or_else(|| self.unsupported(asked, &url)) {
            return self.refuse(report);
        }
        let call = Call::http(asked.method, &url, wire::asked(asked.headers), asked.body.to_vec());
        let name = call.name.clone();
        self.close_the_way_round(&url);
        // The client's task is known, and with it whether a function that is recorded makes the call.
        let is_aside = !inside::of(&scope);
        let ruling = if is_aside { self.desk.begin_aside(call) } else { self.desk.begin(call) };
        match ruling {
            Ruling::Serve(served) => self.serve(&served, clock),
            Ruling::Live(file) => {
                let loan = self.guarded.map(|scope| guard::Loan::new(scope, hosts(&url)));
                let keeper = wire::Keeper {
                    desk: Arc::clone(&self.desk),
                    name,
                    limit: self.limits.reply,
                    reads: Reads::AsAsked,
                };
                Turn::Live(Live::new(keeper, wire::Filing::new(file, self.held.enter(None)), loan, &self.scope))
            }
            Ruling::Fail(report) => Turn::Fail(report),
        }
    }

    /// Latches the failure of a request that makes no call.
    pub(super) fn refuse(&self, report: Wiring) -> Turn {
        Turn::Fail(self.desk.fail(Report::Wiring(report)))
    }

    /// Latches the failure of a request whose body is too long to be kept.
    pub(super) fn refuse_length(&self, method: &str, url: &str) -> Turn {
        let name = format!("{method} {url}");
        self.refuse(wire::too_long(&*self.desk, &name, self.limits.request))
    }

    fn serve(&self, served: &Served, clock: Clock) -> Turn {
        let place = wire::place(served);
        let player = self.player(clock);
        match &*served.outcome {
            Outcome::Reply(reply) => match wire::recorded(&place, reply) {
                Ok(head) => Turn::Reply(head, Box::new(Playback::new(&player, served, reply))),
                Err(report) => self.refuse(report),
            },
            Outcome::Error(error) if served.stalls || error.is_given_up() => {
                Turn::Silence(Waiting::new(&player, place, Silence::before_all(served)))
            }
            Outcome::Error(error) => Turn::Error(error.clone()),
        }
    }

    /// Returns what is played by this clock; whoever waits for more than there is waits by the machine's, which nobody can
    /// have paused.
    fn player(&self, clock: Clock) -> Player {
        Player {
            desk: Arc::clone(&self.desk),
            held: Arc::clone(&self.held),
            rhythm: Rhythm { pace: self.pace, least: Duration::ZERO, clock },
            reads: Reads::AsAsked,
            hold: (self.limits.hold, Clock::Machine),
        }
    }

    /// Returns the scope, unless its test has ended: whichever test has the client now may take the error for an answer, so each
    /// that may be the one fails.
    fn open_scope(&self, method: &str, url: &str) -> Result<Arc<Scope>, Arc<Report>> {
        if let Some(scope) = self.scope.upgrade().filter(|scope| !scope.has_ended()) {
            return Ok(scope);
        }
        let name = self.desk.shown(&format!("{method} {url}"));
        let what = format!("{name} came to an adapter of `{}`, whose test has ended", self.label);
        let help = "make the client anew in each test, and wait for every task before it returns: a client that outlives its \
                    test, as in a `static`, keeps that test's cassette";
        let report = Report::Wiring(Wiring::new(what, help));
        ambient::fail(|_| report.clone());
        Err(Arc::new(report))
    }

    /// Returns the report of a request to a gateway of the same cassette, which would record it a second time, under an address
    /// of this run's own.
    fn twice(&self, url: &str) -> Option<Wiring> {
        let upstream = self.scope.upgrade()?.upstream_of(url)?;
        let what = format!(
            "a client that the cassette records by an adapter was given the cassette's own address for {upstream}"
        );
        let help = format!(
            "give it the upstream's own URL, {upstream}, or leave the adapter out of it: either records the call"
        );
        Some(Wiring::new(what, help))
    }

    /// Returns the report of a request that comes from a live call of another adapter: either would record it, and a replay is
    /// asked once.
    fn doubled(&self, method: &str, url: &str) -> Option<Wiring> {
        let scope = self.scope.upgrade().filter(calling::is_within)?;
        let name = self.desk.shown(&format!("{method} {url}"));
        let what =
            format!("{name} came to an adapter of `{}` within a live call of another: the client has two", scope.label);
        Some(Wiring::new(what, "take one of them out of the client: each records every call that it makes"))
    }

    fn unsupported(&self, asked: &Asked<'_>, url: &str) -> Option<Wiring> {
        let upgrade = asked.headers.get("upgrade")?;
        upgrade.as_bytes().eq_ignore_ascii_case(b"websocket").then(|| {
            let name = self.desk.shown(&format!("{} {url}", asked.method));
            wire::websocket(name.split_once(' ').map_or("", |(_, url)| url))
        })
    }

    /// Lets the network guard treat an upstream on this machine as it does any other host, but for calls that go live.
    fn close_the_way_round(&self, url: &str) {
        if let Some(guarded) = self.guarded {
            loopback(url).first().into_iter().for_each(|address| guard::note_upstream(guarded, address.port()));
        }
    }
}

/// Returns the hosts that a client may reach for a call to this URL: its own, and those of the proxies that the environment
/// names.
fn hosts(url: &str) -> Vec<String> {
    let own = authority(url).map(|authority| authority.host.to_owned());
    own.into_iter().chain(proxies().into_iter().map(|proxy| proxy.host)).collect()
}

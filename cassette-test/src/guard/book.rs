//! The scopes of this process, with what was attempted in each.
//!
//! A scope is never removed: threads can outlive it, and what they attempt is still judged and kept.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::attempt::{self, Attempt, By};
use super::policy::{Guard, GuardPolicy, canonical, names_alike};
use super::{GuardMode, ScopeId};
use super::{children, departed};

/// How many attempts of a scope are kept, so that a loop of retries cannot fill the memory.
const KEPT: usize = 1_000;

static BOOK: Mutex<BTreeMap<ScopeId, Arc<Entry>>> = Mutex::new(BTreeMap::new());

/// A scope and what has happened in it.
pub(super) struct Entry {
    id: ScopeId,
    mode: GuardMode,
    guard: Guard,
    state: Mutex<State>,
}

struct State {
    policy: GuardPolicy,
    phase: Phase,
    /// What allowed names were resolved to.
    allowed: HashSet<IpAddr>,
    /// The last name that was resolved to an address.
    names: HashMap<IpAddr, String>,
    attempts: Vec<Attempt>,
    /// What was reached on this machine, each address once: it may turn out to be an upstream.
    reached: Vec<Attempt>,
    /// The gateways of the test, which may stand where an upstream stood when it was recorded.
    gateways: HashSet<SocketAddr>,
    /// The programs that were started, each once.
    programs: BTreeSet<String>,
    /// Hosts that calls under way may reach, each as often as it was lent.
    lent: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    Ended,
}

/// Returns what was attempted in a scope, in the order of time. After the first thousand no more are kept.
pub(crate) fn attempts(id: ScopeId) -> Vec<Attempt> {
    children::hear();
    find(id).map(|entry| entry.state().attempts.clone()).unwrap_or_default()
}

/// Returns the programs that were started in a scope, each once and in the order of their names.
pub(super) fn programs(id: ScopeId) -> Vec<String> {
    find(id).map(|entry| entry.state().programs.iter().cloned().collect()).unwrap_or_default()
}

/// Returns the test of this scope, where it has ended.
pub(crate) fn ended(id: ScopeId) -> Option<Arc<str>> {
    find(id).filter(|entry| !entry.is_open()).map(|entry| Arc::clone(&entry.state().policy.test))
}

/// Lets an upstream on this machine be treated as any other host is, from now on and as far as it was reached already.
pub(crate) fn note_upstream(id: ScopeId, port: u16) {
    if let Some(entry) = find(id) {
        let mut state = entry.state();
        if state.policy.upstreams.contains(&port) {
            return;
        }
        state.policy.upstreams.push(port);
        let reached = std::mem::take(&mut state.reached);
        let (early, others) =
            reached.into_iter().partition(|attempt| attempt.addr.is_some_and(|addr| state.is_upstream(addr, None)));
        state.reached = others;
        push(state, early);
    }
}

/// Notes that a gateway of the test listens here.
pub(crate) fn note_gateway(id: ScopeId, address: SocketAddr) {
    if let Some(entry) = find(id) {
        entry.state().gateways.insert(canonical(address));
        departed::forget(canonical(address));
    }
}

/// Lets a host be reached, by name or address, until it is [taken back](take_back).
#[cfg(feature = "_adapters")]
pub(super) fn lend(id: ScopeId, host: &str) {
    if let Some(entry) = find(id) {
        entry.state().lent.push(host.to_owned());
    }
}

/// Takes back once what was lent.
#[cfg(feature = "_adapters")]
pub(super) fn take_back(id: ScopeId, host: &str) {
    if let Some(entry) = find(id) {
        let mut state = entry.state();
        if let Some(at) = state.lent.iter().position(|lent| lent == host) {
            state.lent.swap_remove(at);
        }
    }
}

/// Enters a new scope.
pub(super) fn open(id: ScopeId, policy: GuardPolicy) {
    children::begin();
    let state = State {
        phase: Phase::Open,
        allowed: HashSet::new(),
        names: HashMap::new(),
        attempts: Vec::new(),
        reached: Vec::new(),
        gateways: HashSet::new(),
        programs: BTreeSet::new(),
        lent: Vec::new(),
        policy: policy.clone(),
    };
    book().insert(id, Arc::new(Entry { id, mode: policy.mode, guard: policy.guard, state: Mutex::new(state) }));
}

/// Marks a scope as ended and lets go of its callback.
pub(super) fn end(id: ScopeId) {
    let callback = find(id).and_then(|entry| {
        let mut state = entry.state();
        state.phase = Phase::Ended;
        departed::note(id, &state.policy.test, &state.gateways);
        state.policy.on_attempt.take()
    });
    // Whatever it holds is dropped without a lock.
    drop(callback);
}

/// Returns what is known of the scope of this number.
pub(super) fn numbered(number: &str) -> Option<Arc<Entry>> {
    book().values().find(|entry| entry.id.number().to_string() == number).map(Arc::clone)
}

/// Returns what is known of a scope.
pub(super) fn find(id: ScopeId) -> Option<Arc<Entry>> {
    book().get(&id).cloned()
}

impl Entry {
    /// Returns what happens to calls that lead outside.
    pub(super) fn mode(&self) -> GuardMode {
        self.mode
    }

    /// Returns how far the guard reaches.
    pub(super) fn guard(&self) -> Guard {
        self.guard
    }

    /// Whether the scope has not ended.
    pub(super) fn is_open(&self) -> bool {
        self.state().phase == Phase::Open
    }

    /// Whether the policy lets this address be reached, which must be canonical. What passes on this machine is kept in mind.
    pub(super) fn lets(&self, by: impl FnOnce() -> By, call: &'static str, address: SocketAddr) -> bool {
        let ip = address.ip();
        // What asks the environment may wait for somebody, and nobody is to wait for this state meanwhile.
        let proxy_at = if ip.is_loopback() { self.state().policy.proxy_at } else { None };
        let proxy = proxy_at.and_then(|proxy_at| proxy_at(address.port()));
        let mut state = self.state();
        if state.lends(ip) {
            return true;
        }
        if !ip.is_loopback() {
            return state.allowed.contains(&ip) || state.policy.allows_ip(ip);
        }
        let passes = !state.is_upstream(address, proxy.as_deref());
        let known = state.reached.iter().any(|attempt| attempt.addr == Some(address));
        if passes && !known && state.reached.len() < KEPT {
            let reached = state.attempt(by(), call, (None, Some(address)));
            state.reached.push(reached);
        }
        passes
    }

    /// Whether the policy lets this name be looked up.
    pub(super) fn allows_host(&self, host: &str) -> bool {
        let state = self.state();
        state.policy.allows_host(host) || state.lent.iter().any(|lent| names_alike(lent, host))
    }

    /// Remembers what a name stood for.
    pub(super) fn learn(&self, host: &str, addresses: &[IpAddr]) {
        let mut state = self.state();
        let allowed = state.policy.allows_host(host);
        for address in addresses.iter().map(IpAddr::to_canonical) {
            state.names.insert(address, host.to_owned());
            if allowed {
                state.allowed.insert(address);
            }
        }
    }

    /// Remembers a program that was started.
    pub(super) fn note_program(&self, program: &str) {
        let mut state = self.state();
        if state.programs.len() < KEPT {
            state.programs.insert(program.to_owned());
        }
    }

    /// Keeps an attempt of this thread, and tells the scope's owner if it was the first.
    pub(super) fn keep(&self, call: &'static str, host: Option<&str>, addr: Option<SocketAddr>) {
        children::tell(self.id, call, host, addr);
        self.keep_of(By::this_thread(), call, host, addr);
    }

    /// Keeps an attempt, and tells the scope's owner if it was the first.
    pub(super) fn keep_of(&self, by: By, call: &'static str, host: Option<&str>, addr: Option<SocketAddr>) {
        let state = self.state();
        let attempt = state.attempt(by, call, (host, addr));
        let late = (attempt.late && self.mode == GuardMode::Deny).then(|| attempt.clone());
        push(state, vec![attempt]);
        late.iter().for_each(attempt::late);
    }

    /// Keeps an attempt that was made at this moment, as far as this process's clock tells it.
    pub(super) fn keep_at(
        &self,
        at: Option<Instant>,
        by: By,
        call: &'static str,
        what: (Option<&str>, Option<SocketAddr>),
    ) {
        let state = self.state();
        let attempt = state.attempt(by, call, what);
        let at = at.unwrap_or(attempt.at);
        push(state, vec![Attempt { at, ..attempt }]);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns what is attempted now. The time is taken under the lock, so that the order of the attempts is that of time.
    fn attempt(&self, by: By, call: &'static str, (host, addr): (Option<&str>, Option<SocketAddr>)) -> Attempt {
        let By { thread, process } = by;
        let host = host.map(str::to_owned).or_else(|| self.names.get(&addr?.ip()).cloned());
        let (late, test) = (self.phase == Phase::Ended, Arc::clone(&self.policy.test));
        Attempt { host, addr, thread, process, at: Instant::now(), call, late, test }
    }

    /// Whether an upstream stood at this address of this machine, or this proxy does, and none of the test's gateways.
    fn is_upstream(&self, address: SocketAddr, proxy: Option<&str>) -> bool {
        let leads_out =
            self.policy.upstreams.contains(&address.port()) || proxy.is_some_and(|host| !self.policy.allows_host(host));
        leads_out && !self.gateways.contains(&address)
    }

    /// Whether this address is lent, or what a lent name was resolved to.
    fn lends(&self, ip: IpAddr) -> bool {
        let name = self.names.get(&ip);
        self.lent.iter().any(|lent| {
            name.is_some_and(|name| names_alike(lent, name))
                || lent.parse::<IpAddr>().is_ok_and(|lent| lent.to_canonical() == ip)
        })
    }
}

/// Keeps attempts, and tells the scope's owner if one of them was the first.
fn push(mut state: MutexGuard<'_, State>, attempts: Vec<Attempt>) {
    let first = attempts.first().cloned().filter(|_| state.attempts.is_empty());
    let room = KEPT.saturating_sub(state.attempts.len());
    state.attempts.extend(attempts.into_iter().take(room));
    state.attempts.sort_by_key(|attempt| attempt.at);
    let callback = state.policy.on_attempt.clone();
    drop(state);
    if let (Some(callback), Some(first)) = (callback, first) {
        let _ = catch_unwind(AssertUnwindSafe(|| callback(&first)));
    }
}

fn book() -> MutexGuard<'static, BTreeMap<ScopeId, Arc<Entry>>> {
    BOOK.lock().unwrap_or_else(PoisonError::into_inner)
}

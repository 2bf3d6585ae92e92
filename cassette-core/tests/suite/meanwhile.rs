//! A file that is changed, made or removed while its test records: by git, or by a person, whom no lock keeps away.

use std::fs;
use std::sync::Arc;

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::pending::{Over, Reason, Since};
use cassette_core::policy::Unused;
use cassette_core::prove::Proven;
use cassette_core::session::{BodyEnd, Plan, Session, Verdict};
use cassette_core::store::{FileStore, MemoryStore, Opened, Store, StoreError};
use cassette_core::upkeep::{Candidate, Known, Refusal};

use crate::bench_of_calls::{NAME, ask, codes, counting, file, gone, make, plan, record, refused, reply, run};

/// A place of cassettes at which a person works too.
trait Place: Store {
    fn put(&self, file: Option<&[u8]>);
}

impl Place for MemoryStore {
    fn put(&self, file: Option<&[u8]>) {
        match file {
            Some(bytes) => MemoryStore::put(self, NAME, bytes),
            None => self.remove(NAME),
        }
    }
}

impl Place for FileStore {
    fn put(&self, file: Option<&[u8]>) {
        match file {
            Some(bytes) => self.vouch(NAME, std::str::from_utf8(bytes).unwrap()).unwrap(),
            None => fs::remove_file(self.path(NAME)).unwrap(),
        }
    }
}

/// Does this with a place of either kind.
fn at_each(check: impl Fn(Arc<dyn Place>)) {
    let dir = tempfile::tempdir().unwrap();
    check(Arc::new(MemoryStore::default()));
    check(Arc::new(FileStore::new(dir.path().join("cassettes"), "cassettes")));
}

fn on(place: &Arc<dyn Place>, mode: Mode) -> Plan {
    Plan { store: Arc::clone(place) as Arc<dyn Store>, ..plan(&MemoryStore::default(), mode) }
}

/// Returns a cassette of these prompts, as another machine has recorded it.
fn recorded(prompts: &[&str]) -> Vec<u8> {
    record(&MemoryStore::default(), &prompts.iter().map(|prompt| ask(prompt)).collect::<Vec<_>>())
}

/// A run, and what was done to the file while it was under way.
struct Case<'a> {
    mode: Mode,
    before: Option<&'a [u8]>,
    meanwhile: Option<&'a [u8]>,
    end: BodyEnd,
}

/// Asks for Bergen in a run during which somebody does this to the file.
fn during(place: &Arc<dyn Place>, case: &Case<'_>) -> Verdict {
    case.before.iter().for_each(|before| place.put(Some(before)));
    let session = Session::open(on(place, case.mode)).unwrap();
    assert!(make(&session, &[ask("Bergen"), ask("Oslo")], counting()).iter().all(Result::is_ok));
    place.put(case.meanwhile);
    session.finish(case.end)
}

fn candidate(place: &Arc<dyn Place>) -> Candidate {
    Candidate::read(&**place, NAME).unwrap().expect("something is pending")
}

fn accept(place: &Arc<dyn Place>, candidate: &Candidate) -> Result<(), Refusal> {
    candidate.accept(&**place, &Known::of(&**place, NAME, &[]).unwrap())
}

/// Checks that what stands there stays, that what was recorded can be looked at, and that both ways lead to a cassette of it.
fn check(case: &Case<'_>) -> String {
    let told = std::sync::Mutex::new(String::new());
    at_each(|place| {
        let verdict = during(&place, case);
        assert_eq!(place.load(NAME).unwrap().as_deref(), case.meanwhile, "what stands there is left alone");
        assert_eq!((verdict.summary.unchanged, verdict.summary.redated), (false, false));
        assert!(place.journal(NAME).unwrap().journal.close().is_ok(), "the lock is free again");

        let kept = candidate(&place);
        assert_eq!(kept.pending().over, Over::of(case.before));
        assert_eq!(accept(&place, &kept), Err(Refusal::Meanwhile(Since::Changed)));
        assert_eq!(place.load(NAME).unwrap().as_deref(), case.meanwhile);
        // Whoever brings back what it was recorded over accepts it as ever.
        place.put(case.before);
        assert_eq!(kept.prove(&*place, &Known::of(&*place, NAME, &[]).unwrap()).map(drop), Ok(()));
        place.put(case.meanwhile);
        // So does whoever wants it in the place of what is there.
        assert_eq!(accept(&place, &kept.over_anything()), Ok(()));
        let (got, verdict_of_replay) =
            run(on(&place, Mode::Replay), &[ask("Bergen"), ask("Oslo")], gone, BodyEnd::Passed);
        assert!(got.iter().all(Result::is_ok) && verdict_of_replay.reports.is_empty());
        let reports = verdict.reports.iter().map(ToString::to_string);
        *told.lock().unwrap() = reports.chain([verdict.summary.to_string()]).collect::<Vec<_>>().join("\n\n");
    });
    told.into_inner().unwrap()
}

#[test]
fn what_vanished_during_a_refresh_that_found_nothing_new_is_not_said_to_be_as_it_was() {
    let before = recorded(&["Bergen", "Oslo"]);
    let case = Case { mode: Mode::Refresh, before: Some(&before), meanwhile: None, end: BodyEnd::Passed };
    insta::assert_snapshot!(check(&case));
}

#[test]
fn what_was_changed_during_a_refresh_is_not_written_over() {
    let (before, other) = (recorded(&["Bergen", "Oslo"]), recorded(&["Seats"]));
    let case = Case { mode: Mode::Refresh, before: Some(&before), meanwhile: Some(&other), end: BodyEnd::Passed };
    insta::assert_snapshot!(check(&case));
}

#[test]
fn what_others_added_while_a_run_adds_is_not_lost() {
    let (before, other) = (recorded(&["Bergen"]), recorded(&["Bergen", "Voss"]));
    let case = Case { mode: Mode::Record, before: Some(&before), meanwhile: Some(&other), end: BodyEnd::Passed };
    insta::assert_snapshot!(check(&case));
}

#[test]
fn what_appeared_during_the_first_recording_is_not_written_over() {
    let other = recorded(&["Seats"]);
    let case = Case { mode: Mode::Record, before: None, meanwhile: Some(&other), end: BodyEnd::Passed };
    insta::assert_snapshot!(check(&case));
}

#[test]
fn what_a_failed_test_recorded_over_a_file_that_moved_can_be_looked_at_and_accepted() {
    let (before, other) = (recorded(&["Bergen"]), recorded(&["Seats"]));
    for mode in [Mode::Record, Mode::Refresh] {
        for (before, meanwhile) in [(Some(&*before), Some(&*other)), (None, Some(&*other)), (Some(&*before), None)] {
            let told = check(&Case { mode, before, meanwhile, end: BodyEnd::Panicked });
            assert!(told.contains("; not taken over, it is in cassettes/.pending/trains.json"), "{told}");
        }
    }
}

#[test]
fn the_reason_is_kept_with_what_became_of_the_file() {
    let before = recorded(&["Bergen", "Oslo"]);
    at_each(|place| {
        let case = Case { mode: Mode::Refresh, before: Some(&before), meanwhile: None, end: BodyEnd::Passed };
        assert_eq!(codes(&during(&place, &case)), ["pending"]);
        let told = candidate(&place).pending().clone();
        assert_eq!((told.reason, told.found), (Reason::Meanwhile, vec![format!("{} has vanished", place.place(NAME))]));
        let document = place.pending(NAME).unwrap().unwrap();
        assert!(disk::read(&document).is_ok());
    });
}

#[test]
fn a_run_that_was_served_everything_does_not_mind() {
    let (before, other) = (recorded(&["Bergen", "Oslo"]), recorded(&["Seats"]));
    at_each(|place| {
        let case = Case { mode: Mode::Record, before: Some(&before), meanwhile: Some(&other), end: BodyEnd::Passed };
        assert_eq!(codes(&during(&place, &case)), [""; 0]);
        assert_eq!(place.load(NAME).unwrap().as_deref(), Some(&*other));
    });
}

#[test]
fn what_moved_before_anything_went_live_is_told_before_anything_is_paid_for() {
    let other = recorded(&["Seats"]);
    let store = MemoryStore::default();
    let session = Session::open(plan(&store, Mode::Record)).unwrap();
    store.put(NAME, &other);
    assert_eq!(make(&session, &[ask("Bergen")], gone), [Err("refused")]);
    insta::assert_snapshot!(session.finish(BodyEnd::Passed).reports[0].to_string());
    assert_eq!((file(&store), store.pending(NAME)), (Some(other), Ok(None)));
}

#[test]
fn tests_that_share_a_cassette_save_one_after_the_other() {
    at_each(|place| {
        for prompt in ["Bergen", "Oslo", "Voss"] {
            for mode in [Mode::Record, Mode::Refresh] {
                let shared = Plan { unused: Unused::Allow, test: format!("suite::{prompt}"), ..on(&place, mode) };
                let (_, verdict) = run(shared, &[ask(prompt)], counting(), BodyEnd::Passed);
                assert_eq!(codes(&verdict), [""; 0]);
            }
        }
        let all = ["Bergen", "Oslo", "Voss"].map(ask);
        let (got, _) = run(on(&place, Mode::Replay), &all, gone, BodyEnd::Passed);
        assert!(got.iter().all(Result::is_ok));
    });
}

/// A disk on which nothing more than the journal finds room.
#[derive(Clone, Debug, Default)]
struct Full(MemoryStore);

impl Full {
    fn refuse(file: String) -> Result<(), StoreError> {
        Err(StoreError::Io(file, "write", "no space left".to_owned()))
    }
}

impl Store for Full {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.load(name)
    }

    fn save(&self, name: &str, _: &Proven) -> Result<(), StoreError> {
        Full::refuse(self.place(name))
    }

    fn journal(&self, name: &str) -> Result<Opened, StoreError> {
        self.0.journal(name)
    }

    fn keep_pending(&self, name: &str, _: &str) -> Result<(), StoreError> {
        Full::refuse(self.pending_place(name))
    }

    fn pending(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.pending(name)
    }

    fn drop_pending(&self, name: &str) -> Result<(), StoreError> {
        self.0.drop_pending(name)
    }

    fn place(&self, name: &str) -> String {
        format!("cassettes/{name}.json")
    }

    fn pending_place(&self, name: &str) -> String {
        format!("cassettes/.pending/{name}.json")
    }
}

#[test]
fn on_a_full_disk_no_file_is_named_that_was_never_written() {
    let told = |answer: fn() -> cassette_core::reply::Outcome, end| {
        let store = Full::default();
        let plan = Plan { store: Arc::new(store.clone()), ..plan(&MemoryStore::default(), Mode::Record) };
        let (_, verdict) = run(plan, &[ask("Bergen")], |_| answer(), end);
        assert!(store.0.journal_text(NAME).is_some_and(|journal| journal.lines().count() == 2), "the journal stays");
        let reports = verdict.reports.iter().map(ToString::to_string);
        reports.chain([verdict.summary.to_string()]).collect::<Vec<_>>().join("\n\n")
    };
    insta::assert_snapshot!(told(|| reply(200, "09:04"), BodyEnd::Passed));
    insta::assert_snapshot!(told(|| reply(200, "09:04"), BodyEnd::Failed));
    insta::assert_snapshot!(told(refused, BodyEnd::Passed));
}

//! Whose cassette is meant on tasks, threads and pools: with `scope`, `scoped` and `enter` the test's, without them nobody's,
//! which is an error that names the thread, and never a live call.

use std::any::Any;
use std::panic::catch_unwind;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::thread;

use cassette_test::{Cassette, Mode, cassette};
use rayon::prelude::*;

use super::effects::{Counting, effect, word};
use stages::{assert_told, seen};

#[cassette_test::tool]
fn look_up(place: &str) -> String {
    effect(place);
    format!("found {place}")
}

#[cassette_test::tool]
async fn look_up_later(place: &str) -> String {
    tokio::task::yield_now().await;
    effect(place);
    format!("found {place}")
}

type Job = Box<dyn FnOnce() + Send>;

/// A pool as programs have them: its one thread belongs to whoever asked first.
fn pool() -> &'static Mutex<Sender<Job>> {
    static POOL: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    POOL.get_or_init(|| {
        let (jobs, wanted) = channel::<Job>();
        let worker = thread::Builder::new().name("pool-1".to_owned());
        worker.spawn(move || wanted.iter().for_each(|job| job())).unwrap();
        Mutex::new(jobs)
    })
}

/// Runs this on the pool, and waits for it.
fn in_pool<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wanted) = channel();
    pool().lock().unwrap().send(Box::new(move || done.send(job()).unwrap())).unwrap();
    wanted.recv().unwrap()
}

fn named<T: Send + 'static>(name: &str, job: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().name(name.to_owned()).spawn(job).unwrap().join().unwrap()
}

/// Returns what a call gave, or the first line of what it panicked with.
fn told(given: Result<String, Box<dyn Any + Send>>) -> String {
    given.unwrap_or_else(|burst| {
        let text = burst.downcast_ref::<String>().cloned().unwrap_or_default();
        text.lines().next().unwrap_or_default().to_owned()
    })
}

fn ask(place: &'static str) -> impl FnOnce() -> String + Send + 'static {
    move || told(catch_unwind(|| look_up(place)))
}

/// A pool of rayon's.
fn rayon_pool() -> &'static rayon::ThreadPool {
    static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| {
        rayon::ThreadPoolBuilder::new().num_threads(2).thread_name(|_| "rayon".to_owned()).build().unwrap()
    })
}

#[cassette("scoped")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn it_says_whose_cassette_is_meant(cassette: Cassette) {
    // With another cassette open beside it, nothing but the scope tells whose a call is.
    let other = Cassette::builder("other").mode(Mode::Off).open().unwrap();
    let mut said = vec![
        thread::spawn(cassette.scoped(ask("thread"))).join().unwrap(),
        in_pool(cassette.scoped(ask("pool"))),
        tokio::task::spawn_blocking(cassette.scoped(ask("spawn_blocking"))).await.unwrap(),
        tokio::spawn(cassette.scope(look_up_later("task"))).await.unwrap(),
        tokio::spawn(cassette.scope(async { look_up("task, at once") })).await.unwrap(),
        thread::spawn(cassette_test::scoped(ask("thread, without a handle"))).join().unwrap(),
        tokio::spawn(cassette_test::scope(look_up_later("task, without a handle"))).await.unwrap(),
    ];
    let local = tokio::task::LocalSet::new();
    said.push(
        local
            .run_until(async { tokio::task::spawn_local(cassette.scope(look_up_later("local"))).await.unwrap() })
            .await,
    );
    thread::scope(|threads| {
        let within = threads.spawn(|| {
            let _entered = cassette.enter();
            ask("thread::scope")()
        });
        said.push(within.join().unwrap());
    });
    let all: Vec<String> = rayon_pool().install(|| {
        ["rayon a", "rayon b", "rayon c"]
            .into_par_iter()
            .map(|place| {
                let _entered = cassette.enter();
                look_up(place)
            })
            .collect()
    });
    said.extend(all);
    let joined = rayon_pool().install(|| rayon::join(cassette.scoped(ask("join a")), cassette.scoped(ask("join b"))));
    said.extend([joined.0, joined.1]);
    // The handle itself is at home everywhere.
    let handle = cassette.clone();
    said.push(in_pool(move || handle.value("handle", || "found handle".to_owned())));
    // What was entered is left again.
    said.push(in_pool(|| Cassette::try_current().unwrap_err().to_string().lines().next().unwrap().to_owned()));
    other.finish().unwrap();
    seen(said.join("\n"));
}

#[cassette("unscoped", on_miss = "error")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn it_does_not_say_whose_cassette_is_meant(cassette: Cassette) {
    assert_eq!(cassette.value("one", || 1), 1);
    if word("STORY_QUIET") == "yes" {
        return;
    }
    let other = Cassette::builder("other").mode(Mode::Off).open().unwrap();
    let mut said = vec![in_pool(ask("pool"))];
    said.push(rayon_pool().install(ask("rayon")));
    said.push(in_pool(|| told(catch_unwind(|| Cassette::current().name().to_owned()))));
    seen(said.join("\n"));
    other.finish().unwrap();
}

/// Pools are there before the test, as another test of the process would have made them.
#[test]
#[ignore]
fn it_finds_pools_and_says_whose_cassette_is_meant() {
    in_pool(|| ());
    rayon_pool();
    it_says_whose_cassette_is_meant();
}

#[test]
#[ignore]
fn it_finds_pools_and_does_not_say_whose_cassette_is_meant() {
    in_pool(|| ());
    rayon_pool();
    it_does_not_say_whose_cassette_is_meant();
}

#[cassette("inherited", mode = "replay")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn it_leaves_it_to_the_threads(cassette: Cassette) {
    let other = Cassette::builder("other").mode(Mode::Off).open().unwrap();
    let mut said = vec![named("worker", ask("thread"))];
    said.push(tokio::spawn(look_up_later("task")).await.unwrap());
    said.push(tokio::task::spawn_blocking(ask("spawn_blocking")).await.unwrap());
    other.finish().unwrap();
    seen(format!("{}\n{}", said.join("\n"), cassette.live_calls()));
}

#[cassette("inherited")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore]
async fn it_is_the_only_one_open() {
    let mut said = vec![named("worker", ask("thread"))];
    said.push(tokio::spawn(look_up_later("task")).await.unwrap());
    said.push(tokio::task::spawn_blocking(ask("spawn_blocking")).await.unwrap());
    seen(format!("{}\n0", said.join("\n")));
}

#[cassette("first-of-a-pool", on_miss = "error")]
#[test]
#[ignore]
fn it_makes_the_pool(cassette: Cassette) {
    assert_eq!(cassette.value("one", || 1), 1);
    seen(in_pool(ask("pool")));
}

#[cassette("second-of-a-pool", on_miss = "error")]
#[test]
#[ignore]
fn it_finds_the_pool_of_a_test_that_has_ended(cassette: Cassette) {
    assert_eq!(cassette.value("one", || 1), 1);
    let said = in_pool(cassette.scoped(|| look_up("said")));
    let unsaid = if word("STORY_UNSAID") == "yes" { in_pool(ask("unsaid")) } else { String::new() };
    seen(format!("{said}\n{unsaid}"));
}

/// As libtest runs them, each on a thread of its own.
#[test]
#[ignore]
fn one_after_the_other() {
    named("first", it_makes_the_pool);
    named("second", it_finds_the_pool_of_a_test_that_has_ended);
}

#[test]
fn a_pool_of_a_test_that_has_ended_is_nobodys() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("scopes::one_after_the_other");
    assert_eq!((seen.as_str(), effects.as_slice()), ("found said\n", &["pool".to_owned(), "said".to_owned()][..]));
    // That nobody minds the error is no way round.
    let counting = counting.with("STORY_UNSAID", "yes");
    assert_told!("pool_of_an_ended_test", counting.fails("scopes::one_after_the_other", "replay"));
    assert_eq!(counting.effects(), effects, "nothing ran");
}

#[test]
fn with_a_scope_every_thread_and_task_finds_its_cassette() {
    let counting = Counting::new();
    let (seen, effects) = counting.comes_back("scopes::it_finds_pools_and_says_whose_cassette_is_meant");
    insta::assert_snapshot!("scoped", seen);
    assert_eq!(effects.len(), 14, "{effects:?}");
}

#[test]
fn without_one_a_call_is_an_error_that_names_the_thread_and_never_goes_live() {
    let story = "scopes::it_finds_pools_and_does_not_say_whose_cassette_is_meant";
    let counting = Counting::new().with("STORY_QUIET", "yes");
    counting.passes(story, "record");
    let counting = counting.with("STORY_QUIET", "no");
    for mode in ["record", "replay"] {
        // That nobody minds the error is no way round.
        let played = counting.rehearsal.play(&format!("functions::{story}"), mode);
        assert_told!(format!("unscoped_{mode}"), format!("{}\n\n{}", played.seen, played.told));
        assert!(!played.passed);
        assert_eq!(counting.effects(), [""; 0], "nothing ran");
    }
}

#[test]
fn a_thread_belongs_to_the_test_that_made_it() {
    let counting = Counting::new();
    let live = counting.passes("scopes::it_is_the_only_one_open", "record");
    let effects = counting.effects();
    assert_eq!(counting.passes("scopes::it_leaves_it_to_the_threads", "replay").seen, live.seen);
    assert_eq!(counting.effects(), effects);
}

#[cassette_test::llm]
async fn plan(how: &str) -> String {
    effect("plan");
    let task = match how {
        "scoped" => tokio::spawn(Cassette::current().scope(look_up_later("from a task"))),
        "without a handle" => tokio::spawn(cassette_test::scope(look_up_later("from a task"))),
        _ => tokio::spawn(look_up_later("from a task")),
    };
    let blocking = match how {
        "scoped" => tokio::task::spawn_blocking(Cassette::current().scoped(ask("from a thread"))),
        "without a handle" => tokio::task::spawn_blocking(cassette_test::scoped(ask("from a thread"))),
        _ => tokio::task::spawn_blocking(ask("from a thread")),
    };
    format!("{} {}", task.await.unwrap(), blocking.await.unwrap())
}

#[cassette("spawning")]
#[tokio::test]
#[ignore]
async fn it_plans_in_tasks() {
    seen(plan(&word("STORY_HOW")).await);
}

#[test]
fn what_a_function_spawns_in_its_scope_is_a_part_of_it() {
    for how in ["scoped", "without a handle"] {
        let counting = Counting::new().with("STORY_HOW", how);
        let (_, effects) = counting.comes_back("scopes::it_plans_in_tasks");
        assert_eq!(effects.len(), 3, "{how}");
        assert_eq!(counting.rehearsal.file("spawning").matches(r#""key""#).count(), 1, "{how}");
    }
}

#[cassette_test::tool]
async fn town() -> String {
    tokio::task::yield_now().await;
    "Bergen".to_owned()
}

#[cassette_test::tool]
fn country() -> String {
    "Norway".to_owned()
}

#[cassette_test::tool]
async fn place() -> String {
    let town = tokio::spawn(cassette_test::scope(town()));
    let country = tokio::task::spawn_blocking(cassette_test::scoped(country));
    format!("{}, {}", town.await.unwrap(), country.await.unwrap())
}

#[tokio::test]
async fn what_runs_bare_spawns_what_runs_bare() {
    assert_eq!(cassette_test::live(place()).await, "Bergen, Norway");
}

#[test]
fn what_a_function_spawns_without_it_is_told_by_the_next_replay() {
    let counting = Counting::new().with("STORY_HOW", "plain");
    counting.passes("scopes::it_plans_in_tasks", "record");
    assert_told!("spawned_unscoped", counting.fails("scopes::it_plans_in_tasks", "replay"));
}

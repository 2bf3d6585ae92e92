//! Whose method it is that is asked: nothing of `self` is in a recording.

use std::sync::atomic::{AtomicU32, Ordering};

use cassette_test::{Cassette, cassette};
use stages::{assert_told, seen};

use super::effects::{Counting, effect, word};

/// One of several that are asked alike.
#[derive(Clone)]
struct Index {
    name: String,
}

impl Index {
    fn of(name: &str) -> Index {
        Index { name: name.to_owned() }
    }

    #[cassette_test::memory]
    async fn search(&self, query: &str) -> String {
        effect("search");
        tokio::task::yield_now().await;
        format!("{query} in the {}", self.name)
    }

    #[cassette_test::memory(also(index = self.name))]
    fn search_by_name(&self, query: &str) -> String {
        effect("search by name");
        format!("{query} in the {}", self.name)
    }

    #[cassette_test::memory(skip(self))]
    fn search_anywhere(self: &std::sync::Arc<Self>, query: &str) -> String {
        effect("search anywhere");
        format!("{query} in the {}", self.name)
    }

    #[cassette_test::memory]
    fn size(&self) -> usize {
        effect("size");
        3
    }

    #[cassette_test::llm]
    fn answer(&self, query: &str) -> impl futures_util::Stream<Item = String> + use<> {
        effect("answer");
        let words: Vec<_> = format!("{query} in the {}", self.name).split(' ').map(str::to_owned).collect();
        futures_util::stream::iter(words)
    }

    /// Ends when the task has.
    #[cassette_test::tool(skip(task, ended))]
    async fn wait_for(&self, task: tokio::task::JoinHandle<()>, ended: tokio::sync::oneshot::Sender<()>) {
        effect("wait for");
        task.await.unwrap();
        ended.send(()).unwrap();
    }

    /// What it says hangs on when it is asked.
    #[cassette_test::tool]
    fn turn(&self) -> u32 {
        static TURN: AtomicU32 = AtomicU32::new(0);
        effect("turn");
        TURN.fetch_add(1, Ordering::SeqCst)
    }
}

/// One more that is asked.
struct Silent(u32);

impl Silent {
    #[cassette_test::tool]
    fn number(&self) -> u32 {
        effect("number");
        self.0
    }
}

/// One that is asked again and again.
struct Polled(AtomicU32);

impl Polled {
    #[cassette_test::tool]
    async fn next(&self) -> u32 {
        effect("next");
        tokio::task::yield_now().await;
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}

/// What holds one that is asked, and goes where it goes.
struct Agent {
    polled: Polled,
    heard: Vec<u32>,
}

impl Agent {
    fn new() -> Agent {
        Agent { polled: Polled(AtomicU32::new(0)), heard: Vec::new() }
    }

    async fn turn(&mut self) {
        let heard = self.polled.next().await;
        self.heard.push(heard);
    }
}

#[cassette("moved")]
#[tokio::test]
#[ignore]
async fn it_asks_one_that_moves(cassette: Cassette) {
    let mut agent = Agent::new();
    agent.turn().await;
    for _ in 0..2 {
        let inner = cassette.clone();
        let task = tokio::spawn(cassette.scope(async move {
            agent.turn().await;
            let thread = tokio::task::spawn_blocking(inner.scoped(move || {
                tokio::runtime::Handle::current().block_on(agent.turn());
                agent
            }));
            let mut agent = thread.await.unwrap();
            agent.turn().await;
            agent
        }));
        agent = task.await.unwrap();
        Index::of("web").size();
        agent.turn().await;
    }
    seen(format!("{:?}", agent.heard));
}

/// Asks two that have one place, one after the other, in two tasks.
#[cassette("in_one_place")]
#[tokio::test]
#[ignore]
async fn it_asks_two_in_one_place(cassette: Cassette) {
    let place = std::sync::Arc::new(tokio::sync::Mutex::new(Silent(0)));
    let [one, other] = [1, 2].map(|number| {
        let place = std::sync::Arc::clone(&place);
        tokio::spawn(cassette.scope(async move {
            let mut silent = place.lock().await;
            *silent = Silent(number);
            silent.number()
        }))
    });
    seen(format!("{} {}", one.await.unwrap(), other.await.unwrap()));
}

/// Asks one that everybody shares, in two tasks at once.
#[cassette("shared")]
#[tokio::test]
#[ignore]
async fn it_asks_one_in_two_tasks(cassette: Cassette) {
    let shared = std::sync::Arc::new(Polled(AtomicU32::new(0)));
    let tasks = [(); 2].map(|()| {
        let shared = std::sync::Arc::clone(&shared);
        tokio::spawn(cassette.scope(async move { shared.next().await }))
    });
    let mut heard = Vec::new();
    for task in tasks {
        heard.push(task.await.unwrap());
    }
    heard.sort_unstable();
    seen(format!("{heard:?}"));
}

/// Asks one in a task, and another once that has ended, for which nothing waited but the recorded call before it.
#[cassette("meanwhile")]
#[tokio::test]
#[ignore]
async fn it_asks_another_meanwhile(cassette: Cassette) {
    let (ended, end) = tokio::sync::oneshot::channel();
    let task = tokio::spawn(cassette.scope(async move {
        Silent(1).number();
    }));
    let slow = Index::of("web");
    slow.wait_for(task, ended).await;
    end.await.unwrap();
    seen(Silent(2).number().to_string());
}

#[cassette("receivers")]
#[tokio::test]
#[ignore]
async fn it_asks_two(cassette: Cassette) {
    let (web, manual) = (Index::of("web"), Index::of("manual"));
    match word("STORY_RECEIVERS").as_str() {
        "at_once" => drop(tokio::join!(web.search("train"), manual.search("train"))),
        "tasks" => {
            for task in [Silent(1), Silent(2)].map(|one| tokio::spawn(async move { one.number() })) {
                task.await.unwrap();
            }
        }
        "scopes" => {
            for task in [Silent(1), Silent(2)].map(|one| tokio::spawn(cassette.scope(async move { one.number() }))) {
                task.await.unwrap();
            }
        }
        "streams" => {
            use futures_util::StreamExt as _;
            let (one, other) = (web.answer("train"), manual.answer("train"));
            let _: Vec<_> = one.zip(other).collect().await;
        }
        _ => {
            let (a, b) = (std::sync::Arc::new(web.clone()), std::sync::Arc::new(manual.clone()));
            seen(
                [
                    web.search("train").await,
                    manual.search("bus").await,
                    web.clone().search("train").await,
                    manual.search("train").await,
                    web.search_by_name("train"),
                    manual.search_by_name("train"),
                    a.search_anywhere("train"),
                    b.search_anywhere("train"),
                    format!("{} {}", web.size(), manual.size()),
                    format!("{} {}", web.turn(), web.clone().turn()),
                    format!("{} {}", Silent(1).number(), Silent(1).number()),
                ]
                .join("\n"),
            );
        }
    }
}

#[test]
fn two_objects_that_say_different_things_to_one_question_side_by_side_fail_the_recording() {
    for what in ["at_once", "tasks", "scopes", "streams"] {
        let counting = Counting::new().with("STORY_RECEIVERS", what);
        assert_told!(format!("two_{what}"), counting.fails("receivers::it_asks_two", "record"));
    }
}

#[test]
fn one_that_is_moved_is_recorded_where_what_asks_it_comes_after_what_asked_it() {
    let (seen, _) = Counting::new().comes_back("receivers::it_asks_one_that_moves");
    assert_eq!(seen, "[0, 1, 2, 3, 4, 5, 6, 7, 8]");
    let told = Counting::new().passes("receivers::it_asks_one_that_moves", "record").told;
    assert_told!("moved", told);
}

#[test]
fn what_is_asked_in_two_tasks_of_one_place_is_told() {
    for what in ["it_asks_two_in_one_place", "it_asks_one_in_two_tasks"] {
        let (seen, _) = Counting::new().comes_back(&format!("receivers::{what}"));
        let told = Counting::new().passes(&format!("receivers::{what}"), "record").told;
        assert_told!(what, format!("{seen}\n{told}"));
    }
}

#[test]
fn what_a_replay_may_ask_before_another_has_been_asked_fails_the_recording() {
    let told = Counting::new().fails("receivers::it_asks_another_meanwhile", "record");
    assert_told!("another_meanwhile", told);
}

#[test]
fn objects_that_say_the_same_or_are_told_apart_are_recorded() {
    let (seen, effects) = Counting::new().comes_back("receivers::it_asks_two");
    insta::assert_snapshot!("receivers", seen);
    assert_eq!(effects.len(), 14, "{effects:?}");
    let recorded = Counting::new().rehearsal.passes("functions::receivers::it_asks_two", "record");
    assert_told!("several", recorded.told);
}

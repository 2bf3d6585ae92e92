//! Whose method it is that is asked: nothing of `self` is in a recording.

use std::sync::atomic::{AtomicU32, Ordering};

use cassette_test::cassette;
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

#[cassette("receivers")]
#[tokio::test]
#[ignore]
async fn it_asks_two() {
    let (web, manual) = (Index::of("web"), Index::of("manual"));
    match word("STORY_RECEIVERS").as_str() {
        "at_once" => drop(tokio::join!(web.search("train"), manual.search("train"))),
        "tasks" => {
            for task in [Silent(1), Silent(2)].map(|one| tokio::spawn(async move { one.number() })) {
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
    for what in ["at_once", "tasks", "streams"] {
        let counting = Counting::new().with("STORY_RECEIVERS", what);
        assert_told!(format!("two_{what}"), counting.fails("receivers::it_asks_two", "record"));
    }
}

#[test]
fn objects_that_say_the_same_or_are_told_apart_are_recorded() {
    let (seen, effects) = Counting::new().comes_back("receivers::it_asks_two");
    insta::assert_snapshot!("receivers", seen);
    assert_eq!(effects.len(), 14, "{effects:?}");
    let recorded = Counting::new().rehearsal.passes("functions::receivers::it_asks_two", "record");
    assert_told!("several", recorded.told);
}

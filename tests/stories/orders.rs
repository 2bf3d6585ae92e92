//! Calls that come in another order, several times, or all at once.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use cassette_test::{Cassette, cassette};
use futures_util::future::join_all;
use stages::{Answer, Rehearsal, Request, assert_told, is_set, seen, tell};

use crate::asking::{ask, must_ask, question, timetable, towns};
use crate::told::base;

#[cassette("strict", order = "strict")]
#[test]
#[ignore]
fn it_asks_in_order(cassette: Cassette) {
    towns().iter().for_each(|town| drop(ask(&cassette, town)));
}

#[test]
fn swapped_calls_fail_a_strict_order_naming_both_positions() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss,Oslo");
    rehearsal.passes("orders::it_asks_in_order", "record");
    rehearsal.passes("orders::it_asks_in_order", "replay");
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Oslo,Voss");
    assert_told!("swapped_strictly", rehearsal.fails("orders::it_asks_in_order", "replay"));
    rehearsal.passes("orders::it_asks_in_order", "refresh");
    rehearsal.passes("orders::it_asks_in_order", "replay");
}

#[cassette("any")]
#[test]
#[ignore]
fn it_asks_in_any_order(cassette: Cassette) {
    seen(towns().iter().map(|town| must_ask(&cassette, town)).collect::<Vec<_>>().join("\n"));
}

#[test]
fn swapped_calls_each_get_their_own_answer_and_a_note() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss,Oslo");
    let live = rehearsal.passes("orders::it_asks_in_any_order", "record");
    let asked = rehearsal.asked();
    let swapped = rehearsal.with("STORY_ASKS", "Bergen,Oslo,Voss");
    let replayed = swapped.passes("orders::it_asks_in_any_order", "replay");
    let lines = |seen: &str| seen.lines().map(str::to_owned).collect::<Vec<_>>();
    let (live, mut replayed_lines) = (lines(&live.seen), lines(&replayed.seen));
    replayed_lines.swap(1, 2);
    assert_eq!((live, swapped.asked()), (replayed_lines, asked));
    assert_told!("swapped_as_you_like", replayed.told);
}

#[cassette("best-of")]
#[test]
#[ignore]
fn it_asks_three_times(cassette: Cassette) {
    seen([(); 3].map(|()| must_ask(&cassette, "Bergen")).join("\n"));
}

#[test]
fn the_best_of_three_is_chosen_among_three() {
    let count = Mutex::new(0);
    let file = tell("orders::it_asks_three_times", move |_| {
        let mut count = count.lock().unwrap();
        *count += 1;
        Answer::json(200, &format!(r#"{{"take":{count}}}"#))
    });
    assert_eq!([1, 2, 3].map(|take| file.matches(&format!("\"take\": {take}")).count()), [1, 1, 1], "{file}");
}

const WIDTH: usize = 16;

#[cassette("fan-out")]
#[tokio::test]
#[ignore]
async fn it_asks_for_all_at_once(cassette: Cassette) {
    ask_for_all(&cassette).await;
}

#[cassette("strict-fan-out", order = "strict")]
#[tokio::test]
#[ignore]
async fn it_asks_for_all_at_once_strictly(cassette: Cassette) {
    ask_for_all(&cassette).await;
}

async fn ask_for_all(cassette: &Cassette) {
    let (client, base) = (reqwest::Client::new(), base(cassette));
    let mut towns: Vec<_> = (0..WIDTH).collect();
    if is_set("STORY_SCRAMBLED") {
        // Seven and sixteen share no factor.
        towns.iter_mut().for_each(|town| *town = (*town * 7 + 3) % WIDTH);
    }
    let asked = towns.iter().map(|town| {
        let sent = client.post(format!("{base}/chat/completions")).json(&question(&format!("town {town}"))).send();
        async move { sent.await.unwrap().text().await.unwrap() }
    });
    let answers: Vec<_> = join_all(asked).await;
    for (town, answer) in towns.iter().zip(&answers) {
        assert!(answer.contains(&format!("to town {town} leaves")), "{town}: {answer}");
    }
    seen("each has its own answer");
}

/// Answers nobody before everybody has asked.
fn together() -> impl Fn(&Request) -> Answer + Send + Sync + 'static {
    let arrived = Arc::new((Mutex::new(0_usize), Condvar::new()));
    move |request| {
        let (count, changed) = &*arrived;
        let mut here = count.lock().unwrap();
        *here += 1;
        let goal = here.div_ceil(WIDTH) * WIDTH;
        changed.notify_all();
        let waited = changed.wait_timeout_while(here, Duration::from_secs(20), |here| *here < goal).unwrap();
        assert!(!waited.1.timed_out(), "all calls are under way at once");
        timetable(request)
    }
}

#[test]
fn a_scrambled_fan_out_gets_its_answers_and_one_file() {
    let story = "orders::it_asks_for_all_at_once";
    let one = Rehearsal::of(together());
    one.passes(story, "record");
    let scrambled = one.with("STORY_SCRAMBLED", "1");
    let replayed = scrambled.passes(story, "replay");
    assert_eq!(replayed.told, "", "calls that overlapped have no order to be out of");
    let before = scrambled.file("fan-out");
    scrambled.passes(story, "refresh");
    assert_eq!(scrambled.file("fan-out"), before, "the scheduler has no say in the file");
}

#[test]
fn a_strict_order_is_free_where_calls_overlapped() {
    let rehearsal = Rehearsal::of(together());
    rehearsal.passes("orders::it_asks_for_all_at_once_strictly", "record");
    rehearsal.with("STORY_SCRAMBLED", "1").passes("orders::it_asks_for_all_at_once_strictly", "replay");
}

#[cassette("repeated", repeat)]
#[test]
#[ignore]
fn it_repeats_itself(cassette: Cassette) {
    seen(towns().iter().map(|town| must_ask(&cassette, town)).collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_last_of_a_request_serves_again_where_that_is_asked_for() {
    let rehearsal = Rehearsal::of(timetable).with("STORY_ASKS", "Bergen,Voss");
    rehearsal.passes("orders::it_repeats_itself", "record");
    let rehearsal = rehearsal.with("STORY_ASKS", "Bergen,Voss,Bergen,Bergen");
    assert_eq!(rehearsal.passes("orders::it_repeats_itself", "replay").seen.matches("to Bergen leaves").count(), 3);
    let told = rehearsal.with("STORY_ASKS", "Bergen,Bergen,Oslo").fails("orders::it_repeats_itself", "replay");
    assert!(told.contains("cassette mismatch: `repeated` holds no recording of call 3"), "{told}");
}

#[cassette("limited")]
#[tokio::test]
#[ignore]
async fn it_waits_its_turn(cassette: Cassette) {
    let (client, base) = (reqwest::Client::new(), base(&cassette));
    let mut statuses = Vec::new();
    loop {
        let reply = client.post(format!("{base}/chat/completions")).json(&question("Bergen")).send().await.unwrap();
        statuses.push(format!("{} {:?}", reply.status().as_u16(), reply.headers().get("retry-after")));
        if reply.status().is_success() {
            break seen(format!("{statuses:?} {}", reply.text().await.unwrap()));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[test]
fn a_client_that_was_told_to_wait_is_told_so_again() {
    let asked = Mutex::new(0);
    let file = tell("orders::it_waits_its_turn", move |request| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        match *asked {
            1 | 2 => Answer::json(429, r#"{"error":{"message":"slow down"}}"#).with("retry-after", "7"),
            _ => timetable(request),
        }
    });
    assert_eq!(file.matches("\"status\": 429").count(), 2, "{file}");
    assert_eq!(file.matches(r#"["retry-after", "7"]"#).count(), 2, "the client needs it: {file}");
}

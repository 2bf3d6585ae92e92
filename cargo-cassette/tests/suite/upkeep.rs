//! Files at rest, and what a crash left: `recover`, `compact`, `scrub`.

use cassette_core::disk;
use cassette_core::mode::Mode;
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Plan, Session, Step};
use cassette_core::store::FileStore;

use crate::project::Project;
use crate::recordings::{answer, ask, chat, conversation, json, key};

#[test]
fn what_the_package_says_is_secret_is_secret_for_every_verb() {
    let project = Project::new();
    let body = r#"{"model":"gpt-4o-mini","metadata":{"customer_number":"4711-0815"},"messages":[{"role":"user","content":"Mail ann@example.org, says the blue door."}]}"#;
    project.record("cassettes/sf.json", &[(chat(body), answer("c", "A mail to ann@example.org."))]);
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["commit", "-q", "--allow-empty", "-m", "empty"]);
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
    project.write(
        "cassette.toml",
        "pii = true\nredact_field = [\"customer_number\"]\nredact_value = [\"the blue door\"]\n",
    );
    let lint = project.run(&["lint", "--files"]);
    assert!(lint.starts_with("exit 1") && lint.matches(": secret: ").count() >= 3, "{lint}");
    let told = [
        lint,
        project.run(&["show", "sf", "-v"]),
        project.run(&["show", "sf", "--json"]),
        project.run(&["diff", "--base", "main", "--format", "markdown"]),
        project.run(&["export", "sf"]),
        project.run(&["scrub"]),
        project.read("cassettes/sf.json"),
    ];
    for (told, word) in told.iter().flat_map(|told| ["ann@example", "4711-0815", "blue door"].map(|word| (told, word)))
    {
        assert!(!told.contains(word), "{word}: {told}");
    }
    assert!(told[5].starts_with("exit 0") && told[5].ends_with("1 cassette looked at, 3 places\n"), "{}", told[5]);
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
}

#[test]
fn scrubbing_heeds_what_somebody_vouches_for() {
    let project = Project::new().with("MY_TOKEN", "tickets12");
    project.record(
        "cassettes/groups.json",
        &[(ask("Are there tickets12 for groups?"), answer("c", "There are tickets12."))],
    );
    let text = project.read("cassettes/groups.json");
    let lint = project.run(&["lint", "--files"]);
    let entries = lint.lines().filter_map(|line| line.split_once("allow.json: "));
    let list: Vec<_> = entries.map(|(_, entry)| entry.replace("\"reason\": \"\"", "\"reason\": \"a word\"")).collect();
    assert_eq!(list.len(), 2, "{lint}");
    let nothing = "exit 0\n--- stdout\n1 cassette looked at, nothing to hide\n";
    for vouched in [&list[..1], &list] {
        project.write("cassettes/allow.json", format!("[{}]", vouched.join(",")));
        let told = project.run(&["scrub", "--dry-run"]);
        let one = "exit 0\n--- stdout\nwould scrub cassettes/groups.json\n  interactions[0].reply.body.json.choices[0].message.content: secret\n1 cassette looked at, 1 place\n";
        assert_eq!(told, if vouched.len() == 2 { nothing } else { one });
    }
    assert_eq!(project.run(&["scrub"]), nothing);
    assert!(project.read("cassettes/groups.json") == text && project.run(&["lint", "--files"]).starts_with("exit 0"));
}

/// Opens a recording of these calls that has not ended.
pub(crate) fn open(project: &Project, name: &str, questions: &[&str]) -> Session {
    let store = FileStore::new(project.path("cassettes"), "cassettes");
    let rerun =
        Rerun { package: "timetable".into(), target: Target::Test("suite".into()), test: name.into(), ignored: false };
    let plan = Plan::new(name, std::sync::Arc::new(store), Mode::Record, format!("suite::{name}"), rerun);
    let session = Session::open(plan).unwrap();
    for question in questions {
        if let Step::Live(ticket) = session.begin(ask(question)) {
            ticket.finish(answer("chatcmpl-1", "At 09:04.")).unwrap();
        }
    }
    session
}

#[test]
fn what_a_crash_left_is_pending_after_it_was_recovered() {
    let project = Project::new();
    project.recording("trains", &[(ask("When?"), answer("chatcmpl-1", "At 09:04."))], Mode::Record, BodyEnd::Passed);
    drop(open(&project, "trains", &["When?", "How much?", "Where?"]));
    let journal = project.read("cassettes/.pending/trains.journal");
    // The one that was written last comes first.
    project.write("cassettes/.pending/trains.cut-short-1.journal", &journal);
    project.write("cassettes/.pending/trains.journal", &journal[..journal.len() - 40]);
    project.write("cassettes/.pending/fares.journal", "{\"cassette\": 1, \"needs\"");
    project.write("cassettes/.pending/maps.journal", "{}\n");
    let alive = open(&project, "seats", &["Any left?"]);
    insta::assert_snapshot!(project.run(&["recover", "--dry-run"]));
    assert_eq!(project.read("cassettes/.pending/trains.journal"), journal[..journal.len() - 40]);
    insta::assert_snapshot!(project.run(&["recover"]));
    insta::assert_snapshot!(project.run(&["recover", "maps", "trains", "--json"]));
    drop(alive);
    insta::assert_snapshot!(project.run(&["recover", "seats"]));
    let told = project.run(&["accept", "trains", "seats"]);
    assert!(told.starts_with("exit 0"), "{told}");
    assert!(project.read("cassettes/trains.json").contains("How much?"));
    assert!(project.run(&["lint", "--files"]).contains("maps.journal: pending"));
}

#[test]
fn compacting_shows_what_shrinks_and_replays_the_same() {
    let project = Project::new();
    project.record("cassettes/trains.json", &conversation());
    project.record("cassettes/fares/day.json", &[(ask("How much?"), answer("c", "A lot."))]);
    let text = project.read("cassettes/trains.json");
    let key = disk::read(text.as_bytes()).unwrap().interactions[4].key().to_string();
    let older = text.replace(&key, "2.00000000000000000000000000000000");
    let older = disk::reseal(&older).unwrap().replace("\n  ", "\n      ");
    project.write("cassettes/trains.json", &older);
    project.write("cassettes/broken.json", &text[..400]);
    let named = "d267c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040";
    project.write(&format!("cassettes/blobs/{named}.png"), "a picture");
    project.write("cassettes/blobs/aa67c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040.png", "another");
    project.write("cassettes/later.json", format!("{{\"cassette\": 2, \"blob\": \"{named}\"}}"));
    insta::assert_snapshot!(project.run(&["lint", "--files"]));
    insta::assert_snapshot!(project.run(&["compact", "--dry-run"]));
    assert_eq!(project.read("cassettes/trains.json"), older);
    insta::assert_snapshot!(project.run(&["compact", "--json", "--dry-run"]));
    insta::assert_snapshot!(project.run(&["compact"]));
    assert_eq!(project.read("cassettes/trains.json"), text, "to the byte as it was recorded");
    assert!(project.path(&format!("cassettes/blobs/{named}.png")).is_file(), "a file that cannot be read may name it");
    let unnamed = "cassettes/blobs/bb67c6660f7820605ef4e2c0defbe040d267c6660f7820605ef4e2c0defbe040.png";
    project.write(unnamed, "nobody's");
    insta::assert_snapshot!(project.run(&["compact", "trains", "fares/day"]));
    assert!(project.path(unnamed).is_file(), "of named cassettes alone nobody asked for the others' blobs");
}

#[test]
fn a_cassette_is_not_mended_while_it_is_recorded() {
    let project = Project::new();
    let calls = [(ask("When?"), answer("c", "At 09:04, says KEY."))];
    project.recording("trains", &calls, Mode::Record, BodyEnd::Passed);
    let leaky = disk::reseal(&project.read("cassettes/trains.json").replace("KEY", &key())).unwrap();
    let loose = leaky.replace("\n  ", "\n      ");
    project.write("cassettes/trains.json", &loose);
    let recording = open(&project, "trains", &["When?", "How much?"]);
    insta::assert_snapshot!(project.run(&["scrub"]));
    assert_eq!(project.read("cassettes/trains.json"), loose);
    // What would be refused is not what would be done.
    for verb in [&["scrub", "--dry-run"][..], &["seal", "trains", "--scrub", "--dry-run"]] {
        let told = project.run(verb);
        assert!(told.contains("a recording is under way") && told.contains("wait until its test has ended"), "{told}");
        assert!(!told.starts_with("exit 0"), "{told}");
    }
    drop(recording);
    let dry = project.run(&["scrub", "--dry-run"]);
    // It ends as the run itself would; what fails a workflow is `lint`.
    assert!(dry.starts_with("exit 0") && dry.contains("openai-key"), "{dry}");
    assert!(project.run(&["lint", "--files"]).starts_with("exit 1"));
    assert!(project.run(&["scrub"]).starts_with("exit 0"));
    assert!(!project.read("cassettes/trains.json").contains(&key()));
}

#[test]
fn scrubbing_lists_every_place_and_prints_no_value() {
    let project = Project::new().with("TIMETABLE_TOKEN", "f00d-cafe-f00d-cafe-1");
    let calls = [(ask("The word is f00d-cafe-f00d-cafe-1."), answer("c", "KEY, and f00d-cafe-f00d-cafe-1."))];
    project.record("cassettes/trains.json", &calls);
    let leaky = disk::reseal(&project.read("cassettes/trains.json").replace("KEY", &key())).unwrap();
    project.write("cassettes/trains.json", &leaky);
    project.record("cassettes/fares.json", &[(ask("How much?"), answer("c", "Ask ada@example.com."))]);
    let told = project.run(&["scrub", "--dry-run"]);
    assert!(!told.contains(&key()) && !told.contains("f00d"), "{told}");
    insta::assert_snapshot!(told);
    assert_eq!(project.read("cassettes/trains.json"), leaky);
    insta::assert_snapshot!(project.run(&["scrub", "--json"]));
    let clean = project.read("cassettes/trains.json");
    assert!(!clean.contains(&key()) && !clean.contains("f00d"));
    insta::assert_snapshot!(project.run(&["scrub"]));
    assert_eq!(project.read("cassettes/trains.json"), clean);
    insta::assert_snapshot!(project.run(&["scrub", "fares", "--pii"]));
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
    project.write("cassettes/torn.json", &clean[..300]);
    insta::assert_snapshot!(project.run(&["scrub"]));
}

#[test]
fn what_was_hidden_on_the_command_line_alone_a_test_does_not_hide() {
    let project = Project::new();
    let body = r#"{"model":"gpt-4o-mini","metadata":{"customer_number":"4711-0815"},"messages":[]}"#;
    project.record("cassettes/sf.json", &[(chat(body), answer("c", "Sent."))]);
    let words = ["scrub", "--dry-run", "--field", "customer_number", "sf"];
    let help = "help: a test hides this too where cassette.toml says so, else it misses: redact_field = [\"customer_number\"]\n";
    assert!(project.run(&words).ends_with(help), "{}", project.run(&words));
    let both = ["scrub", "-n", "--field", "customer_number", "--header", "x-tenant", "sf"];
    insta::assert_snapshot!(project.run(&both));
    project.write("cassette.toml", "redact_field = [\"customer_number\"]\n");
    assert!(!project.run(&words).contains("help:"), "{}", project.run(&words));
}

#[test]
fn what_stands_under_a_name_of_the_users_is_hidden_wherever_it_stands() {
    let project = Project::new();
    let body = r#"{"model":"gpt-4o-mini","metadata":{"customer_number":"4711-0815","mode":"default"},"messages":[{"role":"user","content":"Where is 4711-0815, by default?"}]}"#;
    let later = r#"{"model":"gpt-4o-mini","messages":[{"role":"user","content":"And 4711-0815?"}]}"#;
    let calls = [(chat(body), answer("c", "4711-0815 is in Bergen.")), (chat(later), answer("d", "Gone."))];
    project.record("cassettes/sf.json", &calls);
    project.write("cassette.toml", "redact_field = [\"customer_number\", \"mode\"]\n");
    insta::assert_snapshot!(project.run(&["scrub", "sf"]));
    let file = project.read("cassettes/sf.json");
    assert!(!file.contains("4711-0815") && file.contains("by default?"), "{file}");
}

#[test]
fn sealing_hides_a_secret_though_nothing_was_changed_by_hand() {
    let project = Project::new();
    project.record("cassettes/luggage.json", &[(ask("With KEY: how much?"), answer("c", "A lot."))]);
    let leaky = disk::reseal(&project.read("cassettes/luggage.json").replace("KEY", &key())).unwrap();
    project.write("cassettes/luggage.json", &leaky);
    let told = [
        project.run(&["seal", "luggage"]),
        project.run(&["seal", "luggage", "--scrub", "--dry-run"]),
        project.run(&["seal", "luggage", "--scrub"]),
        project.run(&["seal", "luggage", "--scrub"]),
    ];
    assert!(!project.read("cassettes/luggage.json").contains(&key()) && !told.concat().contains(&key()));
    insta::assert_snapshot!(told.join("\n"));
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
}

#[test]
fn what_is_being_recorded_is_neither_removed_nor_written_over() {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("c", "At 09:04."))]);
    project.record("cassettes/plain.json", &[(ask("When?"), answer("c", "At 09:04."))]);
    project.recording("fares/day", &[(ask("When?"), answer("c", "At 09:04."))], Mode::Record, BodyEnd::Passed);
    let kept = project.read("cassettes/fares/day.json");
    // What a program left that died is in nobody's way, and stays.
    drop(open(&project, "seats", &["Where?"]));
    let journal = project.read("cassettes/.pending/seats.journal");
    let recording = (open(&project, "maps", &["Where?"]), open(&project, "fares/day", &["When?", "How much?"]));
    let told = [
        project.run(&["fork", "trains", "--at", "1", "maps"]),
        // Nothing of it is done where one is in the way.
        project.run(&["delete", "plain", "fares/day"]),
        project.run(&["delete", "cassettes/fares/day.json"]),
        // Where a part of the directory was named, too.
        project.run(&["delete", "day", "--dir", "cassettes/fares"]),
        project.run(&["fork", "day", "--at", "1", "day", "--dir", "cassettes/fares"]),
        project.run(&["seal", "fares/day", "--owner", "suite::other"]),
        // What would be refused is not what would be done.
        project.run(&["delete", "fares/day", "--dry-run"]),
        project.run(&["fork", "trains", "--at", "1", "maps", "--dry-run"]),
        project.run(&["fork", "trains", "--at", "1", "seats"]),
    ];
    insta::assert_snapshot!(told.join("\n"));
    assert!(project.path("cassettes/plain.json").is_file() && !project.path("cassettes/maps.json").exists());
    assert_eq!(project.read("cassettes/fares/day.json"), kept);
    assert_eq!(project.read("cassettes/.pending/seats.journal"), journal);
    assert!(!project.path("cassettes/fares/.pending").exists(), "nothing is left of the question");
    drop(recording);
    let told = project.run(&["delete", "fares/day", "plain", "cassettes/plain.json"]);
    assert!(told.starts_with("exit 0") && told.matches("plain.json").count() == 1, "{told}");
    assert!(!project.path("cassettes/.pending/plain.journal").exists(), "nothing is left of the lock");
}

#[test]
fn what_only_the_environment_says_is_secret_is_told_with_what_follows() {
    let value = ["tulip", "gate", "99871", "xy"].join("-");
    let project = Project::new().with("TIMETABLE_API_KEY", &value);
    let calls = [
        (ask("When?"), answer("c", "At 09:04.")),
        (ask(&format!("With {value}: how much luggage?")), answer("d", "A lot.")),
    ];
    project.record("cassettes/luggage.json", &calls);
    // What stands in a reply alone is asked by nobody, and a key is hidden wherever it is sent.
    project.record("cassettes/seats.json", &[(ask("Where?"), answer("c", &format!("There, says {value}.")))]);
    project.record("cassettes/keys.json", &[(ask("With KEY?"), answer("c", "No."))]);
    let keys = project.read("cassettes/keys.json").replace("KEY", &key());
    project.write("cassettes/keys.json", disk::reseal(&keys).unwrap());
    let text = project.read("cassettes/luggage.json");
    let told = [project.run(&["scrub", "--dry-run"]), project.run(&["scrub", "luggage", "--json", "-n"])];
    insta::assert_snapshot!(told.join("\n"));
    insta::assert_snapshot!(project.run(&["seal", "luggage", "--scrub"]));
    assert!(!project.read("cassettes/luggage.json").contains(&value));
    project.write("cassettes/luggage.json", text.replace("A lot.", "A little."));
    insta::assert_snapshot!(project.run(&["seal", "luggage", "--scrub"]));
}

#[test]
fn how_a_body_is_laid_out_is_no_place_where_something_is_hidden() {
    let project = Project::new();
    let body = format!(r#"{{"model":"gpt-4o-mini","messages":[{{"role":"user","content":"\u00e9 {}"}}]}}"#, "KEY");
    let reply = r#"{"said":"KEY \u202e"}"#;
    project.record("cassettes/hx.json", &[(chat(&body), json(200, reply))]);
    project.write("cassette.toml", "redact_field = [\"content\", \"said\"]\n");
    let told = project.run(&["scrub", "-n"]);
    assert!(project.read("cassettes/hx.json").contains("\"style\""), "{}", project.read("cassettes/hx.json"));
    insta::assert_snapshot!(told);
}

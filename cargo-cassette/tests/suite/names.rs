//! Files with odd names: what is printed as a name can be typed, and what no name can be is listed as such.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::project::Project;
use crate::recordings::{answer, ask};

/// Returns a project with cassettes of these names, of whatever bytes.
fn project(names: &[&[u8]]) -> Project {
    let project = Project::new();
    project.record("cassettes/trains.json", &[(ask("When?"), answer("chatcmpl-1", "At 09:04."))]);
    for name in names {
        let file = project.path("cassettes").join(OsStr::from_bytes(&[name, &b".json"[..]].concat()));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::copy(project.path("cassettes/trains.json"), file).unwrap();
    }
    project
}

#[test]
fn a_name_that_is_no_utf_8_is_listed_as_what_cannot_be_used() {
    let project = project(&[b"bad\xff", b"night\xfe/a", b".hidden\xff"]);
    project.commit_empty();
    for verb in ["list", "status", "stats", "lint --files", "scrub", "compact"] {
        let told = project.bash(&format!("cargo cassette {verb}"));
        assert!(told.starts_with("exit 1\n"), "{verb}: {told}");
        for file in [r"bad\xff", r"night\xfe/a"] {
            let line = told.lines().find(|line| line.contains(file)).unwrap_or_else(|| panic!("{verb}: {told}"));
            assert!(
                line.contains("$'") && line.contains("its name is no UTF-8, and no test can have it"),
                "{verb}: {told}"
            );
        }
        assert!(!told.contains('\u{fffd}') && !told.contains("hidden"), "{verb}: {told}");
    }
    insta::assert_snapshot!(project.bash("cargo cassette lint --files"));
    std::fs::copy(project.path("cassettes/trains.json"), project.path("cassettes/new.json")).unwrap();
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "odd"]);
    let more = project.path("cassettes").join(OsStr::from_bytes(b"more\xff.json"));
    std::fs::copy(project.path("cassettes/trains.json"), more).unwrap();
    let told = project.bash("cargo cassette diff --base HEAD");
    assert!(told.contains(r"$'more\xff.json'  cannot be read; now: its name is no UTF-8"), "{told}");
    let told = project.bash("cargo cassette serve cassettes -- true");
    assert!(
        told.starts_with("exit 2")
            && told.contains(r"help: give it a name: mv $'cassettes/bad\xff.json' cassettes/bad_.json"),
        "{told}"
    );
}

#[test]
fn what_is_printed_as_a_name_can_be_typed() {
    let project = project(&[b"new\nline", b"esc\x1b[31m", b"back\\slash", b"it's \xe2\x80\xae"]);
    insta::assert_snapshot!(project.run(&["list"]));
    let printed = [r"$'new\nline'", r"$'esc\x1b[31m'", r"'back\slash'", r"$'it\'s \xe2\x80\xae'"];
    for name in printed {
        let told = project.bash(&format!("cargo cassette show {name}"));
        let shown = name.trim_matches('\'');
        let shown = if name.starts_with('$') { name } else { shown };
        assert!(told.starts_with(&format!("exit 0\n--- stdout\n{shown}  ")), "{name}: {told}");
        assert!(project.bash(&format!("cargo cassette seal {name}")).starts_with("exit 0"));
    }
    // One that is mistyped is told on one line, with what can be typed.
    let told = project.bash(r"cargo cassette show $'new\nlines'");
    assert!(told.starts_with("exit 2\n--- stderr\nerror: there is no cassette `$'new\\nlines'`: no file "), "{told}");
    assert!(told.ends_with("help: cargo cassette show $'new\\nline'\n"), "{told}");
    let told = project.bash(r"cargo cassette scrub $'new\nlines'");
    assert!(told.ends_with("help: cargo cassette scrub $'new\\nline'\n"), "{told}");
    // What lies beside cassettes is removed as it is advised.
    project.write("cassettes/a.json\n1.orig", "{\n  \"cassette\": 1");
    let told = project.bash("cargo cassette lint --files");
    assert!(told.contains("$'cassettes/a.json\\n1.orig': stray: "), "{told}");
    assert!(told.contains("rm $'cassettes/a.json\\n1.orig'\n"), "{told}");
}

#[test]
fn no_name_forges_a_line_of_what_is_printed() {
    let project = project(&[b"n\n# head"]);
    let told: Vec<_> = [
        r"cargo cassette export $'n\n# head' -n",
        r"cargo cassette export trains -n -o $'o\nx.har'",
        r"cargo cassette serve $'n\n# head' -- true",
        r"cargo cassette serve --mode record $'new\n# head' -- true",
        r"cargo cassette mcp --mode record --cassette $'new\n# head' -- true",
        r"cargo cassette fork trains --at 1 $'new\n# head'",
    ]
    .into_iter()
    .map(|line| project.bash(line))
    .collect();
    let told = told.join("\n");
    assert!(!told.contains("\n# head") && !told.contains("\nx.har"), "{told}");
    insta::assert_snapshot!(told);
}

#[test]
fn a_name_that_is_a_secret_is_printed_by_no_verb() {
    let value = ["tulip", "gate", "99871", "xy"].join("-");
    let scene = || {
        let project = Project::new().with("TIMETABLE_API_KEY", &value);
        let calls = [(ask("When?"), answer("chatcmpl-1", "At 09:04."))];
        project.record(&format!("cassettes/{value}.json"), &calls);
        project.record("cassettes/trains.json", &calls);
        project.commit_empty();
        project.record("cassettes/other.json", &[(ask("Where?"), answer("chatcmpl-1", "There."))]);
        project.write(&format!("cassettes/.pending/{value}.journal"), "{}\n");
        project
    };
    let one = r#"{"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "https://a.example/x"}, "response": {"status": 200, "content": {"text": "yes"}}}]}}"#;
    let mut told = String::new();
    for words in [
        &["fork", "V", "--at", "1", "copy"][..],
        &["fork", "trains", "--at", "1", "V-2"],
        &["fork", "V", "--at", "3", "copy"],
        &["delete", "V"],
        &["delete", "cassettes/V.json", "-n"],
        &["delete", "V-no"],
        &["seal", "V"],
        &["seal", "V", "--owner", "suite::trains"],
        &["import", "V.har"],
        &["import", "V.har", "--name", "new"],
        &["import", "V.har", "--force"],
        &["import", "V-no.har"],
        &["import", "V.har", "--force", "--json"],
        &["import", "V.har", "--json"],
        &["scrub", "V", "--json"],
        &["compact", "--json"],
        &["recover"],
        &["recover", "--json"],
        &["status", "--json"],
        &["diff", "V", "trains", "--json"],
        &["diff", "V", "other"],
        &["diff", "--base", "HEAD"],
        &["diff", "--base", "HEAD", "--json"],
        &["diff", "--base", "HEAD", "--format", "markdown"],
        &["scrub", "V"],
        &["compact", "V"],
        &["list"],
        &["lint", "--files"],
        &["show", "V"],
        &["show", "V", "9"],
        &["stats"],
        &["status"],
        &["diff", "V", "trains"],
        &["export", "V"],
        &["export", "V", "-o", "V-out.har"],
        &["serve", "V", "--", "true"],
        &["serve", "V", "trains", "--", "true"],
        &["serve", "--mode", "record", "V-new", "--", "true"],
    ] {
        let project = scene();
        project.write(&format!("{value}.har"), one);
        let typed: Vec<_> = words.iter().map(|word| word.replace('V', &value)).collect();
        let said = project.run(&typed.iter().map(String::as_str).collect::<Vec<_>>());
        if said.contains(&value) {
            told += &format!("{words:?}\n{}\n", said.replace(&value, "<<THE SECRET>>"));
        }
    }
    assert_eq!(told, "");
}

#[test]
fn a_name_may_be_typed_with_the_ending_of_its_file_wherever_it_is_typed() {
    let project = Project::new();
    project.record("cassettes/x.json", &[(ask("When?"), answer("c", "At nine."))]);
    project.record("cassettes/y.json.json", &[(ask("When?"), answer("c", "At nine."))]);
    project.write("x.json", "{\"name\": \"somebody's\"}\n");
    for name in ["x.json", "y.json"] {
        let place = format!("cassettes/{}.json", if name == "x.json" { "x" } else { name });
        for verb in [&["show", name][..], &["export", name, "-n"], &["fork", name, "--at", "1", "new", "-n"]] {
            let told = project.run(verb);
            assert!(told.starts_with("exit 0") && told.contains(&place), "{verb:?}: {told}");
        }
        let quiet =
            [&["stats", name][..], &["seal", name], &["compact", name], &["scrub", name], &["diff", name, name]];
        for verb in quiet {
            let told = project.run(verb);
            assert!(told.starts_with("exit 0"), "{verb:?}: {told}");
        }
    }
    let told = project.run(&["serve", "x.json", "--", "true"]);
    assert!(!told.contains("has not been recorded"), "{told}");
    // Nothing is lost by a word that means something else too.
    let told = project.run(&["delete", "x.json"]);
    assert!(told.contains("`x.json` is no cassette, and stays"), "{told}");
    assert!(project.path("cassettes/x.json").is_file() && project.path("x.json").is_file());
    assert!(project.run(&["delete", "y.json"]).contains("removes cassettes/y.json.json"));
}

#[test]
fn a_cassette_that_is_hidden_is_told_by_whoever_lists() {
    let project = Project::new();
    project.record("cassettes/x.json", &[(ask("When?"), answer("c", "At nine."))]);
    project.record("cassettes/.x.json", &[(ask("When?"), answer("c", "At nine."))]);
    project.write("cassettes/.settings.json", "{\"name\": \"somebody's\"}\n");
    let told = [project.run(&["list"]), project.run(&["status"]), project.run(&["lint", "--files"])];
    insta::assert_snapshot!(told.join("\n"));
    let help = told[2].split_once("give it a name: ").unwrap().1.lines().next().unwrap();
    assert!(project.sh(help).starts_with("exit 0"));
    assert!(project.run(&["lint", "--files"]).starts_with("exit 0"));
}

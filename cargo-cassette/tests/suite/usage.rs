//! What may be typed, and what is said to what may not.

use stages::skipped;

use crate::project::Project;

/// Every verb that is told of; `textconv` is git's alone.
const VERBS: [&str; 26] = [
    "test",
    "record",
    "refresh",
    "off",
    "serve",
    "list",
    "status",
    "show",
    "stats",
    "review",
    "accept",
    "reject",
    "recover",
    "lint",
    "prune",
    "delete",
    "fork",
    "seal",
    "scrub",
    "compact",
    "diff",
    "import",
    "export",
    "init",
    "completions",
    "mcp",
];

#[test]
fn the_help_of_each_verb() {
    let project = Project::new();
    insta::assert_snapshot!(project.run(&["--help"]));
    for verb in VERBS.into_iter().chain(["textconv"]) {
        insta::assert_snapshot!(verb, project.run(&[verb, "--help"]));
    }
}

#[test]
fn cargo_starts_it_with_its_own_name_first() {
    let project = Project::new();
    assert_eq!(project.run(&["cassette", "list"]), project.run(&["list"]));
    assert_eq!(
        project.run(&["cassette", "--version"]),
        format!("exit 0\n--- stdout\ncargo-cassette {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn what_is_mistyped_is_named_with_what_was_meant() {
    let project = Project::new();
    insta::assert_snapshot!(project.run(&[]));
    insta::assert_snapshot!(project.run(&["lst"]));
    insta::assert_snapshot!(project.run(&["list", "--jsno"]));
    insta::assert_snapshot!(project.run(&["diff", "a", "b", "--format", "xml"]));
    insta::assert_snapshot!(project.run(&["show", "a", "first"]));
    insta::assert_snapshot!(project.run(&["list", "--dir", "a", "--workspace"]));
}

#[test]
fn bash_completes_the_options_of_a_verb() {
    let project = Project::new();
    let script = String::from_utf8(project.output(&["completions", "bash"]).stdout).unwrap();
    let completed = |words: &[&str]| {
        let (last, before) = words.split_last().unwrap();
        let typed = words.join(" ");
        let asks = format!(
            "{script}\nCOMP_WORDS=({typed}) COMP_CWORD={}\n_cargo__cassette cargo-cassette '{last}' '{}'\necho \"${{COMPREPLY[*]}}\"",
            before.len(),
            before.last().unwrap(),
        );
        let output = project.program("bash".as_ref()).args(["-c", &asks]).output().ok()?;
        Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    };
    let Some(formats) = completed(&["cargo-cassette", "show", "--form"]) else {
        return skipped("`bash` does not run here");
    };
    assert_eq!(formats, "--format");
    assert_eq!(completed(&["cargo-cassette", "show", "--format", "j"]).unwrap(), "json");
    assert_eq!(completed(&["cargo-cassette", "comp"]).unwrap(), "compact completions");
}

#[test]
fn completions_know_every_verb() {
    let project = Project::new();
    let marks = [
        ("bash", "complete -F _cargo__cassette"),
        ("zsh", "#compdef cargo-cassette"),
        ("fish", "complete -c cargo-cassette"),
        ("powershell", "-CommandName 'cargo-cassette'"),
        ("elvish", "edit:completion:arg-completer[cargo-cassette]"),
    ];
    for (shell, mark) in marks {
        let output = project.output(&["completions", shell]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{shell}");
        assert!(script.contains(mark), "it is {shell}'s: {script}");
        for verb in VERBS {
            assert!(script.contains(verb), "{shell} knows {verb}");
        }
    }
}

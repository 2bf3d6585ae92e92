//! Passwords on command lines, which stand behind a short option, or behind a name without a sign between.

use std::ops::Range;

use super::{Found, Work, behind, names, value};

/// The longest line that is looked at.
const LINE: usize = 512;

/// The longest word before a variable that sets it.
const WORD: usize = 16;

/// How a command is told a password.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Behind its option: `-p x`, `-px`.
    Option,
    /// In the same word as its option alone, since what is behind it is something else: `-px`.
    Joined,
    /// Behind a user and a colon: `-u joe:x`.
    User,
    /// Behind the word `pass:`.
    Pass,
    /// As its last argument.
    Last,
    /// As its only argument.
    Only,
}

/// Commands that are told a password, and the options which say so.
const COMMANDS: &[(&str, &[&str], Form)] = &[
    ("curl ", &["-u", "--user", "-U", "--proxy-user"], Form::User),
    ("sshpass ", &["-p"], Form::Option),
    ("mysql", &["-p"], Form::Joined),
    ("mariadb", &["-p"], Form::Joined),
    ("docker login ", &["-p"], Form::Option),
    ("podman login ", &["-p"], Form::Option),
    ("redis-cli ", &["-a"], Form::Option),
    ("ldapsearch ", &["-w"], Form::Option),
    ("sqlcmd ", &["-P"], Form::Option),
    ("mongosh ", &["-p"], Form::Option),
    ("openssl ", &["-passin", "-passout", "-pass"], Form::Pass),
    ("htpasswd ", &["-b", "-nb", "-bn", "-bc", "-cb"], Form::Last),
    ("requirepass ", &[], Form::Only),
    ("masterauth ", &[], Form::Only),
];

/// What stands between a password and the server in an address without a scheme.
const SERVERS: [&str; 2] = ["@tcp(", "@unix("];

/// Returns what a line may begin with, or an address hold, in which there is a password.
pub(super) fn clues() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(command, ..)| *command).chain(SERVERS)
}

/// Finds the password in the line of the command that stands here, or in the address of which this is part.
pub(super) fn at(text: &str, start: usize, clue: &str, work: &Work) -> Option<Found> {
    if SERVERS.contains(&clue) {
        return of_server(text, start, work);
    }
    if start > 0 && text.as_bytes()[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let (_, options, form) = COMMANDS.iter().find(|(command, ..)| *command == clue)?;
    let from = start + clue.len();
    let words = words(text, from);
    work.spend(words.last().map_or(1, |last| last.end - from));
    let said = |i: usize| words.get(i).map(|word| &text[word.clone()]);
    let chosen = (0..words.len()).find_map(|i| {
        let option = options.iter().find(|option| said(i).is_some_and(|said| said.starts_with(**option)))?;
        let alone = said(i)?.len() == option.len();
        match form {
            Form::Last => alone.then(|| words.last().cloned())?,
            Form::Joined if alone => None,
            _ if alone => words.get(i + 1).cloned(),
            _ => Some(words[i].start + option.len()..words[i].end),
        }
    });
    let range = match form {
        Form::Only => words.first().cloned()?,
        Form::User => cut(text, chosen?, |said| said.find(':').map(|colon| colon + 1))?,
        Form::Pass => cut(text, chosen?, |said| said.starts_with("pass:").then_some("pass:".len()))?,
        _ => chosen?,
    };
    value::is_likely(&text[range.clone()]).then_some(Found { range, rule: "password" })
}

/// Finds the value of a variable that is set without a sign between: `ENV DB_PASSWORD x`, `set -x DB_PASSWORD x`.
pub(super) fn variable(text: &str, name: &Range<usize>, work: &Work) -> Option<Found> {
    let line = behind(text, name.start, WORD).rsplit(['\n', ';', '&']).next()?.trim();
    let sets = matches!(line, "ENV" | "setx" | "setenv") || line.starts_with("set -") && line.contains('x');
    let named = names::judge(&text[name.clone()]).filter(|_| sets && text[name.end..].starts_with(' '))?;
    let range = words(text, name.end).into_iter().next()?;
    work.spend(range.end - name.end);
    (named.strength == names::Strength::Strong && value::is_likely(&text[range.clone()]))
        .then_some(Found { range, rule: named.rule })
}

/// Finds the password before a server: `joe:x@tcp(host:3306)/db`.
fn of_server(text: &str, at: usize, work: &Work) -> Option<Found> {
    let stops = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '=' | ',' | '\\' | '/');
    let before = behind(text, at, LINE);
    let from = at - before.rsplit(stops).next().unwrap_or_default().len();
    work.spend(at - from);
    let range = from + text[from..at].find(':')? + 1..at;
    let said = &text[range.clone()];
    let blank =
        said.len() < 4 || value::is_placeholder(said) || value::is_reference(said) || said.contains(['{', '%', '$']);
    (!blank).then_some(Found { range, rule: "url-password" })
}

fn cut(text: &str, word: Range<usize>, start: impl Fn(&str) -> Option<usize>) -> Option<Range<usize>> {
    let start = start(&text[word.clone()])?;
    Some(word.start + start..word.end)
}

/// Returns the words of the line that goes on here, without the quotation marks around them.
fn words(text: &str, from: usize) -> Vec<Range<usize>> {
    let quotes = |c: char| matches!(c, '"' | '\'' | '`' | '\\' | ',' | ')');
    let mut words = Vec::new();
    let mut start = from;
    let end =
        text[from..].char_indices().take_while(|(at, c)| *at < LINE && !matches!(c, '\n' | '\r' | '|' | ';' | '<'));
    let end = end.last().map_or(from, |(at, c)| from + at + c.len_utf8());
    for word in text[from..end].split(' ') {
        let bare = word.trim_start_matches(quotes);
        let at = start + word.len() - bare.len();
        let bare = bare.trim_end_matches(quotes);
        if !bare.is_empty() {
            words.push(at..at + bare.len());
        }
        start += word.len() + 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::find;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = find(text).unwrap();
        let mut told: Vec<&str> = found.iter().map(|found| &text[found.range.clone()]).collect();
        told.dedup();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn what_a_command_is_told_is_found() {
        let value = "Tulip-gate-77xQ";
        for text in [
            "curl -u joe:V https://trains.test",
            "curl -s --user 'joe:V' https://trains.test",
            "sshpass -p V ssh host",
            "mysql -u root -pV db",
            "mysqldump -h host -pV db",
            "docker login -u joe -p V trains.test",
            "redis-cli -a V ping",
            "openssl rsa -passin pass:V -in key.pem",
            "htpasswd -b users joe V",
            "requirepass V\n",
            "set -x DB_PASSWORD V",
            "set -gx DB_PASSWORD V",
            "setx DB_PASSWORD V",
            "joe:V@tcp(host:3306)/db",
            "PGPASSWORD=V psql",
            "MYSQL_PWD=V mysql",
        ] {
            check(&text.replace('V', value), &[value]);
        }
        check(&format!("FROM trains\nENV DB_PASSWORD {value}\n"), &[value]);
    }

    #[test]
    fn what_is_no_password_is_left() {
        for text in [
            "curl -u joe https://trains.test/Day1-Night2",
            "curl -u \"$TRAINS_USER:$TRAINS_PASSWORD\" https://trains.test",
            "docker run -p 8080:80 trains2Tickets-x",
            "docker login -u joe -p \"$PASSWORD\"",
            "mysql -u root -p trains2Tickets-x",
            "mysql -P3306 -proute",
            "htpasswd -c users joe7Tulip-gate",
            "sort -u joe:Tulip-gate-77xQ",
            "the ENV and the DB_PASSWORD Tulip-gate-77xQ",
            "%s:%s@tcp(host:3306)/db",
            "joe@tcp(host:3306)/db",
        ] {
            check(text, &[]);
        }
    }
}

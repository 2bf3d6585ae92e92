//! The check of a path while the program that names it is compiled.

/// Checks a path at compile time: what it refuses, [`Path`](super::Path) refuses too, and the other way round but for the
/// inside of names in quotes.
///
/// # Panics
///
/// Panics where the path is none, which stops the compiler at the path.
#[track_caller]
pub const fn check(path: &str) {
    let path = path.as_bytes();
    let sound = match path {
        [b'@', rest @ ..] => is_place(rest),
        _ => is_body(path),
    };
    assert!(
        sound,
        "this is no path: its steps are `.name`, `[\"text\"]`, `[n]`, `[*]`, `.*`, `.**` and `~`, the first without its \
                    dot; beside what is in the body there are @host, @header.x, @query.key, @body and @part[\"file\"]"
    );
}

const fn is_place(rest: &[u8]) -> bool {
    match rest {
        b"method" | b"host" | b"path" | b"name" => true,
        [b'h', b'e', b'a', b'd', b'e', b'r', b'.', name @ ..] => !name.is_empty(),
        [b'q', b'u', b'e', b'r', b'y', b'.', key @ ..] => !key.is_empty(),
        [b'b', b'o', b'd', b'y', inside @ ..] => inside.is_empty() || (inside[0] == b'~' && are_steps(rest, 4)),
        [b'p', b'a', b'r', b't', b'[', name @ ..] => {
            let end = past_quoted(name, 0);
            end > 0 && end < name.len() && name[end] == b']' && is_of_part(name, end + 1)
        }
        _ => false,
    }
}

/// Returns whether what follows the name of a part says what of it.
const fn is_of_part(path: &[u8], start: usize) -> bool {
    let mut at = start;
    if at < path.len() && path[at] == b'[' {
        at = past_bracket(path, at);
        if at == start || !path[start + 1].is_ascii_digit() {
            return false;
        }
    }
    match path.split_at(at).1 {
        [] | b"@filename" => true,
        [b'@', b'h', b'e', b'a', b'd', b'e', b'r', b'.', name @ ..] => !name.is_empty(),
        [b'~', ..] => are_steps(path, at),
        _ => false,
    }
}

const fn is_body(path: &[u8]) -> bool {
    are_steps(path, 0)
}

/// Returns whether nothing but steps stands from here on, the last of which is a definite one.
const fn are_steps(path: &[u8], mut at: usize) -> bool {
    let mut open = true;
    while at < path.len() {
        let start = at;
        at = past_step(path, at);
        if at == start {
            return false;
        }
        open = at >= 2 && path[at - 1] == b'*' && path[at - 2] == b'*';
    }
    !open
}

/// Returns where the step that begins at `at` ends; `at` itself where none does.
const fn past_step(path: &[u8], at: usize) -> usize {
    match path[at] {
        b'[' => past_bracket(path, at),
        b'~' if at > 0 => at + 1,
        b'.' if at > 0 => {
            let end = past_name(path, at + 1);
            if end == at + 1 { at } else { end }
        }
        _ if at == 0 => past_name(path, at),
        _ => at,
    }
}

const fn past_name(path: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < path.len() && path[at] == b'*' && at < start + 2 {
        at += 1;
    }
    if at > start {
        return at;
    }
    while at < path.len() && (path[at].is_ascii_alphanumeric() || path[at] == b'_' || path[at] == b'-') {
        at += 1;
    }
    at
}

const fn past_bracket(path: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    if at < path.len() && path[at] == b'"' {
        at = past_quoted(path, at);
    } else if at < path.len() && path[at] == b'*' {
        at += 1;
    } else {
        while at < path.len() && path[at].is_ascii_digit() {
            at += 1;
        }
    }
    if at > open + 1 && at < path.len() && path[at] == b']' { at + 1 } else { open }
}

/// Returns where the quoted name at `start` ends; `start` itself where there is none.
const fn past_quoted(path: &[u8], start: usize) -> usize {
    if start >= path.len() || path[start] != b'"' {
        return start;
    }
    let mut at = start + 1;
    while at < path.len() && path[at] != b'"' {
        at += if path[at] == b'\\' { 2 } else { 1 };
    }
    if at < path.len() { at + 1 } else { start }
}

//! The name of the cassette that a file becomes.

use cassette_core::name::{Name, NameError};

/// Endings that say how a recording is written, and nothing of what it is about.
const ENDINGS: [&str; 12] =
    ["gz", "yaml", "yml", "json", "json5", "har", "httprr", "cassette", "txt", "jsonl", "rewind", "sse"];

/// Returns the name that a file below a directory gives to its cassette, below another one where it is asked for.
///
/// # Errors
///
/// Fails where the framework keeps the name for itself.
pub(super) fn of(below: &str, into: Option<&str>) -> Result<Name, NameError> {
    let mut segments: Vec<_> = below.split('/').collect();
    let stem = segments.pop().map(stem);
    let segments = segments.into_iter().chain(stem).map(legal);
    let name: Vec<_> = into.map(str::to_owned).into_iter().chain(segments).collect();
    Name::parse(&name.join("/"))
}

fn stem(file: &str) -> &str {
    let ending = file
        .rsplit_once('.')
        .filter(|(stem, ending)| !stem.is_empty() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    ending.map_or(file, |(rest, _)| stem(rest))
}

/// Returns a segment as it may stand in a name: what may not stand there parts it, and none is hidden.
fn legal(segment: &str) -> String {
    let is_illegal = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_' | '-');
    let words: Vec<_> = segment.split(is_illegal).filter(|word| !word.is_empty()).collect();
    let words = words.join("-");
    let word = words.trim_start_matches('.');
    let word = if word.is_empty() { "recording" } else { word };
    Name::of_pattern("{word}", &[("word", &word)]).map_or_else(|_| word.to_owned(), |name| name.to_string())
}

#[cfg(test)]
mod tests {
    use cassette_core::name::NameError;

    use super::of;

    #[track_caller]
    fn check(below: &str, expected: &str) {
        assert_eq!(of(below, None).map(|name| name.to_string()), Ok(expected.to_owned()));
    }

    #[test]
    fn a_file_gives_its_name_without_what_says_how_it_is_written() {
        check("trains.yaml", "trains");
        check("trains.cassette.JSON.gz", "trains");
        check("recording_2977/recording.har.yaml", "recording_2977/recording");
        check("v1.2/trains", "v1.2/trains");
        check(".json", "json");
    }

    #[test]
    fn a_name_is_sound_whatever_the_file_is_called() {
        check("test_reuse[openai-gpt-5.4].yaml", "test_reuse-openai-gpt-5.4");
        check("Züri ch/../a b.yml", "Z-ri-ch/recording/a-b");
        check("con.har", "con-1143da2b");
        check("[].yaml", "recording");
        check("日本/.hidden.yaml", "recording/hidden");
        let long = of(&format!("{}.yaml", "a".repeat(300)), None).unwrap();
        assert!(long.as_str().len() <= 100);
        assert_eq!(of("allow.json", None), Err(NameError::Ours));
    }

    #[test]
    fn it_stands_where_it_is_asked_for() {
        assert_eq!(of("allow.json", Some("vcr")).unwrap().as_str(), "vcr/allow");
    }
}

//! An upstream of a cassette: its name, its URL, and the variables in which clients look for it.

use cargo_cassette::mending::UPSTREAMS;
use cassette_core::call::Call;
use cassette_core::dialect::{Dialect, detect, provider};
use cassette_core::json::{Json, Text};
use cassette_core::tape::Tape;
use cassette_test::_cli_support::KNOWN;

/// Under which name the head of a cassette holds the upstreams that were named when it was recorded.
pub(super) const META: &str = UPSTREAMS;

/// The providers whose clients look in variables of their own.
pub(super) const PROVIDERS: [&str; 5] = ["anthropic", "cohere", "gemini", "ollama", "openai"];

/// What stands for an address that has to be filled in, in what is advised.
pub(super) const TO_FILL_IN: &str = "<URL>";

/// An upstream: its name and its base URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Upstream {
    pub(super) name: String,
    pub(super) url: String,
}

impl Upstream {
    /// Reads `NAME=URL`.
    ///
    /// # Errors
    ///
    /// Fails with one that is written so, and has of this what it can.
    pub(super) fn read(text: &str) -> Result<Upstream, String> {
        let split = text.split_once('=').filter(|(name, url)| is_name(name) && !url.is_empty());
        let split = split.filter(|_| !is_to_fill_in(text));
        let (name, url) = split.ok_or_else(|| {
            let word = text.split('=').next().unwrap_or_default();
            match (is_name(word), word.contains("://")) {
                (true, _) => format!("{word}=http://127.0.0.1:8000/v1"),
                (false, true) => format!("openai={text}"),
                (false, false) => "openai=http://127.0.0.1:8000/v1".to_owned(),
            }
        })?;
        Ok(Upstream { name: name.to_ascii_lowercase(), url: url.to_owned() })
    }

    /// Returns the upstream that a recorded server is, `https://host:port`. What was recorded under the name of a provider is
    /// asked as that one is.
    pub(super) fn of_server(server: &str, tape: &Tape) -> Upstream {
        let host = host(server).unwrap_or_default();
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = host.trim_matches(['[', ']']).chars().map(word).collect();
        let name = if is_name(&name) { name } else { format!("host-{name}") };
        Upstream::at(server, name.to_ascii_lowercase(), tape)
    }

    /// Returns the upstream of the provider whose language all calls to a recorded server speak, where clients of that provider have
    /// variables of their own.
    pub(super) fn spoken(server: &str, tape: &Tape) -> Option<Upstream> {
        let calls = tape.interactions.iter().filter_map(|interaction| interaction.call());
        let here = calls.filter(|call| call.name.split_once(' ').is_some_and(|(_, url)| self::server(url) == server));
        let mut providers: Vec<_> = here.map(language).collect();
        providers.dedup();
        let [provider] = providers.as_slice() else { return None };
        let is_known = PROVIDERS.contains(provider);
        is_known.then(|| Upstream::at(server, (*provider).to_owned(), tape))
    }

    /// Returns the upstream of this name at a recorded server, with the path that its clients take for a part of the address.
    fn at(server: &str, name: String, tape: &Tape) -> Upstream {
        let mut upstream = Upstream { name, url: server.to_owned() };
        let path = upstream.variables().iter().find_map(|variable| {
            let (_, known) = KNOWN.iter().find(|(name, _)| name == variable)?;
            Some(&known[self::server(known).len()..])
        });
        let path = path.unwrap_or_default();
        let stands_below = |url: &str| url[server.len()..].starts_with(path);
        if urls(tape).filter(|url| self::server(url) == server).all(stands_below) {
            upstream.url.push_str(path);
        }
        upstream
    }

    /// Returns the variables in which a program looks for this upstream.
    pub(super) fn variables(&self) -> Vec<String> {
        let known: &[&str] = match self.name.as_str() {
            "openai" => &["OPENAI_API_BASE", "OPENAI_BASE_URL"],
            "anthropic" => &["ANTHROPIC_BASE_URL"],
            "cohere" => &["CO_API_URL"],
            "gemini" | "google" => &["GOOGLE_GEMINI_BASE_URL"],
            "ollama" => &["OLLAMA_HOST"],
            _ => return vec![format!("{}_BASE_URL", self.name.to_ascii_uppercase().replace('-', "_"))],
        };
        known.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Returns the name under which it is recorded: its own, where the address is one of this machine's.
    pub(super) fn alias(&self) -> Option<String> {
        let host = host(&self.url)?;
        let host = host.strip_prefix('[').map_or_else(
            || host.rsplit_once(':').map_or(host, |(host, _)| host),
            |rest| rest.split(']').next().unwrap_or_default(),
        );
        let is_here = host == "localhost" || host.starts_with("127.") || host == "::1";
        is_here.then(|| as_host(&self.name))
    }

    /// Returns the URL as it stands in a recording.
    pub(super) fn as_recorded(&self) -> String {
        let scheme = self.url.split("://").next().unwrap_or_default();
        let path = &self.url[server(&self.url).len()..];
        self.alias().map_or_else(|| self.url.clone(), |alias| format!("{scheme}://{alias}{path}"))
    }
}

/// Returns the provider whose language a call speaks: OpenAI's is that of many servers, which their own clients ask too.
fn language(call: &Call) -> &'static str {
    match (provider(call), detect(call)) {
        (
            "unknown",
            Some(
                Dialect::OpenAiChat
                | Dialect::OpenAiResponses
                | Dialect::OpenAiCompletions
                | Dialect::OpenAiEmbeddings
                | Dialect::OpenAiImages
                | Dialect::OpenAiAudio
                | Dialect::OpenAiModeration,
            ),
        ) => "openai",
        (provider, _) => provider,
    }
}

/// Returns the servers of a cassette, `https://host`, in order.
pub(super) fn recorded(tape: &Tape) -> Vec<String> {
    let mut servers: Vec<_> = urls(tape).map(server).collect();
    servers.sort();
    servers.dedup();
    servers
}

/// Returns the upstreams at these recorded servers: each under a name of its own, and behind them those that clients of a provider
/// find too, since nothing else speaks its language.
pub(super) fn of_servers(servers: &[String], tape: &Tape) -> (Vec<Upstream>, Vec<Upstream>) {
    let own = servers.iter().map(|server| Upstream::of_server(server, tape)).collect();
    let spoken: Vec<_> = servers.iter().filter_map(|server| Upstream::spoken(server, tape)).collect();
    let is_alone = |upstream: &&Upstream| spoken.iter().filter(|other| other.name == upstream.name).count() == 1;
    (own, spoken.iter().filter(is_alone).cloned().collect())
}

/// Returns the recorded servers that nobody named and that are no provider's own.
pub(super) fn strangers(named: &[Upstream], tape: &Tape) -> Vec<String> {
    let is_named = |it: &String| named.iter().any(|new| server(&new.url) == *it || server(&new.as_recorded()) == *it);
    let is_known = |it: &String| KNOWN.iter().any(|(_, url)| server(url) == *it);
    recorded(tape).into_iter().filter(|it| !is_named(it) && !is_known(it)).collect()
}

/// Returns the URLs of a cassette, of each call with one.
fn urls(tape: &Tape) -> impl Iterator<Item = &str> {
    let names = tape.interactions.iter().map(|interaction| interaction.asked().name());
    names.filter_map(|name| name.split_once(' ').map(|(_, url)| url)).filter(|url| server(url).contains("://"))
}

/// Returns the upstreams that were named when the cassette was recorded. What is no name makes no variable: whoever wrote the file
/// does not write into a shell.
pub(super) fn remembered(tape: &Tape) -> Vec<Upstream> {
    let meta = tape.head.meta.iter().find(|(name, _)| name.is(META)).map(|(_, value)| value);
    let Some(Json::Object(members)) = meta else { return Vec::new() };
    let upstream = |(name, url): &(Text, Json)| {
        Some(Upstream { name: name.value().into_owned(), url: url.as_str()?.into_owned() })
    };
    members.iter().filter_map(upstream).filter(|upstream| is_name(&upstream.name)).collect()
}

/// Returns how an upstream of this name stands in a recorded URL.
pub(super) fn as_host(name: &str) -> String {
    name.replace('_', "-")
}

pub(super) fn is_name(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word)
}

/// Returns the server of a URL, `https://host:port`.
pub(super) fn server(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    format!("{scheme}://{}", rest.split(['/', '?', '#']).next().unwrap_or_default())
}

pub(super) fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#']).next()
}

/// Returns whether an upstream was typed as it was advised, and its address not filled in.
pub(super) fn is_to_fill_in(text: &str) -> bool {
    text.split_once('=').is_some_and(|(_, url)| url == TO_FILL_IN)
}

#[cfg(test)]
mod tests {
    use cassette_core::tape::Tape;

    use super::Upstream;

    #[test]
    fn an_upstream_of_this_machine_is_recorded_under_its_name() {
        let alias = |text: &str| Upstream::read(text).unwrap().alias();
        assert_eq!(alias("openai=http://127.0.0.1:8000/v1").as_deref(), Some("openai"));
        assert_eq!(alias("my_llm=http://[::1]:8000").as_deref(), Some("my-llm"));
        assert_eq!(alias("local=http://localhost/v1").as_deref(), Some("local"));
        assert_eq!(alias("openai=https://router.example/v1"), None);
        for wrong in ["openai", "openai=<URL>", "=http://a", "9=http://a", "a b=http://a", "a="] {
            assert!(Upstream::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_recorded_server_has_a_variable() {
        let of = |server: &str| {
            let upstream = Upstream::of_server(server, &Tape::default());
            (upstream.variables().join(" "), upstream.url)
        };
        let check = |server: &str, variables: &str, url: &str| assert_eq!(of(server), (variables.into(), url.into()));
        check("https://timetable.example.com", "TIMETABLE_EXAMPLE_COM_BASE_URL", "https://timetable.example.com");
        check("http://127.0.0.1:80", "HOST_127_0_0_1_80_BASE_URL", "http://127.0.0.1:80");
        check("http://$(id)", "HOST___ID__BASE_URL", "http://$(id)");
        check("http://openai", "OPENAI_API_BASE OPENAI_BASE_URL", "http://openai/v1");
    }
}

//! Whose turn it is: of two connections of one name that are used at the same time, a recording could not tell the answers apart.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cassette_core::report::Wiring;

/// Which connections of each name have spoken, in the order of their first words.
#[derive(Debug, Default)]
pub(super) struct Turns {
    spoken: Mutex<HashMap<Option<String>, Vec<Speaker>>>,
    count: AtomicU64,
}

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speaker(u64);

impl Turns {
    /// Returns another connection.
    pub(super) fn another(&self) -> Speaker {
        Speaker(self.count.fetch_add(1, Ordering::SeqCst))
    }

    /// Notes that this connection to the server of this name speaks.
    ///
    /// One that speaks for the first time takes the turn: where a client is started anew, nobody can tell whether the old one has
    /// hung up by then, which may come to light late, but it says nothing more.
    ///
    /// # Errors
    ///
    /// Fails where another has begun since this one did: both are open.
    pub(super) fn speaks(&self, speaker: Speaker, server: Option<&str>) -> Result<(), Wiring> {
        let mut spoken = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        let of_name = spoken.entry(server.map(str::to_owned)).or_default();
        if of_name.last() == Some(&speaker) {
            return Ok(());
        }
        if !of_name.contains(&speaker) {
            of_name.push(speaker);
            return Ok(());
        }
        let whose = server.map_or("without a name".to_owned(), |server| format!("called `{server}`"));
        let what = format!(
            "two MCP servers {whose} are spoken to at the same time, and nothing in a recording tells them apart"
        );
        let help = "give each a name of its own: `cassette.mcp(..).named(\"..\")`, for the shim `--name`";
        Err(Wiring::new(what, help))
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn one_after_the_other_is_no_two_at_once() {
        let turns = Turns::default();
        let (old, new, named, other) = (turns.another(), turns.another(), turns.another(), turns.another());
        for (speaker, server) in
            [(old, None), (named, Some("day")), (new, None), (other, Some("night")), (named, Some("day"))]
        {
            assert_eq!(turns.speaks(speaker, server), Ok(()));
        }
        assert_eq!(
            turns.speaks(old, None).unwrap_err().what,
            "two MCP servers without a name are spoken to at the same time, and nothing in a recording tells them apart"
        );
        assert_eq!(turns.speaks(other, Some("day")), Ok(()));
        assert_eq!(
            turns.speaks(named, Some("day")).unwrap_err().what,
            "two MCP servers called `day` are spoken to at the same time, and nothing in a recording tells them apart"
        );
    }
}

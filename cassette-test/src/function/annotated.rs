//! What `#[llm]`, `#[tool]` and `#[memory]` expand to.

use std::fmt::Display;

use cassette_core::call::Kind;
use cassette_core::function::{Arguments, Codec, FunctionCall, Receiver};
use cassette_core::report::{Report, Wiring};

use futures_core::Stream;

use super::stream::Streaming;
use super::streamed::{self, Codecs};
use super::wrapped::Recorded;
use super::{asynchronous, blocking, live, types};
use crate::ambient;
use crate::builder;
use crate::cassette::Cassette;
use crate::inside;
use crate::sites::{self, Standing, Wrapped};

/// An annotated function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// What it is.
    pub kind: Kind,
    /// The name that the attribute gives it.
    pub name: Option<&'static str>,
    /// The module in which it stands.
    pub module: &'static str,
    /// The type of which it is a method, with its path.
    pub of: Option<&'static str>,
    /// The recorded trait of which it is a method.
    pub of_trait: Option<&'static str>,
    /// Its own name.
    pub ident: &'static str,
    /// Its file.
    pub file: &'static str,
    /// Its line.
    pub line: u32,
    /// A place in memory that no other function has: a macro writes several on one line.
    pub place: &'static u8,
    /// What stands round its body, with all generic arguments: the name of a closure's type.
    pub around: &'static str,
}

/// An annotated function that was called where a cassette is open.
#[derive(Debug)]
pub struct Called {
    cassette: Cassette,
    function: Function,
    name: String,
    asked: FunctionCall,
    /// Which of what the test wrapped it is a method of, if it is one.
    of: Option<Wrapped>,
}

/// Returns the function as one that is called through the current cassette, with the generic arguments that its question says
/// nothing of; `None` where it runs bare: as a part of another one,
/// and in a program without cassette tests.
///
/// # Panics
///
/// Panics where the program has cassette tests, and none of them is meant here.
#[track_caller]
#[must_use]
pub fn enter(function: Function, unsaid: &[&dyn Display]) -> Option<Called> {
    if inside::any() && !live::is_noted() {
        return None;
    }
    match ambient::of_call(function.ident) {
        Ok(scope) => {
            let name = function.name(None) + &types::shown(unsaid);
            Some(Called::of(Cassette::of(scope), function, name))
        }
        Err(_) if !ambient::is_any_open() && !builder::has_tests() => None,
        Err(_) if !ambient::is_any_open() => {
            let what = format!(
                "`{}` was called where no cassette is open, in a program that has cassette tests",
                function.ident
            );
            let help = "put `#[cassette]` on this test too, or run the function bare: `cassette_test::live(..)`, and \
                 `live_blocking(..)` where it is not async";
            panic!("{}", Report::Wiring(Wiring::new(what, help)));
        }
        Err(report) => panic!("{report}"),
    }
}

/// Returns the method as one that is called through the cassette of what stands for something live, with the generic arguments
/// that its question says nothing of.
pub fn enter_recorded<P>(of: &Recorded<P>, function: Function, unsaid: &[&dyn Display]) -> Option<Called> {
    let name = function.name(of.name()) + &types::shown(unsaid);
    let called = Called::of(of.cassette().clone(), function, name);
    Some(Called { of: Some(of.one()), ..called })
}

/// Returns what the function gives: what was recorded, or what `live` gives now.
pub async fn recorded<R, C, L, F>(called: Option<Called>, codec: C, live: L) -> R
where
    C: Codec<R>,
    L: FnOnce() -> F,
    F: Future<Output = R>,
{
    match called {
        None => live().await,
        Some(called) => {
            called.note();
            asynchronous::call(called.cassette, called.asked, codec, live).await
        }
    }
}

/// Returns what the function gives, as [`recorded`] does, without waiting.
#[track_caller]
pub fn recorded_blocking<R, C, L>(called: Option<Called>, codec: C, live: L) -> R
where
    C: Codec<R>,
    L: FnOnce() -> R,
{
    match called {
        None => live(),
        Some(called) => {
            called.note();
            blocking::call(&called.cassette, &called.asked, &codec, live)
        }
    }
}

/// Returns the stream that the function gives: what was recorded, or what `live` gives now.
pub fn recorded_stream<S, C, L>(called: Option<Called>, codec: C, live: L) -> Streaming<S, C>
where
    S: Stream,
    C: Codec<S::Item>,
    L: FnOnce() -> S,
{
    match called {
        None => Streaming::bare(live(), codec),
        Some(called) => {
            called.note();
            streamed::stream(&called.cassette, &called.asked, codec, live)
        }
    }
}

/// Returns the stream that the function gives, as [`recorded_stream`] does, once it has been waited for.
pub async fn recorded_stream_later<S, C, L, F>(called: Option<Called>, codec: C, live: L) -> Streaming<S, C>
where
    S: Stream,
    C: Codec<S::Item>,
    L: FnOnce() -> F,
    F: Future<Output = S>,
{
    match called {
        None => Streaming::bare(live().await, codec),
        Some(called) => {
            called.note();
            streamed::stream_later(called.cassette, called.asked, codec, live).await
        }
    }
}

/// Returns the stream that the function gives, as [`recorded_stream`] does, unless it fails first.
///
/// # Errors
///
/// Fails as the function does or did.
#[track_caller]
pub fn try_recorded_stream<S, C, E, O, L>(
    called: Option<Called>,
    codecs: Codecs<C, O>,
    live: L,
) -> Result<Streaming<S, C>, E>
where
    S: Stream,
    C: Codec<S::Item>,
    O: Codec<Result<(), E>>,
    L: FnOnce() -> Result<S, E>,
{
    match called {
        None => live().map(|stream| Streaming::bare(stream, codecs.0)),
        Some(called) => {
            called.note();
            streamed::try_stream(&called.cassette, &called.asked, codecs, live)
        }
    }
}

/// Returns the stream that the function gives, as [`try_recorded_stream`] does, once it has been waited for.
///
/// # Errors
///
/// Fails as the function does or did.
pub async fn try_recorded_stream_later<S, C, E, O, L, F>(
    called: Option<Called>,
    codecs: Codecs<C, O>,
    live: L,
) -> Result<Streaming<S, C>, E>
where
    S: Stream,
    C: Codec<S::Item>,
    O: Codec<Result<(), E>>,
    L: FnOnce() -> F,
    F: Future<Output = Result<S, E>>,
{
    match called {
        None => live().await.map(|stream| Streaming::bare(stream, codecs.0)),
        Some(called) => {
            called.note();
            streamed::try_stream_later(called.cassette, called.asked, codecs, live).await
        }
    }
}

impl Called {
    fn of(cassette: Cassette, function: Function, name: String) -> Called {
        let asked = FunctionCall::plain(function.kind, &name);
        Called { cassette, function, name, asked, of: None }
    }

    /// Returns the call with these arguments.
    #[must_use]
    pub fn with(self, arguments: Arguments) -> Called {
        let asked = arguments.call(self.function.kind, &self.name);
        Called { asked, ..self }
    }

    /// Returns the call as one of this object.
    #[must_use]
    pub fn of_receiver<T: ?Sized>(self, object: &T) -> Called {
        Called { asked: self.asked.of_receiver(Receiver::of(object)), ..self }
    }

    /// Fails the cassette where another function goes by this name, or asks the same. What runs bare is in no recording.
    fn note(&self) {
        let (scope, call) = (self.cassette.as_scope(), self.asked.call());
        if inside::of(scope) {
            return;
        }
        let noted = sites::note(&scope.sites, &call.title(), self.function.standing())
            .and_then(|()| sites::note_types(&scope.sites, call, &types::alike(self.function.around)))
            .and_then(|()| self.of.map_or(Ok(()), |of| sites::note_wrapped(&scope.sites, call, of)));
        if let Err(report) = noted {
            scope.fail(report);
        }
    }
}

impl Function {
    /// Returns the name under which it is recorded: that which the attribute gives, else its own after its module, below the
    /// crate, and after the type of which it is. A recorded trait's is called as Rust calls it, `<Type as Trait>::method`, with the
    /// type in full, or with the `instance` in its place where it has a name.
    fn name(&self, instance: Option<&str>) -> String {
        if let Some(name) = self.name {
            return instance.map_or(name.to_owned(), |instance| format!("<{instance}>::{name}"));
        }
        let module = self.module.split("::").skip(1);
        let Some(of_trait) = self.of_trait else {
            let of = self.of.map(|of| {
                let plain = of.split('<').next().unwrap_or(of);
                plain.rsplit("::").next().unwrap_or(plain)
            });
            return module.chain(of).chain([self.ident]).collect::<Vec<_>>().join("::");
        };
        let path = module.chain([of_trait]).collect::<Vec<_>>().join("::");
        let of = instance.map_or_else(|| types::relative(self.of.unwrap_or_default(), self.module), str::to_owned);
        format!("<{of} as {path}>::{}", self.ident)
    }

    /// Returns what tells it from another function of this name: of a recorded trait the type, since one method is that of many.
    fn standing(&self) -> Standing {
        match (self.of_trait, self.of) {
            (Some(_), Some(of)) => Standing { file: of, line: 0, place: 0 },
            _ => Standing { file: self.file, line: self.line, place: std::ptr::from_ref(self.place).addr() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Function, Kind};

    #[test]
    fn a_function_is_named_by_where_it_stands() {
        let check = |name, module, (of, of_trait), instance, expected: &str| {
            let function = Function {
                kind: Kind::Tool,
                name,
                module,
                of,
                of_trait,
                ident: "search",
                file: "",
                line: 0,
                place: &0,
                around: "",
            };
            assert_eq!(function.name(instance), expected);
        };
        let trains = Some("timetable::tools::Trains");
        check(None, "timetable", (None, None), None, "search");
        check(None, "timetable::tools", (None, None), None, "tools::search");
        check(None, "timetable::tools", (trains, None), None, "tools::Trains::search");
        check(None, "timetable", (Some("timetable::Store<alloc::vec::Vec<u8>>"), None), None, "Store::search");
        check(Some("find"), "timetable::tools", (trains, None), None, "find");
        check(None, "timetable::tools", (trains, Some("Finds")), None, "<tools::Trains as tools::Finds>::search");
        let generic = Some("timetable::Cached<rail::Trains>");
        check(
            None,
            "timetable::tools",
            (generic, Some("Finds")),
            None,
            "<Cached<rail::Trains> as tools::Finds>::search",
        );
        check(None, "timetable", (trains, Some("Finds")), Some("night"), "<night as Finds>::search");
        check(Some("find"), "timetable", (trains, Some("Finds")), None, "find");
        check(Some("find"), "timetable", (trains, Some("Finds")), Some("night"), "<night>::find");
    }
}

//! What stands for something live whose trait is `#[recordable]`.

use std::any::type_name;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cassette_core::report::{Report, Wiring};

use crate::abandon::abandon;
use crate::cassette::Cassette;
use crate::sites::{self, Wrapped};

/// Stands for a `P` that is recorded: it implements each `#[recordable]` trait that `P` does.
///
/// [`Cassette::wrap`] makes one. What is live is made when the first call goes live, and then kept; a replay never makes it. A clone
/// stands for the same one.
pub struct Recorded<P> {
    cassette: Cassette,
    name: Option<Arc<str>>,
    /// Which one it is: a clone is the same one.
    one: Wrapped,
    live: Arc<Live<P>>,
}

/// What is live, once it is needed.
struct Live<P> {
    made: OnceLock<P>,
    make: Mutex<Option<Make<P>>>,
}

type Make<P> = Box<dyn FnOnce() -> Result<P, String> + Send>;

impl Cassette {
    /// Returns what stands for something live whose trait is `#[recordable]`: what it gives is recorded, and replayed without it.
    ///
    /// ```no_run
    /// # struct OpenAi;
    /// # impl OpenAi { fn from_env() -> OpenAi { OpenAi } }
    /// # let cassette = cassette_test::Cassette::current();
    /// let provider = cassette.wrap(OpenAi::from_env);
    /// # let _ = provider;
    /// ```
    ///
    /// `live` runs when the first call goes live. It gives the thing itself; a program that takes a `Box<dyn Provider>` is given
    /// `Box::new(cassette.wrap(OpenAi::from_env))`.
    pub fn wrap<P>(&self, live: impl FnOnce() -> P + Send + 'static) -> Recorded<P> {
        self.recorded(Box::new(|| Ok(live())))
    }

    /// Returns what stands for something live, as [`wrap`](Cassette::wrap) does, which may not come about.
    ///
    /// Where `live` fails the test fails, saying what it said.
    pub fn try_wrap<P, E: Display>(&self, live: impl FnOnce() -> Result<P, E> + Send + 'static) -> Recorded<P> {
        self.recorded(Box::new(|| live().map_err(|error| format!("{error:#}"))))
    }

    fn recorded<P>(&self, make: Make<P>) -> Recorded<P> {
        let live = Live { made: OnceLock::new(), make: Mutex::new(Some(make)) };
        let one = sites::wrapped(&self.as_scope().sites);
        Recorded { cassette: self.clone(), name: None, one, live: Arc::new(live) }
    }
}

impl<P> Recorded<P> {
    /// Gives it a name in the place of its type's: two of one type are told apart by nothing else, and where they are asked the
    /// same, the test fails.
    #[must_use]
    pub fn named(self, name: &str) -> Recorded<P> {
        Recorded { name: Some(name.into()), ..self }
    }

    /// Returns the cassette.
    pub(super) fn cassette(&self) -> &Cassette {
        &self.cassette
    }

    /// Returns its name.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns which one it is.
    pub(super) fn one(&self) -> Wrapped {
        self.one
    }

    fn fail(&self, report: Wiring) -> ! {
        let scope = self.cassette.as_scope();
        let report = scope.fail(Report::Wiring(report));
        match scope.site {
            Some(_) => abandon(),
            None => panic!("{report}"),
        }
    }
}

/// Returns what is live; the first time, it is made.
///
/// # Panics
///
/// Panics where it cannot be: the test ends there.
pub fn live_of<P>(recorded: &Recorded<P>) -> &P {
    recorded.live.made.get_or_init(|| {
        let make = recorded.live.make.lock().unwrap_or_else(PoisonError::into_inner).take();
        let made = make.map_or_else(
            || Err("an earlier attempt to make it had panicked".to_owned()),
            |make| {
                catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| {
                    let what =
                        format!("a call would go live, and the closure that makes `{}` panicked", type_name::<P>());
                    let help =
                        "let it return its failure as an error, `cassette.try_wrap(..)`; a replay does not run it";
                    recorded.cassette.as_scope().fail(Report::Wiring(Wiring::new(what, help)));
                    resume_unwind(panic)
                })
            },
        );
        made.unwrap_or_else(|why| {
            let what = format!("a call would go live, and `{}` cannot be made: {why}", type_name::<P>());
            recorded
                .fail(Wiring::new(what, "recording needs what is live, as its keys and addresses; a replay does not"))
        })
    })
}

/// Returns what is live, to be changed.
///
/// # Panics
///
/// Panics where it cannot be made, and where a clone of what stands for it shares it: the test ends there.
pub fn live_of_mut<P>(recorded: &mut Recorded<P>) -> &mut P {
    live_of(recorded);
    let shared = Arc::get_mut(&mut recorded.live).is_none();
    if shared {
        let what = format!("a method changes `{}`, which clones of what stands for it share", type_name::<P>());
        recorded.fail(Wiring::new(what, "drop the clones first, or wrap one for each"));
    }
    let made = Arc::get_mut(&mut recorded.live).and_then(|live| live.made.get_mut());
    made.unwrap_or_else(crate::abandon::never)
}

impl<P> Clone for Recorded<P> {
    fn clone(&self) -> Recorded<P> {
        let (cassette, name) = (self.cassette.clone(), self.name.clone());
        Recorded { cassette, name, one: self.one, live: Arc::clone(&self.live) }
    }
}

impl<P> fmt::Debug for Recorded<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Recorded");
        debug.field("of", &type_name::<P>()).field("name", &self.name).field("cassette", &self.cassette);
        debug.finish_non_exhaustive()
    }
}

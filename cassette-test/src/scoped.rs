//! Where a test's cassette is the current one: on a thread, in a future, in a closure.

use std::pin::pin;
use std::sync::Arc;

use crate::ambient::{self, Entered};
use crate::cassette::Cassette;
use crate::inside::{self, Inside};
use crate::scope::Scope;
use crate::stay::{Ending, Stay};

/// Where something was called from: whose calls are made there, and of which function they are a part.
#[derive(Clone)]
pub(crate) struct Place {
    scope: Option<Arc<Scope>>,
    inside: Option<Inside>,
    /// What is handed over from there.
    stay: Option<Arc<Stay>>,
}

impl Place {
    /// Returns the place at which this is called: without a cassette where none is meant.
    pub(crate) fn here() -> Place {
        let inside = inside::current();
        let of_function = |inside: &Inside| match inside {
            Inside::Function(scope) => Some(Arc::clone(scope)),
            Inside::Live => None,
        };
        let scope = ambient::current().ok().or_else(|| inside.as_ref().and_then(of_function));
        let stay = scope.as_ref().map(|_| Stay::new());
        Place { scope, inside, stay }
    }

    fn of(scope: &Arc<Scope>) -> Place {
        Place { scope: Some(Arc::clone(scope)), inside: inside::here(scope), stay: Some(Stay::new()) }
    }

    /// Returns this future as one that runs here, on whichever thread it is polled.
    pub(crate) async fn future<F: Future>(self, future: F) -> F::Output {
        let _ending = Ending::of(self.stay.as_ref());
        let mut future = pin!(future);
        std::future::poll_fn(|cx| self.run(|| future.as_mut().poll(cx))).await
    }

    /// Runs a closure to its end as if it were called here.
    pub(crate) fn closure<T>(&self, closure: impl FnOnce() -> T) -> T {
        let _ending = Ending::of(self.stay.as_ref());
        self.run(closure)
    }

    fn run<T>(&self, closure: impl FnOnce() -> T) -> T {
        let _entered = self.scope.as_ref().map(ambient::enter);
        let _within = self.stay.as_ref().map(Stay::enter);
        match &self.inside {
            Some(inside) => inside::run(inside, closure),
            None => closure(),
        }
    }
}

impl Cassette {
    /// Makes this cassette the current one of this thread, until what is returned is dropped.
    pub fn enter(&self) -> Entered {
        ambient::enter(self.as_scope())
    }

    /// Makes this cassette the current one of this future, on whichever thread it runs.
    ///
    /// ```no_run
    /// # async fn look_up(_: &str) -> String { String::new() }
    /// # async fn of(cassette: cassette_test::Cassette) {
    /// let town = tokio::spawn(cassette.scope(async { look_up("Bergen").await }));
    /// # let _ = town;
    /// # }
    /// ```
    ///
    /// Where this is called within a function that is recorded, what the future calls is a part of that function, too. Code that
    /// runs without a test as well says [`scope`](crate::scope()), which needs no handle.
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        Place::of(self.as_scope()).future(future)
    }

    /// Makes this cassette the current one of this closure, on whichever thread it runs, as [`scope`](Cassette::scope) does of a
    /// future.
    ///
    /// ```no_run
    /// # fn look_up(_: &str) -> String { String::new() }
    /// # let cassette = cassette_test::Cassette::current();
    /// let town = std::thread::spawn(cassette.scoped(|| look_up("Bergen")));
    /// # let _ = town;
    /// ```
    pub fn scoped<T, F: FnOnce() -> T>(&self, closure: F) -> impl FnOnce() -> T + use<T, F> {
        let place = Place::of(self.as_scope());
        move || place.closure(closure)
    }
}

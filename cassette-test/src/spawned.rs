//! What code says of the tasks and threads that it starts, with a test around it or without.

#[cfg(feature = "replay")]
use crate::scoped::Place;

/// Makes the cassette that is current here, if one is, the current one of this future, on whichever thread it runs.
///
/// For code that starts tasks in production too. Where no cassette is current, and without the feature `replay`, the future is
/// as it was.
///
/// ```no_run
/// # async fn look_up(_: &str) -> String { String::new() }
/// #[cassette_test::tool]
/// async fn plan(town: &'static str) -> String {
///     let found = tokio::spawn(cassette_test::scope(look_up(town)));
///     found.await.unwrap_or_default()
/// }
/// ```
///
/// What the future calls is a part of the recorded function in which this is called. In a test,
/// [`Cassette::scope`](crate::Cassette::scope) says whose it is.
pub fn scope<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
    #[cfg(feature = "replay")]
    let future = Place::here().future(future);
    future
}

/// Makes the cassette that is current here, if one is, the current one of this closure, on whichever thread it runs, as
/// [`scope`](scope()) does of a future.
///
/// ```
/// let found = std::thread::spawn(cassette_test::scoped(|| "Bergen".len()));
/// assert_eq!(found.join().ok(), Some(6));
/// ```
pub fn scoped<T, F: FnOnce() -> T>(closure: F) -> impl FnOnce() -> T + use<T, F> {
    #[cfg(feature = "replay")]
    let closure = {
        let place = Place::here();
        move || place.closure(closure)
    };
    closure
}

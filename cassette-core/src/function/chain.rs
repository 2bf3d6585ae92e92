//! What the errors within an error are, which a program may ask by `downcast_ref`, and how those come back that can.
//!
//! A type that stands behind `dyn Error` has no name. What is known of it is whether it is a type that is known here, and what its
//! `Debug` writes: that of a mere text is the text in quotes, that of most others begins with their name.

use std::any::{Any, TypeId, type_name};
use std::error::Error;
use std::fmt::Display;
use std::iter;

use super::ReplayedError;
use super::known::{KnownError, KnownType};

/// Boxed errors.
type Boxed = Box<dyn Error>;
/// Boxed errors that any thread may have.
type BoxedSync = Box<dyn Error + Send + Sync>;

/// One of the errors within an error, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    text: String,
    of: Of,
}

/// What an error is, as far as it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A text, and no more.
    Text,
    /// A text that `anyhow` or its like has put above another error, which `downcast_ref` finds through it.
    Context,
    /// An error of a type that is known here.
    Known(KnownError),
    /// An error that a recording gave back.
    Replayed,
    /// An error of another type, with what it calls itself.
    Typed(Option<String>),
    /// Whatever stands within this type, which shows nothing of it.
    Unseen(&'static str),
}

/// Types within which there are errors, and nothing but their own methods shows them.
const OPAQUE: [&str; 1] = ["eyre::Report"];

/// Returns the errors within an error of a type that has any, itself the first: of a box, and of an `anyhow::Error`.
pub fn layers<E: Display + 'static>(error: &E) -> Vec<Layer> {
    let any: &dyn Any = error;
    if let Some(error) = any.downcast_ref::<anyhow::Error>() {
        return of_anyhow(error);
    }
    if let Some(error) = boxed(any) {
        return without_contexts(within(error));
    }
    let opaque = OPAQUE.into_iter().find(|opaque| type_name::<E>() == *opaque);
    opaque.map(|opaque| Layer { text: error.to_string(), of: Of::Unseen(opaque) }).into_iter().collect()
}

/// Returns the errors within an error that lends itself as one, itself the first.
pub fn layers_lent<E: AsRef<dyn Error + Send + Sync> + Display + 'static>(error: &E) -> Vec<Layer> {
    let any: &dyn Any = error;
    if any.is::<anyhow::Error>() || boxed(any).is_some() { layers(error) } else { within(error.as_ref()) }
}

/// Returns the errors beneath an error.
pub fn layers_beneath<E: Error + 'static>(error: &E) -> Vec<Layer> {
    error.source().map(within).unwrap_or_default()
}

/// Returns whether errors of this type do nothing but hold another: what such a one shows is what it holds, which comes back as its text.
#[must_use]
pub fn is_holder<E: 'static>() -> bool {
    [TypeId::of::<anyhow::Error>(), TypeId::of::<BoxedSync>(), TypeId::of::<Boxed>()].contains(&TypeId::of::<E>())
        || OPAQUE.contains(&type_name::<E>())
}

/// Returns what is lost of the errors within an error where these come back.
pub(super) fn lost(live: &[Layer], back: &[Layer]) -> Option<String> {
    let at = (0..live.len()).find(|at| !comes_back(&live[*at..], back.get(*at)))?;
    let typed = |layer: &&Layer| !matches!(layer.of, Of::Text | Of::Context);
    let Layer { text, of } = live[at..].iter().find(typed).unwrap_or(&live[at]);
    Some(match of {
        Of::Known(KnownError { of: KnownType::Io, code }) => {
            format!("the error `{text}`, an `io::Error` of the kind `{code}`, comes back without its type")
        }
        Of::Known(KnownError { of: KnownType::Json, code }) => {
            format!("the error `{text}`, a `serde_json::Error` of the category `{code}`, comes back without its type")
        }
        Of::Typed(Some(name)) => format!("the error `{text}`, `{name}` by its `Debug`, comes back without its type"),
        Of::Unseen(within) => {
            format!("the error `{text}` is within an `{within}`, which does not show here of what type")
        }
        Of::Typed(None) | Of::Text | Of::Context | Of::Replayed => {
            format!("the error `{text}` comes back without its type")
        }
    })
}

/// Returns whether the first of these comes back as this one.
fn comes_back(live: &[Layer], back: Option<&Layer>) -> bool {
    let (Some(live_one), Some(back)) = (live.first(), back) else { return false };
    match (&live_one.of, &back.of) {
        (Of::Unseen(_), _) => false,
        // Through contexts `downcast_ref` finds what stands beneath them; through anything else it does not.
        (Of::Context, of) => {
            let beneath = live.iter().find(|layer| layer.of != Of::Context);
            *of == Of::Context || beneath.is_none_or(|layer| layer.of == Of::Text)
        }
        (Of::Text, _) => true,
        (live, back) => live == back,
    }
}

/// Returns an error as it was recorded: as [`From<ReplayedError>`] has it, with one of a known type where one was within a box or
/// an `anyhow::Error`.
pub fn rebuilt<E: From<ReplayedError> + 'static>(error: ReplayedError) -> E {
    let holder = TypeId::of::<E>();
    let known = error.known(type_name::<E>());
    let found: Option<Box<dyn Any>> = if holder == TypeId::of::<anyhow::Error>() {
        Some(Box::new(as_anyhow(error.clone())))
    } else if holder == TypeId::of::<BoxedSync>() {
        known.map(|known| Box::new(known.boxed(error.clone())) as Box<dyn Any>)
    } else if holder == TypeId::of::<Boxed>() {
        known.map(|known| {
            let boxed: Boxed = known.boxed(error.clone());
            Box::new(boxed) as Box<dyn Any>
        })
    } else {
        None
    };
    match found.map(|found| found.downcast::<E>()) {
        Some(Ok(found)) => *found,
        _ => E::from(error),
    }
}

fn as_anyhow(error: ReplayedError) -> anyhow::Error {
    let (mut contexts, mut layer, holder) = (Vec::new(), &error, type_name::<anyhow::Error>());
    let known = loop {
        if let Some(known) = layer.known(holder) {
            break known;
        }
        let is_text = layer.type_name.is_empty() || layer.type_name == holder;
        let Some(beneath) = layer.source.as_deref().filter(|_| is_text) else { return error.into() };
        contexts.push(layer.message.clone());
        layer = beneath;
    };
    contexts.into_iter().rev().fold(known.in_anyhow(layer.clone()), anyhow::Error::context)
}

/// Returns what an error is.
pub(super) fn of(error: &(dyn Error + 'static)) -> Of {
    if let Some(known) = KnownError::of(error) {
        return Of::Known(known);
    }
    if error.is::<ReplayedError>() {
        return Of::Replayed;
    }
    let (text, debug) = (error.to_string(), format!("{error:?}"));
    // What `anyhow` makes of a context for an `Option` shows itself as its text.
    if debug == format!("{text:?}") || debug == text && !text.is_empty() {
        return Of::Text;
    }
    let contexts = ["Error { context: \"", "Error { msg: \""];
    if error.source().is_some() && contexts.iter().any(|context| debug.starts_with(context)) {
        return Of::Context;
    }
    // What `anyhow` boxes shows itself as a text does, and what it holds when asked for it at length; no `downcast_ref` finds that.
    let beneath = debug.strip_prefix(&text).filter(|_| !text.is_empty());
    if beneath.is_some_and(|beneath| beneath.is_empty() || beneath.starts_with("\n\n"))
        && format!("{error:#?}") != debug
    {
        return Of::Text;
    }
    let end = debug.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(debug.len());
    let (name, rest) = debug.split_at(end);
    let is_name = name.starts_with(char::is_uppercase) && (rest.is_empty() || rest.starts_with(['(', ' ']));
    let derived = is_name && (!rest.starts_with(' ') || rest.starts_with(" {"));
    Of::Typed(derived.then(|| name.to_owned()))
}

fn of_anyhow(error: &anyhow::Error) -> Vec<Layer> {
    let mut layers = within(error.as_ref());
    // Where none is a text, they are of types of the program's own, which `downcast_ref` finds.
    if let Some(first) = layers.first_mut().filter(|first| first.of == Of::Context)
        && !error.is::<String>()
        && !error.is::<&'static str>()
    {
        first.of = Of::Typed(None);
    }
    layers
}

fn boxed(any: &dyn Any) -> Option<&(dyn Error + 'static)> {
    let sync = || any.downcast_ref::<BoxedSync>().map(|error| &**error as &(dyn Error + 'static));
    any.downcast_ref::<Boxed>().map(|error| &**error).or_else(sync)
}

fn within(error: &(dyn Error + 'static)) -> Vec<Layer> {
    iter::successors(Some(error), |error| (**error).source())
        .map(|error| Layer { text: error.to_string(), of: of(error) })
        .collect()
}

/// A box has no contexts: what was put above an error elsewhere is a text there.
fn without_contexts(layers: Vec<Layer>) -> Vec<Layer> {
    let plain = |of| if of == Of::Context { Of::Text } else { of };
    layers.into_iter().map(|Layer { text, of }| Layer { text, of: plain(of) }).collect()
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt;
    use std::io;

    use super::{Of, layers, lost, of, rebuilt};
    use crate::function::ReplayedError;
    use crate::function::known::{KnownError, KnownType};

    /// Errors as they are written: of a struct, of an enum, and of one that shows itself as its text.
    #[derive(Debug)]
    struct Busy;
    #[derive(Debug)]
    enum Closed {
        Until(#[expect(dead_code, reason = "what is shown of it is all that is looked at")] u8),
    }
    struct Shown;

    impl fmt::Debug for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("shown")
        }
    }

    macro_rules! errors {
        ($($ty:ty: $text:literal),*) => {
            $(impl fmt::Display for $ty {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str($text)
                }
            }
            impl Error for $ty {})*
        };
    }
    /// Those that might be taken for a text or for a context.
    #[derive(Debug)]
    struct NotFound {
        #[expect(dead_code, reason = "what is shown of it is all that is looked at")]
        id: u32,
    }
    #[derive(Debug)]
    struct Failed {
        #[expect(dead_code, reason = "what is shown of it is all that is looked at")]
        msg: String,
    }
    errors!(Busy: "busy", Closed: "closed", Shown: "shown", NotFound: "NotFound", Failed: "late");

    fn late() -> io::Error {
        io::Error::new(io::ErrorKind::TimedOut, "late")
    }

    #[test]
    fn an_error_is_known_by_its_type_or_by_what_it_shows() {
        let check = |error: anyhow::Error, expected: Of| assert_eq!(of(error.as_ref()), expected);
        check(anyhow::anyhow!("a \"text\"\n"), Of::Text);
        check(anyhow::anyhow!("busy").context("a \"context\""), Of::Context);
        check(late().into(), Of::Known(KnownError { of: KnownType::Io, code: "TimedOut".into() }));
        check(ReplayedError::new("", "late").into(), Of::Replayed);
        check(Busy.into(), Of::Typed(Some("Busy".into())));
        check(Closed::Until(7).into(), Of::Typed(Some("Until".into())));
        check(Shown.into(), Of::Text);
        check(anyhow::Context::context(None::<u8>, format!("none of {}", 7)).unwrap_err(), Of::Text);
        check(NotFound { id: 1 }.into(), Of::Typed(Some("NotFound".into())));
        check(Failed { msg: "late".into() }.into(), Of::Typed(Some("Failed".into())));
        let boxed = |error: anyhow::Error| Box::<dyn Error + Send + Sync>::from(error);
        assert_eq!(of(&*boxed(anyhow::anyhow!("busy"))), Of::Text);
        assert_eq!(of(&*boxed(anyhow::Error::from(late()).context("asked"))), Of::Text);
        assert_eq!(of(&*Box::<dyn Error>::from("text")), Of::Text);
    }

    /// Checks what is lost where an error comes back as it was recorded.
    #[track_caller]
    fn check<E: From<ReplayedError> + fmt::Display + 'static>(error: &E, expected: Option<&str>) {
        let json = ReplayedError::of_displayed(error).to_json(None).unwrap();
        let back: E = rebuilt(ReplayedError::from_json(&json).unwrap());
        assert_eq!(ReplayedError::of_displayed(&back).texts(), ReplayedError::of_displayed(error).texts());
        assert_eq!(lost(&layers(error), &layers(&back)).as_deref(), expected);
    }

    #[test]
    fn what_stands_within_comes_back_or_is_told() {
        check(&anyhow::anyhow!("text").context("above").context("on top"), None);
        check(&anyhow::Error::from(late()).context("above").context("on top"), None);
        check(&anyhow::Error::from(late()), None);
        for text in ["{\"a\"", "{1}", "9"] {
            let malformed = || serde_json::from_str::<String>(text).unwrap_err();
            check(&malformed(), None);
            check(&anyhow::Error::from(malformed()).context("above"), None);
            check(&Box::<dyn Error>::from(malformed()), None);
            check(&Box::<dyn Error + Send + Sync>::from(malformed()), None);
        }
        check(&Box::<dyn Error + Send + Sync>::from(late()), None);
        check(&Box::<dyn Error>::from(late()), None);
        check(&Box::<dyn Error>::from("text"), None);
        check(&Box::<dyn Error>::from(anyhow::Error::from(late()).context("above")), None);
        let lost = "the error `busy`, `Busy` by its `Debug`, comes back without its type";
        check(&anyhow::Error::from(Busy), Some(lost));
        check(&anyhow::Error::from(Busy).context("above"), Some(lost));
        check(&Box::<dyn Error>::from(Busy), Some(lost));
        check(&anyhow::Context::context(None::<u8>, "none").unwrap_err(), None);
        check(
            &anyhow::Error::from(late()).context(Closed::Until(7)),
            Some("the error `closed` comes back without its type"),
        );
    }

    #[test]
    fn a_kind_that_has_no_name_is_told() {
        let unnamed = io::Error::from_raw_os_error(5);
        let told =
            format!("the error `{unnamed}`, an `io::Error` of the kind `Uncategorized`, comes back without its type");
        check(&anyhow::Error::from(unnamed), Some(&told));
    }
}

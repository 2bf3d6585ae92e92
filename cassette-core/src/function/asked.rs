//! What a function is asked, as a call.

use serde::Serialize;

use super::write::{Unwritable, write};
use crate::call::{Call, Kind};
use crate::json::{Json, Layout, Member};

/// A call of a function, with what of its arguments cannot be recorded, if anything.
///
/// [`Call::llm`], [`Call::tool`] and [`Call::memory`] make one of arguments that serde writes; a `Result` here would be in
/// the way of every caller, where a session tells it with everything else that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCall {
    call: Call,
    loss: Option<Unwritable>,
    receiver: Option<Receiver>,
}

/// The object of which a call is a method's, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiver(usize);

/// Arguments, one by one.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    members: Vec<Member>,
    loss: Option<Unwritable>,
}

impl FunctionCall {
    /// Returns a call of a function that is given nothing.
    pub fn plain(kind: Kind, name: &str) -> FunctionCall {
        FunctionCall { call: Call::function(kind, name, Vec::new()), loss: None, receiver: None }
    }

    /// Returns the call as one of this object.
    #[must_use]
    pub fn of_receiver(self, receiver: Option<Receiver>) -> FunctionCall {
        FunctionCall { receiver, ..self }
    }

    /// Returns the object of which it is, where that is known.
    pub fn receiver(&self) -> Option<Receiver> {
        self.receiver
    }

    /// Returns the call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns what cannot be recorded of its arguments.
    pub fn loss(&self) -> Option<&Unwritable> {
        self.loss.as_ref()
    }

    fn of<A: Serialize + ?Sized>(kind: Kind, name: &str, arguments: &A) -> FunctionCall {
        match write(arguments) {
            Ok(json) => FunctionCall { call: Call::function(kind, name, bytes(&json)), loss: None, receiver: None },
            Err(loss) => FunctionCall { loss: Some(loss), ..FunctionCall::plain(kind, name) },
        }
    }
}

impl Call {
    /// Returns a call of a model that a function of the user's stands for, with its arguments.
    pub fn llm<A: Serialize + ?Sized>(name: &str, arguments: &A) -> FunctionCall {
        FunctionCall::of(Kind::Llm, name, arguments)
    }

    /// Returns a call of a tool, with its arguments.
    pub fn tool<A: Serialize + ?Sized>(name: &str, arguments: &A) -> FunctionCall {
        FunctionCall::of(Kind::Tool, name, arguments)
    }

    /// Returns a call of a memory or a store, with its arguments.
    pub fn memory<A: Serialize + ?Sized>(name: &str, arguments: &A) -> FunctionCall {
        FunctionCall::of(Kind::Memory, name, arguments)
    }
}

impl Arguments {
    /// Adds an argument, as it is written: by [`write()`], [`distinct`](super::distinct) or [`unordered`](super::unordered).
    #[must_use]
    pub fn with(mut self, name: &str, argument: Result<Json, Unwritable>) -> Arguments {
        match argument {
            Ok(json) => self.members.push((name.into(), json)),
            Err(loss) => {
                let dot = if loss.path.is_empty() || loss.path.starts_with('[') { "" } else { "." };
                self.loss.get_or_insert(Unwritable { path: format!("{name}{dot}{}", loss.path), ..loss });
            }
        }
        self
    }

    /// Returns the call of this function with these arguments.
    pub fn call(self, kind: Kind, name: &str) -> FunctionCall {
        let call = Call::function(kind, name, bytes(&Json::Object(self.members)));
        FunctionCall { call, loss: self.loss, receiver: None }
    }
}

impl Receiver {
    /// Returns an object; `None` of one that has nothing in it, and is nowhere.
    pub fn of<T: ?Sized>(object: &T) -> Option<Receiver> {
        (size_of_val(object) > 0).then(|| Receiver(std::ptr::from_ref(object).addr()))
    }
}

fn bytes(json: &Json) -> Vec<u8> {
    json.print(Layout::Compact).into_bytes()
}

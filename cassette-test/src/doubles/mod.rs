//! Stand-ins for what a program calls, where nothing is to be recorded: a model with a script, and what is never called.
//!
//! They need no cassette. Where one is current, what goes wrong with them fails its test too, whoever swallows the panic.

mod lapse;
mod never;
mod scripted;

mod endpoint;
mod chat;

pub use chat::ScriptedChat;
pub use never::NeverCalled;
pub use scripted::ScriptedLlm;

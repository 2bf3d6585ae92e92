//! How a value that a function lends is written into a recording and read out of it again.

use std::borrow::Borrow as _;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codec::{Codec, Plain, bytes};
use super::parting::Equal;
use super::{Misread, Unwritable, faithful_lent};
use crate::reply::Reply;
use crate::report::Report;

/// A value that the function lends. What is read is never given back: a test reads little, and a reference has to last.
#[derive(Clone, Copy, Debug)]
pub struct Lent<T: ?Sized> {
    equal: Option<Equal<T>>,
}

impl<T: ?Sized> Lent<T> {
    /// Returns the codec of references to values that are compared so, where they can be.
    pub fn new(equal: Option<Equal<T>>) -> Lent<T> {
        Lent { equal }
    }
}

impl<'a, T> Codec<&'a T> for Lent<T>
where
    T: ToOwned<Owned: Serialize + DeserializeOwned + 'a> + Serialize + ?Sized,
{
    fn encode(&self, given: &&'a T, at: Duration) -> Result<Reply, Unwritable> {
        Ok(Reply::value(bytes(&faithful_lent(*given, self.equal)?), at))
    }

    fn decode(&self, reply: &Reply) -> Result<&'a T, Misread> {
        let owned: T::Owned = Plain::new(None).decode(reply)?;
        let lasting: &'a T::Owned = Box::leak(Box::new(owned));
        Ok(lasting.borrow())
    }

    fn missed(&self, _: &Report) -> Option<&'a T> {
        None
    }
}

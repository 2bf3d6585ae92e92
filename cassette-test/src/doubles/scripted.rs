//! A model that follows a script.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cassette_core::report::{Double, Misuse, Report};

use super::lapse::{Lapse, shown};

/// A model that answers as a test scripts it, one call after the other: for code that takes a function, or a trait of its own,
/// and for what no service can be brought to say.
///
/// Each call takes the next answer: a value, an error, or what a closure makes of the request. One that finds none is a failure
/// of the test: it panics, so does every later one, and so does the drop of the last handle where the panic was swallowed. Answers
/// that were left over fail where the test asks, by [`assert_finished`](ScriptedLlm::assert_finished).
///
/// ```
/// use cassette_test::ScriptedLlm;
///
/// #[derive(Debug, PartialEq)]
/// struct Overloaded;
///
/// /// The code under test: it asks twice before it gives up.
/// fn insist(model: impl Fn(String) -> Result<String, Overloaded>) -> Result<String, Overloaded> {
///     model("When does the train leave?".to_owned()).or_else(|_| model("Again, please.".to_owned()))
/// }
///
/// let model = ScriptedLlm::new("timetable")
///     .error(Overloaded)
///     .answer(|asked: &String| Ok(format!("{asked} At 09:04.")));
/// assert_eq!(insist(|asked| model.call(asked)).unwrap(), "Again, please. At 09:04.");
/// assert_eq!(model.calls(), ["When does the train leave?", "Again, please."]);
/// model.assert_finished();
/// ```
///
/// It is cheap to clone, and every clone is the same model. A model that cannot fail is a `ScriptedLlm<Request, Reply>`, whose
/// answers are `let Ok(reply) = model.call(request);`. For a trait, implement it for a type that holds one.
pub struct ScriptedLlm<Request, Reply, Error = Infallible> {
    model: Arc<Model<Request, Reply, Error>>,
}

struct Model<Request, Reply, Error> {
    name: String,
    script: Mutex<Script<Request, Reply, Error>>,
    lapse: Lapse,
}

struct Script<Request, Reply, Error> {
    answers: VecDeque<Answer<Request, Reply, Error>>,
    /// How many answers there have been in all.
    total: usize,
    calls: Vec<Request>,
}

/// What makes an answer of a request.
type Making<Request, Reply, Error> = Box<dyn FnOnce(&Request) -> Result<Reply, Error> + Send>;

enum Answer<Request, Reply, Error> {
    Value(Reply),
    Error(Error),
    Made(Making<Request, Reply, Error>),
}

impl<Request, Reply, Error> ScriptedLlm<Request, Reply, Error> {
    /// Returns a model of this name, for reports, without an answer.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let script = Mutex::new(Script { answers: VecDeque::new(), total: 0, calls: Vec::new() });
        ScriptedLlm { model: Arc::new(Model { name: name.into(), script, lapse: Lapse::new() }) }
    }

    /// Answers with this next.
    #[must_use]
    pub fn value(self, reply: impl Into<Reply>) -> Self {
        self.next(Answer::Value(reply.into()))
    }

    /// Answers with each of these next, in order.
    #[must_use]
    pub fn values(self, replies: impl IntoIterator<Item = impl Into<Reply>>) -> Self {
        replies.into_iter().fold(self, Self::value)
    }

    /// Fails with this next.
    #[must_use]
    pub fn error(self, error: impl Into<Error>) -> Self {
        self.next(Answer::Error(error.into()))
    }

    /// Answers next with what this makes of the request. It runs while nothing is locked, and may look at [`calls`](Self::calls).
    #[must_use]
    pub fn answer(self, answer: impl FnOnce(&Request) -> Result<Reply, Error> + Send + 'static) -> Self {
        self.next(Answer::Made(Box::new(answer)))
    }

    fn next(self, answer: Answer<Request, Reply, Error>) -> Self {
        let mut script = self.script();
        script.answers.push_back(answer);
        script.total += 1;
        drop(script);
        self
    }

    /// Returns how many answers have not been asked for yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.script().answers.len()
    }

    /// Returns what was asked so far, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<Request>
    where
        Request: Clone,
    {
        self.script().calls.clone()
    }

    /// Asserts that every answer was asked for, and no more.
    ///
    /// # Panics
    ///
    /// Panics where answers are left, and where a call found none.
    #[track_caller]
    pub fn assert_finished(&self) {
        if let Err(report) = self.try_assert_finished() {
            panic!("{report}");
        }
    }

    /// Tells whether every answer was asked for and no more, as [`assert_finished`](Self::assert_finished) does.
    ///
    /// # Errors
    ///
    /// Fails where answers are left, and where a call found none: then the drop of the model says nothing of it any more.
    pub fn try_assert_finished(&self) -> Result<(), Arc<Report>> {
        if let Some(report) = self.model.lapse.hand_out() {
            return Err(report);
        }
        let script = self.script();
        let (left, answers) = (script.answers.len(), script.total);
        match left {
            0 => Ok(()),
            left => Err(Arc::new(Report::Double(Double::new(&self.model.name, Misuse::Left { left, answers })))),
        }
    }

    fn script(&self) -> MutexGuard<'_, Script<Request, Reply, Error>> {
        self.model.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Request: fmt::Debug, Reply, Error> ScriptedLlm<Request, Reply, Error> {
    /// Asks the model.
    ///
    /// # Errors
    ///
    /// Fails where the script says so.
    ///
    /// # Panics
    ///
    /// Panics where the script has no answer left.
    #[track_caller]
    pub fn call(&self, request: Request) -> Result<Reply, Error> {
        match self.try_call(request) {
            Ok(answer) => answer,
            Err(report) => panic!("{report}"),
        }
    }

    /// Asks the model where it is awaited, as [`call`](Self::call) does.
    ///
    /// # Errors
    ///
    /// Fails where the script says so.
    ///
    /// # Panics
    ///
    /// Panics where the script has no answer left.
    pub async fn call_async(&self, request: Request) -> Result<Reply, Error> {
        self.call(request)
    }

    /// Asks the model; within, there is the answer or the error of the script.
    ///
    /// # Errors
    ///
    /// Fails where the script has no answer left: the test fails all the same, unless it asks
    /// [`try_assert_finished`](Self::try_assert_finished).
    pub fn try_call(&self, request: Request) -> Result<Result<Reply, Error>, Arc<Report>> {
        let mut script = self.script();
        let Some(answer) = script.answers.pop_front() else {
            let (call, answers, asked) = (script.calls.len() + 1, script.total, shown(&request));
            script.calls.push(request);
            drop(script);
            return Err(self.model.lapse.keep(&self.model.name, Misuse::Exhausted { call, answers, asked }));
        };
        match answer {
            Answer::Value(reply) => {
                script.calls.push(request);
                Ok(Ok(reply))
            }
            Answer::Error(error) => {
                script.calls.push(request);
                Ok(Err(error))
            }
            Answer::Made(answer) => {
                drop(script);
                let answered = answer(&request);
                self.script().calls.push(request);
                Ok(answered)
            }
        }
    }
}

impl<Request, Reply, Error> Clone for ScriptedLlm<Request, Reply, Error> {
    fn clone(&self) -> Self {
        ScriptedLlm { model: Arc::clone(&self.model) }
    }
}

impl<Request, Reply, Error> fmt::Debug for ScriptedLlm<Request, Reply, Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut model = f.debug_struct("ScriptedLlm");
        model.field("name", &self.model.name).field("remaining", &self.remaining()).finish_non_exhaustive()
    }
}

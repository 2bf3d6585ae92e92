//! The client of the program under test.

use std::hint::black_box;

use ureq::Agent;

use crate::words::{JSON, PATH};

/// Returns a client that keeps its connections alive.
pub(crate) fn agent() -> Agent {
    Agent::config_builder().proxy(None).build().new_agent()
}

/// Asks whoever is at this origin, and returns the length of the answer.
pub(crate) fn ask(agent: &Agent, origin: &str, body: &[u8]) -> usize {
    let reply = agent.post(format!("{origin}{PATH}")).header("content-type", JSON).send(body);
    let body = reply.expect("there is a reply").body_mut().read_to_vec().expect("the reply is whole");
    black_box(body).len()
}

//! Exchanges, recorded as a run would record them that made these calls and was answered so.

use std::sync::Arc;

use cassette_core::call::Header;
use cassette_core::mode::Mode;
use cassette_core::redact::Rules;
use cassette_core::reply::Outcome;
use cassette_core::report::{Refused, Report};
use cassette_core::rerun::{Rerun, Target};
use cassette_core::session::{BodyEnd, Outages, Owner, Plan, Session, Source, Step, Summary};
use cassette_core::settings::Settings;
use cassette_core::store::Store;

use super::{Exchange, Imported};

/// Returns the plan of an import into the cassette of this name; `words` import it again, behind `cargo cassette import`.
///
/// The cassette becomes nobody's, and failures are recorded like any answer: they are what the recording says.
pub fn plan(name: &str, store: Arc<dyn Store>, words: &str) -> Plan {
    let target = Target::Imported(words.to_owned());
    let rerun = Rerun { package: "cargo-cassette".to_owned(), target, test: "import".to_owned(), ignored: false };
    let mut plan = Plan::new(name, store, Mode::Record, "cargo-cassette::import", rerun);
    plan.outages = Outages::Allow;
    plan.owner = Owner::Nobody;
    plan.by = concat!("cargo-cassette ", env!("CARGO_PKG_VERSION")).to_owned();
    plan
}

/// Returns the plan with what `cassette.toml` says: what is hidden, what is kept of headers and requests, what is compared.
#[must_use]
pub fn settled(mut plan: Plan, settings: &Settings) -> Plan {
    let lower = |names: &[String]| names.iter().map(|name| name.to_ascii_lowercase()).collect();
    plan.rules = Rules {
        fields: settings.redact_field.clone(),
        headers: lower(&settings.redact_header),
        values: settings.redact_value.clone(),
        keep_reply_headers: lower(&settings.keep_header),
        pii: settings.pii,
        ..Rules::default()
    };
    plan.requests = settings.requests.unwrap_or_default();
    // Whoever reads settings has found every path in them to be one.
    plan.matching.ignore = settings.ignore.iter().filter_map(|path| path.parse().ok()).collect();
    plan.matching.headers = lower(&settings.match_header);
    plan
}

/// Returns the plan for a cassette that was exported: its placeholders stay what they are, and so do the headers that its test
/// had kept. Of what another tool recorded, it is the plan as it was.
#[must_use]
pub fn restored(mut plan: Plan, imported: &Imported) -> Plan {
    let Some(placeholders) = &imported.placeholders else { return plan };
    plan.source = Source::Recording(placeholders.clone());
    for exchange in &imported.exchanges {
        let names = |headers: &[Header]| headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        plan.rules.keep_request_headers.extend(names(&exchange.call.headers));
        if let Outcome::Reply(reply) = &exchange.reply {
            plan.rules.keep_reply_headers.extend(names(&reply.headers));
        }
    }
    for kept in [&mut plan.rules.keep_request_headers, &mut plan.rules.keep_reply_headers] {
        kept.sort();
        kept.dedup();
    }
    plan
}

/// Records exchanges as a run would, in their order: what is secret is hidden, and what would not replay, or holds something
/// that the audit finds, is not taken over.
///
/// # Errors
///
/// Fails with the report that such a run would end with.
pub fn record(plan: Plan, exchanges: &[Exchange]) -> Result<Summary, Arc<Report>> {
    let session = Session::open(plan)?;
    let made = exchanges.iter().try_for_each(|exchange| one(&session, exchange));
    let verdict = session.finish(if made.is_ok() { BodyEnd::Passed } else { BodyEnd::Failed });
    made?;
    verdict.reports.into_iter().next().map_or(Ok(verdict.summary), Err)
}

fn one(session: &Session, exchange: &Exchange) -> Result<(), Arc<Report>> {
    match session.begin(exchange.call.clone()) {
        Step::Live(ticket) => ticket.finish(exchange.reply.clone()),
        Step::Fail(report) => Err(report),
        Step::Serve(served) => {
            let what = format!("`{}` holds {} already", session.name(), served.name);
            Err(Arc::new(Report::Refused(Refused::new(what, "import it under another name"))))
        }
    }
}

//! The recording that is most like a call which none is of.

use crate::call::Call;
use crate::canonical::Canonical;
use crate::difference::differences;
use crate::report::Nearest;
use crate::tape::Interaction;

/// Returns the recording of the same kind that agrees with the redacted call in the most parts: an unused one before a
/// used one, the earlier before the later.
pub(crate) fn nearest(call: &Call, interactions: &[Interaction], used: &[bool]) -> Option<Nearest> {
    let incoming = Canonical::of_recorded(call);
    let likeness = |i: &usize| {
        let recorded = Canonical::of_recorded(&interactions[*i].call);
        let agreeing = agreeing(&recorded, &incoming);
        (agreeing.iter().any(|part| part == "endpoint"), agreeing.len(), !used[*i], std::cmp::Reverse(*i))
    };
    let same_kind = (0..interactions.len()).filter(|i| interactions[*i].call.kind == call.kind);
    let best = same_kind.max_by_key(likeness)?;
    let recorded = &interactions[best].call;
    Some(Nearest {
        interaction: best + 1,
        used: used[best],
        differences: differences(recorded, call),
        agreeing: agreeing(&Canonical::of_recorded(recorded), &incoming),
    })
}

fn agreeing(recorded: &Canonical, incoming: &Canonical) -> Vec<String> {
    let agree = recorded.parts().iter().filter(|part| incoming.parts().contains(part));
    agree.map(|part| part.name.clone()).collect()
}

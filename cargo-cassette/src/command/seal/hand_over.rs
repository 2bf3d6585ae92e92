//! A cassette becomes another test's.

use std::path::Path;

use cargo_cassette::shelf::Spot;
use cargo_cassette::tenants::{Package, tenants};
use cargo_cassette::workspace::{Reach, Standpoint};
use cassette_core::disk;
use cassette_core::json::{Json, Layout};
use cassette_core::upkeep::Refusal;

use super::super::Found;
use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::named::shelf_of;
use super::super::settling::Run;
use super::{SealError, write};
use crate::output::{Ink, Line, Output, typed};

/// Makes a sound cassette another test's, of the package that has it, and changes nothing else in it.
pub(super) fn hand_over(
    spot: &Spot,
    (bytes, (owner, package)): (&[u8], (&str, Option<&str>)),
    run: Run,
    around: &Surroundings,
    output: &mut Output,
) -> Result<Found, Failure> {
    let refused = |refusal| Failure::Seal(SealError::Refused(spot.clone(), refusal));
    let read = |bytes: &[u8]| disk::read(bytes).map_err(|error| refused(Refusal::Unreadable(error)));
    let before = read(bytes)?;
    let (shelf, name) = shelf_of(spot, around);
    let mut after = before.clone();
    after.head.test = Some(owner.to_owned());
    after.head.package = package_of(owner, package, (&shelf.dir, before.head.package.clone()), around)
        .map_err(|error| match error {
            Named::Several(packages) => {
                let program = owner.split("::").next().unwrap_or_default();
                let first = packages.first().map(|package| typed(package)).unwrap_or_default();
                let again = format!("{} --package {first}", around.again("", None));
                SealError::Packages(program.to_owned(), packages, again)
            }
            Named::Not(name, packages) => SealError::NoPackage(name, packages),
        })
        .map_err(Failure::Seal)?;
    let text = str::from_utf8(bytes).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("  \"test\": "));
    let own = format!("  \"test\": {},", Json::from(owner).print(Layout::Compact));
    let changed = line.map(|line| text.replacen(line, &own, 1));
    // Where it has no owner yet, another package's, or is laid out otherwise, it is written anew.
    let changed = changed.filter(|text| disk::read(text.as_bytes()).is_ok_and(|tape| tape == after));
    let text = changed.unwrap_or_else(|| disk::write(&after));
    write(&shelf, &name, &text, run).map_err(refused)?;
    let verb = if run == Run::Dry { "would hand " } else { "hands " };
    let told = |test: Option<&str>, package: &Option<String>| {
        let of = package.as_ref().map(|package| format!(" of {package}")).unwrap_or_default();
        test.map_or_else(|| "nobody".to_owned(), |test| format!("{test}{of}"))
    };
    let to = told(Some(owner), &after.head.package);
    let from = told(before.head.test.as_deref(), &before.head.package);
    output.line(&Line::of(verb).ink(Ink::Strong, &spot.place()).plain(&format!(" over to {to}, from {from}")))?;
    Ok(Found::Nothing)
}

/// Why it is not known whose test it is.
enum Named {
    /// Several packages may have it.
    Several(Vec<String>),
    /// There is no such package: those that there are.
    Not(String, Vec<String>),
}

/// Returns the package that the head names: none where the cassette lies in that of the test, which is what a recording writes.
fn package_of(
    owner: &str,
    named: Option<&str>,
    (dir, before): (&Path, Option<String>),
    around: &Surroundings,
) -> Result<Option<String>, Named> {
    let standpoint = Standpoint { reach: Reach::Workspace, dir: None, ..around.standpoint.clone() };
    // Without a manifest there is no package, and nothing to say of one.
    let Ok(tenants) = tenants(&standpoint) else { return Ok(named.map(str::to_owned).or(before)) };
    let own = tenants.around(dir).map(|(package, _)| package.name.clone());
    let outside = |name: &str| Some(name.to_owned()).filter(|name| own.as_ref() != Some(name));
    let all = || tenants.asked.iter().chain(&tenants.others);
    let names = |packages: &mut dyn Iterator<Item = &Package>| packages.map(|it| it.name.clone()).collect::<Vec<_>>();
    if let Some(name) = named {
        return match all().any(|package| package.name == name) {
            true => Ok(outside(name)),
            false => Err(Named::Not(name.to_owned(), names(&mut all()))),
        };
    }
    let program = owner.split("::").next().unwrap_or_default();
    let holders = names(&mut all().filter(|package| package.crates().contains(program)));
    match holders.as_slice() {
        _ if own.as_ref().is_some_and(|own| holders.contains(own)) => Ok(None),
        [] => Ok(before),
        [only] => Ok(outside(only)),
        several => match before.filter(|before| several.contains(before)) {
            Some(before) => Ok(Some(before)),
            None => Err(Named::Several(holders)),
        },
    }
}

//! A cassette becomes another test's.

use std::path::Path;

use cargo_cassette::ownership::may_have;
use cargo_cassette::presentable::presentable_text;
use cargo_cassette::shelf::Spot;
use cargo_cassette::tenants::{Package, tenants};
use cargo_cassette::workspace::{Reach, Standpoint, real};
use cassette_core::disk;
use cassette_core::json::{Json, Layout};
use cassette_core::rerun::is_doc_test;
use cassette_core::upkeep::Refusal;

use super::super::Found;
use super::super::around::Surroundings;
use super::super::failure::Failure;
use super::super::named::shelf_of;
use super::super::settling::Run;
use super::{SealError, write};
use crate::output::{Ink, Line, Output, note, typed};

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
    if after == before {
        let line = Line::new().ink(Ink::Strong, &spot.place());
        output.line(&line.plain(&format!(" is that of {} already", presentable_text(owner))))?;
        return Ok(Found::Nothing);
    }
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
    if !is_likely_there(owner, around) {
        let what = format!("as far as the sources tell, there is no test {owner}");
        output.flush()?;
        note(&format!("{what}: {}", around.advice.here("see whose the cassettes are: cargo cassette lint")));
    }
    Ok(Found::Nothing)
}

/// Returns whether the sources of a package may have this test; where nobody can tell, they may.
fn is_likely_there(test: &str, around: &Surroundings) -> bool {
    let standpoint = Standpoint { reach: Reach::Workspace, dir: None, ..around.standpoint.clone() };
    let is_told = !is_doc_test(test.split("::").next().unwrap_or_default());
    let Some(tenants) = tenants(&standpoint).ok().filter(|_| is_told) else { return true };
    tenants.asked.iter().chain(&tenants.others).any(|package| may_have(package, test))
}

/// Why it is not known whose test it is.
enum Named {
    /// Several packages may have it.
    Several(Vec<String>),
    /// There is no such package: those that there are.
    Not(String, Vec<String>),
}

/// Returns the package that the head names, as a recording does: none where the cassette lies in that of the test.
fn package_of(
    owner: &str,
    named: Option<&str>,
    (dir, before): (&Path, Option<String>),
    around: &Surroundings,
) -> Result<Option<String>, Named> {
    let standpoint = Standpoint { reach: Reach::Workspace, dir: None, ..around.standpoint.clone() };
    // Without a manifest there is no package, and nothing to say of one.
    let Ok(tenants) = tenants(&standpoint) else { return Ok(named.map(str::to_owned).or(before)) };
    let dir = real(dir);
    let told = |package: &Package| (!dir.starts_with(real(&package.dir))).then(|| package.name.clone());
    let all: Vec<&Package> = tenants.asked.iter().chain(&tenants.others).collect();
    let names = |packages: &[&Package]| packages.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    if let Some(name) = named {
        let found = all.iter().find(|package| package.name == name);
        return found.map(|package| told(package)).ok_or_else(|| Named::Not(name.to_owned(), names(&all)));
    }
    let program = owner.split("::").next().unwrap_or_default();
    let holders: Vec<&Package> = all.iter().filter(|package| package.crates().contains(program)).copied().collect();
    let is_before = |package: &&&Package| before.as_ref() == Some(&package.name);
    let at_home = |package: &&&Package| told(package).is_none();
    match (holders.iter().find(is_before).or_else(|| holders.iter().find(at_home)), holders.as_slice()) {
        (Some(package), _) | (None, [package]) => Ok(told(package)),
        (None, []) => Ok(before),
        (None, several) => Err(Named::Several(names(several))),
    }
}

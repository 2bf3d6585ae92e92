//! `crate = path`: the attribute works where cassette-test goes by another name.

#![deny(missing_docs, unused)]
#![forbid(unsafe_code)]

mod renamed {
    pub(crate) use cassette_test::*;
}

#[renamed::cassette("trains", crate = crate::renamed, order = "strict", redact_value("hunter2"), dir = "elsewhere", pace = 2)]
fn elsewhere(cassette: renamed::Cassette) -> Result<(), std::num::ParseIntError> {
    assert_eq!(cassette.name(), "trains");
    assert_eq!("7".parse::<u32>()?, 7);
    Ok(())
}

fn main() {
    let _: fn() -> Result<(), std::num::ParseIntError> = elsewhere;
}

//! Names that are no cassette's.

use cassette_test::cassette;

#[cassette("../trains")]
fn leaves() {}

#[cassette("C:\\trains")]
fn characters() {}

#[cassette("")]
fn empty() {}

#[cassette("a/con.x")]
fn reserved() {}

#[cassette("blobs/a")]
fn ours() {}

#[cassette("trains/{}")]
fn placeholder() {}

#[cassette("trains/{model}")]
fn no_such_argument(modal: u32) {
    let _ = modal;
}

#[cassette("trains/{model}")]
fn no_text(model: ()) {
    let () = model;
}

#[cassette("trains", match_on(model, "messages[x]"))]
fn no_path() {}

#[cassette("trains", ignore("a.b", "a..b"))]
fn no_path_either() {}

#[cassette("fixed", fork("../run", at = 2))]
fn no_origin() {}

fn main() {
    no_origin();
    no_path();
    no_path_either();
    leaves();
    characters();
    empty();
    reserved();
    ours();
    placeholder();
    no_such_argument(1);
    no_text(());
}

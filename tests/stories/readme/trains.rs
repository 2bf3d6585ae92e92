use cassette_test::{Cassette, cassette};

#[cassette("trains")]
#[test]
fn the_next_train_is_known(cassette: Cassette) {
    let url = cassette.base_url("https://timetable.example.com") + "/next?to=Bergen";
    let answer = ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(answer.contains("09:04"));
}

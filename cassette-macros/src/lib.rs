//! The attributes of cassette-test.

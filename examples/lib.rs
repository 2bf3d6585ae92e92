//! Programs that show what a cassette does.

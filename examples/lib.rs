//! Programs that show what a cassette does; they lie beside this file.

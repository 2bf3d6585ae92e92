//! What fails, and how loudly.

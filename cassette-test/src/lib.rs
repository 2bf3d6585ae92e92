//! Record once, replay for ever.

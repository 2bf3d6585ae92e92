//! Nothing but the tests of the adapters, in `suite`.

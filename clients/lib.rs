//! Real clients of model providers, each recorded and replayed: the tests in `suite` are all there is.

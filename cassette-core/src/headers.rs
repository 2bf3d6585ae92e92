#![allow(missing_docs)]
pub fn is_volatile(n: &str) -> bool {
    n == "date" || n == "x-request-id"
}

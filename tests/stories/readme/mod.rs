//! The README's examples, word for word: they replay what lies in `cassettes/`.

mod models;
mod trains;

/// Returns the Rust of the README, block by block.
fn blocks() -> Vec<String> {
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("```rust\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_readme_shows_what_is_run() {
    assert_eq!(blocks(), [include_str!("trains.rs"), include_str!("models.rs")]);
}

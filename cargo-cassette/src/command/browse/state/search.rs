//! The next place that is looked for: one that says something, or one that differs.

use super::super::super::transcript::Detail;
use super::super::reel::Reel;
use super::State;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    On,
    Back,
}

impl State {
    pub(super) fn next_difference(&mut self, way: Way, reel: &Reel) {
        if !reel.is_compared() {
            self.note = "nothing is compared: give another cassette with diff -i".to_owned();
            return;
        }
        match round(self.step, reel.len(), way).find(|step| reel.differs(*step)) {
            Some(step) if step == self.step => self.note = "no other call differs".to_owned(),
            Some(step) => self.go(step),
            None => self.note = "nothing differs".to_owned(),
        }
    }

    /// Goes to the next place that says what is searched for: a line of this call, else another call.
    pub(super) fn search(&mut self, way: Way, reel: &Reel) {
        if self.needle.is_empty() {
            self.note = "nothing is searched for: type / and a text".to_owned();
            return;
        }
        let here = self.hits(reel);
        let next = match (way, self.hit) {
            (Way::On, Some(hit)) => here.iter().find(|line| **line > hit),
            (Way::Back, Some(hit)) => here.iter().rev().find(|line| **line < hit),
            (Way::On, None) => here.first(),
            (Way::Back, None) => None,
        };
        if let Some(line) = next {
            return self.show(*line);
        }
        let needle = self.needle.clone();
        let Some(step) = round(self.step, reel.len(), way).find(|step| reel.says(*step, &needle)) else {
            self.note = format!("nobody says {needle:?}");
            return;
        };
        self.go(step);
        if self.hits(reel).is_empty() {
            // It stands in what is folded.
            self.detail = Detail::Full;
        }
        let hits = self.hits(reel);
        let line = if way == Way::On { hits.first() } else { hits.last() };
        if let Some(line) = line {
            self.show(*line);
        }
    }

    fn show(&mut self, line: usize) {
        self.hit = Some(line);
        if line < self.top || line >= self.top + self.room.height {
            self.top = line.saturating_sub(self.room.height / 3);
        }
    }

    fn hits(&mut self, reel: &Reel) -> Vec<usize> {
        let needle = self.needle.clone();
        let lines = self.lines(reel).iter().enumerate();
        lines.filter(|(_, line)| line.text().to_lowercase().contains(&needle)).map(|(i, _)| i).collect()
    }
}

/// Returns every call from the next one on, round to this one.
fn round(from: usize, count: usize, way: Way) -> impl Iterator<Item = usize> {
    (1..=count).map(move |i| match way {
        Way::On => (from + i) % count,
        Way::Back => (from + count - i) % count,
    })
}

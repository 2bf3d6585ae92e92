//! A view while it is put together, out of one document or of many.

use std::collections::BTreeMap;

use super::{Choice, ReplyError, ReplyView, ToolCall, Usage};
use crate::json::Json;

/// Where a block stands in an answer: blocks are joined in this order, however they arrive.
pub(super) type Slot = (u64, u64);

/// What has been read of a reply so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    turns: BTreeMap<u64, Turn>,
    model: Option<String>,
    usage: Option<Usage>,
    pub(super) error: Option<ReplyError>,
}

/// One answer of those that were asked for.
#[derive(Debug, Default)]
pub(super) struct Turn {
    blocks: BTreeMap<Slot, Block>,
    finish: Option<String>,
}

/// A piece of an answer that grows by deltas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) refusal: Option<String>,
    pub(super) call: Option<ToolCall>,
}

impl Draft {
    /// Returns the answer of this number.
    pub(super) fn turn(&mut self, index: u64) -> &mut Turn {
        self.turns.entry(index).or_default()
    }

    /// Returns the first answer, the only one of most dialects.
    pub(super) fn answer(&mut self) -> &mut Turn {
        self.turn(0)
    }

    /// Notes the model, where one is named.
    pub(super) fn model(&mut self, model: Option<&Json>) {
        if let Some(model) = model.and_then(Json::as_str).filter(|model| !model.trim().is_empty()) {
            self.model = Some(model.into_owned());
        }
    }

    /// Notes what was counted: of a stream that counts more than once, the last count of each kind stands.
    pub(super) fn usage(&mut self, usage: Option<&Json>) {
        if let Some(usage) = usage.and_then(Usage::read) {
            self.counted(usage);
        }
    }

    /// Notes these counts over the earlier ones.
    pub(super) fn counted(&mut self, usage: Usage) {
        let usage = usage.over(self.usage.unwrap_or_default());
        self.usage = (usage != Usage::default()).then_some(usage);
    }

    /// Fills in what only the reply's headers count.
    pub(super) fn usage_beside(&mut self, usage: Usage) {
        let earlier = std::mem::take(&mut self.usage).unwrap_or_default();
        self.counted(usage);
        self.counted(earlier);
    }

    /// Returns the finished view.
    pub(super) fn finish(self) -> ReplyView {
        let mut choices = self.turns.into_values().map(Turn::finished);
        let Choice { text, reasoning, tool_calls, finish, refusal } = choices.next().unwrap_or_default();
        let others = choices.collect();
        let Draft { model, usage, error, .. } = Draft { turns: BTreeMap::new(), ..self };
        ReplyView { text, reasoning, tool_calls, finish, refusal, others, model, usage, error }
    }
}

impl Turn {
    /// Returns the block of this slot.
    pub(super) fn block(&mut self, slot: Slot) -> &mut Block {
        self.blocks.entry(slot).or_default()
    }

    /// Returns the block of this slot, if there is one.
    pub(super) fn known(&mut self, slot: Slot) -> Option<&mut Block> {
        self.blocks.get_mut(&slot)
    }

    /// Returns the blocks of a row and their places in it.
    pub(super) fn row(&self, row: u64) -> impl DoubleEndedIterator<Item = (u64, &Block)> {
        self.blocks.range((row, 0)..=(row, u64::MAX)).map(|((_, place), block)| (*place, block))
    }

    /// Puts these blocks in the place of a row, where they say anything.
    pub(super) fn replace_row(&mut self, row: u64, blocks: Turn) {
        if blocks.says_something() {
            self.blocks.retain(|(known, _), _| *known != row);
            self.blocks.extend(blocks.blocks);
        }
    }

    /// Puts these blocks in the place of all, where they say anything.
    pub(super) fn replace(&mut self, blocks: Turn) {
        if blocks.says_something() {
            self.blocks = blocks.blocks;
        }
    }

    /// Adds a tool call behind all others.
    pub(super) fn push_call(&mut self, call: ToolCall) {
        let row = self.blocks.last_key_value().map_or(0, |((row, _), _)| row.saturating_add(1));
        self.block((row, 0)).call = Some(call);
    }

    /// Notes why the answer ended, where it is said. Some write the reason's number.
    pub(super) fn ended(&mut self, reason: Option<&Json>) {
        match reason {
            Some(Json::String(text)) if !text.source().is_empty() => self.finish = Some(text.value().into_owned()),
            Some(Json::Number(number)) => self.finish = Some(number.source().to_owned()),
            _ => {}
        }
    }

    fn says_something(&self) -> bool {
        self.blocks.values().any(|block| *block != Block::default())
    }

    fn finished(self) -> Choice {
        let mut choice = Choice { finish: self.finish, ..Choice::default() };
        for block in self.blocks.into_values() {
            choice.text.push_str(&block.text);
            choice.reasoning.push_str(&block.reasoning);
            choice.tool_calls.extend(block.call);
            if let Some(refusal) = block.refusal {
                choice.refusal.get_or_insert_default().push_str(&refusal);
            }
        }
        choice
    }
}

//! Differences as a page of its own, side by side.

use std::borrow::Cow;

use cargo_cassette::comparison::{Comparison, Fate};
use cargo_cassette::pricing::PriceList;
use cassette_core::alignment::{Alignment, Change, Pair};
use cassette_core::json::Json;
use cassette_core::report::Difference;
use cassette_core::tape::Tape;
use cassette_core::transcript::{Exchange, transcript};

use super::super::by_hand;
use super::super::page::{Extent, MOST, Markup, content, headline, left_out, page};
use super::Compared;
use super::shown::{noise, numbers, place, places, summary, told, values};
use super::sides::{beside, heads, whole};
use super::spending::{of_call, of_cassette};
use super::text::exchange;
use crate::output::count;

/// Returns the page.
pub(super) fn document(compared: &Compared) -> String {
    let differing: Vec<_> = compared.all.iter().filter(|comparison| !comparison.is_same()).collect();
    let shown: Vec<_> =
        differing.iter().enumerate().map(|(i, comparison)| Shown::of(i, comparison, compared)).collect();
    page(&format!("Cassettes against {}", compared.base), |body| {
        body.element("header", &[("class", "top")], |header| head(compared, &shown, header));
        body.element("div", &[("class", "sheet wide")], |sheet| {
            sheet.element("nav", &[("aria-label", "changes")], |nav| shown.iter().for_each(|shown| index(shown, nav)));
            sheet.element("main", &[], |main| shown.iter().for_each(|shown| cassette(shown, &compared.command, main)));
        });
    })
}

/// A cassette that differs, with what a reader sees of it.
struct Shown<'a> {
    /// What its anchors begin with.
    anchor: String,
    comparison: &'a Comparison,
    /// What is told of secrets that are hidden here alone.
    in_plain: Vec<String>,
    /// What tokens cost.
    prices: &'a PriceList,
    /// The exchanges before and after.
    exchanges: [Vec<Exchange>; 2],
}

impl<'a> Shown<'a> {
    fn of(i: usize, comparison: &'a Comparison, compared: &'a Compared) -> Shown<'a> {
        let told = |tape: &Tape| transcript(&tape.interactions);
        let exchanges = match &comparison.fate {
            Fate::Added(tape) => [Vec::new(), told(tape)],
            Fate::Removed(tape) => [told(tape), Vec::new()],
            Fate::Kept(kept) => [told(&kept.0), told(&kept.1)],
            Fate::Unreadable(..) => [Vec::new(), Vec::new()],
        };
        let (in_plain, prices) = (compared.in_plain(comparison), &compared.prices);
        Shown { anchor: format!("cassette-{}", i + 1), comparison, in_plain, prices, exchanges }
    }

    /// Returns the anchor of a call.
    fn at(&self, pair: &Pair) -> String {
        match (pair.before, pair.after) {
            (_, Some(after)) => format!("{}-call-{}", self.anchor, after + 1),
            (before, None) => format!("{}-gone-{}", self.anchor, before.map_or(0, |before| before + 1)),
        }
    }
}

fn head(compared: &Compared, shown: &[Shown<'_>], header: &mut Markup) {
    header.words("h1", "", &format!("Cassettes against {}", compared.base));
    header.element("p", &[("class", "facts")], |p| {
        let differ = match shown.len() {
            0 if !compared.unseen.is_empty() => "nothing differs of what was looked at".to_owned(),
            0 => "nothing differs".to_owned(),
            1 => "1 cassette differs".to_owned(),
            n => format!("{} differ", count(n, "cassette")),
        };
        p.words("span", "", &differ).text(" ");
        p.words("span", "", &compared.command);
    });
    compared.unseen.iter().for_each(|unseen| {
        header.words("p", "pending", &format!("not looked at: {unseen}"));
    });
}

fn index(shown: &Shown<'_>, nav: &mut Markup) {
    nav.element("p", &[("class", "heading")], |p| {
        p.element("a", &[("href", &format!("#{}", shown.anchor))], |link| {
            link.text(&shown.comparison.label());
        });
    });
    let Fate::Kept(kept) = &shown.comparison.fate else { return };
    nav.element("ol", &[], |list| {
        for pair in kept.2.pairs.iter().filter(|pair| !pair.is_same()) {
            let (sign, _) = places(pair);
            list.element("li", &[], |item| {
                item.element("a", &[("href", &format!("#{}", shown.at(pair)))], |link| {
                    link.words("span", sign_class(sign), &sign.to_string());
                    link.words("span", "number", &pair.after.or(pair.before).map_or(0, |at| at + 1).to_string());
                    link.words("span", "line", &exchange(pair, &shown.exchanges).map(headline).unwrap_or_default());
                });
            });
        }
    });
}

fn cassette(shown: &Shown<'_>, command: &str, main: &mut Markup) {
    main.element("section", &[("id", &shown.anchor), ("class", "cassette")], |section| {
        section.words("h1", "", &shown.comparison.label());
        section.words("p", "facts", &summary(shown.comparison));
        shown.in_plain.iter().chain(&by_hand::compared(shown.comparison)).for_each(|told| {
            section.words("p", "pending", told);
        });
        match &shown.comparison.fate {
            Fate::Added(tape) => all(shown, (tape, "added"), command, section),
            Fate::Removed(tape) => all(shown, (tape, "removed"), command, section),
            Fate::Unreadable(..) => {}
            Fate::Kept(kept) => {
                let (before, after, alignment) = &**kept;
                if let Some(spending) = of_cassette(before, after, shown.prices) {
                    spending.told(shown.prices).iter().for_each(|told| {
                        section.words("p", "facts", told);
                    });
                }
                alignment.head.iter().for_each(|difference| change("head", difference, section));
                calls(shown, kept, command, section);
                if let Some(noise) = noise(std::iter::once(alignment)) {
                    section.words("p", "noise", &format!("not shown: {noise}"));
                }
            }
        }
    });
}

/// Adds every call of a cassette that is there on one side alone.
fn all(shown: &Shown<'_>, (tape, class): (&Tape, &'static str), command: &str, section: &mut Markup) {
    let exchanges = &shown.exchanges[usize::from(class == "added")];
    for (exchange, interaction) in exchanges.iter().zip(&tape.interactions) {
        if section.size() >= MOST {
            return left_out(exchanges.len() + 1 - exchange.number, command, section);
        }
        let anchor = |number: usize| format!("{}-call-{number}", shown.anchor);
        section.element(
            "article",
            &[("id", &anchor(exchange.number)), ("class", &format!("call {class}"))],
            |article| {
                article.element("h2", &[], |h2| {
                    h2.words("span", "number", &exchange.number.to_string()).words("span", "name", &exchange.name);
                });
                article.and(content(exchange, interaction, Extent::New, &|number| format!("#{}", anchor(number))));
            },
        );
    }
}

/// Adds every call that differs, and between them how many do not.
fn calls(shown: &Shown<'_>, kept: &(Tape, Tape, Alignment), command: &str, section: &mut Markup) {
    let (before, after, alignment) = kept;
    let first = alignment.first_divergence();
    let mut same = 0;
    for (i, pair) in alignment.pairs.iter().enumerate() {
        if pair.is_same() {
            same += 1;
            continue;
        }
        as_before(std::mem::take(&mut same), section);
        if section.size() >= MOST {
            let left = alignment.pairs[i..].iter().filter(|pair| !pair.is_same());
            return left_out(left.count(), command, section);
        }
        let (sign, numbers) = places(pair);
        let class = format!("call {}", sign_class(sign));
        section.element("article", &[("id", &shown.at(pair)), ("class", &class)], |article| {
            article.element("h2", &[], |h2| {
                h2.words("span", "sign", &sign.to_string());
                h2.element("a", &[("href", &format!("#{}", shown.at(pair))), ("class", "number")], |link| {
                    link.text(&numbers);
                });
                h2.words("span", "name", exchange(pair, &shown.exchanges).map_or("", |exchange| &exchange.name));
                if first == Some(pair) {
                    h2.words("span", "mark warn", "first divergence");
                }
                if by_hand::is_marked(shown.comparison, [pair.before, pair.after]) {
                    h2.words("span", "mark warn", by_hand::MARK);
                }
            });
            call(shown, pair, [before, after], article);
        });
    }
    as_before(same, section);
}

fn as_before(same: usize, section: &mut Markup) {
    if same > 0 {
        section.words("p", "noise", &format!("{} as before", count(same, "call")));
    }
}

fn call(shown: &Shown<'_>, pair: &Pair, tapes: [&Tape; 2], article: &mut Markup) {
    let (before, after) = match (pair.before, pair.after) {
        (Some(before), Some(after)) => (before, after),
        (before, after) => {
            let side = usize::from(after.is_some());
            let Some(at) = after.or(before) else { return };
            let Some(exchange) = exchange(pair, &shown.exchanges) else { return };
            let earlier = |number: usize| format!("#{}-{}-{number}", shown.anchor, ["gone", "call"][side]);
            article.and(content(exchange, &tapes[side].interactions[at], Extent::All, &earlier));
            return;
        }
    };
    heads(["before", "after"], article);
    let (told, folded) = told(pair);
    told.iter().for_each(|Change { aspect, difference, .. }| change(aspect.as_str(), difference, article));
    folded.iter().for_each(|folded| {
        article.words("p", "again", folded);
    });
    if let Some(cost) = of_call(pair, tapes, shown.prices).and_then(|spending| spending.cost()) {
        row("cost", article, |what| {
            what.words("span", "numbers", &cost);
        });
    }
    whole([&shown.exchanges[0][before], &shown.exchanges[1][after]], article);
}

/// Adds what changed in one place: what stood there on the left, what stands there on the right.
fn change(aspect: &str, difference: &Difference, to: &mut Markup) {
    row(aspect, to, |what| {
        what.words("span", "path", &place(difference));
        if let Some(numbers) = numbers(difference) {
            what.text("  ").words("span", "numbers", &numbers);
            return;
        }
        for shown in &difference.shown {
            let sides = plain([shown.recorded.as_deref(), shown.incoming.as_deref()]);
            beside([0, 1].map(|side: usize| sides[side].as_deref()), what);
        }
        if let Some((_, more)) = values(difference).last().filter(|_| difference.more > 0) {
            what.words("p", "faint", more);
        }
    });
}

/// Returns texts as they read, without their quotation marks; what is no text on one side stays as it is on both.
fn plain(sides: [Option<&str>; 2]) -> [Option<String>; 2] {
    let text = |side: &str| Json::parse(side).ok().and_then(|json| json.as_str().map(Cow::into_owned));
    if sides.into_iter().flatten().all(|side| text(side).is_some()) {
        sides.map(|side| side.and_then(text))
    } else {
        sides.map(|side| side.map(str::to_owned))
    }
}

fn row(aspect: &str, to: &mut Markup, inside: impl FnOnce(&mut Markup)) {
    to.element("div", &[("class", &format!("change {aspect}"))], |row| {
        row.words("div", "who", aspect);
        row.element("div", &[("class", "what")], inside);
    });
}

fn sign_class(sign: char) -> &'static str {
    match sign {
        '+' => "added",
        '-' => "removed",
        _ => "changed",
    }
}

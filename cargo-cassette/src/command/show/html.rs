//! A cassette as a page of its own.

use cargo_cassette::listing::facts;
use cargo_cassette::shelf::Spot;
use cassette_core::tape::Tape;

use super::super::by_hand::{MARK, told};
use super::super::page::{Extent, MOST, Markup, content, headline, left_out, marks, page};
use super::super::status::{recorded, tokens_of};
use super::Chosen;
use crate::output::{count, typed};

/// A cassette, which of its interactions were changed by hand, and what is told of secrets that stand in it.
type Told<'a> = (&'a Tape, &'a [usize], Option<&'a str>);

/// Returns the page.
pub(super) fn document(spot: &Spot, told: Told<'_>, today: &str, chosen: &[Chosen<'_>]) -> String {
    let (_, by_hand, _) = told;
    page(&format!("{} · cassette", spot.label()), |body| {
        body.element("header", &[("class", "top")], |header| head(spot, told, today, header));
        body.element("div", &[("class", "sheet")], |sheet| {
            let mut main = Markup::new();
            let fitting = chosen.iter().take_while(|chosen| {
                let fits = main.size() < MOST;
                if fits {
                    call(chosen, by_hand, &mut main);
                }
                fits
            });
            let (shown, left) = chosen.split_at(fitting.count());
            if !left.is_empty() {
                left_out(left.len(), &format!("cargo cassette show {}", typed(&spot.name)), &mut main);
            }
            sheet.element("nav", &[("aria-label", "calls")], |nav| index(shown, nav));
            sheet.element("main", &[], |calls| {
                calls.and(main);
            });
        });
    })
}

fn head(spot: &Spot, (tape, by_hand, in_plain): Told<'_>, today: &str, header: &mut Markup) {
    let facts = facts(tape, today);
    header.words("h1", "", &spot.label());
    let mut all = vec![spot.place(), count(facts.calls, "call")];
    all.extend(recorded(&facts));
    all.extend(facts.owner.as_ref().map(|owner| format!("test {owner}")));
    all.extend((!facts.models.is_empty()).then(|| facts.models.join(", ")));
    let tokens = tokens_of(&facts);
    all.extend((!tokens.is_empty()).then_some(tokens));
    header.element("p", &[("class", "facts")], |p| {
        for fact in all {
            p.words("span", "", &fact).text(" ");
        }
    });
    if let Some(told) = told(by_hand) {
        header.words("p", "pending", &told);
    }
    if let Some(told) = in_plain {
        header.words("p", "pending", told);
    }
    if let Some(why) = facts.pending {
        header.words("p", "pending", &format!("not taken over: {}", why.trim_end()));
    }
}

fn index(chosen: &[Chosen<'_>], nav: &mut Markup) {
    nav.element("ol", &[], |list| {
        for (_, exchange) in chosen {
            list.element("li", &[], |item| {
                item.element("a", &[("href", &format!("#call-{}", exchange.number))], |link| {
                    link.words("span", "number", &exchange.number.to_string());
                    link.words("span", "line", &headline(exchange));
                    marks(exchange, link);
                });
            });
        }
    });
}

fn call((interaction, exchange): &Chosen<'_>, by_hand: &[usize], main: &mut Markup) {
    let anchor = format!("call-{}", exchange.number);
    main.element("article", &[("id", &anchor), ("class", "call")], |article| {
        article.element("h2", &[], |h2| {
            h2.element("a", &[("href", &format!("#{anchor}")), ("class", "number")], |link| {
                link.text(&exchange.number.to_string());
            });
            h2.words("span", "name", &exchange.name);
            marks(exchange, h2);
            if let Some(at) = interaction.within() {
                h2.words("span", "mark", &format!("within {}", at + 1));
            }
            if by_hand.contains(&exchange.number) {
                h2.words("span", "mark warn", MARK);
            }
        });
        article.and(content(exchange, interaction, Extent::New, &|number| format!("#call-{number}")));
    });
}

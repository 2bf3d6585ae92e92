//! What `match_on` and `ignore` name: parts of a model call, and paths in a request.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path};

use crate::option::listed;

/// The parts, each with its variant.
const PARTS: [(&str, &str); 9] = [
    ("endpoint", "Endpoint"),
    ("model", "Model"),
    ("messages", "Messages"),
    ("tools", "Tools"),
    ("output_schema", "OutputSchema"),
    ("reasoning", "Reasoning"),
    ("hooks", "Hooks"),
    ("sampling", "Sampling"),
    ("rest", "Rest"),
];

/// One thing that is compared.
enum Compared {
    Part(Ident),
    Path(LitStr),
}

impl Parse for Compared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Compared> {
        if input.peek(LitStr) { input.parse().map(Compared::Path) } else { input.parse().map(Compared::Part) }
    }
}

/// Reads `(part, "path", ..)`.
pub(crate) fn parse(option: &Ident, input: ParseStream<'_>, krate: &Path) -> syn::Result<TokenStream> {
    let parts = PARTS.map(|(name, _)| name).join(", ");
    let takes =
        format!("`{option}` takes parts and paths, one at least: `{option}(model, \"input\")`; the parts are {parts}");
    let compared: Vec<Compared> = listed(option, input, &takes)?;
    let compared = compared.iter().map(|one| one.tokens(krate)).collect::<syn::Result<Vec<_>>>()?;
    Ok(quote!(.#option([#(#compared),*])))
}

impl Compared {
    fn tokens(&self, krate: &Path) -> syn::Result<TokenStream> {
        match self {
            Compared::Part(part) => {
                let Some((_, variant)) = PARTS.iter().find(|(name, _)| part == name) else {
                    let parts = PARTS.map(|(name, _)| format!("`{name}`")).join(", ");
                    let what = format!("there is no part `{part}`; there are {parts}, and paths in quotes");
                    return Err(syn::Error::new(part.span(), what));
                };
                let variant = Ident::new(variant, part.span());
                Ok(quote_spanned!(part.span()=> #krate::Compared::Part(#krate::PartName::#variant)))
            }
            Compared::Path(path) => {
                let path = checked(path, krate);
                Ok(quote!(#krate::Compared::from(#path)))
            }
        }
    }
}

/// Returns the path with a check of it that the compiler runs.
pub(crate) fn checked(path: &LitStr, krate: &Path) -> TokenStream {
    checked_by("check_path", path, krate)
}

/// Returns the name of a cassette with a check of it that the compiler runs.
pub(crate) fn checked_name(name: &LitStr, krate: &Path) -> TokenStream {
    checked_by("check_name", name, krate)
}

fn checked_by(check: &str, path: &LitStr, krate: &Path) -> TokenStream {
    // As with names, the call is spelled without the path, whose tokens stand elsewhere.
    let check = Ident::new(check, path.span());
    let call = quote_spanned!(path.span()=> #check(#path));
    quote!({
        const _: () = {
            use #krate::_macro_support::#check;
            #call
        };
        #path
    })
}

//! `#[should_panic]`: taken from the test, so that only the body's own panic can satisfy it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaNameValue, Path, ReturnType, Signature, Token, Type};

/// What a test says about panics.
#[derive(Clone, Default)]
pub(crate) enum Panics {
    /// Nothing: a panic fails it.
    #[default]
    Unexpected,
    /// It has to panic.
    Expected,
    /// It has to panic with a message that contains this.
    With(LitStr),
}

impl Panics {
    /// Takes `#[should_panic]` out of these attributes.
    ///
    /// One that a later `#[case(..)]` of rstest's owns stays: it is about that case alone, and meets [`crate::wrap`].
    pub(crate) fn take(attributes: &mut Vec<Attribute>, signature: &Signature) -> syn::Result<Panics> {
        let last_case =
            attributes.iter().rposition(|attribute| attribute.path().is_ident("case")).map_or(0, |at| at + 1);
        let ours = |attribute: &Attribute| attribute.path().is_ident("should_panic");
        let Some(at) = attributes.iter().skip(last_case).position(ours) else { return Ok(Panics::Unexpected) };
        let panics = parse(&attributes.remove(last_case + at))?;
        match &signature.output {
            ReturnType::Type(_, ty) if !matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()) => {
                Err(syn::Error::new_spanned(ty, "a test with `#[should_panic]` returns nothing"))
            }
            _ => Ok(panics),
        }
    }

    /// Returns what stands for this in the harness.
    pub(crate) fn to_meta(&self, krate: &Path) -> TokenStream {
        match self {
            Panics::Unexpected => quote!(#krate::_macro_support::Panics::Unexpected),
            Panics::Expected => quote!(#krate::_macro_support::Panics::Expected),
            Panics::With(text) => quote!(#krate::_macro_support::Panics::With(#text)),
        }
    }
}

/// The form in which the first expansion hands it to the second.
impl ToTokens for Panics {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Panics::Unexpected => {}
            Panics::Expected => tokens.extend(quote!(should_panic)),
            Panics::With(text) => tokens.extend(quote!(should_panic = #text)),
        }
    }
}

impl syn::parse::Parse for Panics {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Panics> {
        if input.is_empty() {
            return Ok(Panics::Unexpected);
        }
        input.parse::<syn::Ident>()?;
        if input.is_empty() {
            return Ok(Panics::Expected);
        }
        input.parse::<Token![=]>()?;
        Ok(Panics::With(input.parse()?))
    }
}

fn parse(attribute: &Attribute) -> syn::Result<Panics> {
    let wrong = "`should_panic` takes nothing, `= \"text\"` or `(expected = \"text\")`";
    let wrong = || syn::Error::new_spanned(attribute, wrong);
    let expected = match &attribute.meta {
        Meta::Path(_) => return Ok(Panics::Expected),
        Meta::NameValue(pair) => pair.clone(),
        Meta::List(list) => {
            let pair: MetaNameValue = list.parse_args().map_err(|_| wrong())?;
            if pair.path.is_ident("expected") { pair } else { return Err(wrong()) }
        }
    };
    match expected.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(Panics::With(text)),
        _ => Err(wrong()),
    }
}

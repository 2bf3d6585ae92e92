//! The second expansion: wraps what the test attributes have left, a synchronous function, in one call of the harness.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Block, FnArg, Ident, ItemFn, LitInt, Pat, Path, ReturnType};

use crate::options::{Options, compile_errors, hidden, moved};
use crate::panics::Panics;
use crate::{made_a_test, signature};

/// What the first expansion hands over.
struct Handover {
    /// The function as its author named it: a case of it has another name.
    function: Ident,
    panics: Panics,
    options: Options,
    /// How many attributes were still to come when it last stood back for them.
    to_come: Option<usize>,
}

impl Parse for Handover {
    fn parse(input: ParseStream<'_>) -> syn::Result<Handover> {
        let (function, panics, options);
        syn::parenthesized!(function in input);
        syn::parenthesized!(panics in input);
        syn::parenthesized!(options in input);
        let options = Options::parse(options.parse()?);
        let to_come = input.parse::<Option<LitInt>>()?.map(|count| count.base10_parse()).transpose()?;
        Ok(Handover { function: function.parse()?, panics: panics.parse()?, options, to_come })
    }
}

/// Expands the hidden attribute that the first expansion left.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match wrap(&arguments, item.clone()) {
        Ok(wrapped) => wrapped,
        Err(mistake) => {
            let errors = compile_errors(&[mistake]);
            quote!(#errors #[allow(dead_code)] #item)
        }
    }
}

fn wrap(arguments: &TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let Handover { function, panics, options, to_come } = syn::parse2(arguments.clone())?;
    let mut outer: ItemFn = syn::parse2(item)?;
    if outer.sig.asyncness.is_some() {
        return stand_back(outer, arguments, &options.krate, to_come);
    }
    let panics = of_case(&mut outer, panics)?;
    let krate = &options.krate;
    let test = test(&outer, &function, &panics, &options);
    let check = options.name.as_ref().map(|name| {
        // The call is spelled without the path, whose tokens stand elsewhere: the error is to point at the name alone.
        let check = Ident::new("check_name", name.span());
        let call = quote_spanned!(name.span()=> #check(#name));
        quote!(const _: () = { use #krate::_macro_support::#check; #call };)
    });
    let body = format_ident!("__body", span = hidden(Span::call_site()));
    let inner = inner(&outer, &body);
    let passed = pass(&mut outer)?;
    let output = match &outer.sig.output {
        ReturnType::Default => outer.sig.ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    };
    let at_output = moved(krate, output);
    let run = match panics {
        Panics::Unexpected if !signature::tells_its_end(&outer.sig.output) => {
            // Only `Termination` can say of such a value whether the test failed, and it takes it: what is left is the code.
            outer.sig.output = syn::parse_quote!(-> ::std::process::ExitCode);
            quote_spanned!(hidden(output)=> #at_output::_macro_support::run_to_code(&__CASSETTE, || #body(#(#passed),*)))
        }
        Panics::Unexpected => quote_spanned! {hidden(output)=>
            #at_output::_macro_support::run(&__CASSETTE, || #body(#(#passed),*), |ended| {
                use #krate::_macro_support::{ByCode as _, ByResult as _, Otherwise as _};
                (&&&#krate::_macro_support::Ended(ended)).failed()
            })
        },
        _ => quote!(#krate::_macro_support::run_to_panic(&__CASSETTE, || #body(#(#passed),*))),
    };
    let (witness, witnessed) = made_a_test::watch(&mut outer, &function, krate);
    let statements: Block = syn::parse_quote!({
        #witnessed
        #check
        static __CASSETTE: #krate::_macro_support::Test = #test;
        #krate::_macro_support::inventory::submit!(#krate::_macro_support::Registered(&__CASSETTE));
        #inner
        #run
    });
    // The braces stay the author's: rustc says nothing of a function that ends in another crate's macro, not even that it is unused.
    outer.block.stmts = statements.stmts;
    Ok(quote!(#witness #outer))
}

/// Lets the attributes that are still to come go first: one of them may make a test of an `async fn`. Some that came before,
/// such as `#[test_case]`, do not keep the order of those behind them.
fn stand_back(
    mut outer: ItemFn,
    handed: &TokenStream,
    krate: &Path,
    to_come: Option<usize>,
) -> syn::Result<TokenStream> {
    let left = signature::test_attributes(&outer.attrs).len();
    if left == 0 || to_come.is_some_and(|before| before <= left) {
        let what = "no attribute below `#[cassette]` makes a test of this `async fn`; `#[tokio::test]` would";
        return Err(syn::Error::new_spanned(outer.sig.asyncness, what));
    }
    let handed = handed.clone().into_iter().take(3);
    outer.attrs.push(syn::parse_quote!(#[#krate::_macro_support::wrap(#(#handed)* #left)]));
    Ok(quote!(#outer))
}

/// Takes a `#[should_panic]` that belongs to one case of a parametrised test.
fn of_case(outer: &mut ItemFn, panics: Panics) -> syn::Result<Panics> {
    let own = outer.attrs.iter().find(|attribute| attribute.path().is_ident("should_panic")).cloned();
    let Some(own) = own else { return Ok(panics) };
    if signature::test_attributes(&outer.attrs).is_empty() {
        let what = "`#[should_panic]` cannot be told from a cassette's own failure here: put it above all cases";
        return Err(syn::Error::new_spanned(own, what));
    }
    Panics::take(&mut outer.attrs, &outer.sig)
}

fn test(outer: &ItemFn, function: &Ident, panics: &Panics, options: &Options) -> TokenStream {
    let krate = &options.krate;
    let (ident, function) = (outer.sig.ident.to_string(), function.to_string());
    let name = options
        .name
        .as_ref()
        .map_or_else(|| quote!(::core::option::Option::None), |name| quote!(::core::option::Option::Some(#name)));
    let (panics, builder) = (panics.to_meta(krate), &options.builder);
    let ignored = outer.attrs.iter().any(|attribute| attribute.path().is_ident("ignore"));
    quote! {
        #krate::_macro_support::Test {
            name: #name,
            site: #krate::_macro_support::Site {
                module: ::core::module_path!(),
                ident: #ident,
                function: #function,
                file: ::core::file!(),
                line: ::core::line!(),
                package: ::core::env!("CARGO_PKG_NAME"),
                manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
                binary: ::core::option_env!("CARGO_BIN_NAME"),
                integration: ::core::option_env!("CARGO_TARGET_TMPDIR").is_some(),
                ignored: #ignored,
            },
            panics: #panics,
            configure: |builder| builder #builder,
        }
    }
}

/// Returns the function as it was, under another name and without its attributes.
fn inner(outer: &ItemFn, name: &Ident) -> ItemFn {
    let mut inner = outer.clone();
    inner.attrs.retain(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)));
    inner.vis = syn::Visibility::Inherited;
    inner.sig.ident = name.clone();
    inner
}

/// Names the arguments that are left, if any are, and returns the names.
fn pass(outer: &mut ItemFn) -> syn::Result<Vec<Ident>> {
    let mut names = Vec::new();
    for (at, argument) in outer.sig.inputs.iter_mut().enumerate() {
        let name = signature::name(argument).cloned().unwrap_or_else(|| format_ident!("__argument_{at}"));
        if let FnArg::Typed(argument) = argument {
            *argument.pat = Pat::parse_single.parse2(quote!(#name))?;
        }
        names.push(name);
    }
    Ok(names)
}

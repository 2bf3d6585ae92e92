//! The first expansion: takes the handle out of the signature and binds it in the body.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Ident, ItemFn, PatType, Path, ReturnType, Stmt, Type};

use crate::options::{Options, compile_errors, hidden, moved};
use crate::panics::Panics;
use crate::signature::{self, is_cassette, take_handles, test_attributes};

/// Expands `#[cassette(arguments)]` on an item.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = Options::parse(arguments.clone());
    let Ok(mut function) = syn::parse2::<ItemFn>(item.clone()) else {
        options.mistakes.push(syn::Error::new(first_span(&item), "`#[cassette]` belongs on a test function"));
        let errors = compile_errors(&options.mistakes);
        return quote!(#errors #item);
    };
    let chain = chain(&function);
    let panics = Panics::take(&mut function.attrs, &function.sig).unwrap_or_else(|mistake| {
        options.mistakes.push(mistake);
        Panics::Unexpected
    });
    options.mistakes.extend(mistakes(&function, &panics));
    options.mistakes.extend(options.placeholders().iter().filter_map(|named| stranger(named, &function)));
    function.attrs.retain(|attribute| !is_cassette(attribute));
    let handles = take_handles(&mut function);
    if let Some(second) = handles.get(1) {
        options.mistakes.push(syn::Error::new_spanned(second, "a test has one cassette: this is a second `Cassette`"));
    }

    let entered = entered(&options, &function, &chain);
    if !options.mistakes.is_empty() {
        bind(&mut function, &handles, &entered, &options.krate);
        let errors = compile_errors(&options.mistakes);
        return quote!(#errors #[allow(dead_code)] #function);
    }
    if function.sig.asyncness.is_some() {
        abandon(&mut function, &handles, &entered, &options.krate);
    } else {
        bind(&mut function, &handles, &entered, &options.krate);
    }
    let (krate, name) = (&options.krate, &function.sig.ident);
    function.attrs.push(syn::parse_quote!(#[#krate::_macro_support::wrap((#name) (#panics) (#arguments))]));
    function.into_token_stream()
}

/// Returns what is wrong with the function, the arguments apart.
fn mistakes(function: &ItemFn, panics: &Panics) -> Vec<syn::Error> {
    let mut mistakes = Vec::new();
    let tests = test_attributes(&function.attrs);
    if let Some(twice) = function.attrs.iter().find(|attribute| is_cassette(attribute)) {
        mistakes.push(syn::Error::new_spanned(twice, "a test has one cassette: this is a second `#[cassette]`"));
    }
    if let Some(FnArg::Receiver(receiver)) = function.sig.receiver().map(|receiver| FnArg::Receiver(receiver.clone())) {
        mistakes.push(syn::Error::new_spanned(receiver, "`#[cassette]` belongs on a function, not on a method"));
    }
    if tests.is_empty() {
        if let Some(asyncness) = function.sig.asyncness {
            let what = "this `async fn` is no test: put a test attribute such as `#[tokio::test]` below `#[cassette]`";
            mistakes.push(syn::Error::new_spanned(asyncness, what));
        } else if !matches!(panics, Panics::Unexpected) {
            let what = "with `#[should_panic]`, `#[cassette]` has to stand above `#[test]`: below it, a cassette's own failure \
                        would count as the panic";
            mistakes.push(syn::Error::new_spanned(&function.sig.ident, what));
        }
    }
    mistakes
}

/// Returns what is wrong with an argument that a name is made of. One in capitals may be a constant, and a pattern may bind any.
fn stranger(named: &Ident, function: &ItemFn) -> Option<syn::Error> {
    let is_known = |argument| signature::name(argument).is_none_or(|name| name == named);
    let is_known = function.sig.inputs.iter().any(is_known);
    let is_constant = named.to_string().chars().all(|c| !c.is_lowercase());
    let what = format!(
        "`{{{named}}}` is no argument of this function; of a test that `#[rstest]` makes it is one where `#[cassette]` stands above that"
    );
    (!is_known && !is_constant).then(|| syn::Error::new(named.span(), what))
}

/// Returns the call that finds the session which the second expansion opened.
fn entered(options: &Options, function: &ItemFn, chain: &str) -> TokenStream {
    let (krate, name) = (&options.krate, function.sig.ident.to_string());
    let arguments = options.placeholders().into_iter().map(|ident| {
        let name = ident.to_string();
        quote_spanned!(ident.span()=> (#name, &#ident))
    });
    quote! {
        #krate::_macro_support::entered(
            &#krate::_macro_support::Entry { function: #name, file: ::core::file!(), attributes: #chain },
            &[#(#arguments),*],
        )
    }
}

/// Binds the handle in front of the body.
fn bind(function: &mut ItemFn, handles: &[PatType], entered: &TokenStream, krate: &Path) {
    let handle = Ident::new("__cassette", hidden(Span::call_site()));
    let mut statements: Vec<Stmt> = vec![syn::parse_quote!(let #handle = #entered;)];
    statements.extend(handles.iter().map(|argument| bound(argument, &handle, krate)));
    function.block.stmts.splice(0..0, statements);
}

/// Binds the handle and makes the body one that can be abandoned.
fn abandon(function: &mut ItemFn, handles: &[PatType], entered: &TokenStream, krate: &Path) {
    let handle = Ident::new("__cassette", hidden(Span::call_site()));
    let bound = handles.iter().map(|argument| bound(argument, &handle, krate));
    let statements = std::mem::take(&mut function.block.stmts);
    let ty = output(&function.sig.output);
    let edge = edge(&function.sig.output, krate);
    let body = quote_spanned! {function.block.brace_token.span.join()=>
        async move { #edge #(#bound)* #(#statements)* }
    };
    function.block.stmts = vec![
        syn::parse_quote!(let #handle = #entered;),
        Stmt::Expr(
            syn::parse_quote! {
                #krate::_macro_support::abandonable::<#ty, _>(#krate::_macro_support::handle(&#handle), #body).await
            },
            None,
        ),
    ];
}

fn bound(argument: &PatType, handle: &Ident, krate: &Path) -> Stmt {
    let PatType { pat, ty, attrs, .. } = argument;
    let (krate, span) = (moved(krate, ty.span()), hidden(ty.span()));
    let borrow = matches!(**ty, Type::Reference(_)).then(|| quote_spanned!(span=> &));
    let value = quote_spanned!(span=> #borrow #krate::_macro_support::handle(&#handle));
    syn::parse_quote!(#(#attrs)* let #pat: #ty = #value;)
}

/// Returns a way out of an async block that is never taken, and that tells the compiler the type of its value: there is no
/// other place to write it, and without it nothing in the body would be coerced to it.
pub(crate) fn edge(output: &ReturnType, krate: &Path) -> TokenStream {
    let ReturnType::Type(_, ty) = output else {
        return quote_spanned!(hidden(Span::call_site())=> if false { return; });
    };
    let (krate, value) = (moved(krate, ty.span()), self::output(output));
    let opaque = value.to_string() == "_";
    let edge = quote_spanned!(hidden(ty.span())=> if false { return #krate::_macro_support::never::<#value>(); });
    if opaque { TokenStream::new() } else { edge }
}

/// Returns the type of the body's value, or `_` where it cannot be written down.
fn output(output: &ReturnType) -> TokenStream {
    match output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => {
            let opaque = ty.to_token_stream().into_iter().any(|token| token.to_string() == "impl");
            if opaque { quote!(_) } else { ty.to_token_stream() }
        }
    }
}

/// Returns the attributes through which the function passes before the second expansion, for a report that names them.
fn chain(function: &ItemFn) -> String {
    let shown = test_attributes(&function.attrs).into_iter().map(|attribute| {
        let path = attribute.path().to_token_stream().to_string().replace(' ', "");
        format!("`#[{path}]`")
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Returns the place to point at in an item that is no function: its first token behind the attributes.
pub(crate) fn first_span(item: &TokenStream) -> Span {
    let mut tokens = item.clone().into_iter().skip_while(|token| {
        matches!(token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == '#')
            || matches!(token, proc_macro2::TokenTree::Group(_))
    });
    tokens.next().map_or_else(Span::call_site, |token| token.span())
}

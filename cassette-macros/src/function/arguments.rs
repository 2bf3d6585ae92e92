//! The function's arguments: which are recorded, and which cannot be.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Generics, Pat, PatType, Path, Receiver, ReceiverKind, Signature, Type, WherePredicate};

use super::options::{Also, Options};
use crate::options::{hidden, moved};

/// The arguments that are recorded.
pub(super) struct Arguments {
    recorded: Vec<Recorded>,
}

/// One that is.
struct Recorded {
    name: String,
    value: TokenStream,
    order: Order,
    /// Under which conditions it is there.
    conditions: Vec<Attribute>,
    /// Where an error about it is to point.
    at: Span,
    /// Where its name stands.
    named: Span,
}

/// Whether the elements of an argument have an order of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Kept,
    None,
}

impl Arguments {
    /// Reads the arguments, and returns what is wrong with them.
    pub(super) fn read(sig: &Signature, options: &Options) -> (Arguments, Vec<syn::Error>) {
        let (mut recorded, mut mistakes) = (Vec::new(), Vec::new());
        let mut known: Vec<Ident> = Vec::new();
        for argument in &sig.inputs {
            match argument {
                FnArg::Receiver(receiver) => {
                    known.push(Ident::new("self", receiver.self_token.span()));
                    mistakes.extend(changing_self(receiver, options));
                }
                FnArg::Typed(argument) => match name(argument) {
                    Ok(Some(name)) => {
                        known.push(name.clone());
                        if options.skip.contains(&name) {
                            continue;
                        }
                        mistakes.extend(
                            changing(&name, argument)
                                .or_else(|| calling(&name, argument, &sig.generics))
                                .or_else(|| unordered(&name, argument, options)),
                        );
                        recorded.push(Recorded::of(&name, argument, options));
                    }
                    // What has no name is not used.
                    Ok(None) => {}
                    Err(mistake) => mistakes.push(mistake),
                },
            }
        }
        for (option, names) in [("skip", &options.skip), ("unordered", &options.unordered)] {
            let strangers = names.iter().filter(|name| !known.contains(name));
            mistakes.extend(strangers.map(|name| {
                syn::Error::new(
                    name.span(),
                    format!("`{option}` names `{name}`, which is no argument of this function"),
                )
            }));
        }
        let both = options.unordered.iter().filter(|name| options.skip.contains(name) || *name == "self");
        mistakes.extend(both.map(|name| syn::Error::new(name.span(), format!("`{name}` is not recorded"))));
        for Also { name, value } in &options.also {
            if recorded.iter().any(|known: &Recorded| name == known.name.as_str()) {
                mistakes.push(syn::Error::new(name.span(), format!("`{name}` is recorded already: `skip` it first")));
            }
            let (named, at) = (name.span(), value.span());
            let (name, value) = (name.to_string(), quote!(&(#value)));
            recorded.push(Recorded { name, value, order: Order::Kept, conditions: Vec::new(), at, named });
        }
        (Arguments { recorded }, mistakes)
    }

    /// Returns them as calls on the builder of arguments.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        let arguments = moved(quote!(#krate::_macro_support::Arguments), Span::call_site());
        let with = |recorded: &Recorded| {
            let (name, written) = (&recorded.name, recorded.written(krate));
            quote_spanned!(hidden(recorded.at)=> .with(#name, #written))
        };
        if self.recorded.iter().all(|recorded| recorded.conditions.is_empty()) {
            let each = self.recorded.iter().map(with);
            return quote!(#arguments::default() #(#each)*);
        }
        // No call in a row of calls can be left out, but a statement can.
        let ours = Ident::new("__arguments", hidden(Span::call_site()));
        let each = self.recorded.iter().map(|recorded| {
            let (conditions, with) = (&recorded.conditions, with(recorded));
            quote!(#(#conditions)* let #ours = #ours #with;)
        });
        quote!({ let #ours = #arguments::default(); #(#each)* #ours })
    }
}

impl Recorded {
    fn of(name: &Ident, argument: &PatType, options: &Options) -> Recorded {
        let order = if options.unordered.contains(name) { Order::None } else { Order::Kept };
        let text = name.to_string();
        let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
        let conditions = argument.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect();
        let (at, named) = (argument.ty.span(), name.span());
        Recorded { name: text, value: quote!(&#name), order, conditions, at, named }
    }

    /// Returns what writes it. An error about it points at its type, and at its name where nothing writes it.
    fn written(&self, krate: &Path) -> TokenStream {
        let (krate, value, at) = (moved(krate, self.at), &self.value, hidden(self.at));
        let (write, sorted) = (Ident::new("write", hidden(self.named)), Ident::new("sorted", hidden(self.named)));
        match self.order {
            Order::None => quote_spanned! {at=> {
                use #krate::_macro_support::Incomparable as _;
                #krate::_macro_support::Argument::new(#value).#sorted()
            }},
            Order::Kept => quote_spanned! {at=> {
                use #krate::_macro_support::{
                    Comparable as _, ComparableBeneath as _, ComparableOwned as _, ComparableRow as _, Incomparable as _,
                    Showable as _, ShowableBeneath as _, ShowableRow as _,
                };
                (&&&&&&&&#krate::_macro_support::Argument::new(#value)).#write()
            }},
        }
    }
}

/// Returns the generic arguments that no other argument says, those of a trait before the method's own: an argument that is of such
/// a type says it by what it is.
pub(super) fn unsaid(sig: &Signature, (types, constants): (&[Ident], &[Ident])) -> TokenStream {
    let inputs = sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(argument.ty.to_token_stream()),
        FnArg::Receiver(_) => None,
    });
    let inputs: TokenStream = inputs.collect();
    let is_unsaid = |ident: &&Ident| !mentions(inputs.clone(), &|found| found == *ident);
    let types = types.iter().chain(sig.generics.type_params().map(|parameter| &parameter.ident)).filter(is_unsaid);
    let constants =
        constants.iter().chain(sig.generics.const_params().map(|parameter| &parameter.ident)).filter(is_unsaid);
    quote!(&[#(&::core::any::type_name::<#types>(),)* #(&#constants),*])
}

/// Returns the argument's name; `None` where it has none since it is not used.
fn name(argument: &PatType) -> syn::Result<Option<Ident>> {
    match &*argument.pat {
        Pat::Ident(pat) if pat.subpat.is_none() => Ok(Some(pat.ident.clone())),
        Pat::Wild(_) => Ok(None),
        pat => {
            let pattern = pat.to_token_stream();
            Err(syn::Error::new_spanned(pattern, "a recorded argument has a name: take it apart in the body"))
        }
    }
}

/// Returns what is wrong with an argument that the function may change: on replay it does not run.
fn changing(name: &Ident, argument: &PatType) -> Option<syn::Error> {
    let what = format!(
        "`{name}` may be changed by the function, and on replay it does not run: return what is changed, or say \
         `skip({name})` if nothing depends on it"
    );
    is_mutable(argument.ty.to_token_stream()).then(|| syn::Error::new_spanned(&argument.ty, what))
}

/// Returns what is wrong with an argument that the function calls: on replay it does not run.
fn calling(name: &Ident, argument: &PatType, generics: &Generics) -> Option<syn::Error> {
    let ty = argument.ty.to_token_stream();
    let parameter = generics.type_params().find(|parameter| parameter.ident == ty.to_string());
    let predicates =
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(|found| match found {
            WherePredicate::Type(found) => Some(found),
            _ => None,
        });
    let bounds = predicates.filter(|found| found.bounded_ty.to_token_stream().to_string() == ty.to_string());
    let bounds: TokenStream = bounds.map(|found| found.bounds.to_token_stream()).collect();
    let bounds = parameter.map_or(bounds.clone(), |parameter| {
        let own = &parameter.bounds;
        quote!(#own #bounds)
    });
    let what = format!(
        "`{name}` may be called by the function, and on replay it does not run: return what it is called with, or say \
         `skip({name})` if nothing depends on it"
    );
    (is_called(ty) || is_called(bounds)).then(|| syn::Error::new_spanned(&argument.ty, what))
}

/// Returns whether a type, or a bound on one, is that of a function.
fn is_called(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            ["fn", "Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce"].iter().any(|name| ident == name)
        }
        TokenTree::Group(group) => is_called(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns what is wrong with a set whose order differs from run to run.
fn unordered(name: &Ident, argument: &PatType, options: &Options) -> Option<syn::Error> {
    let what = format!(
        "the elements of `{name}` have no order of their own, so no call would be like another: say `unordered({name})`"
    );
    (is_unordered(&argument.ty) && !options.unordered.contains(name))
        .then(|| syn::Error::new_spanned(&argument.ty, what))
}

fn is_unordered(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_unordered(&reference.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "HashSet"),
        _ => false,
    }
}

fn changing_self(receiver: &Receiver, options: &Options) -> Option<syn::Error> {
    let changes = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => is_mutable(ty.to_token_stream()),
        _ => false,
    };
    let skipped = options.skip.iter().any(|name| name == "self");
    let what = "`self` may be changed by the function, and on replay it does not run: say `skip(self)` if nothing depends on it";
    (changes && !skipped).then(|| syn::Error::new_spanned(receiver, what))
}

/// Returns the call on what was called that says of which object it is a method's: of one that is lent, and where that is not skipped.
pub(super) fn receiver(sig: &Signature, options: &Options) -> TokenStream {
    let is_lent = |receiver: &&Receiver| match &receiver.kind {
        ReceiverKind::Reference(..) => true,
        ReceiverKind::Typed(_, ty) => is_pointer(ty),
        _ => false,
    };
    let Some(receiver) = sig.receiver().filter(is_lent).filter(|_| !options.skip.iter().any(|name| name == "self"))
    else {
        return TokenStream::new();
    };
    let (own, at) = (receiver.self_token, hidden(Span::call_site()));
    quote_spanned!(at=> .of_receiver(&*#own))
}

/// Returns whether a type stands for what it points to.
fn is_pointer(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) => true,
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| ["Arc", "Box", "Pin", "Rc"].iter().any(|pointer| last.ident == pointer))
        }
        _ => false,
    }
}

/// Returns whether a type lets what it refers to be changed, at any depth.
fn is_mutable(ty: TokenStream) -> bool {
    const CELLS: [&str; 8] = ["Cell", "LazyCell", "Mutex", "OnceCell", "OnceLock", "RefCell", "RwLock", "UnsafeCell"];
    let is_cell = |ident: &Ident| CELLS.iter().any(|cell| ident == cell) || ident.to_string().starts_with("Atomic");
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "mut" || is_cell(&ident),
        TokenTree::Group(group) => is_mutable(group.stream()),
        _ => false,
    })
}

/// Returns whether a name of which this holds stands in a type.
pub(super) fn mentions(ty: TokenStream, is: &impl Fn(&Ident) -> bool) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

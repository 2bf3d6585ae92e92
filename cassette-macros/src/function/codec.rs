//! How what the function returns is recorded, asked of its type.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Type;
use syn::spanned::Spanned as _;

use super::options::{Errors, Options};
use crate::options::{hidden, moved};

/// Returns the codec of a reference to what is lent. An error about it points `at` the type.
pub(super) fn lent(lent: &Type, at: Span, options: &Options) -> TokenStream {
    let (krate, at) = (moved(&options.krate, at), hidden(at));
    quote_spanned!(at=> {
        use #krate::_macro_support::{AlikeByDebug as _, AlikeByEquality as _, NotAlike as _};
        #krate::_macro_support::Lent::<#lent>::new((&&&#krate::_macro_support::Part::<#lent>::new()).alike())
    })
}

/// Returns the codec of what is returned. An error about it points `at` the type.
pub(super) fn tokens(output: &TokenStream, at: Span, options: &Options) -> TokenStream {
    let krate = moved(&options.krate, at);
    let at = hidden(at);
    let returned = quote_spanned!(at=> #krate::_macro_support::Returned::<#output>::new());
    let equal = quote_spanned!(at=> {
        use #krate::_macro_support::{
            AlikeByDebug as _, AlikeByEquality as _, EqualByEquality as _, NotAlike as _, NotEqual as _, TakenApart as _,
            TakenWhole as _,
        };
        let parts = (&&#krate::_macro_support::Comparing::<#output>::new()).parts();
        #krate::_macro_support::Equals {
            values: (&&&parts.values).alike(),
            errors: (&&parts.errors).equal(),
            shown_errors: (&&&parts.errors).alike(),
        }
    });
    match options.errors_of(output) {
        Errors::Asked => quote_spanned!(at=> {
            use #krate::_macro_support::{
                ByAnyError as _, ByDisplay as _, ByError as _, ByOwnDescription as _, BySerdeAlone as _, BySerdeShown as _,
                ByValue as _, Unknown as _,
            };
            (&&&&&&&&#returned).codec(#equal)
        }),
        Errors::Serde => quote_spanned!(at=> #returned.by_serde(#equal)),
        Errors::From => quote_spanned!(at=> #returned.by_from(#equal)),
        Errors::Functions(describe, rebuild) => {
            quote_spanned!(at=> #returned.by_functions(#equal, #describe, #rebuild))
        }
        Errors::Types(types) => {
            let named = types.iter().map(|ty| {
                let here = hidden(ty.span());
                let krate = moved(&options.krate, ty.span());
                let named = quote_spanned!(here=> (&&&&#krate::_macro_support::Named::<#ty>::new()));
                let equal = quote_spanned!(here=> (&&&#krate::_macro_support::Part::<#ty>::new()).alike());
                let write = quote_spanned!(here=> #named.write(error, #equal));
                let read = quote_spanned!(here=> #named.read(json));
                quote_spanned! {at=>
                    #returned.known::<#ty>(
                        |error| error.downcast_ref::<#ty>().map(|error| (error.to_string(), #write)),
                        |json| #read.map(::core::convert::Into::into),
                        |error, context| error.context(context),
                    )
                }
            });
            quote_spanned! {at=> {
                #[allow(unused_imports)]
                use #krate::_macro_support::{
                    AddsNoContext as _, AlikeByDebug as _, AlikeByEquality as _, DescribesBeneath as _, DescribesItself as _,
                    DescribesShown as _, NamedDescribed as _, NamedRebuilt as _, NamedWritten as _, NotAlike as _,
                    Unnameable as _,
                };
                #returned.by_type(#equal, [#(#named),*], (&&&#returned).describe())
            }}
        }
    }
}

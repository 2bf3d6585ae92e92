
# The same behind `cargo cassette`.
function __fish_cargo_cassette_is_meant
    set -l words (commandline -opc)
    set -e words[1]
    while string match -qr '^[+-]' -- $words[1]
        set -e words[1]
    end
    test "$words[1]" = cassette
end

function __fish_cargo_cassette_of_cargo
    set -l words (commandline -opc)
    set -e words[1]
    while string match -qr '^[+-]' -- $words[1]
        set -e words[1]
    end
    set -e words[1]
    complete -C "cargo-cassette $(string escape -- $words | string join ' ') $(commandline -ct)"
end

complete -c cargo -n __fish_cargo_cassette_is_meant -f -a '(__fish_cargo_cassette_of_cargo)'

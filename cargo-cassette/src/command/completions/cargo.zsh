# Cargo's own completion asks for `_cargo-cassette` itself; where there is none, this stands in for it.
_cargo-cassette-of-cargo() {
    local at=2
    while [[ ${words[at]} == [+-]* ]]; do (( at++ )); done
    if (( at < CURRENT )) && [[ ${words[at]} == cassette ]]; then
        words=(cargo-cassette "${(@)words[at + 1, -1]}")
        (( CURRENT -= at - 1 ))
        _cargo-cassette
    else
        _default
    fi
}

if (( $+functions[compdef] && ! ${+_comps[cargo]} )); then
    compdef _cargo-cassette-of-cargo cargo
fi


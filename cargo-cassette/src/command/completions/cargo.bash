
# What completes `cargo` otherwise is asked for all of its other commands.
_cargo__cassette__of_cargo() {
    local at=1
    while [[ "${COMP_WORDS[at]-}" == [+-]* ]]; do at=$((at + 1)); done
    if [[ $at -lt $COMP_CWORD && "${COMP_WORDS[at]-}" == cassette ]]; then
        COMP_WORDS=(cargo-cassette "${COMP_WORDS[@]:at + 1}")
        COMP_CWORD=$((COMP_CWORD - at))
        _cargo__cassette cargo-cassette "$2" "${COMP_WORDS[COMP_CWORD - 1]}"
        return
    fi
    if [[ -z "${_cargo__cassette__before-}" ]]; then
        # Completions that are loaded when they are asked for are asked for now.
        local load
        for load in _comp_load _completion_loader; do
            declare -F "$load" >/dev/null && { "$load" cargo || :; break; }
        done
        _cargo__cassette__take
    fi
    # What has no completion fails, and so ends a shell with `set -e` that is not told otherwise.
    [[ "$_cargo__cassette__before" == - ]] || "$_cargo__cassette__before" "$@" || return
}

_cargo__cassette__take() {
    local spec
    spec=" $(complete -p cargo 2>/dev/null || :) "
    spec="${spec#* -F }"
    spec="${spec%% *}"
    if [[ -n "$spec" && "$spec" != _cargo__cassette__of_cargo ]]; then
        _cargo__cassette__before="$spec"
    elif [[ "${1-}" != early ]]; then
        _cargo__cassette__before=-
    fi
    complete -F _cargo__cassette__of_cargo -o bashdefault -o default cargo
}

[[ "${_cargo__cassette__before--}" == - ]] && _cargo__cassette__before=
_cargo__cassette__take early


# The same behind `cargo cassette`; for its other words what completed `cargo` before is asked.
var cargo-cassette-before = $nil
if (has-key $edit:completion:arg-completer cargo) {
    set cargo-cassette-before = $edit:completion:arg-completer[cargo]
}
set edit:completion:arg-completer[cargo] = {|@words|
    var at = 1
    while (and (< $at (count $words)) (or (str:has-prefix $words[$at] '-') (str:has-prefix $words[$at] '+'))) {
        set at = (+ $at 1)
    }
    if (and (< $at (- (count $words) 1)) (eq $words[$at] cassette)) {
        $edit:completion:arg-completer[cargo-cassette] cargo-cassette (all $words[(+ $at 1)..])
    } elif (not-eq $cargo-cassette-before $nil) {
        $cargo-cassette-before $@words
    }
}

    # Behind `cargo` its word `cassette` comes first, and nothing else of cargo's is completed here.
    if ("$($commandElements[0])" -match '(^|[\\/])cargo(\.exe)?$') {
        if ($command -notmatch '^cargo-cassette(;\+[^;]*)?;cassette(;|$)') { return }
        $command = $command -replace '^cargo-cassette(;\+[^;]*)?;cassette', 'cargo-cassette'
    }

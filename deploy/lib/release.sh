# shellcheck shell=dash
# Releases: each version in a folder of its own, one of them current. Sourced after say.sh.

release_of() { basename "$(readlink -f "$1" 2>/dev/null)" 2>/dev/null || true; }

current_release() { [ ! -L "$CURRENT" ] || release_of "$CURRENT"; }

# release_name VERSION FOLDER...: a name that differs with everything that goes into a release.
release_name() {
    version=$1
    shift
    print=$({
        python3 -c 'import sys; print(sys.version_info[:2])'
        find "$@" -type f -print0 | sort -z | xargs -0 cat
    } | sha256sum | cut -c 1-8)
    printf '%s+%s' "$version" "$print"
}

# make_release NAME FILES PIP-ARGUMENT...: a virtual environment with everything in it, compiled, and what is in FILES
# as its deploy/. Whole, or not there.
make_release() {
    made=$RELEASES/$1 files=$2
    shift 2
    [ ! -e "$made/complete" ] || return 0
    rm -rf "$made"
    mkdir -p "$RELEASES"
    # --system-site-packages: lgpio, spidev and numpy are Debian's, for they have no wheels everywhere.
    # --only-binary: what has no wheel is said, where a compiler would be missing or need an hour.
    python3 -m venv --system-site-packages "$made" &&
        PIP_DISABLE_PIP_VERSION_CHECK=1 "$made/bin/python" -m pip install --quiet --no-cache-dir --compile \
            --only-binary ':all:' "$@" &&
        "$made/bin/python" -m compileall -q "$made/lib" &&
        "$made/bin/companion" --version &&
        cp -r "$files" "$made/deploy" && chmod -R a+rX "$made" &&
        sync -f "$made" && touch "$made/complete" && sync "$made" && return
    rm -rf "$made"
    return 1
}

# point LINK RELEASE: at once, and whole if the power fails.
point() {
    ln -sfn "$RELEASES/$2" "$1.new" && mv -fT "$1.new" "$1" && sync -f "$HOME_FOLDER"
}

# ask RELEASE QUESTION...: what ask-table says, in a release's Python, as the companion's user.
ask() {
    asked=$RELEASES/$1
    shift
    runuser -u "$OWNER" -- "$asked/bin/python" "$asked/deploy/ask-table" "$SETTINGS" "$@"
}

# comes_up RELEASE: start it; whether systemd calls it active and its page answers, and both still hold a little later.
comes_up() {
    systemctl restart "$SERVICE" && ask "$1" answers && systemctl is-active --quiet "$SERVICE"
}

# keep_games NEW OLD: copy the journal aside before another version may touch it.
keep_games() {
    if kept=$(ask "$1" keep "before-$1"); then
        say "Games: $kept"
    else
        ! systemd_runs || systemctl start "$SERVICE" || true
        refuse "$NOT_MADE" "the games could not be copied aside, so that $2 stays."
    fi
}

# prune: only the current release and the one before it stay.
prune() {
    for each in "$RELEASES"/*; do
        case ${each##*/} in
        "$(release_of "$CURRENT")" | "$(release_of "$PREVIOUS")") ;;
        *) rm -rf "$each" ;;
        esac
    done
}

# runs RELEASE: whether it is the current one, and runs.
runs() { [ "$(current_release)" = "$1" ] && systemctl is-active --quiet "$SERVICE"; }

# switch_to NEW AFTER: stop, keep the games, make NEW current, call AFTER (the system's files), start, look.
# Where NEW does not come up, the release before it runs again, with its files; the status says which it was.
switch_to() {
    old=$(current_release)
    ask "$1" state >/dev/null || refuse "$NOT_MADE" "$1 cannot use the settings (see above); what ran before still runs."
    if [ -n "$old" ] && [ "$old" != "$1" ]; then
        ! systemd_runs || systemctl stop "$SERVICE" || true
        keep_games "$1" "$old"
    fi
    point "$CURRENT" "$1"
    "$2" "$1"
    if ! systemd_runs; then
        skip 'starting the table and looking at its page (systemd does not run here)'
    elif comes_up "$1"; then
        say "The table runs: $1"
    else
        roll_back "$1" "$old" "$2"
    fi
    [ -z "$old" ] || [ "$old" = "$1" ] || point "$PREVIOUS" "$old"
    prune
}

# roll_back FAILED OLD AFTER: never returns.
roll_back() {
    warn "$1 does not come up. What it said:"
    journalctl --unit "$SERVICE" --lines 15 --no-pager --output cat >&2 || true
    if [ -z "$2" ] || [ "$2" = "$1" ] || [ ! -e "$RELEASES/$2/complete" ]; then
        refuse "$NOT_UP" 'there is no earlier version to go back to. See: journalctl -u companion'
    fi
    systemctl stop "$SERVICE" || true
    point "$CURRENT" "$2"
    say "Games: $(ask "$2" give-back "before-$1")"
    "$3" "$2"
    rm -rf "${RELEASES:?}/$1"
    comes_up "$2" || refuse "$NOT_UP" "the version before it, $2, does not come up either. See: journalctl -u companion"
    refuse "$ROLLED_BACK" "rolled back: $2 runs again, with all its games."
}

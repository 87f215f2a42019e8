# shellcheck shell=dash
# How the scripts speak, and the places they all know. Sourced, never run.

HOME_FOLDER=/opt/table-companion
RELEASES=$HOME_FOLDER/releases
CURRENT=$HOME_FOLDER/current
PREVIOUS=$HOME_FOLDER/previous
SETTINGS=/etc/companion/companion.toml
STATE=/var/lib/companion
SERVICE=companion.service
OWNER=companion

# Exit statuses: the machine or the request will not do; no release could be made; rolled back; does not come up.
CANNOT=2 NOT_MADE=3 ROLLED_BACK=4 NOT_UP=5
export HOME_FOLDER RELEASES CURRENT PREVIOUS SETTINGS STATE SERVICE OWNER CANNOT NOT_MADE ROLLED_BACK NOT_UP

say() { printf '%s\n' "$*"; }

skip() { printf 'skipped: %s\n' "$*"; }

warn() { printf 'table-companion: %s\n' "$*" >&2; }

# refuse STATUS WORDS...
refuse() {
    refused=$1
    shift
    warn "$@"
    exit "$refused"
}

# Whether services can be started here: not in a chroot, nor while an image is made.
systemd_runs() { [ -d /run/systemd/system ]; }

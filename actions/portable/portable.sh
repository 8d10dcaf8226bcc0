#!/usr/bin/env bash
# Builds the lastbit of this checkout, and examines the PACKAGES of the module
# in the working folder. Places in the BASELINE are left out.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../build.sh"
read -rd '' -a packages <<<"${PACKAGES:-./...}" || true # of all lines
known=()
if [[ -n ${BASELINE:-} ]]; then
  known=(--baseline "$BASELINE")
fi
# An older bash takes an empty list for an unset one.
exec "$lastbit" portable --format github ${known[@]+"${known[@]}"} -- "${packages[@]}"

#!/usr/bin/env bash
# Builds the lastbit of this checkout, and runs the VERB with its ARGUMENTS in
# the working folder. The findings of check and vet are beside their lines, and
# what explain prints is in the summary of the job.
set -euo pipefail
case ${VERB:-} in
check | vet | explain) ;;
*)
  echo "::error::lastbit: the verb is \"${VERB:-}\", and not check, vet or explain"
  exit 2
  ;;
esac
source "$(dirname "${BASH_SOURCE[0]}")/../build.sh"
read -rd '' -a arguments <<<"${ARGUMENTS:-}" || true # of all lines
if [[ $VERB != explain ]]; then
  # An older bash takes an empty list for an unset one.
  exec "$lastbit" "$VERB" --format github ${arguments[@]+"${arguments[@]}"}
fi
code=0
text=$("$lastbit" explain ${arguments[@]+"${arguments[@]}"}) || code=$?
echo "$text"
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  printf '```\n%s\n```\n' "$text" >>"$GITHUB_STEP_SUMMARY"
fi
if [[ $code == 1 ]]; then
  first=${text%%$'\n'*}
  echo "::error title=lastbit explain::${first//%/%25}"
fi
exit "$code"

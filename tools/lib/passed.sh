# Which tests need not run again: those whose program, and all data that tests read, are byte for byte what they were
# when all tests passed last; and the commit that was. Sourced after common.sh.
# shellcheck shell=bash

passed=build/passed
passed_commit=build/passed_commit

data_fingerprint() {
  {
    printf '%s\n' "${IDKIOSK_PHOTOS-}" "${IDKIOSK_MODEL_MIRROR-}"
    find config tests tools/sandbox build/bin/models/ -type f ! -name '*.cc' ! -name '*.h' ! -path '*/node_modules/*' \
      -exec sha256sum {} + | sort
  } | sha256sum
}

# Prints LABEL FINGERPRINT for each line of build/test_files, which is LABEL;FILE;...
test_fingerprints() {
  local data line
  data=$(data_fingerprint)
  while IFS= read -r line; do
    local files=()
    IFS=';' read -ra files <<<"$line"
    [ "${#files[@]}" -gt 1 ] || continue
    printf '%s %s\n' "${files[0]}" "$({ echo "$data" && sha256sum "${files[@]:1}"; } | sha256sum | cut -d' ' -f1)"
  done <build/test_files
}

# Prints the labels of the tests that passed as they are.
labels_that_passed() {
  [ -f "$passed" ] && test_fingerprints | sort | comm -12 - "$passed" | cut -d' ' -f1
}

# Prints the commit that all tests passed on last, perhaps with changes that were not committed yet. Fails if there is none
# here.
commit_that_passed() {
  local commit
  commit=$(cat "$passed_commit" 2>/dev/null) && git cat-file -e "$commit^{commit}" 2>/dev/null && echo "$commit"
}

# usage: note_all_passed COMMIT   (the one that was checked out when the run began)
note_all_passed() {
  test_fingerprints | sort >"$passed"
  echo "$1" >"$passed_commit"
}

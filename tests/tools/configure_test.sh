#!/usr/bin/env bash
# A board's build asks for nothing that only the sandbox needs, and finds a face model that comes later.
# usage: configure_test.sh DEPS   (the folder that tools/setup filled)
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { cat "$scratch/log" && echo "$*" && exit 1; }
model=face_detection_yunet_2023mar.onnx

mkdir "$scratch/deps"
ln -s "$1/prefix" "$scratch/deps/prefix"
cmake --preset board -B "$scratch/build" -DIDKIOSK_DEPS="$scratch/deps" -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON \
  >"$scratch/log" 2>&1 || fail "it cannot be configured without OpenSSL"
! grep '^argon2_FOUND' "$scratch/build/CMakeCache.txt" || fail "it asks for argon2"

[ ! -e "$scratch/build/bin/models/$model" ] || fail "there is a model that nobody has put there"
mkdir -p "$scratch/deps/models"
echo "a model" >"$scratch/deps/models/$model"
[ -f "$scratch/build/bin/models/$model" ] || fail "a model that set-up finds later is not beside the program"

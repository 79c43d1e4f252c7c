#!/bin/bash
# The short form of the attacks: a person passes, a moved print and a looped film do not.
set -euo pipefail
sitters=$1
for model in face_detection_yunet_2023mar facemesh_468; do
  if [ ! -e "$(dirname "$sitters")/models/$model.onnx" ]; then
    echo "the models are not on this machine"
    exit 77
  fi
done
"$sitters" attack --short --strict --runs 1
if "$sitters" attack --runs 1 --only "a person" --seed none; then
  echo "a seed that is no number was taken"
  exit 1
fi

#ifndef IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_
#define IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace idkiosk {

// How long tests are that try many random things, and which things they try. The environment says:
//   IDKIOSK_NIGHT=1      the long form
//   IDKIOSK_SHORT=1      sweeps by their first and last cases, as 'tools/test FOLDER' looks
//   IDKIOSK_SEED=NUMBER  other things, or again those of the run that printed this number

// `by_day` rounds, or `by_night` in the long form.
[[nodiscard]] int Rounds(int by_day, int by_night = 10'000);

// The seed of this run, the same on every call, printed when it is first asked for. By day it is
// always the same unless the environment names one; each night has its own.
[[nodiscard]] uint64_t Seed();

// Whether a sweep may be short: in a build with sanitizers, by day, for they look for what the code
// does wrong on its way, which is the same for each case; and where the environment says so.
[[nodiscard]] bool IsSweepShort();
// The former, which is known before the instances of a test are listed.
[[nodiscard]] bool IsSanitized();

// The cases of a sweep, in their order: all of them, or the first and the last where it may be
// short.
template <typename T>
[[nodiscard]] std::vector<T> Sweep(std::vector<T> cases) {
  if (cases.size() > 2 && IsSweepShort()) cases.erase(cases.begin() + 1, cases.end() - 1);
  return cases;
}
template <typename T>
[[nodiscard]] std::vector<T> Sweep(std::initializer_list<T> cases) {
  return Sweep(std::vector<T>(cases));
}

// The numbers from `first` to `last`, both included, as the cases of a sweep.
[[nodiscard]] std::vector<int> Sweep(int first, int last);

// The same for cases that are many and numbered, or rounds: 1, or 8 where only each eighth is run.
[[nodiscard]] int SweepStride();

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_

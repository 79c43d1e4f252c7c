#ifndef IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_
#define IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_

#include <cstdint>

namespace idkiosk {

// How long tests are that try many random things, and which things they try. The environment says:
//   IDKIOSK_NIGHT=1      the long form
//   IDKIOSK_SEED=NUMBER  other things, or again those of the run that printed this number

// `by_day` rounds, or `by_night` in the long form.
[[nodiscard]] int Rounds(int by_day, int by_night = 10'000);

// The seed of this run, the same on every call, printed when it is first asked for. By day it is
// always the same unless the environment names one; each night has its own.
[[nodiscard]] uint64_t Seed();

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_SEEDED_ROUNDS_H_

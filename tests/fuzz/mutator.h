#ifndef IDKIOSK_TESTS_FUZZ_MUTATOR_H_
#define IDKIOSK_TESTS_FUZZ_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"

namespace idkiosk {

// Damages bytes at random, the way fuzzers do: bits, pieces taken out, doubled, moved, put in.
// Changes bytes as the seed of tests/fakes/seeded_rounds.h says, and nothing else.
class Mutator {
 public:
  // `words` are what the format is made of, such as "{" and "\"camera\"".
  explicit Mutator(std::vector<std::string_view> words = {});
  // As this seed says instead.
  Mutator(std::vector<std::string_view> words, uint64_t seed);

  // One to a few changes.
  [[nodiscard]] Bytes Mutate(ByteSpan bytes);

  // 0 to `bound` - 1.
  [[nodiscard]] size_t Below(size_t bound);

 private:
  void ChangeOnce(Bytes& bytes);

  std::vector<std::string_view> words_;
  std::mt19937_64 random_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FUZZ_MUTATOR_H_

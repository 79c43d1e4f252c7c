#ifndef IDKIOSK_TESTS_FAKES_FAKE_ENTROPY_H_
#define IDKIOSK_TESTS_FAKES_FAKE_ENTROPY_H_

#include <optional>
#include <random>

#include "platform/api/entropy.h"

namespace idkiosk {

// Random numbers that are the same for the same seed, or one byte again and again.
class FakeEntropy final : public Entropy {
 public:
  explicit FakeEntropy(uint64_t seed = 1) : engine_(seed) {}

  void Fill(MutableByteSpan out) override {
    for (uint8_t& each : out) each = constant_.value_or(static_cast<uint8_t>(engine_()));
  }

  void set_constant(std::optional<uint8_t> constant) { constant_ = constant; }

 private:
  std::mt19937_64 engine_;
  std::optional<uint8_t> constant_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_ENTROPY_H_

#include "tests/fakes/seeded_rounds.h"

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <string_view>

#include "platform/base/sanitized.h"

namespace idkiosk {
namespace {

bool Says(const char* variable) {
  const char* const said = std::getenv(variable);
  return said != nullptr && std::string_view(said) == "1";
}

bool IsNight() { return Says("IDKIOSK_NIGHT"); }

}  // namespace

int Rounds(int by_day, int by_night) { return IsNight() ? by_night : by_day; }

uint64_t Seed() {
  static const uint64_t seed = [] {
    const char* const given = std::getenv("IDKIOSK_SEED");
    const uint64_t drawn = given != nullptr ? std::strtoull(given, nullptr, 10)
                           : IsNight()      ? std::random_device()()
                                            : 1;
    std::cout << "IDKIOSK_SEED=" << drawn << std::endl;
    return drawn;
  }();
  return seed;
}

bool IsSanitized() {
#ifdef IDKIOSK_SANITIZED
  return true;
#else
  return false;
#endif
}

bool IsSweepShort() { return !IsNight() && (IsSanitized() || Says("IDKIOSK_SHORT")); }

int SweepStride() { return IsSweepShort() ? 8 : 1; }

std::vector<int> Sweep(int first, int last) {
  std::vector<int> all(static_cast<size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return Sweep(std::move(all));
}

}  // namespace idkiosk

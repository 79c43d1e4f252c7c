#include "tests/faults/tally.h"

#include <fmt/format.h>

#include <cstdio>
#include <numeric>

namespace idkiosk::faults {

Tally::Tally(int row, uint64_t seed, bool night)
    : row_(row), seed_(seed), night_(night), random_(seed) {}

void Tally::Violate(Invariant invariant, const std::string& what) {
  const auto index = static_cast<size_t>(invariant);
  ++violations_.at(index);
  Say(fmt::format("I{} is violated: {}", index + 1, what));
}

bool Tally::Check(bool good, Invariant invariant, const std::string& what) {
  if (!good) Violate(invariant, what);
  return good;
}

void Tally::Break(const std::string& what) {
  broken_ = true;
  Say("this row shows nothing: " + what);
}

bool Tally::TakeOver(JsonView counted) {
  const auto injections = counted["injections"].AsInteger();
  const auto broken = counted["broken"].AsBool();
  const auto needs = counted["needs"].AsString();
  if (!injections || !broken || !needs) return false;
  injections_ = *injections;
  broken_ = *broken;
  needs_ = *needs;
  for (size_t i = 0; i < kInvariants; ++i) {
    violations_.at(i) = counted["violations"][fmt::format("I{}", i + 1)].AsInteger().value_or(0);
  }
  for (const JsonView each : counted["findings"].children()) {
    findings_.emplace_back(each.AsString().value_or(""));
  }
  return true;
}

uint64_t Tally::Draw(uint64_t least, uint64_t most) {
  return std::uniform_int_distribution<uint64_t>(least, most)(random_);
}

int64_t Tally::violations() const {
  return std::accumulate(violations_.begin(), violations_.end(), int64_t{0});
}

void Tally::Say(const std::string& finding) {
  findings_.push_back(finding);
  fmt::print(stderr, "row {}: {}\n  again by: tools/faults --row {} --seed {}{}\n", row_, finding,
             row_, seed_, night_ ? " --night" : "");
}

}  // namespace idkiosk::faults

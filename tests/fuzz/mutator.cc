#include "tests/fuzz/mutator.h"

#include <algorithm>

#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {

Mutator::Mutator(std::vector<std::string_view> words) : Mutator(std::move(words), Seed()) {}

Mutator::Mutator(std::vector<std::string_view> words, uint64_t seed)
    : words_(std::move(words)), random_(seed) {}

size_t Mutator::Below(size_t bound) {
  return std::uniform_int_distribution<size_t>(0, bound - 1)(random_);
}

void Mutator::ChangeOnce(Bytes& bytes) {
  if (bytes.empty()) bytes.push_back(0);
  const size_t from = Below(bytes.size());
  const size_t length = std::min(bytes.size() - from, 1 + Below(16));
  const auto begin = bytes.begin() + static_cast<long>(from);
  const auto end = begin + static_cast<long>(length);
  switch (Below(words_.empty() ? 6 : 8)) {
    case 0:
      *begin ^= static_cast<uint8_t>(1U << Below(8));
      return;
    case 1:
      *begin = static_cast<uint8_t>(Below(256));
      return;
    case 2:
      bytes.erase(begin, end);
      return;
    case 3:
      bytes.resize(from);
      return;
    case 4: {
      const Bytes piece(begin, end);
      const auto to = static_cast<long>(Below(bytes.size() + 1));
      bytes.insert(bytes.begin() + to, piece.begin(), piece.end());
      return;
    }
    case 5:
      std::fill(begin, end, static_cast<uint8_t>(Below(2) * 255));
      return;
    default: {
      const std::string_view word = words_[Below(words_.size())];
      bytes.insert(begin, word.begin(), word.end());
      return;
    }
  }
}

Bytes Mutator::Mutate(ByteSpan bytes) {
  Bytes mutated(bytes.begin(), bytes.end());
  for (size_t changes = 1 + Below(4); changes > 0; --changes) ChangeOnce(mutated);
  return mutated;
}

}  // namespace idkiosk

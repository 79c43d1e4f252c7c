#include "tests/faults/kinds/bytes.h"

#include <fmt/format.h>

#include "platform/base/log.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/mutator.h"

namespace idkiosk::faults {

// What ends the program ends the row, which is then broken.
void ReadOddBytes(Tally& tally) {
  (void)StartLogging(LogLevel::kError, "");
  const int rounds = tally.Rounds(3000, 100'000);
  for (const InputKind& kind : InputKinds()) {
    const Bytes usual = kind.usual();
    Mutator mutator(kind.words, tally.Draw(0, UINT64_MAX));
    if (usual.empty() || !kind.read(usual).empty()) {
      tally.Break(fmt::format("an unharmed {} is not read", kind.name));
    }
    for (int i = 0; i < rounds; ++i) {
      const Bytes bytes = mutator.Mutate(usual);
      const std::string_view broken = kind.read(bytes);
      tally.Inject();
      tally.Check(broken.empty(), Invariant::kBack,
                  fmt::format("{}: {}: {}", kind.name, broken, ToHex(bytes)));
    }
  }
}

}  // namespace idkiosk::faults

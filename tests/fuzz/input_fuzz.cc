// Bytes that others may have written, whatever they are: the first one says what they are taken for
// (the order of InputKinds). libFuzzer, with the address and undefined-behaviour sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "platform/base/log.h"
#include "tests/fuzz/inputs.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // It warns of all damage that it is shown.
  (void)idkiosk::StartLogging(idkiosk::LogLevel::kError, "");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace idkiosk;
  if (size == 0) return 0;
  const InputKind& kind = InputKinds()[data[0] % InputKinds().size()];
  const std::string_view broken = kind.read(ByteSpan(data + 1, size - 1));
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", kind.name.data(), broken.data());
  std::abort();
}

// Begins with what each kind usually is.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t*,
                                            size_t, uint8_t* out, size_t most, unsigned seed) {
  using namespace idkiosk;
  if (one_size == 0 || most == 0) return 0;
  const size_t index = seed % InputKinds().size();
  const Bytes usual = InputKinds()[index].usual();
  const size_t size = std::min(usual.size(), most - 1);
  out[0] = static_cast<uint8_t>(index);
  std::copy_n(usual.begin(), size, out + 1);
  // A piece of what is there already lies over it.
  const size_t piece = std::min(one_size - 1, size);
  const size_t at = piece == 0 ? 0 : seed / InputKinds().size() % piece;
  const size_t length = std::min<size_t>(piece - at, 1 + seed % 16);
  std::copy_n(one + 1 + at, length, out + 1 + at);
  return size + 1;
}

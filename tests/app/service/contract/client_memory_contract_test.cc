#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/app/service/contract/sandbox_fixture.h"

// What is left of a request in the memory of the program that sent it.

namespace idkiosk {
namespace {

// A text that lies nowhere in memory as it reads.
class Hidden {
 public:
  explicit Hidden(std::string_view text, std::string_view more = {}) {
    for (const std::string_view part : {text, more}) {
      for (const char c : part) bytes_.push_back(static_cast<char>(c ^ kKey));
    }
  }
  [[nodiscard]] size_t CountIn(const char* begin, const char* end) const {
    size_t count = 0;
    const char first = static_cast<char>(bytes_.front() ^ kKey);
    for (; (begin = std::find(begin, end, first)) != end; ++begin) {
      const auto left = static_cast<size_t>(end - begin);
      if (left < bytes_.size()) break;
      count += std::equal(bytes_.begin(), bytes_.end(), begin,
                          [](char hidden, char c) { return static_cast<char>(hidden ^ kKey) == c; })
                   ? 1
                   : 0;
    }
    return count;
  }

 private:
  static constexpr char kKey = 0x55;
  std::string bytes_;
};

// In all memory that this process can write.
size_t CountInMemory(const Hidden& text) {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char dash = 0;
    std::string rights;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> rights;
    if (!rights.starts_with("rw")) continue;
    count += text.CountIn(reinterpret_cast<const char*>(begin), reinterpret_cast<const char*>(end));
  }
  return count;
}

class ClientMemoryContractTest : public SandboxFixture {};

TEST_F(ClientMemoryContractTest, NothingOfARequestIsLeftInMemoryOnceItIsAnswered) {
  const Hidden number("\"nin\":\"70123456789\"");
  const Hidden picture("Image\":\"/9j");
  const Hidden key("X-API-KEY: s");
  const Hidden token("Bearer ", tokens_->Token()->text());
  {
    const std::string shown = fmt::format("\"nin\":\"{}\"", kTestNin);
    ASSERT_GE(CountInMemory(number), 1U) << "it is found where it is: " << shown.size();
  }
  for (const int status : {200, 500}) {
    if (status != 200) AddFault(R"({"kind":"status","status":500,"endpoint":"verify","count":1})");
    {
      const auto delivery = Deliver(Call(Endpoint::kVerify, kTestNin));
      ASSERT_EQ(delivery.outcome.http_status, status);
    }
    EXPECT_EQ(CountInMemory(number), 0U) << status;
    EXPECT_EQ(CountInMemory(picture), 0U) << status;
    EXPECT_EQ(CountInMemory(key), 0U) << status;
    EXPECT_EQ(CountInMemory(token), 0U) << status;
  }
}

}  // namespace
}  // namespace idkiosk

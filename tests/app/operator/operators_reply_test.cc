#include "app/operator/operators_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LedgerRow InDoubt(const std::string& reference, const std::string& attempt_id) {
  LedgerRow row;
  row.id = static_cast<int64_t>(reference.front());
  row.reference = reference;
  row.attempt_id = attempt_id;
  row.billed = Billed::kMaybe;
  return row;
}

// Whoever answers may write a number in capitals, or as a UUID.
TEST(OperatorsReplyTest, AnAttemptIsTheSameInCapitalsAndWithOrWithoutHyphens) {
  const std::vector<LedgerRow> doubtful = {InDoubt("AAAAAA", "0123456789abcdef0123456789abcdef"),
                                           InDoubt("BBBBBB", "1123456789abcdef0123456789abcdef"),
                                           InDoubt("CCCCCC", "2123-4567")};
  std::istringstream in(
      "attempt_id,outcome\n"
      "01234567-89AB-CDEF-0123-456789ABCDEF,verified\n"
      "1123456789ABCDEF0123456789ABCDEF,rejected\n"
      "21234567,not received\n"
      "31234567,verified\n");
  const auto reply = ReadOperatorsReply(in, doubtful);
  ASSERT_TRUE(reply) << reply.error().message;
  std::vector<std::string> decided;
  for (const auto& each : reply->decided) {
    decided.push_back(fmt::format("{} {}", each.attempt.reference, Name(each.settlement)));
  }
  EXPECT_THAT(decided, ElementsAre("AAAAAA verified", "BBBBBB rejected", "CCCCCC not_received"));
  EXPECT_THAT(reply->wrong, ElementsAre(HasSubstr("line 5: 31234567 is no attempt in doubt")));
}

}  // namespace
}  // namespace idkiosk

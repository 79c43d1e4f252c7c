#include "app/audit/audit_event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fmt/format.h"

namespace idkiosk {
namespace {

std::string RowOf(const AuditEventTraits& each) {
  return fmt::format("| `{}` | {} | {} |\n", each.name, each.meaning, each.what);
}

TEST(AuditEventTest, EachHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const AuditEventTraits& each : AllAuditEvents()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(Name(each.event), each.name);
  }
}

TEST(AuditEventTest, TheDocumentNamesEachAndNoOther) {
  std::ifstream file(IDKIOSK_CONFIG "/AUDIT.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string rows;
  for (const AuditEventTraits& each : AllAuditEvents()) rows += RowOf(each);
  EXPECT_THAT(text, testing::HasSubstr("|---|---|---|\n" + rows)) << "config/AUDIT.md lacks:\n"
                                                                  << rows;
}

}  // namespace
}  // namespace idkiosk

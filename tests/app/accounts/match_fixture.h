#ifndef IDKIOSK_TESTS_APP_ACCOUNTS_MATCH_FIXTURE_H_
#define IDKIOSK_TESTS_APP_ACCOUNTS_MATCH_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/accounts/match.h"

namespace idkiosk {

inline WallTime At(const std::string& time) { return *ParseRfc3339("2026-11-" + time + "Z"); }

// A sent attempt of 100.00, in doubt if `billed` is "maybe"; `time` as in "02T10:00:00".
inline LedgerLine Attempt(const std::string& reference, const std::string& time,
                          const std::string& billed = "yes") {
  return {.at = At(time),
          .reference = reference,
          .attempt = 1,
          .endpoint = "verify",
          .operator_id = "anna",
          .stage = "answered",
          .billed = billed,
          .rule = "verified",
          .price = 10'000,
          .currency = "NGN",
          .attempt_id = "id-" + reference,
          .service_reference = "VN-" + reference};
}

// One invoice of November, in UTC, whose times may be two minutes off.
class MatchTest : public testing::Test {
 protected:
  void Ledger(LedgerLine line) { ASSERT_TRUE(match_.Add(std::move(line))); }

  // Reads the invoice, whose first line is its head; what is wrong with it.
  std::vector<std::string> Invoice(const std::string& text, const std::string& columns = "") {
    std::vector<std::string> errors = Part(text, columns, 0);
    match_.Finish();
    return errors;
  }
  // The same for one of several exports.
  std::vector<std::string> Part(const std::string& text, const std::string& columns, size_t file) {
    return ReadInto(match_, text, columns, file);
  }
  static std::vector<std::string> ReadInto(InvoiceMatch& match, const std::string& text,
                                           const std::string& columns, size_t file) {
    std::istringstream in(text);
    auto reader = InvoiceReader::Open(in, columns, Zone::kUtc);
    if (!reader) return {reader.error().message};
    std::vector<std::string> errors;
    while (true) {
      auto next = reader->Next();
      if (!next) {
        errors.push_back(next.error().message);
        if (reader->broken()) break;
        match.AddUnread(reader->unread());
        continue;
      }
      if (!*next) break;
      (*next)->file = file;
      if (Status added = match.Add(std::move(**next)); !added) {
        errors.push_back(added.error().message);
      }
    }
    return errors;
  }
  std::vector<std::string> Found() { return Found(match_); }
  static std::vector<std::string> Found(const InvoiceMatch& match) {
    std::vector<std::string> found;
    for (const MatchedLine& each : match.differences()) {
      found.push_back(fmt::format("{} {} {}", each.invoice ? each.invoice->line : 0,
                                  Name(each.finding), each.ledger ? each.ledger->reference : "-"));
    }
    return found;
  }

  InvoiceMatch match_{*ReadPeriod("", "", "2026-11", Zone::kUtc), std::chrono::minutes(2)};
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_ACCOUNTS_MATCH_FIXTURE_H_

#include "app/session/visit/receipt.h"

#include <fmt/chrono.h>

#include <ctime>

namespace idkiosk {
namespace {

using Kind = PrintPart::Kind;

// As clocks on walls show it, here.
std::string LocalTime(WallTime time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm local{};
  (void)localtime_r(&seconds, &local);
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

}  // namespace

std::string Grouped(std::string_view reference) {
  constexpr size_t kGroup = 3;
  if (reference.size() <= kGroup) return std::string(reference);
  return fmt::format("{} {}", reference.substr(0, kGroup), reference.substr(kGroup));
}

PrintJob ToPrintJob(const Receipt& receipt) {
  const ReceiptWords& words = ReceiptWordsIn(receipt.language);
  PrintJob job = {{Kind::kText, receipt.brand}, {Kind::kText, std::string(words.title)}};
  job.push_back({Kind::kRule, ""});
  if (receipt.environment == Environment::kSandbox) {
    job.push_back({Kind::kText, std::string(words.practice)});
    job.push_back({Kind::kRule, ""});
  }
  job.push_back({Kind::kHeading, std::string(words.kinds[static_cast<size_t>(receipt.kind)])});
  if (receipt.kind == AnswerKind::kKept) {
    job.push_back({Kind::kText, std::string(words.kept_text)});
  } else if (receipt.kind == AnswerKind::kUnknown) {
    job.push_back({Kind::kText, std::string(words.unknown_text)});
  }
  job.push_back({Kind::kRule, ""});
  job.push_back({Kind::kText, std::string(words.reference)});
  job.push_back({Kind::kLetters, Grouped(receipt.reference)});
  job.push_back({Kind::kSquareCode, receipt.reference});
  if (receipt.at) job.push_back({Kind::kText, LocalTime(*receipt.at)});
  return job;
}

}  // namespace idkiosk

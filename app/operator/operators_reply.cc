#include "app/operator/operators_reply.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/accounts/csv.h"
#include "app/accounts/ledger_lines.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

// "Not received" is not_received.
std::string Normalized(std::string_view text) {
  std::string normal = LowerCase(text);
  for (char& letter : normal) {
    if (letter == ' ' || letter == '-') letter = '_';
  }
  return normal;
}

class ReplyReader {
 public:
  explicit ReplyReader(const std::vector<LedgerRow>& doubtful) : doubtful_(doubtful) {}

  [[nodiscard]] Result<OperatorsReply> Read(std::istream& in) {
    CsvReader csv(in);
    const auto head = csv.Next();
    if (!head) return std::unexpected(head.error());
    if (!*head) return Fail(ErrorCode::kInvalid, "it is empty");
    if (Status found = FindColumns((*head)->fields); !found) return std::unexpected(found.error());
    for (;;) {
      const auto record = csv.Next();
      if (!record) return std::unexpected(record.error());
      if (!*record) return std::move(reply_);
      Take(**record);
    }
  }

 private:
  [[nodiscard]] Status FindColumns(const std::vector<std::string>& head) {
    for (size_t i = 0; i < head.size(); ++i) {
      if (places_.emplace(Normalized(head[i]), i).second || head[i].empty()) continue;
      return Fail(ErrorCode::kInvalid, "its first line names the column '{}' twice",
                  Printable(head[i]));
    }
    const bool names = places_.contains("attempt_id") || places_.contains("reference");
    if (names && places_.contains("outcome")) return {};
    return Fail(ErrorCode::kInvalid,
                "its first line must name a column outcome, and attempt_id or reference");
  }

  [[nodiscard]] std::string At(const CsvRecord& record, const std::string& name) const {
    const auto place = places_.find(name);
    if (place == places_.end() || place->second >= record.fields.size()) return "";
    return record.fields[place->second];
  }

  void Take(const CsvRecord& record) {
    const auto wrong = [&](std::string_view why) {
      reply_.wrong.push_back(fmt::format("line {}: {}", record.line, why));
    };
    const std::string outcome = At(record, "outcome");
    const auto settlement = SettlementOf(Normalized(outcome));
    if (!settlement) {
      return wrong(
          fmt::format("the outcome '{}' is none of not_received, verified, not_verified, "
                      "rejected",
                      Printable(outcome)));
    }
    const std::string id = At(record, "attempt_id");
    const std::string reference = At(record, "reference");
    const LedgerRow* const attempt = Find(id, reference);
    const std::string shown = Printable(id.empty() ? reference : id);
    if (attempt == nullptr) {
      return wrong(
          fmt::format("{} is no attempt in doubt here: it was settled before, or is not of "
                      "this kiosk; 'idkiosk ledger list' says what it was settled as",
                      shown));
    }
    if (!reference.empty() && reference != attempt->reference &&
        reference != attempt->service_reference) {
      return wrong(fmt::format("{} is an attempt of {}, and not of {}", shown, attempt->reference,
                               Printable(reference)));
    }
    const auto same = [&](const OperatorsReply::Decided& each) {
      return each.attempt.id == attempt->id;
    };
    const auto before = std::ranges::find_if(reply_.decided, same);
    if (before == reply_.decided.end()) {
      reply_.decided.push_back({*attempt, *settlement});
    } else if (before->settlement != *settlement) {
      contradicted_.push_back(attempt->id);
      wrong(fmt::format("{} has another outcome on an earlier line; neither counts", shown));
    }
    std::erase_if(reply_.decided, [&](const OperatorsReply::Decided& each) {
      return std::ranges::find(contradicted_, each.attempt.id) != contradicted_.end();
    });
  }

  // A call's reference names an attempt only where no other one of that call is in doubt.
  [[nodiscard]] const LedgerRow* Find(const std::string& id, const std::string& reference) const {
    const LedgerRow* found = nullptr;
    for (const LedgerRow& row : doubtful_) {
      const bool by_id = !id.empty() && PlainAttemptId(row.attempt_id) == PlainAttemptId(id);
      const bool by_reference = id.empty() && !reference.empty() &&
                                (row.reference == reference || row.service_reference == reference);
      if (!by_id && !by_reference) continue;
      if (found != nullptr) return nullptr;
      found = &row;
    }
    return found;
  }

  const std::vector<LedgerRow>& doubtful_;
  std::map<std::string, size_t> places_;
  std::vector<int64_t> contradicted_;  // attempts
  OperatorsReply reply_;
};

}  // namespace

Result<std::vector<LedgerRow>> DoubtfulAttempts(Result<std::vector<LedgerRow>> ledger) {
  if (!ledger) return ledger;
  std::erase_if(*ledger, [](const LedgerRow& row) {
    return !row.genuine || row.billed != Billed::kMaybe || !row.ended_at;
  });
  return ledger;
}

std::string DoubtfulCsv(const std::vector<LedgerRow>& doubtful, const std::string& currency) {
  std::string text = CsvLine({"attempt_id", "reference", "service_reference", "endpoint", "sent_at",
                              "http_status", "price", "currency", "outcome"});
  text += kLineEnd;
  for (const LedgerRow& row : doubtful) {
    text += CsvLine({row.attempt_id, row.reference, row.service_reference,
                     std::string(Name(row.endpoint)), FormatRfc3339(row.started_at),
                     row.http_status == 0 ? "" : fmt::format("{}", row.http_status),
                     FormatAmount(row.price), row.currency.empty() ? currency : row.currency, ""});
    text += kLineEnd;
  }
  return text;
}

Result<OperatorsReply> ReadOperatorsReply(std::istream& in,
                                          const std::vector<LedgerRow>& doubtful) {
  return ReplyReader(doubtful).Read(in);
}

std::string PlanOf(const OperatorsReply& reply) {
  std::map<Settlement, int> counts;
  for (const OperatorsReply::Decided& each : reply.decided) ++counts[each.settlement];
  const int unsent = counts[Settlement::kNotReceived];
  const int ended = static_cast<int>(reply.decided.size()) - unsent;
  return fmt::format(
      "Attempts that ended: {} verified, {} not verified, {} rejected; their calls "
      "end, and count as billed. {} never arrived: not billed. Calls that still "
      "wait are sent again (billed then); those that have ended stay ended.",
      counts[Settlement::kVerified], counts[Settlement::kNotVerified],
      ended - counts[Settlement::kVerified] - counts[Settlement::kNotVerified], unsent);
}

Status SettleInName(const std::string& by, DurableQueue& queue, AuditLog& audit,
                    const CallReference& reference, int attempt, Settlement settlement) {
  const std::string what = fmt::format("{} attempt {}: {}", reference, attempt, Name(settlement));
  return audit.Do(AuditEvent::kCallSettled, by, what,
                  [&] { return queue.Settle(reference, attempt, settlement); });
}

int64_t SettleAll(
    OperatorsReply& reply,
    const std::function<Status(const LedgerRow& attempt, Settlement settlement)>& settle) {
  // A call with two such attempts ends by the one that says most, however the lines are ordered.
  const auto says_most = [](const OperatorsReply::Decided& each) {
    return each.settlement == Settlement::kNotReceived ? 3 : static_cast<int>(each.settlement);
  };
  std::ranges::stable_sort(reply.decided, {}, says_most);
  int64_t settled = 0;
  for (const OperatorsReply::Decided& each : reply.decided) {
    if (const Status done = settle(each.attempt, each.settlement); done) {
      ++settled;
    } else {
      reply.wrong.push_back(done.error().message);
    }
  }
  return settled;
}

}  // namespace idkiosk

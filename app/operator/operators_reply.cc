#include "app/operator/operators_reply.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/accounts/csv.h"
#include "app/accounts/ledger_lines.h"
#include "app/accounts/period.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"
#include "platform/base/text/trimmed.h"

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

bool IsInDoubt(const LedgerRow& row) {
  return row.genuine && row.billed == Billed::kMaybe && row.ended_at;
}

// A person or a reply has said what became of it.
bool WasTold(const LedgerRow* row) { return row->rule.starts_with(kTold); }

using Rows = std::vector<const LedgerRow*>;

// Those sent at that time; to the second, where none is of its millisecond and it has none.
Rows SentAt(WallTime time, const Rows& rows) {
  Rows same;
  std::ranges::copy_if(rows, std::back_inserter(same),
                       [&](const LedgerRow* row) { return row->started_at == time; });
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  if (!same.empty() || time != second) return same;
  std::ranges::copy_if(rows, std::back_inserter(same), [&](const LedgerRow* row) {
    return std::chrono::floor<std::chrono::seconds>(row->started_at) == second;
  });
  return same;
}

class ReplyReader {
 public:
  explicit ReplyReader(const std::vector<LedgerRow>& ledger) {
    for (const LedgerRow& row : ledger) {
      if (!row.genuine) continue;
      const std::string id = PlainAttemptId(row.attempt_id);
      if (!id.empty()) by_id_[id].push_back(&row);
      by_reference_[row.reference].push_back(&row);
      const std::string& own = row.service_reference;
      if (!own.empty() && own != row.reference) by_reference_[own].push_back(&row);
    }
  }

  [[nodiscard]] Result<OperatorsReply> Read(std::istream& in) {
    CsvReader csv(in);
    const auto head = csv.Next();
    if (!head) return std::unexpected(head.error());
    if (!*head) return Fail(ErrorCode::kInvalid, "it is empty");
    if (Status found = FindColumns((*head)->fields); !found) return std::unexpected(found.error());
    for (;;) {
      const auto record = csv.Next();
      if (!record) return std::unexpected(record.error());
      if (!*record) break;
      Take(**record);
    }
    std::erase_if(reply_.decided, [&](const OperatorsReply::Decided& each) {
      return contradicted_.contains(each.attempt.id);
    });
    return std::move(reply_);
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
    return std::string(Trimmed(record.fields[place->second]));
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
    const auto found = Find(id, reference, At(record, "sent_at"));
    if (!found) return wrong(found.error().message);
    const LedgerRow* const attempt = *found;
    const std::string shown = Printable(PlainAttemptId(id).empty() ? reference : id);
    if (!reference.empty() && reference != attempt->reference &&
        reference != attempt->service_reference) {
      return wrong(fmt::format("{} is an attempt of {}, and not of {}", shown, attempt->reference,
                               Printable(reference)));
    }
    const auto [said, first] = said_.try_emplace(attempt->id, *settlement);
    if (first) {
      reply_.decided.push_back({*attempt, *settlement});
    } else if (said->second != *settlement) {
      contradicted_.insert(attempt->id);
      wrong(fmt::format("{} has another outcome on an earlier line; neither counts", shown));
    }
  }

  // Returns the attempt in doubt that a line is about. Errors: kInvalid, in words for its sender.
  [[nodiscard]] Result<const LedgerRow*> Find(const std::string& id, const std::string& reference,
                                              const std::string& sent_at) const {
    const std::string plain = PlainAttemptId(id);
    if (plain.empty() && !reference.empty()) return FindOfCall(reference, sent_at);
    const auto named = by_id_.find(plain);
    const bool is_one = named != by_id_.end() && named->second.size() == 1;
    if (is_one && IsInDoubt(*named->second.front())) return named->second.front();
    return NotInDoubt(id);
  }

  // The same line may come twice, and another attempt may have been sent since the first time.
  [[nodiscard]] Result<const LedgerRow*> FindOfCall(const std::string& reference,
                                                    const std::string& sent_at) const {
    const auto named = by_reference_.find(reference);
    Rows attempts = named == by_reference_.end() ? Rows() : named->second;
    Rows open;
    std::ranges::copy_if(attempts, std::back_inserter(open),
                         [](const LedgerRow* row) { return IsInDoubt(*row); });
    if (open.empty()) return NotInDoubt(reference);
    if (sent_at.empty()) {
      if (open.size() == 1 && std::ranges::none_of(attempts, WasTold)) return open.front();
      return Fail(ErrorCode::kInvalid,
                  "{} is a call with more than one attempt, and this line may be about {}: name "
                  "the attempt by its {}, as the list of attempts in doubt has it now ('idkiosk "
                  "queue list --unknown-csv')",
                  Printable(reference),
                  open.size() > 1 ? "any of them" : "one that was settled before",
                  open.front()->attempt_id.empty() ? "sent_at" : "attempt_id or sent_at");
    }
    const auto time = ParseIn(Zone::kUtc, sent_at);
    if (!time) {
      return Fail(ErrorCode::kInvalid,
                  "{}: the sent_at '{}' is no time such as '{}'; leave it as the list of attempts "
                  "in doubt has it",
                  Printable(reference), Printable(sent_at),
                  FormatRfc3339(open.front()->started_at));
    }
    attempts = SentAt(*time, attempts);
    if (attempts.size() == 1 && IsInDoubt(*attempts.front())) return attempts.front();
    return Fail(ErrorCode::kInvalid,
                "{}: this line is about the attempt with the sent_at '{}', and the one in doubt "
                "has '{}': ask about that one, as the list of attempts in doubt has it now "
                "('idkiosk queue list --unknown-csv')",
                Printable(reference), Printable(sent_at), FormatRfc3339(open.front()->started_at));
  }

  [[nodiscard]] static std::unexpected<Error> NotInDoubt(const std::string& shown) {
    return Fail(ErrorCode::kInvalid,
                "{} names no attempt in doubt here: it was settled before, or is not of this "
                "kiosk, or its record is lost. 'idkiosk ledger list' says which; what is lost "
                "cannot be settled by a reply, but given up ('idkiosk queue give-up')",
                Printable(shown));
  }

  std::map<std::string, Rows> by_id_;         // by what PlainAttemptId gives
  std::map<std::string, Rows> by_reference_;  // the call's, and the service's own
  std::map<std::string, size_t> places_;
  std::map<int64_t, Settlement> said_;  // by attempt
  std::set<int64_t> contradicted_;      // attempts
  OperatorsReply reply_;
};

}  // namespace

Result<std::vector<LedgerRow>> DoubtfulAttempts(Result<std::vector<LedgerRow>> ledger) {
  if (!ledger) return ledger;
  std::erase_if(*ledger, [](const LedgerRow& row) { return !IsInDoubt(row); });
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

Result<OperatorsReply> ReadOperatorsReply(std::istream& in, const std::vector<LedgerRow>& ledger) {
  return ReplyReader(ledger).Read(in);
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
    return std::pair(each.settlement == Settlement::kNotReceived, each.settlement);
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

#include "app/cli/unknown_calls.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "app/accounts/csv.h"
#include "app/cli/call_report.h"
#include "app/cli/queue_access.h"
#include "platform/base/json.h"
#include "platform/base/printable.h"

namespace idkiosk {
namespace {

// The calls in doubt, the oldest first.
CommandResult<std::vector<CallSummary>> UnknownCalls(QueueAccess& queue) {
  auto calls = queue.List(/*only_open=*/true);
  if (!calls) return StopWith(ExitCode::kConfiguration, calls.error());
  std::erase_if(*calls, [](const CallSummary& call) { return call.state != CallState::kUnknown; });
  std::ranges::sort(*calls, {}, &CallSummary::accepted_at);
  return std::move(*calls);
}

// The attempts in doubt, also of calls that have ended: each may be in an invoice.
CommandResult<std::vector<LedgerRow>> DoubtfulAttempts(QueueAccess& queue) {
  auto rows = queue.Ledger(std::nullopt);
  if (!rows) return StopWith(ExitCode::kConfiguration, rows.error());
  std::erase_if(*rows, [](const LedgerRow& row) {
    return !row.genuine || row.billed != Billed::kMaybe || !row.ended_at;
  });
  return std::move(*rows);
}

std::string Price(Components& components, int64_t hundredths) {
  const auto profile = components.profile();
  return FormatPrice(hundredths, profile ? (*profile)->currency : std::string());
}

struct ImportOptions {
  std::string file;
  bool yes = false;

  std::vector<Argument> arguments() {
    return {{.name = "file",
             .target = &file,
             .type = "REPLY.csv",
             .help = "Columns attempt_id and outcome: not_received, verified, not_verified or "
                     "rejected. Where no attempt_id went out, reference (the call's or the "
                     "service's) instead",
             .required = true},
            {.name = "--yes", .target = &yes, .help = "Do not ask first"}};
  }
};

// One line of the reply, and the attempt that it decides about.
struct Decided {
  LedgerRow attempt;
  Settlement settlement;
};

struct Reply {
  std::vector<Decided> decided;
  std::vector<std::string> wrong;  // lines that decide nothing, each with why
};

// "Not received" is not_received.
std::string Normalized(std::string text) {
  for (char& letter : text) {
    if (letter == ' ' || letter == '-') letter = '_';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

class ReplyReader {
 public:
  explicit ReplyReader(const std::vector<LedgerRow>& doubtful) : doubtful_(doubtful) {}

  [[nodiscard]] Result<Reply> Read(std::istream& in) {
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
    if (attempt == nullptr) return wrong(fmt::format("{} is no attempt in doubt here", shown));
    if (!reference.empty() && reference != attempt->reference &&
        reference != attempt->service_reference) {
      return wrong(fmt::format("{} is an attempt of {}, and not of {}", shown, attempt->reference,
                               Printable(reference)));
    }
    const auto same = [&](const Decided& each) { return each.attempt.id == attempt->id; };
    const auto before = std::ranges::find_if(reply_.decided, same);
    if (before == reply_.decided.end()) {
      reply_.decided.push_back({*attempt, *settlement});
    } else if (before->settlement != *settlement) {
      contradicted_.push_back(attempt->id);
      wrong(fmt::format("{} has another outcome on an earlier line; neither counts", shown));
    }
    std::erase_if(reply_.decided, [&](const Decided& each) {
      return std::ranges::find(contradicted_, each.attempt.id) != contradicted_.end();
    });
  }

  // A call's reference names an attempt only where no other one of that call is in doubt.
  [[nodiscard]] const LedgerRow* Find(const std::string& id, const std::string& reference) const {
    const LedgerRow* found = nullptr;
    for (const LedgerRow& row : doubtful_) {
      const bool by_id = !id.empty() && row.attempt_id == Normalized(id);
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
  Reply reply_;
};

CommandResult<Reply> ReadReply(const std::string& file, const std::vector<LedgerRow>& doubtful) {
  auto in = OpenText(file);
  if (!in) return StopWith(ExitCode::kUsage, in.error().Within(Printable(file)));
  auto reply = ReplyReader(doubtful).Read(*in);
  if (!reply) return StopWith(ExitCode::kUsage, reply.error().Within(Printable(file)));
  return std::move(*reply);
}

// What a person says yes to.
std::string PlanOf(const Reply& reply) {
  std::map<Settlement, int> counts;
  for (const Decided& each : reply.decided) ++counts[each.settlement];
  const int unsent = counts[Settlement::kNotReceived];
  const int ended = static_cast<int>(reply.decided.size()) - unsent;
  return fmt::format(
      "Attempts that ended: {} verified, {} not verified, {} rejected; their calls "
      "end, and count as billed. {} never arrived: not billed, and sent again "
      "(billed then).",
      counts[Settlement::kVerified], counts[Settlement::kNotVerified],
      ended - counts[Settlement::kVerified] - counts[Settlement::kNotVerified], unsent);
}

CommandResult<ExitCode> RunImport(Components& components, ImportOptions& options) {
  const auto queue = OpenQueue(components, QueueNeed::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto doubtful = DoubtfulAttempts(**queue);
  if (!doubtful) return std::unexpected(doubtful.error());
  auto reply = ReadReply(options.file, *doubtful);
  if (!reply) return std::unexpected(reply.error());
  Terminal& terminal = components.terminal();
  for (const std::string& each : reply->wrong) terminal.Say(each);
  if (reply->decided.empty()) {
    return StopWith(ExitCode::kUsage, "Nothing in it decides about an attempt in doubt here.");
  }
  const std::string plan = PlanOf(*reply);
  if (!options.yes && !terminal.Confirm(plan)) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was changed. To go on: --yes", plan));
  }
  int64_t settled = 0;
  // A call with two such attempts ends by the one that says most, however the lines are ordered.
  const auto says_most = [](const Decided& each) {
    return each.settlement == Settlement::kNotReceived ? 3 : static_cast<int>(each.settlement);
  };
  std::ranges::stable_sort(reply->decided, {}, says_most);
  for (const Decided& each : reply->decided) {
    const Status done =
        (*queue)->Settle(each.attempt.reference, each.attempt.number, each.settlement);
    if (done) {
      ++settled;
    } else {
      reply->wrong.push_back(done.error().message);
      terminal.Say(done.error().message);
    }
  }
  const auto left = UnknownCalls(**queue);
  if (!left) return std::unexpected(left.error());
  terminal.Say(fmt::format("{} settled, {} not; {} calls are still unknown.", settled,
                           reply->wrong.size(), left->size()));
  if (components.json()) {
    terminal.Print(JsonWriter()
                       .BeginObject()
                       .Field("settled", settled)
                       .Field("wrong", static_cast<int64_t>(reply->wrong.size()))
                       .Field("unknown", static_cast<int64_t>(left->size()))
                       .EndObject()
                       .text());
  }
  return reply->wrong.empty() && left->empty() ? ExitCode::kDone : ExitCode::kNeedsPerson;
}

}  // namespace

CommandResult<ExitCode> ListUnknownAttempts(Components& components) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto doubtful = DoubtfulAttempts(**queue);
  if (!doubtful) return std::unexpected(doubtful.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  Terminal& terminal = components.terminal();
  terminal.Print(CsvLine({"attempt_id", "reference", "service_reference", "endpoint", "sent_at",
                          "http_status", "price", "currency", "outcome"}) +
                 '\r');
  for (const LedgerRow& row : *doubtful) {
    terminal.Print(CsvLine({row.attempt_id, row.reference, row.service_reference,
                            std::string(Name(row.endpoint)), FormatRfc3339(row.started_at),
                            row.http_status == 0 ? "" : fmt::format("{}", row.http_status),
                            FormatAmount(row.price),
                            row.currency.empty() ? (*profile)->currency : row.currency, ""}) +
                   '\r');
  }
  return ExitCode::kDone;
}

CommandResult<ExitCode> RetryAllUnknown(Components& components, std::optional<int64_t> most_price,
                                        bool yes) {
  const auto queue = OpenQueue(components, QueueNeed::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto unknown = UnknownCalls(**queue);
  if (!unknown) return std::unexpected(unknown.error());
  std::vector<CallSummary> chosen;
  int64_t price = 0;
  for (const CallSummary& call : *unknown) {
    if (!call.has_payload || call.other_address) continue;
    if (most_price && price + call.resend_price > *most_price) continue;
    price += call.resend_price;
    chosen.push_back(call);
  }
  Terminal& terminal = components.terminal();
  if (chosen.empty()) {
    terminal.Say(unknown->empty() ? "No calls are unknown."
                                  : fmt::format("None of {} unknown calls can be sent again for "
                                                "that price.",
                                                unknown->size()));
    return unknown->empty() ? ExitCode::kDone : ExitCode::kNeedsPerson;
  }
  const std::string warning =
      fmt::format("{} of {} unknown calls are sent again, which may bill them twice: another {}.",
                  chosen.size(), unknown->size(), Price(components, price));
  if (!yes && !terminal.Confirm(warning)) {
    return StopWith(
        ExitCode::kNeedsPerson,
        fmt::format("{} Nothing was sent. To go on: idkiosk queue retry --all-unknown "
                    "{}--yes",
                    warning,
                    most_price ? fmt::format("--max-price {} ", FormatAmount(*most_price)) : ""));
  }
  for (const CallSummary& call : chosen) {
    const Status sent = (*queue)->Resend(call);
    if (!sent) return StopWith(ExitCode::kNeedsPerson, sent.error());
  }
  terminal.Say(fmt::format(
      fmt::runtime((*queue)->kiosk() != nullptr
                       ? "{} calls are sent by the running kiosk now."
                       : "{} calls are sent by the next 'idkiosk queue deliver', or by the "
                         "kiosk."),
      chosen.size()));
  return ExitCode::kKept;
}

Command ImportCommand(CommandLine& line) {
  return line.Make("import", "Read what the service's operator said of unknown calls", &RunImport);
}

}  // namespace idkiosk

// people, consent: what a person may ask of a kiosk, and what they agreed to.
#include "app/accounts/csv.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/settings/nin.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// By which number a person is looked for.
struct EraseOptions {
  bool phone = false;
  std::string type;
  std::string reference;
  bool has_reference = false;  // an empty one, as of a variable that is not set, names no call
  bool yes = false;

  std::vector<Argument> arguments() {
    return {{.name = "--phone", .target = &phone, .help = "By a phone number, instead of a NIN"},
            {.name = "--type",
             .target = &type,
             .help = "By an identity number of this type, as 'check --type' takes it, instead of a "
                     "NIN",
             .excludes = "--phone"},
            {.name = "--reference",
             .target = &reference,
             .type = "ID",
             .help = "By the reference on the person's receipt; asks for no number",
             .given = &has_reference},
            {.name = "--yes", .target = &yes, .help = "Do not ask first"}};
  }
};

CommandResult<ErasureRequest> RequestOf(Components& components, const EraseOptions& options) {
  ErasureRequest request;
  if (options.has_reference) {
    if (options.phone || !options.type.empty()) {
      return StopWith(ExitCode::kUsage, "Name a call, or a kind of number, not both.");
    }
    const auto reference = ParseReference(options.reference);
    if (!reference) return StopWith(ExitCode::kUsage, reference.error());
    request.reference = *reference;
    return request;
  }
  // From the keyboard or standard input: arguments are seen by every user of the machine.
  const std::string_view question =
      options.phone ? "Phone number" : (options.type.empty() ? "NIN" : "Identity number");
  const auto typed = components.terminal().AskSecret(question);
  if (!typed) return StopWith(ExitCode::kUsage, typed.error());
  SecretBytes number = CleanNumber(typed->text());
  PersonNumbers& person = request.person;
  (options.phone          ? person.phone
   : options.type.empty() ? person.nin
                          : person.id_number) = std::move(number);
  if (!options.type.empty()) person.id_type = options.type;
  if (!options.phone && options.type.empty() && !IsNin(person.nin.text())) {
    return StopWith(ExitCode::kUsage, fmt::format("Not a NIN: a NIN has {} digits.", kNinDigits));
  }
  if (person.empty()) return StopWith(ExitCode::kUsage, "No number was given.");
  return request;
}

CommandResult<ExitCode> RunErase(Components& components, EraseOptions& options) {
  const auto request = RequestOf(components, options);
  if (!request) return std::unexpected(request.error());
  Terminal& terminal = components.terminal();
  constexpr std::string_view kWarning =
      "Everything that is kept here of this person is erased for good: calls that wait "
      "are never sent, calls that may have been sent end without an answer, and answers are gone. "
      "The ledger stays.";
  if (!options.yes && !terminal.Confirm(kWarning)) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was erased. To go on: --yes", kWarning));
  }
  const auto queue = OpenQueue(components, QueueNeed::kDecide);
  if (!queue) return std::unexpected(queue.error());
  const auto receipt = (*queue)->Erase(*request);
  if (!receipt) {
    const ErrorCode code = receipt.error().code;
    const bool misnamed = code == ErrorCode::kNotFound || code == ErrorCode::kInvalid;
    return StopWith(misnamed ? ExitCode::kUsage : ExitCode::kNeedsPerson, receipt.error());
  }
  if (components.json()) {
    terminal.Print(ReceiptJson(*receipt));
  } else {
    std::string text = ReceiptText(*receipt);
    text.pop_back();
    terminal.Print(text);
  }
  return receipt->IsComplete() ? ExitCode::kDone : ExitCode::kKept;
}

struct ConsentOptions {
  std::string since;

  std::vector<Argument> arguments() {
    return {{.name = "--since",
             .target = &since,
             .help = "Only from this day or time on, such as 2026-11-20 or 2026-11-20T08:00:00Z"}};
  }
};

struct ExportOptions : ConsentOptions {
  bool jsonl = false;

  std::vector<Argument> arguments() {
    auto all = ConsentOptions::arguments();
    all.push_back({.name = "--jsonl",
                   .target = &jsonl,
                   .help = "Print one JSON object a line, instead of CSV"});
    return all;
  }
};

std::string JsonOf(const ConsentEntry& entry) {
  JsonWriter json;
  WriteConsent(json, entry);
  return json.Take();
}

// Prints each entry that the options name, as `text` writes it, below `head` where there is one.
CommandResult<ExitCode> PrintConsents(Components& components, const ConsentOptions& options,
                                      const std::string& head,
                                      const std::function<std::string(const ConsentEntry&)>& text) {
  const auto since = ReadSince(options.since);
  if (!since) return std::unexpected(since.error());
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto contents = (*queue)->Consents();
  if (!contents) return StopWith(ExitCode::kConfiguration, contents.error());
  if (!head.empty()) components.terminal().Print(head);
  size_t shown = 0;
  for (const ConsentEntry& each : contents->entries) {
    if (*since && each.at < **since) continue;
    components.terminal().Print(text(each));
    ++shown;
  }
  if (shown == 0) components.terminal().Say("No consents are on record for that.");
  for (const std::string& each : contents->damage) {
    components.terminal().Say(
        fmt::format("The record of consents was once found {}, and was continued.", each));
  }
  if (contents->verdict.state == JournalState::kGenuine) return ExitCode::kDone;
  components.terminal().Say("The record of consents is not genuine, or not complete.");
  return ExitCode::kNeedsPerson;
}

CommandResult<ExitCode> RunConsentList(Components& components, ConsentOptions& options) {
  return PrintConsents(components, options, "", [&](const ConsentEntry& entry) {
    if (components.json()) return JsonOf(entry);
    return Printable(
        fmt::format("{:>6}  {}  {}  version {}, {}{}{}", entry.number, FormatRfc3339(entry.at),
                    Spaced(entry.reference), entry.consent.version, entry.consent.language,
                    entry.operator_id.empty() ? "" : ", asked by ", entry.operator_id));
  });
}

CommandResult<ExitCode> RunConsentExport(Components& components, ExportOptions& options) {
  // RFC 4180 ends a line by CRLF.
  const std::string head =
      options.jsonl
          ? ""
          : CsvLine({"number", "time", "reference", "version", "language", "operator"}) + '\r';
  return PrintConsents(components, options, head, [&](const ConsentEntry& entry) {
    if (options.jsonl) return JsonOf(entry);
    return CsvLine({fmt::format("{}", entry.number), FormatRfc3339(entry.at), entry.reference,
                    entry.consent.version, entry.consent.language, entry.operator_id}) +
           '\r';
  });
}

}  // namespace

void AddPeopleCommands(CommandLine& line) {
  line.AddGroup("people", "Erase a person's data on request",
                {line.Make("erase",
                           "Erase everything of a person that is kept here, and print a receipt; "
                           "the number is asked for, or read from standard input",
                           &RunErase)});
  line.AddGroup(
      "consent", "Show what people agreed to before their checks",
      {line.Make("list", "List each consent; with --json one object a line", &RunConsentList),
       line.Make("export", "Print them as CSV, for another system", &RunConsentExport)});
}

}  // namespace idkiosk

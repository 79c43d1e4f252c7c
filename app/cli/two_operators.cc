#include "app/cli/two_operators.h"

#include "app/cli/call_report.h"
#include "app/session/staff/pin_judge.h"
#include "app/session/staff/two_persons.h"

namespace idkiosk {
namespace {

CommandResult<void> WaitAsLocked(Components& components, PinJudge& judge,
                                 const std::string& not_of) {
  const auto found = judge.Begin();
  if (!found) return StopWith(ExitCode::kConfiguration, found.error());
  const Duration wait = PinJudge::WaitOf(found->counts, not_of);
  if (wait == Duration::zero()) return {};
  components.terminal().Say(
      fmt::format("Too many wrong tries: the PIN is judged in {} s.",
                  std::chrono::duration_cast<std::chrono::seconds>(wait).count()));
  if (components.WaitUntil(components.drivers().clock.Now() + wait)) return {};
  return StopWith(ExitCode::kKept, "stopped before the PIN was judged: nothing was done");
}

// Returns the name of an operator who is not `first`.
CommandResult<std::string> NameBehindPin(Components& components, PinJudge& judge,
                                         const std::string& file, const std::string& first) {
  const auto pin =
      components.SecretFrom(file, first.empty() ? "PIN of an operator" : "PIN of another operator");
  if (!pin && file.empty()) {
    return StopWith(pin.error().code,
                    fmt::format("two operators must agree, and {}: name the files of their PINs as "
                                "--pin-file and --second-pin-file",
                                pin.error().message));
  }
  if (!pin) return std::unexpected(pin.error());
  if (auto waited = WaitAsLocked(components, judge, first); !waited) {
    return std::unexpected(waited.error());
  }
  const auto verdict = judge.Judge({.name = "", .anybody = true, .not_of = first}, *pin);
  if (verdict.kind == PinJudge::Verdict::Kind::kOpen) return verdict.name;
  (*components.audit())
      ->Note(AuditEvent::kSignInRefused, UserName(), fmt::format("operator: {}", verdict.sentence));
  return StopWith(ExitCode::kUsage,
                  fmt::format("two operators must agree, and {}: nothing was done",
                              verdict.kind == PinJudge::Verdict::Kind::kWrong
                                  ? (first.empty() ? "this is no operator's PIN"
                                                   : "this is no other operator's PIN")
                                  : verdict.sentence));
}

// Asks for both PINs.
CommandResult<std::string> BothAgree(Components& components, const Settings& settings,
                                     SecureStorage& vault, const OperatorPins& pins,
                                     AuditEvent event) {
  const Drivers& drivers = components.drivers();
  PinJudge judge({vault, drivers.files, drivers.crypto}, Staff::kOperator, settings.state_folder);
  const auto first = NameBehindPin(components, judge, pins.first_file, "");
  if (!first) return first;
  const auto second = NameBehindPin(components, judge, pins.second_file, *first);
  if (!second) return second;
  const Status both =
      CheckTwoPersons(vault, settings.staff.two_persons, Agreement{*first, *second});
  if (!both) return StopWith(ExitCode::kUsage, both.error());
  std::string by = fmt::format("{}, with {} and {}", UserName(), *first, *second);
  (*components.audit())->Note(AuditEvent::kConfirmed, by, Name(event));
  return by;
}

}  // namespace

void OperatorPins::AddTo(std::vector<Argument>& arguments) {
  arguments.push_back({.name = "--pin-file",
                       .target = &first_file,
                       .type = "FILE",
                       .help = "Where two operators must agree: the PIN of one, in a file of mode "
                               "0600"});
  arguments.push_back({.name = "--second-pin-file",
                       .target = &second_file,
                       .type = "FILE",
                       .help = "The PIN of the other"});
}

CommandResult<std::string> AgreedBy(Components& components, const OperatorPins& pins,
                                    AuditEvent event) {
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const std::string& rule = (*settings)->staff.two_persons;
  const Status agreed = CheckTwoPersons(**vault, rule, std::nullopt);
  if (agreed) return UserName();
  if (agreed.error().code != ErrorCode::kForbidden) {
    return StopWith(ExitCode::kConfiguration, agreed.error());
  }
  return BothAgree(components, **settings, **vault, pins, event);
}

CommandResult<std::string> OperatorsChangedBy(Components& components, const OperatorPins& pins,
                                              AuditEvent event) {
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto staff = ReadStaff(**vault);
  if (!staff) return StopWith(ExitCode::kConfiguration, staff.error());
  const size_t operators = CountOperators(*staff);
  if (operators < 2) return fmt::format("{}, alone: there is no second operator", UserName());
  if (!NeedsSecondOperator((*settings)->staff.two_persons, operators)) {
    return fmt::format("{}, alone: staff.two_persons is off", UserName());
  }
  return BothAgree(components, **settings, **vault, pins, event);
}

}  // namespace idkiosk

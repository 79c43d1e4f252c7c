#include "app/operator/tabbed_console.h"

#include <algorithm>
#include <utility>

#include "app/settings/credentials.h"

namespace idkiosk {
namespace {

constexpr Duration kReadAgain = std::chrono::seconds(2);
// The page hears that it went well before the program's parts go.
constexpr Duration kBeforeAnew = std::chrono::seconds(1);
// An exchange may be under way that must end first.
constexpr Duration kPageWaits = std::chrono::milliseconds(2500);

constexpr std::string_view kTrying = "The login and the key are being tried at the service.";

// Of what two people do.
CommandReply ReplyOf(Status done) {
  const bool needs_second = !done && done.error().code == ErrorCode::kForbidden;
  return {std::move(done),
          needs_second ? std::optional(CommandProblem::kSecondNeeded) : std::nullopt};
}

}  // namespace

struct TabbedConsole::Command {
  std::string_view name;
  void (TabbedConsole::*run)(JsonView arguments, Reply reply);
};

constexpr TabbedConsole::Command TabbedConsole::kCommands[] = {
    {"operator.tab", &TabbedConsole::ChooseTab},   {"resend", &TabbedConsole::Resend},
    {"give_up", &TabbedConsole::GiveUp},           {"operator.lift", &TabbedConsole::LiftHold},
    {"operator.provision", &TabbedConsole::SetUp}, {"operator.bundle", &TabbedConsole::KeepBundle},
    {"operator.erase", &TabbedConsole::Erase},     {"operator.scan", &TabbedConsole::Scan},
};

TabbedConsole::TabbedConsole(OperatorBackend& sources, OfficeBackend& office, TaskRunner& control,
                             const Clock& clock)
    : sources_(sources),
      files_(office),
      control_(control),
      clock_(clock),
      office_(office, control, clock, [this] { Changed(); }) {}

TabbedConsole::~TabbedConsole() { Leave(); }

template <typename Function>
auto TabbedConsole::InThisOpening(Function function) {
  return [this, opening = opening_, run = std::move(function)](auto&&... answer) mutable {
    if (opening == opening_ && changed_) run(std::forward<decltype(answer)>(answer)...);
  };
}

template <typename T>
auto TabbedConsole::Keep(std::optional<T>& place) {
  return InThisOpening([this, &place, tab = tab_](Result<T> answer) {
    if (tab != tab_) return;
    problem_ = answer ? std::string() : answer.error().message;
    if (answer) place = std::move(*answer);
    ReadAgainLater();
    Changed();
  });
}

void TabbedConsole::Open(std::function<void()> changed) {
  control_thread_.Check();
  changed_ = std::move(changed);
  setup_.provisioned = sources_.provisioned();
  // Whoever opens an empty kiosk comes to set it up.
  Enter(setup_.provisioned ? Tab::kReady : Tab::kSetup);
}

void TabbedConsole::Close() {
  control_thread_.Check();
  Leave();
  changed_ = nullptr;
  ++opening_;
  found_.clear();
  vault_.reset();
  setup_ = SetupView();
  bundle_wanted_ = false;
}

void TabbedConsole::Do(std::string_view command, JsonView arguments, Reply reply) {
  control_thread_.Check();
  const auto known = std::ranges::find(kCommands, command, &Command::name);
  if (known == std::end(kCommands)) {
    if (office_.Do(command, arguments, reply)) return;
    return reply(Refused(ErrorCode::kFailedPrecondition, "there is no such command here"));
  }
  (this->*known->run)(arguments, std::move(reply));
}

void TabbedConsole::ShowNumber(const CallReference& reference, Reply reply) {
  office_.ShowNumber(reference, std::move(reply));
}

std::string_view TabbedConsole::Problem() const {
  if (problem_.empty() && tab_ == Tab::kQueue) return office_.WhyNoPeople();
  if (problem_.empty() && tab_ == Tab::kLedger) return office_.WhyNoBooks();
  return problem_;
}

std::string TabbedConsole::Snapshot() const {
  control_thread_.Check();
  JsonWriter json;
  json.BeginObject().Field("tab", kTabs[static_cast<size_t>(tab_)]).Field("problem", Problem());
  switch (tab_) {
    case Tab::kReady:
      WriteReady(json, found_);
      break;
    case Tab::kQueue:
      if (queue_) WriteQueue(json, *queue_);
      office_.WritePeople(json);
      office_.WriteStick(json);
      break;
    case Tab::kLedger:
      if (ledger_) WriteLedger(json, *ledger_);
      office_.WriteBooks(json);
      office_.WriteStick(json);
      break;
    case Tab::kCamera:
      if (camera_) WriteCamera(json, *camera_);
      break;
    case Tab::kVault:
      if (vault_) WriteVault(json, *vault_);
      break;
    case Tab::kStaff:
      WriteStaff(json, staff_);
      break;
    case Tab::kLog:
      WriteLog(json, log_);
      break;
    case Tab::kSetup:
      WriteSetup(json, setup_);
      office_.WriteStick(json);
      break;
  }
  return json.EndObject().Take();
}

// --- Tabs ---

void TabbedConsole::ChooseTab(JsonView arguments, Reply reply) {
  const auto name = arguments["tab"].AsString();
  const auto found = name ? std::ranges::find(kTabs, *name) : kTabs.end();
  if (found == kTabs.end()) {
    return reply(Refused(ErrorCode::kInvalid, "tab must be one of the console's tabs"));
  }
  Leave();
  Enter(static_cast<Tab>(found - kTabs.begin()));
  Changed();
  reply({});
}

void TabbedConsole::Enter(Tab tab) {
  tab_ = tab;
  problem_.clear();
  switch (tab) {
    case Tab::kReady:
      return CheckAll();
    case Tab::kCamera:
      camera_.emplace();
      return sources_.WatchCamera(*this);
    case Tab::kQueue:
      office_.OpenQueue();
      return Read();
    case Tab::kLedger:
      office_.OpenLedger();
      return Read();
    case Tab::kVault:
    case Tab::kStaff:
    case Tab::kLog:
      return Read();
    case Tab::kSetup:
      return office_.OpenSetup();
  }
}

// What another tab showed is not kept: it would be old when it is shown again.
void TabbedConsole::Leave() {
  again_.Cancel();
  StopScan();
  scanned_ = SecretBytes();
  if (camera_) sources_.LetCameraGo();
  camera_.reset();
  queue_.reset();
  ledger_.reset();
  log_.clear();
  office_.Forget();
}

void TabbedConsole::CheckAll() {
  found_.clear();
  for (const OperatorBackend::Check check : OperatorBackend::kChecks) {
    sources_.Look(check, InThisOpening([this, check](Findings findings) {
                    found_.insert_or_assign(check, std::move(findings));
                    if (bundle_wanted_ && found_.size() == OperatorBackend::kChecks.size())
                      WriteBundle();
                    Changed();
                  }));
  }
}

void TabbedConsole::Read() {
  control_thread_.Check();
  if (tab_ == Tab::kQueue) return sources_.ReadQueue(Keep(queue_));
  if (tab_ == Tab::kLedger) return sources_.ReadLedger(Keep(ledger_));
  if (tab_ == Tab::kVault) return sources_.ReadVault(Keep(vault_));
  if (tab_ == Tab::kStaff) {
    staff_ = sources_.ReadStaff();
  } else if (tab_ == Tab::kLog) {
    log_ = sources_.ReadLog();
  } else {
    return;
  }
  ReadAgainLater();
}

void TabbedConsole::ReadAgainLater() {
  again_ = ScopedTimer(control_, clock_.Now() + kReadAgain, [this] {
    Read();
    Changed();
  });
}

void TabbedConsole::Changed() {
  control_thread_.Check();
  if (changed_) changed_();
}

void TabbedConsole::OnCamera(const std::string& source, const std::string& format,
                             const std::string& detector) {
  control_thread_.Check();
  if (!camera_) return;
  camera_->source = source;
  camera_->format = format;
  camera_->detector = detector;
  Changed();
}

void TabbedConsole::OnMeasures(std::vector<Measure> measures) {
  control_thread_.Check();
  if (!camera_) return;
  camera_->measures = std::move(measures);
  camera_->trouble.clear();
  Changed();
}

void TabbedConsole::OnCameraTrouble(std::string sentence) {
  control_thread_.Check();
  if (!camera_) return;
  camera_->measures.clear();
  camera_->trouble = std::move(sentence);
  Changed();
}

// --- Decisions about calls ---

void TabbedConsole::Resend(JsonView arguments, Reply reply) {
  if (arguments["confirmed"].AsBool() != true || !arguments["attempts"].AsInteger()) {
    return reply(Refused(ErrorCode::kInvalid,
                         "sending a call again may bill it twice: it must be confirmed, for the "
                         "attempts that were shown"));
  }
  Decide(arguments, OperatorBackend::Decision::kResend, std::move(reply));
}

void TabbedConsole::GiveUp(JsonView arguments, Reply reply) {
  Decide(arguments, OperatorBackend::Decision::kGiveUp, std::move(reply));
}

void TabbedConsole::Decide(JsonView arguments, OperatorBackend::Decision decision, Reply reply) {
  const auto reference = ParseReference(arguments["reference"].AsString().value_or(""));
  if (!reference) return reply(Refused(ErrorCode::kInvalid, "reference must be a call's"));
  const auto seen = static_cast<int>(arguments["attempts"].AsInteger().value_or(0));
  sources_.Decide(*reference, decision, seen, ReadAgainAfter(std::move(reply)));
}

OperatorBackend::Then<Status> TabbedConsole::ReadAgainAfter(Reply reply) {
  return [this, opening = opening_, answer = std::move(reply)](Status decided) mutable {
    if (opening == opening_ && changed_) Read();
    answer({std::move(decided)});
  };
}

void TabbedConsole::LiftHold(JsonView arguments, Reply reply) {
  const auto hold = arguments["hold"].AsString();
  if (!hold || arguments["confirmed"].AsBool() != true) {
    return reply(Refused(ErrorCode::kInvalid,
                         "lifting a hold may bill one call: it must be named, and confirmed"));
  }
  sources_.LiftHold(std::string(*hold), ReadAgainAfter(std::move(reply)));
}

// --- Set-up and erasing ---

TabbedConsole::Second TabbedConsole::SecondOf(JsonView arguments) {
  const auto name = arguments["second"].AsString();
  const auto pin = arguments["pin"].AsString();
  if (!name || !pin) return {};
  return {std::string(*name), SecretBytes::CopyOf(*pin)};
}

void TabbedConsole::WithSecond(Second second, AuditEvent event,
                               std::move_only_function<void(std::string second, Reply)> act,
                               Reply reply) {
  if (second.name.empty()) return act("", std::move(reply));
  sources_.Confirm(second.name, std::move(second.pin), event,
                   [name = second.name, run = std::move(act),
                    answer = std::move(reply)](CommandReply confirmed) mutable {
                     if (!confirmed.status) return answer(std::move(confirmed));
                     run(std::move(name), std::move(answer));
                   });
}

void TabbedConsole::Erase(JsonView arguments, Reply reply) {
  if (arguments["confirmed"].AsBool() != true) {
    return reply(Refused(ErrorCode::kInvalid, "erasing everything must be confirmed"));
  }
  WithSecond(
      SecondOf(arguments), AuditEvent::kVaultErased,
      [this](const std::string& second, Reply answer) {
        sources_.Erase(second, [told = std::move(answer)](Status done) mutable {
          told(ReplyOf(std::move(done)));
        });
      },
      std::move(reply));
}

// A message comes as text, in a file on a stick, or as a code; what it lacks is typed.
void TabbedConsole::SetUp(JsonView arguments, Reply reply) {
  StopScan();
  setup_.second_needed = false;
  Second second = SecondOf(arguments);
  OperatorBackend::Typed typed;
  const auto take = [&](std::string_view name, std::optional<std::string_view> value) {
    if (value && !value->empty()) typed.emplace_back(name, SecretBytes::CopyOf(*value));
  };
  take(kLoginSecret, arguments["login"].AsString());
  take(kPasswordSecret, arguments["password"].AsString());
  take(kUserIdSecret, arguments["user_id"].AsString());
  take(kApiKeySecret, arguments["api_key"].AsString());
  if (const auto file = arguments["file"].AsString(); file && !file->empty()) {
    return files_.ReadMessage(std::string(*file), [this, more = std::move(typed),
                                                   two = std::move(second), opening = opening_,
                                                   answer = std::move(reply)](
                                                      Result<SecretBytes> message) mutable {
      if (opening != opening_ || !changed_) {
        return answer(Refused(ErrorCode::kFailedPrecondition, "the console was left"));
      }
      if (message) {
        return SetUpFrom(std::move(*message), std::move(more), std::move(two), std::move(answer));
      }
      answer(Refused(ErrorCode::kForbidden, message.error().message));
    });
  }
  const auto message = arguments["message"].AsString();
  if (message && !message->empty()) {
    return SetUpFrom(SecretBytes::CopyOf(*message), std::move(typed), std::move(second),
                     std::move(reply));
  }
  if (!scanned_.empty()) {
    return SetUpFrom(scanned_.Clone(), std::move(typed), std::move(second), std::move(reply));
  }
  reply(Refused(ErrorCode::kInvalid,
                "there is no message: show its code to the camera, choose the file, or paste what "
                "the service's operator sent"));
}

void TabbedConsole::SetUpFrom(SecretBytes message, OperatorBackend::Typed typed, Second second,
                              Reply reply) {
  WithSecond(
      std::move(second), AuditEvent::kServiceSet,
      [this, text = std::move(message), more = std::move(typed)](const std::string& name,
                                                                 Reply answer) mutable {
        setup_.text = kTrying;
        Changed();
        const MonotonicTime asked = clock_.Now();
        sources_.SetUp(std::move(text), std::move(more), name,
                       [this, asked, told = std::move(answer)](Status done) mutable {
                         OnSetUp(done, clock_.Now() - asked);
                         told(ReplyOf(std::move(done)));
                       });
      },
      std::move(reply));
}

void TabbedConsole::Scan(JsonView arguments, Reply reply) {
  const auto on = arguments["on"].AsBool();
  if (!on) return reply(Refused(ErrorCode::kInvalid, "on must be true or false"));
  StopScan();
  if (*on) {
    setup_.scanning = true;
    setup_.second_needed = false;
    setup_.text.clear();
    sources_.ScanMessage(
        InThisOpening([this](Result<SecretBytes> message) { OnScanned(std::move(message)); }));
  }
  Changed();
  reply({});
}

void TabbedConsole::OnScanned(Result<SecretBytes> message) {
  if (!std::exchange(setup_.scanning, false)) return;
  if (!message) {
    setup_.text = fmt::format("{}: hold the code still, about a hand's width before the camera.",
                              message.error().message);
    return Changed();
  }
  scanned_ = message->Clone();
  const MonotonicTime asked = clock_.Now() - kPageWaits;  // no page waits for this reply
  setup_.text = kTrying;
  Changed();
  sources_.SetUp(std::move(*message), {}, "", [this, asked](const Status& done) {
    if (done) scanned_ = SecretBytes();
    setup_.second_needed = !done && done.error().code == ErrorCode::kForbidden;
    OnSetUp(done, clock_.Now() - asked);
  });
}

void TabbedConsole::StopScan() {
  if (std::exchange(setup_.scanning, false)) sources_.StopScan();
}

void TabbedConsole::OnSetUp(const Status& done, Duration after) {
  if (done) {
    setup_.provisioned = true;
    setup_.text = "The kiosk restarts with the new set-up.";
    anew_ = ScopedTimer(control_, clock_.Now() + kBeforeAnew, [this] { sources_.StartAnew(); });
  } else {
    // The reply says it, to a page that still waits for it.
    setup_.text = after < kPageWaits ? std::string() : done.error().message;
  }
  Changed();
}

void TabbedConsole::KeepBundle(JsonView, Reply reply) {
  setup_.bundle.clear();
  setup_.text.clear();
  bundle_wanted_ = true;
  if (found_.size() == OperatorBackend::kChecks.size()) {
    WriteBundle();
  } else {
    CheckAll();
  }
  Changed();
  reply({});
}

void TabbedConsole::WriteBundle() {
  bundle_wanted_ = false;
  Findings findings;
  for (const auto& [check, each] : found_) Append(findings, each);
  sources_.KeepBundle(std::move(findings), InThisOpening([this](Result<std::string> path) {
                        if (path) {
                          setup_.bundle = std::move(*path);
                        } else {
                          setup_.text = fmt::format("The bundle could not be written: {}",
                                                    path.error().message);
                        }
                        Changed();
                      }));
}

}  // namespace idkiosk

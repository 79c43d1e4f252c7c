#include "tests/faults/fault_kiosk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tests/integration/exit_codes.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;
using Kind = ByteProxy::Fault::Kind;

// Everybody's number begins so.
constexpr int64_t kFirstNin = 70'000'000'000;
constexpr std::string_view kNinsBegin = "70000000";
// Who answers to the test number.
constexpr std::string_view kName = "Testa";
// How every JPEG of ours begins, and the same as base64.
constexpr std::string_view kJpeg("\xff\xd8\xff\xe0\x00\x10JFIF", 10);
constexpr std::string_view kJpegInBase64 = "/9j/4AAQSkZJRg";

// What a state folder may take beside its calls (reserve, database with its log, ledger, vault) and
// for each of them, in bytes.
constexpr uintmax_t kFixedRoom = 64U << 20;
constexpr uintmax_t kRoomPerCall = 400U << 10;

// The reference that a command names once the call is accepted, or nothing.
std::string AcceptedReference(const std::string& words) {
  constexpr std::string_view kMark = "Kept and sealed: reference ";
  const size_t at = words.find(kMark);
  if (at == std::string::npos || words.size() < at + kMark.size() + 7) return "";
  std::string reference = words.substr(at + kMark.size(), 7);
  std::erase(reference, ' ');
  return reference;
}

std::string Tail(const std::string& text) {
  return text.size() > 600 ? "..." + text.substr(text.size() - 600) : text;
}

}  // namespace

bool FaultKiosk::Begin(const Settings& settings) {
  const int failures = testing::UnitTest::GetInstance()->ad_hoc_test_result().total_part_count();
  if (!StartServiceAndNetwork(settings)) return false;
  if (settings.plain) service_settings_ = R"("allow_plain_http": true,)";
  Provision(fmt::format(R"("billing": {{ {} }}, "queue": {{ {} }}, {}
      "log": {{ "level": "debug", "file": "{}/idkiosk.log" }},)",
                        settings.billing, settings.queue, settings.more, state()));
  // Behind provisioning, which is not to be as impatient as the row is.
  const std::string local = folder_ / "kiosk.local.jsonc";
  std::string text = ReadFile(local);
  const size_t profile = text.find(R"("profile":)");
  EXPECT_NE(profile, std::string::npos);
  if (profile != std::string::npos) WriteFile(local, text.insert(profile, settings.service));
  const bool good =
      testing::UnitTest::GetInstance()->ad_hoc_test_result().total_part_count() == failures;
  if (!good) tally_.Break("service and kiosk did not start");
  return good;
}

bool FaultKiosk::StartServiceAndNetwork(const Settings& settings) {
  if (settings.plain) sandbox_options_ = {"--plain-http"};
  if (settings.host != Settings().host) sandbox_options_ = {"--name", settings.host};
  StartSandbox();
  if (sandbox_port_ == 0) return false;
  if (settings.plain) answers_ = std::make_unique<AnswerProxy>(sandbox_port_);
  network_ = std::make_unique<ByteProxy>(answers_ ? answers_->port() : sandbox_port_);
  port_ = network_->port();
  told_address_ = fmt::format("{}:{}", settings.host, port_);
  kept_message_ = message();
  return true;
}

int FaultKiosk::TakeNetworkAway() {
  network_.reset();
  return port_;
}

void FaultKiosk::BringNetworkBack() {
  network_ = std::make_unique<ByteProxy>(answers_ ? answers_->port() : sandbox_port_, port_);
}

std::string FaultKiosk::NextNin() { return std::to_string(kFirstNin + people_++); }

std::vector<std::string> FaultKiosk::CheckCommand(const std::string& wait) const {
  return KioskCommand({"check", "--id-number", "-", "--wait", wait});
}

Finished FaultKiosk::Ask() { return Note(RunProgram(CheckCommand(), NextNin() + "\n")); }

void FaultKiosk::LetWait(int count) {
  network().Set({.kind = Kind::kClose});
  for (int i = 0; i < count; ++i) (void)Ask();
  network().Heal();
}

Finished FaultKiosk::Do(const std::vector<std::string>& arguments, const std::string& input) {
  return Note(Kiosk(arguments, input));
}

Finished FaultKiosk::Note(Finished finished) {
  if (const std::string one = AcceptedReference(finished.err); !one.empty()) accepted_.insert(one);
  said_ += finished.out + finished.err;
  return finished;
}

void FaultKiosk::Misbehave(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"fault", "add"});
  const Finished added = Sandbox(arguments);
  EXPECT_EQ(added.exit_code, 0) << added.err;
}

void FaultKiosk::Behave() {
  const Finished cleared = Sandbox({"fault", "clear"});
  EXPECT_EQ(cleared.exit_code, 0) << cleared.err;
}

std::map<std::string, std::string> FaultKiosk::States() {
  std::map<std::string, std::string> states;
  const JsonDocument list = Parse(Kiosk({"--json", "queue", "list", "--all"}).out);
  for (const JsonView call : list.root().children()) {
    states[std::string(*call["reference"].AsString())] = *call["state"].AsString();
  }
  return states;
}

void FaultKiosk::LetEndedGo() {
  const auto states = States();
  const Approvals approvals = ReadLedger();
  std::erase_if(accepted_, [&](const std::string& reference) {
    const auto row = states.find(reference);
    if (row == states.end()) return approvals.references.contains(reference);
    return row->second == "done" || row->second == "cancelled";
  });
}

void FaultKiosk::Judge() {
  network().Heal();
  if (answers_) answers_->Heal();
  const Finished last = ComeBack();
  const Approvals approvals = ReadLedger();
  CompareBills(approvals);
  FindAccepted(approvals, last, "all faults");
  if (last.exit_code == kNeedsPerson) CheckNames(last);
  LookForSecrets();
  Measure();
}

// By itself, or after what a person is told to do.
Finished FaultKiosk::ComeBack() {
  const auto deliver = [this] {
    std::vector<std::string> variables;
    if (passed_ != 0) {
      variables = {std::string("LD_PRELOAD=") + FAULTS_MODULE,
                   fmt::format("FAULTS_CLOCK={}", passed_),
                   fmt::format("FAULTS_BOOT_CLOCK={}", passed_)};
    }
    return Note(
        RunProgram(KioskCommand({"queue", "deliver", "--wait", kAsLongAsItTakes}), "", variables));
  };
  Finished last = deliver();
  if (last.exit_code == kNeedsPerson && !mends.empty()) {
    for (const auto& mend : mends) (void)Do(mend);
    last = deliver();
  }
  tally_.Check(last.exit_code == kDone || last.exit_code == kNeedsPerson, Invariant::kBack,
               fmt::format("a plain start ends with {}: {}", last.exit_code, Tail(last.err)));
  return last;
}

FaultKiosk::Approvals FaultKiosk::ReadLedger() {
  Approvals approvals;
  const JsonDocument ledger = Parse(Kiosk({"--json", "ledger", "list"}).out);
  for (const JsonView row : ledger.root().children()) {
    if (!row["reference"].exists()) continue;  // a decision
    approvals.references.emplace(*row["reference"].AsString());
    const auto billed = *row["billed"].AsString();
    approvals.billed += billed == "yes" ? 1 : 0;
    approvals.maybe_billed += billed == "maybe" ? 1 : 0;
  }
  return approvals;
}

void FaultKiosk::CompareBills(const Approvals& approvals) {
  const JsonDocument bills = Parse(Sandbox({"ledger", "--json", "--limit", "100000"}).out);
  std::map<std::string, int> of_person;
  int billed = 0;
  for (const JsonView row : bills.root()["rows"].children()) {
    ++billed;
    ++of_person[std::string(row["subject"].AsString().value_or(""))];
  }
  int again = 0;
  for (const auto& [person, count] : of_person) again += person.empty() ? 0 : count - 1;
  tally_.Check(again <= resends_, Invariant::kPaid,
               fmt::format("{} bills for people who were billed before", again - resends_));
  if (ledger_is_damaged_) return;
  tally_.Check(billed <= approvals.billed + approvals.maybe_billed, Invariant::kPaid,
               fmt::format("{} billed, but the ledger has {} billed and {} that may be", billed,
                           approvals.billed, approvals.maybe_billed));
  tally_.Check(approvals.billed <= billed, Invariant::kPaid,
               fmt::format("the ledger has {} billed, the service {}", approvals.billed, billed));
}

void FaultKiosk::FindLost(const std::string& fault) {
  const Finished last = Do({"queue", "deliver", "--wait", "0"});
  FindAccepted(ReadLedger(), last, fault);
}

void FaultKiosk::FindAccepted(const Approvals& approvals, const Finished& last,
                              const std::string& fault) {
  const auto states = States();
  for (const std::string& reference : accepted_) {
    const bool named = states.contains(reference) || last.err.contains(reference);
    // What has ended may have lost its row, and not what the ledger says of it.
    tally_.Check(named || approvals.references.contains(reference), Invariant::kKept,
                 fmt::format("{} was accepted, and after {} nothing knows it", reference, fault));
  }
  for (const auto& [reference, state] : states) {
    tally_.Check(state != "expired", Invariant::kKept, reference + " was erased for its age");
    tally_.Check(state != "pending" && state != "sending", Invariant::kBack,
                 fmt::format("{} is still {}", reference, state));
  }
}

// Of each state that needs a person, one call says what that person must do.
void FaultKiosk::CheckNames(const Finished& last) {
  std::set<std::string> looked_at;
  for (const auto& [reference, call_state] : States()) {
    if (call_state == "done" || call_state == "cancelled" || !looked_at.insert(call_state).second)
      continue;
    const Finished shown = Kiosk({"queue", "show", reference});
    tally_.Check((shown.out + shown.err).contains("'idkiosk ") || shown.out.contains("mend"),
                 Invariant::kBack,
                 fmt::format("{} is {}, and nobody is told what to do: {}", reference, call_state,
                             Tail(shown.out + shown.err)));
  }
  tally_.Check(!looked_at.empty() || last.err.contains("idkiosk "), Invariant::kBack,
               "it needs a person, and does not say for what: " + Tail(last.err));
}

void FaultKiosk::LookForSecrets() {
  LookInto(std::exchange(said_, ""), "what the program said");
  for (const auto& entry : fs::recursive_directory_iterator(state())) {
    if (entry.is_regular_file()) LookInto(ReadFile(entry.path()), entry.path());
  }
  for (const std::string& folder : {fs::current_path().string(), folder_.path()}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      tally_.Check(!name.starts_with("core") || !entry.is_regular_file(), Invariant::kSealed,
                   "there is a core file: " + name);
    }
  }
}

void FaultKiosk::LookInto(const std::string& bytes, const std::string& where) {
  const auto look = [&](std::string_view canary, std::string_view what) {
    if (canary.empty()) return;
    tally_.Check(!bytes.contains(canary), Invariant::kSealed,
                 fmt::format("{} can be read in {}", what, where));
  };
  look(kNinsBegin, "a number");
  look(kName, "a name");
  look(kJpeg, "a picture");
  look(kJpegInBase64, "a picture");
  for (const auto& [name, value] : secrets_) look(value, name);
}

void FaultKiosk::Measure() {
  uintmax_t size = 0;
  for (const auto& entry : fs::recursive_directory_iterator(state())) {
    if (entry.is_regular_file()) size += entry.file_size();
  }
  const uintmax_t room = kFixedRoom + kRoomPerCall * static_cast<uintmax_t>(people_);
  tally_.Check(size <= room, Invariant::kBounded,
               fmt::format("the state folder has {} bytes after {} calls", size, people_));
}

}  // namespace idkiosk::faults

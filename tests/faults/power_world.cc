#include "tests/faults/power_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/journal/journal.h"
#include "app/queue/storage/attempt_ledger.h"
#include "app/settings/credentials.h"
#include "tests/app/service/service_fixture.h"

namespace idkiosk::faults {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

const std::string kFolder = "/state";
constexpr std::string_view kSecret = "wifi";

// Everybody's number begins so, and ends with one digit more.
constexpr std::string_view kNinsBegin = "7000000000";
constexpr int kPeople = 8;

std::string NinOf(int person) { return fmt::format("{}{}", kNinsBegin, person); }

const ServiceProfile& Profile() {
  static const ServiceProfile profile = SandboxProfile();
  return profile;
}

ServiceSettings Settings() {
  ServiceSettings settings;
  settings.base_url = kTestBaseUrl;
  return settings;
}

// A disk with a vault that holds the credentials.
const FakeFileSystem& Provisioned() {
  static const FakeFileSystem disk = [] {
    FakeFileSystem files;
    FakeEntropy entropy;
    const MbedtlsCrypto crypto;
    FileVault vault(files, entropy, crypto, kFolder);
    EXPECT_TRUE(vault.Init());
    for (const auto& each : {kApiKeySecret, kUserIdSecret, kLoginSecret, kPasswordSecret}) {
      EXPECT_TRUE(vault.Put(each, SecretBytes::CopyOf("credential")));
    }
    return files;
  }();
  return disk;
}

bool IsOf(PowerWorld::Store store, const std::string& path) {
  switch (store) {
    case PowerWorld::Store::kLedger:
      return path.contains("/ledger");
    case PowerWorld::Store::kCopies:
      return path.contains("/copies");
    case PowerWorld::Store::kMark:
      return path.contains("/vault.mark");
    case PowerWorld::Store::kVault:
      return path.contains("/vault.") && !path.contains(".mark");
    case PowerWorld::Store::kAll:
      return true;
    default:
      return false;
  }
}

}  // namespace

PowerWorld::PowerWorld(uint64_t seed)
    : entropy_(seed),
      files_(Provisioned()),
      disk_(seed),
      vault_(files_, entropy_, crypto_, kFolder),
      profile_(Profile()),
      settings_(Settings()),
      tokens_(profile_, settings_, Environment::kSandbox, http_, vault_, clock_),
      client_(profile_, settings_, Environment::kSandbox, http_, vault_, tokens_, clock_) {
  disk_.ShareSupply(power_);
  files_.ShareSupply(power_);
  files_.SeedFate(seed);
  files_.ShowElsewhere(
      {[this](const std::string& path) { return disk_.Content(path).has_value(); },
       [this](const std::string& from, const std::string& to) { disk_.Rename(from, to); }});
  http_.set_server([this](const FakeHttpClient::Seen& seen) { return Serve(seen); });
}

void PowerWorld::Lie(Store store, int part) {
  lying_ = store;
  lies_from_ = part;
}

FakeHttpClient::Reply PowerWorld::Serve(const FakeHttpClient::Seen& seen) {
  FakeHttpClient::Reply reply;
  // Without power nothing leaves.
  if (power_->failed()) {
    reply.how = FakeHttpClient::Reply::How::kRefuse;
    return reply;
  }
  if (seen.url.ends_with("/auth/login")) {
    reply.body =
        fmt::format(R"({{"data":{{"accessToken":"token-{}","expires_at":"{}","userId":"U-1"}}}})",
                    ++logins_, FormatRfc3339(clock_.WallNow() + hours(1)));
    return reply;
  }
  reply.body = kVerifiedAnswer;
  if (billed_ == 1) reply.status = 500;
  if (billed_ == 3) reply.how = FakeHttpClient::Reply::How::kDrop;
  reply.on_arrival = [this, words = seen.url + seen.body] {
    ++billed_;
    for (int person = 0; person < kPeople; ++person) {
      if (words.contains(NinOf(person))) ++bills_[NinOf(person)];
    }
  };
  return reply;
}

Status PowerWorld::Open() {
  DurableQueue::Options options;
  options.folder = kFolder;
  options.role = DurableQueue::Role::kDeliver;
  options.sqlite_vfs = disk_.name();
  options.base_url = kTestBaseUrl;
  options.queue.reserve_bytes = 4096;
  options.billing.breaker_after = 0;
  auto opened =
      DurableQueue::Open(std::move(options), profile_, clock_, crypto_, entropy_, vault_, files_);
  if (!opened) return std::unexpected(opened.error());
  queue_ = std::move(*opened);
  worker_ = std::make_unique<DeliveryWorker>(*queue_, client_, shrinker_, clock_);
  return {};
}

void PowerWorld::Close() {
  worker_.reset();
  queue_.reset();
}

void PowerWorld::BeginPart(int part) {
  if (part != lies_from_) return;
  if (lying_ == Store::kDatabase || lying_ == Store::kAll) disk_.LieAboutSyncs();
  files_.LieAbout([this](const std::string& path) { return IsOf(lying_, path); });
}

void PowerWorld::Live() {
  BeginPart(0);
  if (!Open()) return;
  Accept(0);
  Accept(1);
  Accept(2, true);
  BeginPart(1);
  Deliver(2);
  StoreSecret();
  BeginPart(2);
  Accept(3);
  Deliver(2);
  AskAgain();
  Close();
  if (power_->failed() || !Open()) return;
  BeginPart(3);
  Accept(4, true);
  Accept(5);
  CancelOne();
  clock_.Advance(hours(25));
  if (Alive()) (void)queue_->Expire();
  BeginPart(4);
  Deliver(4);
  Accept(6);
  Accept(7);
  Close();
}

void PowerWorld::Accept(int person, bool with_pictures) {
  if (!Alive()) return;
  VerificationCall call = with_pictures ? FacialCall(NinOf(person)) : LookupCall(person);
  call.nin = SecretBytes::CopyOf(NinOf(person));
  const auto reference = queue_->Accept(call, {});
  if (reference) accepted_[*reference] = NinOf(person);
}

void PowerWorld::Deliver(int count) {
  int left = count;
  if (Alive()) (void)worker_->DeliverRun({[&left] { return left-- > 0; }, [](const auto&) {}});
}

// A person wants the unknown calls sent once more.
void PowerWorld::AskAgain() {
  const auto list = Alive() ? queue_->List(true) : std::vector<CallSummary>();
  if (!list) return;
  for (const CallSummary& call : *list) {
    if (call.state != CallState::kUnknown) continue;
    if (accepted_.contains(call.reference)) ++asked_again_[accepted_[call.reference]];
    (void)queue_->Retry(call.reference, call.attempts);
  }
}

void PowerWorld::CancelOne() {
  if (!Alive()) return;
  for (const auto& [reference, person] : accepted_) {
    if (person != NinOf(5)) continue;
    // Where the power fails meanwhile it is cancelled, or not.
    cancelled_.insert(reference);
    (void)queue_->Cancel(reference);
  }
}

// And the vault's key is changed.
void PowerWorld::StoreSecret() {
  if (!Alive()) return;
  secret_is_stored_ = vault_.Put(kSecret, SecretBytes::CopyOf("secret")).has_value();
  if (!power_->failed()) (void)vault_.Rotate();
}

void PowerWorld::PowerComesBack(Unsynced fate, size_t sectors) {
  Close();
  power_->Restore();
  disk_.Restart(fate, sectors);
  files_.Restart(fate, sectors);
  tokens_.Forget();
}

void PowerWorld::DeliverRest() {
  // After each outage one call goes first, and the others when it is through.
  constexpr int kMostRounds = 12;
  for (int i = 0; i < kMostRounds; ++i) {
    (void)worker_->DeliverRun({[] { return true; }, [](const auto&) {}});
    const auto list = queue_->List(true);
    const auto waits = [](const CallSummary& call) { return call.state == CallState::kPending; };
    if (!list || std::ranges::none_of(*list, waits)) return;
    clock_.Advance(minutes(20));
  }
}

std::map<CallReference, int> PowerWorld::Approved() {
  std::map<CallReference, int> approved;
  const auto rows = queue_->Ledger(std::nullopt);
  EXPECT_TRUE(rows) << rows.error().message;
  for (const LedgerRow& row : rows.value_or(std::vector<LedgerRow>())) {
    if (row.billed != Billed::kNo) ++approved[row.reference];
  }
  return approved;
}

int PowerWorld::Billed() const { return billed_; }

PowerWorld::Left PowerWorld::LookAtDisks() {
  Left left;
  for (const std::string& path : files_.paths()) {
    if (path.contains("/ledger/")) left.bytes += AsText(files_.Content(path));
  }
  const auto mark = vault_.OpenMark();
  const auto marked = mark ? ParsePosition((*mark)->value()) : Result<JournalPosition>();
  if (marked) left.mark = marked->number;
  const auto key = vault_.DeriveKey("journal/v1");
  if (!key) return left;
  Journal journal({.folder = kFolder + "/ledger", .label = "ledger"}, crypto_, *key, files_);
  const auto reading = journal.Read(1, {}, [](const auto&) {});
  if (reading) left.ledger = reading->newest.number;
  return left;
}

void PowerWorld::Judge(Tally& tally, const std::string& what) {
  const Status opened = Open();
  if (!tally.Check(opened.has_value(), Invariant::kBack,
                   what + ": it does not open: " + (opened ? "" : opened.error().message))) {
    return;
  }
  tally.Check(queue_->LedgerVerdict().state == JournalState::kGenuine, Invariant::kBack,
              what + ": the ledger is said to be " + Describe(queue_->LedgerVerdict()));
  CheckVault(tally, what);
  DeliverRest();
  FindBilledTwice(tally, what);
  const auto approved = Approved();
  int all = 0;
  for (const auto& [reference, count] : approved) all += count;
  tally.Check(Billed() <= all, Invariant::kPaid,
              fmt::format("{}: {} billed, {} approved", what, Billed(), all));
  std::set<CallReference> asked;
  for (const auto& [reference, count] : approved) asked.insert(reference);
  FindLost(tally, what, asked);
  FindStuck(tally, what);
}

void PowerWorld::FindBilledTwice(Tally& tally, const std::string& what) {
  for (const auto& [person, count] : bills_) {
    tally.Check(count <= 1 + asked_again_[person], Invariant::kPaid,
                fmt::format("{}: {} was billed {} times", what, person, count));
  }
}

// `asked`: calls of which the ledger has an attempt.
void PowerWorld::FindLost(Tally& tally, const std::string& what,
                          const std::set<CallReference>& asked) {
  std::set<CallReference> known = asked;
  const auto list = queue_->List(false);
  const auto lost = queue_->Lost();
  if (!tally.Check(list && lost, Invariant::kBack, what + ": the calls cannot be listed")) return;
  for (const CallSummary& call : *list) {
    known.insert(call.reference);
    tally.Check(call.state != CallState::kExpired && call.state != CallState::kDamaged,
                Invariant::kKept,
                fmt::format("{}: {} is {}", what, call.reference, StateWord(call)));
  }
  for (const CallReference& each : *lost) {
    tally.Violate(Invariant::kKept, fmt::format("{}: {} is lost, though named", what, each));
  }
  for (const auto& [reference, person] : accepted_) {
    tally.Check(known.contains(reference) || cancelled_.contains(reference), Invariant::kKept,
                fmt::format("{}: {} was accepted, and nothing knows it", what, reference));
  }
}

// A call that waits although everything works.
void PowerWorld::FindStuck(Tally& tally, const std::string& what) {
  const auto list = queue_->List(true);
  if (!list) return;
  for (const CallSummary& call : *list) {
    tally.Check(
        call.state == CallState::kUnknown, Invariant::kBack,
        fmt::format("{}: {} is still {} after {} attempts: {}", what, call.reference,
                    StateWord(call), call.attempts, call.hold ? call.hold->detail : call.engineer));
  }
}

void PowerWorld::CheckVault(Tally& tally, const std::string& what) {
  const auto api_key = vault_.Get(kApiKeySecret);
  tally.Check(api_key.has_value(), Invariant::kBack,
              what + ": the vault: " + (api_key ? "" : api_key.error().message));
  const bool kept = !secret_is_stored_ || vault_.Get(kSecret).has_value();
  tally.Check(kept, Invariant::kKept, what + ": a secret that was stored is gone");
}

void PowerWorld::JudgeLies(Tally& tally, const std::string& what, Store store) {
  const Left left = LookAtDisks();
  const std::map<std::string, int> bills_before = bills_;
  const Status opened = Open();
  if (!opened) {
    tally.Check(
        opened.error().message.contains("idkiosk "), Invariant::kBack,
        what + ": it does not open, and nobody is told what to do: " + opened.error().message);
    return;
  }
  const std::string verdict = Describe(queue_->LedgerVerdict());
  const bool genuine = queue_->LedgerVerdict().state == JournalState::kGenuine;
  tally.Check(
      left.mark <= left.ledger || !genuine, Invariant::kPaid,
      fmt::format("{}: the vault knows record {}, the ledger ends at {}, and nobody is told", what,
                  left.mark, left.ledger));
  const auto known = Approved();
  DeliverRest();
  if (!genuine) {
    tally.Check(bills_ == bills_before, Invariant::kPaid,
                what + ": sent before a person has looked at the ledger");
    tally.Check(queue_->AcceptLedger().has_value(), Invariant::kBack,
                what + ": the ledger cannot be accepted");
    DeliverRest();
  }
  // An older state of everything is all that can hide that a call was sent.
  const bool all_is_older = store == Store::kAll && genuine;
  for (const auto& [reference, person] : accepted_) {
    const auto before = bills_before.find(person);
    const bool again = before != bills_before.end() && bills_[person] > before->second;
    const bool was_known = known.contains(reference);
    const bool may = asked_again_.contains(person) || (all_is_older && !was_known);
    tally.Check(!again || may, Invariant::kPaid,
                fmt::format("{}: {} was billed before, and again; the ledger was {}", what,
                            reference, verdict));
  }
  const auto list = queue_->List(false);
  const auto lost = queue_->Lost();
  if (!tally.Check(list && lost, Invariant::kBack, what + ": the calls cannot be listed")) return;
  std::set<CallReference> there(lost->begin(), lost->end());
  for (const CallSummary& call : *list) there.insert(call.reference);
  for (const auto& [reference, count] : known) there.insert(reference);
  for (const auto& [reference, person] : accepted_) {
    const bool is_there = there.contains(reference) || cancelled_.contains(reference);
    // What the ledger still says of it must be said.
    tally.Check(is_there || !genuine || !left.bytes.contains(reference), Invariant::kKept,
                fmt::format("{}: {} was accepted, and is not named", what, reference));
  }
}

}  // namespace idkiosk::faults

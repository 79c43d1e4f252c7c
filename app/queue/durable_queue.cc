#include "app/queue/durable_queue.h"

#include <algorithm>
#include <utility>

#include "app/queue/queue_internals.h"
#include "app/queue/storage/call_files.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr const char* kFileName = "/queue.db";
constexpr const char* kCopiesName = "/copies";
constexpr const char* kNotesName = "/decisions";

constexpr std::string_view kKeyCheck = "key_check";
constexpr std::string_view kBoardTime = "board_time";
// How many attempts there were when the queue's time began, and when that was.
constexpr std::string_view kTimeBeganBehind = "time_began_behind";
constexpr std::string_view kTimeBeganAt = "time_began_at";
// Counts the commits of who delivers that have changed anything, from a random number at each
// start, so that no copy of an earlier process has the same.
constexpr std::string_view kCommits = "commits";

// Stored with any other change after the one, and alone after the other: what a power failure may
// take from the queue's time.
constexpr Duration kTimeKeptEvery = std::chrono::minutes(1);
constexpr Duration kTimeLostAtMost = std::chrono::minutes(10);

constexpr uint64_t kRoomToBegin = 128 << 10;  // bytes

constexpr int64_t kSmallestLog = 256 << 10;
constexpr int64_t kLargestLog = 2 << 20;  // about 20 calls with pictures

Result<QueueKeys> DeriveKeys(SecureStorage& storage) {
  QueueKeys keys;
  const std::pair<std::string, SecretBytes*> labels[] = {
      {fmt::format("queue/{}", EpochKeys::kDerived), &keys.epoch},
      {"ledger-mac/v1", &keys.rows},
      {"queue-question/v1", &keys.question},
      {std::string(AttemptLedger::kKeyLabel), &keys.journal},
      {"queue-copies/v1", &keys.copies},
  };
  for (const auto& [label, to] : labels) {
    auto key = storage.DeriveKey(label);
    if (!key) return std::unexpected(key.error());
    *to = std::move(*key);
  }
  return keys;
}

Result<std::unique_ptr<FileLock>> LockToSend(const std::string& folder, FileSystem& files) {
  auto lock = LockCalls(folder, files);
  if (lock || lock.error().code != ErrorCode::kUnavailable) return lock;
  return Fail(ErrorCode::kUnavailable,
              "the kiosk, or another command that sends, is running, and only one program at a "
              "time may send. That program sends what waits; for anything else stop it first "
              "('systemctl stop idkiosk')");
}

// The outcome of an attempt that an earlier process left on its way.
Outcome Interrupted(Endpoint endpoint) {
  Outcome outcome;
  outcome.kind = OutcomeKind::kLost;
  outcome.endpoint = endpoint;
  outcome.disposition = Disposition::kUnknown;
  outcome.billed = Billed::kMaybe;
  outcome.stage = SendStage::kSent;
  outcome.engineer = "idkiosk ended while this call was on its way";
  return outcome;
}

}  // namespace

DurableQueue::DurableQueue(std::unique_ptr<Internals> internals)
    : internals_(std::move(internals)) {}
DurableQueue::~DurableQueue() {
  const MutexLock guard(internals_->mutex);
  internals_->EndRun();
}

bool DurableQueue::IsInUse(const std::string& folder, FileSystem& files) {
  const auto lock = LockCalls(folder, files);
  return !lock && lock.error().code == ErrorCode::kUnavailable;
}

Result<std::unique_ptr<DurableQueue>> DurableQueue::Open(Options options,
                                                         const ServiceProfile& profile,
                                                         const Clock& clock, const Crypto& crypto,
                                                         Entropy& entropy, SecureStorage& storage,
                                                         FileSystem& files) {
  if (Status made = files.CreateFolder(options.folder); !made) {
    return std::unexpected(made.error());
  }
  auto keys = DeriveKeys(storage);
  if (!keys) return std::unexpected(keys.error());
  std::unique_ptr<FileLock> lock;
  if (options.role == Role::kDeliver) {
    auto locked = LockToSend(options.folder, files);
    if (!locked) return std::unexpected(locked.error());
    lock = std::move(*locked);
  }
  auto file = Internals::OpenFile(options, files, clock);
  if (!file) return std::unexpected(file.error());
  auto internals =
      std::make_unique<Internals>(std::move(options), profile, clock, crypto, entropy, storage,
                                  files, std::move(*keys), std::move(*file), std::move(lock));
  {
    const MutexLock guard(internals->mutex);
    if (Status begun = internals->Begin(); !begun) return std::unexpected(begun.error());
  }
  return std::unique_ptr<DurableQueue>(new DurableQueue(std::move(internals)));
}

std::vector<std::string> DurableQueue::notices() const {
  const MutexLock guard(internals_->mutex);
  return internals_->notices;
}

void DurableQueue::OnOlderFile(std::function<void()> then) {
  const MutexLock guard(internals_->mutex);
  internals_->on_older_file = std::move(then);
}

DurableQueue::Internals::Internals(Options the_options, const ServiceProfile& the_profile,
                                   const Clock& the_clock, const Crypto& the_crypto,
                                   Entropy& the_entropy, SecureStorage& the_storage,
                                   FileSystem& the_files, QueueKeys the_keys, QueueFile the_file,
                                   std::unique_ptr<FileLock> the_lock)
    : options(std::move(the_options)),
      profile(the_profile),
      clock(the_clock),
      crypto(the_crypto),
      entropy(the_entropy),
      storage(the_storage),
      files(the_files),
      keys(std::move(the_keys)),
      lock(std::move(the_lock)),
      database(std::move(the_file.database)),
      notices(std::move(the_file.notices)),
      set_aside(std::move(the_file.set_aside)),
      time(clock),
      calls(*database, crypto, keys.rows),
      ledger(options.folder, crypto, keys.journal.Clone(), files, storage),
      copies(options.folder + kCopiesName, crypto, keys.copies, files),
      notes(options.folder + kNotesName, crypto, keys.copies, files),
      state(*database),
      epochs(storage, entropy, keys.epoch.Clone()),
      seal(crypto, entropy, epochs),
      policy(options.queue, entropy),
      guard(options.billing, ledger.attempts()),
      breaker(options.billing),
      marks(profile, options.base_url, storage, crypto, keys.rows),
      in_force{AddressOf(options.environment, options.base_url), {}} {}

Result<QueueFile> DurableQueue::Internals::OpenFile(const Options& options, FileSystem& files,
                                                    const Clock& clock) {
  const bool delivers = options.role == Role::kDeliver;
  // Smaller than the reserve, which must have room for what a full disk keeps out of the file.
  const int64_t log_bytes = std::clamp(options.queue.reserve_bytes / 2, kSmallestLog, kLargestLog);
  const QueueFileOptions about{options.folder + kFileName, options.sqlite_vfs, delivers, log_bytes};
  const std::string reserve = options.folder + kReserveName;
  // On a full disk what waits is still delivered: the reserve makes room to open the file, and for
  // the first changes of it. One without a free inode may be full, too.
  const auto free = files.FreeSpace(options.folder);
  const bool has_no_inode = !free && free.error().code == ErrorCode::kExhausted;
  if (delivers && (has_no_inode || (free && *free < kRoomToBegin))) (void)files.Remove(reserve);
  auto file = OpenQueueFile(about, files, clock);
  if (!file && file.error().code == ErrorCode::kExhausted && files.Remove(reserve)) {
    file = OpenQueueFile(about, files, clock);
  }
  // Of a disk that takes no file SQLite says that it is unable to open one.
  if (!file && !free) return std::unexpected(free.error());
  return file;
}

Status DurableQueue::Internals::Begin() {
  if (Status loaded = LoadLedger(); !loaded) return loaded;
  if (!set_aside.empty()) {
    if (auto from = SqliteDatabase::OpenToRead(set_aside, options.sqlite_vfs)) {
      SalvageState(**from);
    }
  }
  if (Status begun = BeginTime(); !begun) return begun;
  if (Status good = CheckKeys(); !good) return good;
  if (Status begun = BeginService(); !begun) return begun;
  return lock == nullptr ? Status() : Recover();
}

Status DurableQueue::Internals::Commit(const Change& change, Durability durability) {
  const bool sync = durability == Durability::kSynced;
  if (sync != synced) {
    const char* const level = sync ? "PRAGMA synchronous=EXTRA" : "PRAGMA synchronous=NORMAL";
    if (Status set = database->Execute(level); !set) return set;
    synced = sync;
  }
  bool written = false;
  bool tried = false;
  Status committed;
  {
    auto transaction = SqliteTransaction::Begin(*database);
    if (!transaction) return std::unexpected(transaction.error());
    const int64_t changes = database->changes();
    committed = CheckOwnFile();
    if (committed) committed = change();
    if (committed) committed = KeepTime(false);
    // A commit that changes nothing syncs nothing, either.
    if (committed && sync && file_lags) committed = CountUp("synced");
    const bool counts =
        commits && (database->changes() != changes || ledger.has_staged()) && committed;
    if (counts) committed = state.SetNumber(kCommits, commits->tried + 1);
    if (committed) committed = WriteLedger(written);
    if (!committed) ledger.Drop();
    tried = committed || written;
    if (counts && committed) ++commits->tried;
    if (committed) committed = transaction->Commit();
    if (counts && committed) commits->done = commits->tried;
  }
  if (committed) {
    file_lags = !sync;
    WriteDownClosed();
  } else {
    restoring.clear();
    closing.clear();
    wiped.clear();
    if (!tried) return committed;
    if (written) ledger.TakeBack();
    // Its pages may stand in the log, from where they would come back after a power failure: a call
    // that nobody was told of. The next transaction overwrites them, so there is one.
    if (auto burial = SqliteTransaction::Begin(*database); burial) {
      if (CountUp("buried")) (void)burial->Commit();
    }
  }
  return committed;
}

Status DurableQueue::Internals::CheckOwnFile() {
  if (lock == nullptr) return {};
  const auto found = state.Number(kCommits);
  if (!found) return std::unexpected(found.error());
  if (!commits) {
    uint64_t first = 0;
    entropy.Fill({reinterpret_cast<uint8_t*>(&first), sizeof first});
    commits = {*found, static_cast<int64_t>(first >> 2)};
  }
  // Of a commit that failed nobody can say whether the file has it.
  if (*found == commits->done || *found == commits->tried) {
    commits->done = *found;
    return {};
  }
  if (const auto then = std::exchange(on_older_file, nullptr)) then();
  return Fail(ErrorCode::kUnavailable,
              "an older copy was put in place of {}{} while idkiosk uses it: start idkiosk anew",
              options.folder, kFileName);
}

Status DurableQueue::Internals::CheckInPlace() {
  Status in_place = database->CheckInPlace();
  if (in_place) in_place = ledger.CheckInPlace();
  if (in_place) return CheckOwnFile();
  const bool is_other = lock != nullptr && in_place.error().code == ErrorCode::kUnavailable;
  if (const auto then = is_other ? std::exchange(on_older_file, nullptr) : nullptr) then();
  return in_place;
}

Status DurableQueue::Internals::CountUp(std::string_view name) {
  const auto count = state.Number(name);
  return count ? state.SetNumber(name, *count + 1) : std::unexpected(count.error());
}

Status DurableQueue::Internals::CommitWithReserve(const Change& change) {
  Status committed = Commit(change);
  const bool full = !committed && committed.error().code == ErrorCode::kExhausted;
  return full && GiveReserveAway() ? Commit(change) : committed;
}

Status DurableQueue::Internals::CheckKeys() {
  const Crypto::Digest expected = crypto.HmacSha256(keys.epoch, AsBytes(kKeyCheck));
  const auto stored = state.Setting(kKeyCheck);
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) {
    file_is_new = true;
    if (Status set =
            Commit([&]() REQUIRES(mutex) { return state.SetSetting(kKeyCheck, expected); });
        !set) {
      return set;
    }
  } else if (!std::ranges::equal(**stored, expected)) {
    return Fail(
        ErrorCode::kUnauthenticated,
        "{}{} was sealed with another vault: bring that vault back, or move the file away to "
        "begin a new queue",
        options.folder, kFileName);
  }
  return epochs.Load();
}

// A vault that was put back from an older copy lacks the newest keys: the calls under them wait for
// it, and the others do not.
Result<std::vector<std::string>> DurableQueue::Internals::MissingKeys() {
  const auto used = calls.Epochs();
  if (!used) return std::unexpected(used.error());
  std::vector<std::string> missing;
  for (const auto& [epoch, id] : *used) {
    if (epochs.Find(epoch) != nullptr) continue;
    const auto row = calls.LoadById(id);
    if (!row) return std::unexpected(row.error());
    if (row->state == CallState::kDamaged) continue;
    missing.push_back(fmt::format(
        "calls such as {} were sealed with a key, number {}, that the vault does not hold, because "
        "it is an older copy: they wait until the newer vault is back",
        row->reference, epoch));
  }
  return missing;
}

// It may have been sent. Nothing else is certain.
Status DurableQueue::Internals::EndInterrupted() {
  const auto left = calls.InState(CallState::kSending);
  if (!left) return std::unexpected(left.error());
  if (left->empty()) return {};
  Status ended = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
    for (int64_t id : *left) {
      auto row = calls.LoadById(id);
      if (!row) return std::unexpected(row.error());
      if (row->state == CallState::kDamaged) {
        if (Status marked = Quarantine(id); !marked) return marked;
        continue;
      }
      row->state = CallState::kUnknown;
      row->outcome = OutcomeKind::kLost;
      row->engineer = Interrupted(row->endpoint).engineer;
      row->due_at = guard.ResendAt(*row, time.Milliseconds());
      if (Status dropped = DropAnswer(*row); !dropped) return dropped;
      if (Status saved = calls.Save(*row); !saved) return saved;
      if (Status pulled = PullBrake(*row, Interrupted(row->endpoint), false); !pulled) {
        return pulled;
      }
    }
    return {};
  });
  if (!ended) return ended;
  notices.push_back(fmt::format(
      "{} on the way when idkiosk last ended: it is not known whether the service got it. See "
      "'idkiosk queue list'.",
      left->size() == 1 ? "a call was" : fmt::format("{} calls were", left->size())));
  return {};
}

Status DurableQueue::Internals::Recover() {
  if (Status salvaged = SalvageAtOnce(); !salvaged) return salvaged;
  if (Status begun = BeginLedger(); !begun) {
    // Held until there is room for what a person accepted.
    if (!begins_ledger || begun.error().code != ErrorCode::kExhausted) return begun;
    Say(
        fmt::format("the ledger is accepted, and which calls are unknown by that has no room yet: "
                    "nothing is sent until it has. {}",
                    begun.error().message));
  }
  if (Status said = SaySalvaged(); !said) return said;
  if (Status ended = EndInterrupted(); !ended) return ended;
  const int64_t now = time.Milliseconds();
  std::string new_paths;
  Status recovered = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
    if (Status dropped = DropGrantsOfOtherPrices(); !dropped) return dropped;
    const auto pace = Pace();
    if (!pace) return std::unexpected(pace.error());
    const std::chrono::milliseconds queue_time(now);
    if (Status set = SetPace(policy.Bounded(*pace, queue_time)); !set) return set;
    // Further ahead than any backoff: stored by an idkiosk that went by the wall clock.
    const int64_t latest = now + ToMilliseconds(options.queue.backoff_last);
    if (const auto wrong = calls.Recount(); !wrong) return std::unexpected(wrong.error());
    if (Status brought = calls.BringForward(latest, latest); !brought) return brought;
    if (Status lifted = state.LiftUnsent(); !lifted) return lifted;
    if (Status lifted = LiftMended(); !lifted) return lifted;
    return TryNewPaths(new_paths);
  });
  if (!recovered) return recovered;
  if (!new_paths.empty()) Say(new_paths);
  constexpr int kLookedAtFirst = 1000;
  LookThrough(kLookedAtFirst);
  if (Status kept = KeepReserve(); !kept) notices.push_back(kept.error().message);
  const auto missing = MissingKeys();
  if (!missing) return std::unexpected(missing.error());
  for (const std::string& each : *missing) Say(each);
  if (Status settled = SettleClock(); !settled) return settled;
  TurnEpoch();
  return {};
}

// Whoever has a call sent again says yes to its price. Where the profile's prices are others than
// at the last start, and behind a program that kept none, people are asked again.
Status DurableQueue::Internals::DropGrantsOfOtherPrices() {
  constexpr std::string_view kPrices = "granted_prices";
  std::string prices;
  for (const EndpointProfile& each : profile.endpoints) {
    prices +=
        fmt::format("{} {}\n", Name(each.endpoint), FormatPrice(each.price, profile.currency));
  }
  const auto known = state.Setting(kPrices);
  if (!known) return std::unexpected(known.error());
  if (*known && std::ranges::equal(**known, AsBytes(prices))) return {};
  for (const CallState each : {CallState::kPending, CallState::kUnknown}) {
    const auto granted = calls.Granted(each);
    if (!granted) return std::unexpected(granted.error());
    for (const int64_t id : *granted) {
      auto row = calls.LoadById(id);
      if (!row) return std::unexpected(row.error());
      if (row->state == CallState::kDamaged) continue;
      const bool could_go = guard.MayBill(*row);
      // Not even a rule that would have sent it sends it now: a person was asked, and named a
      // price.
      const bool waits_by_a_yes = row->state == CallState::kPending && row->billed_attempts > 0 &&
                                  row->granted_attempts > row->billed_attempts;
      row->granted_attempts = 0;
      if (waits_by_a_yes) {
        row->state = CallState::kUnknown;
        row->due_at = std::nullopt;
      }
      if (Status saved = calls.Save(*row); !saved) return saved;
      if (!could_go || (guard.MayBill(*row) && !waits_by_a_yes)) continue;
      notices.push_back(fmt::format(
          "{} was to be sent again at another price than {}: approve this price with 'idkiosk "
          "queue retry {}', or give it up",
          row->reference, FormatPrice(profile.at(row->endpoint).price, profile.currency),
          row->reference));
    }
  }
  return state.SetSetting(kPrices, AsBytes(prices));
}

Status DurableQueue::Internals::BeginTime() {
  const auto stored = state.Setting(kBoardTime);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) {
    // A damaged one is begun anew, like that of a queue from before there was one.
    if (const auto before = ParseBoardTime(**stored, crypto, keys.rows)) {
      time.Begin(*before, std::nullopt);
      const auto behind = state.Number(kTimeBeganBehind);
      const auto at = state.Number(kTimeBeganAt);
      if (!behind || !at) return std::unexpected((behind ? at : behind).error());
      ledger.attempts().NoneAfter(*behind, *at);
      return {};
    }
  }
  const auto newest = calls.NewestAccepted();
  if (!newest) return std::unexpected(newest.error());
  time.Begin(std::nullopt, newest->transform(FromMilliseconds));
  // A time that a clock ahead has written would hold the queue until then.
  const int64_t now = time.Milliseconds();
  const int64_t known = ledger.attempts().size();
  ledger.attempts().NoneAfter(known, now);
  return Commit([&]() REQUIRES(mutex) -> Status {
    if (Status set = state.SetNumber(kTimeBeganAt, now); !set) return set;
    return state.SetNumber(kTimeBeganBehind, known);
  });
}

Status DurableQueue::Internals::KeepTime(bool now) {
  const int64_t at = time.Milliseconds();
  if (!now && time_kept_at && at < *time_kept_at + ToMilliseconds(kTimeKeptEvery)) return {};
  const auto stored = state.Setting(kBoardTime);
  if (!stored) return std::unexpected(stored.error());
  std::optional<BoardTime> before;
  if (*stored) {
    if (auto parsed = ParseBoardTime(**stored, crypto, keys.rows)) before = std::move(*parsed);
  }
  Status set =
      state.SetSetting(kBoardTime, SerializeBoardTime(time.State(before), crypto, keys.rows));
  if (set) time_kept_at = at;
  return set;
}

bool DurableQueue::Internals::TimeIsOld() const {
  return !time_kept_at || time.Milliseconds() >= *time_kept_at + ToMilliseconds(kTimeLostAtMost);
}

Status DurableQueue::Internals::SettleClock() {
  if (time.Look()) {
    if (Status kept = Commit([&]() REQUIRES(mutex) { return KeepTime(true); }); !kept) return kept;
  }
  const bool became_trusted = time.BecameTrusted();
  if (!time.trusted()) return {};
  const auto waiting = calls.AcceptedWithoutClock();
  if (!waiting) return std::unexpected(waiting.error());
  if (waiting->empty() && !became_trusted) return {};
  const int64_t now = time.Milliseconds();
  return Commit([&]() REQUIRES(mutex) -> Status {
    for (int64_t id : *waiting) {
      auto row = calls.LoadById(id);
      if (!row) return std::unexpected(row.error());
      if (row->state == CallState::kDamaged) {
        if (Status marked = Quarantine(id); !marked) return marked;
        continue;
      }
      row->accepted_at = ToMilliseconds(time.WallNow());
      row->due_at = row->due_at ? std::optional(now) : std::nullopt;
      row->age_at = now + ToMilliseconds(options.queue.max_age);
      if (Status saved = calls.Save(*row); !saved) return saved;
    }
    return {};
  });
}

}  // namespace idkiosk

#include <algorithm>
#include <map>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "app/queue/storage/old_ledger.h"

// What a damaged file still holds is taken over into the queue's own.

namespace idkiosk {
namespace {

constexpr std::string_view kFileName = "queue.db";
constexpr std::string_view kParts[] = {"", "-wal", "-shm"};

// Calls in one commit.
constexpr size_t kAtOnce = 20;

std::string Describe(const DurableQueue::Salvaged& salvaged) {
  std::string text = fmt::format("{} calls were taken over", salvaged.taken_over);
  if (salvaged.from_copies > 0) {
    text += fmt::format(", {} more were brought back from their copies", salvaged.from_copies);
  }
  if (salvaged.unknown > 0) {
    text +=
        fmt::format(", {} of them as unknown, because they may have been sent", salvaged.unknown);
  }
  const size_t lost = salvaged.lost.size() + static_cast<size_t>(salvaged.nameless);
  if (lost == 0) return text + "; none is lost";
  text += fmt::format("; {} COULD NOT BE OPENED", lost);
  return salvaged.lost.empty() ? text : text + ": " + NamesOf(salvaged.lost);
}

std::vector<std::string> DescribeLost(const std::vector<CallReference>& lost, bool may_be_sent) {
  if (lost.empty()) return {};
  return {fmt::format(
      "{} LOST, from the queue's file and from the copies: {}. {} new check, unless "
      "these copies are another kiosk's, where the calls still wait; 'idkiosk queue "
      "discard REFERENCE' ends it",
      lost.size() == 1 ? std::string("AN ACCEPTED CALL IS")
                       : fmt::format("{} ACCEPTED CALLS ARE", lost.size()),
      NamesOf(lost),
      may_be_sent ? "It may have been sent and billed: ask the service before you make a"
                  : "Make a")};
}

std::string DescribeWithMend(const UnnamedCalls& calls) {
  return fmt::format(
      "{}. Check the people of that time again; 'idkiosk queue discard {}' ends this",
      Describe(calls), NameOf(calls));
}

}  // namespace

void DurableQueue::Salvaged::Lose(const CallReference& reference) {
  if (ParseReference(reference)) {
    lost.push_back(reference);
  } else {
    ++nameless;
  }
}

namespace {

// The name of a damaged file in the queue's folder, with or without that folder.
Result<std::string> SetAsidePath(const std::string& folder, std::string_view file) {
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  const bool fits = name.starts_with(fmt::format("{}{}", kFileName, kSetAsideMark)) &&
                    !name.ends_with("-wal") && !name.ends_with("-shm");
  if (!fits) return Fail(ErrorCode::kInvalid, "{} is no file that idkiosk has set aside", file);
  return fmt::format("{}/{}", folder, name);
}

}  // namespace

Result<std::vector<std::string>> DurableQueue::Internals::SetAsideFiles() {
  const auto names = files.List(options.folder);
  if (!names) return std::unexpected(names.error());
  std::vector<std::string> aside;
  for (const std::string& each : *names) {
    if (SetAsidePath(options.folder, each)) aside.push_back(each);
  }
  return aside;
}

// Settings that say when, and what a person must mend; all else is written anew.
void DurableQueue::Internals::SalvageState(SqliteDatabase& from) {
  QueueStateStore old(from);
  std::vector<std::string> names = {"board_time", "pace", "epoch_began", "made_for_unnamed"};
  for (const Endpoint each : kEndpoints) {
    names.push_back(BreakerSetting(each));
    names.push_back(DoubtSetting(each));
  }
  // Not by Commit: the queue's time, which that stores, has not begun yet.
  auto transaction = SqliteTransaction::Begin(*database);
  if (!transaction) return;
  for (const std::string& name : names) {
    const auto value = old.Setting(name);
    if (value && *value && !state.SetSetting(name, **value)) return;
  }
  (void)transaction->Commit();
}

Status DurableQueue::Internals::SalvageAtOnce() {
  if (set_aside.empty()) return {};
  if (auto from = SqliteDatabase::OpenToRead(set_aside, options.sqlite_vfs)) {
    QueueStateStore old(**from);
    const auto holds = old.Active(time);
    for (const Hold& each : holds.value_or(std::vector<Hold>())) {
      const std::string mend = MendSetting(each);
      const auto mark = old.Setting(mend);
      Status put = Commit([&]() REQUIRES(mutex) -> Status {
        if (mark && *mark) {
          if (Status kept = state.SetSetting(mend, **mark); !kept) return kept;
        }
        return state.Put(time, each);
      });
      if (!put) return put;
    }
  }
  Salvaged salvaged;
  // One that does not open at all stays where it is; so does all that there is no room for now.
  if (Status done = SalvageFrom(set_aside, true, salvaged); !done) {
    Say(fmt::format("not all of it was looked at: {}", done.error().message));
  }
  salvaged_at_once = std::move(salvaged);
  return {};
}

Status DurableQueue::Internals::SaySalvaged() {
  if (salvaged_at_once) {
    Salvaged& salvaged = *salvaged_at_once;
    salvaged.from_copies = static_cast<int>(restored.size());
    const auto back = std::erase_if(salvaged.lost, [this](const CallReference& each) REQUIRES(
                                                       mutex) { return restored.contains(each); });
    const int others = salvaged.from_copies - static_cast<int>(back);
    salvaged.nameless = std::max(salvaged.nameless - others, 0);
  }
  auto lost = Lost();
  if (!lost) return std::unexpected(lost.error());
  if (salvaged_at_once) {
    for (const CallReference& each : *lost) {
      if (std::ranges::find(salvaged_at_once->lost, each) == salvaged_at_once->lost.end()) {
        salvaged_at_once->lost.push_back(each);
      }
    }
    Say(fmt::format("{}. The file stays until 'idkiosk queue discard'.",
                    Describe(*salvaged_at_once)));
  }
  for (const std::string& each : DescribeLost(*lost, MayBeSent(*lost))) Say(each);
  for (const UnnamedCalls& each : ledger.unnamed()) Say(DescribeWithMend(each));
  return {};
}

bool DurableQueue::Internals::MayBeSent(std::span<const CallReference> lost) const {
  return MayLackNow() || std::ranges::any_of(lost, [&](const CallReference& each) REQUIRES(mutex) {
           return ledger.attempts().Find(each).billed > 0;
         });
}

Status DurableQueue::Internals::SalvageFrom(const std::string& path, bool at_once,
                                            Salvaged& salvaged) {
  auto from = SqliteDatabase::OpenToRead(path, options.sqlite_vfs);
  if (!from) return std::unexpected(from.error());
  CallStore old(**from, crypto, keys.rows);
  const std::map<int64_t, CallReference> possible = old.PossibleCalls();
  for (auto begin = possible.begin(); begin != possible.end();) {
    const Salvaged before = salvaged;
    auto next = begin;
    Status done = Commit([&]() REQUIRES(mutex) -> Status {
      next = begin;
      for (size_t i = 0; i < kAtOnce && next != possible.end(); ++i, ++next) {
        auto row = old.LoadById(next->first);
        if (!row) {
          const bool was_there = row.error().code != ErrorCode::kNotFound || !next->second.empty();
          if (was_there) salvaged.Lose(next->second);
          continue;
        }
        if (Status taken = SalvageCall(old, std::move(*row), at_once, salvaged); !taken) {
          return taken;
        }
      }
      return {};
    });
    if (!done) {
      salvaged = before;
      return done;
    }
    begin = next;
  }
  return {};
}

Status DurableQueue::Internals::SalvageCall(CallStore& from, CallRow row, bool at_once,
                                            Salvaged& salvaged) {
  const auto there = calls.Load(row.reference);
  if (!there && there.error().code != ErrorCode::kNotFound) return std::unexpected(there.error());
  // What only the ledger told of it gives way to what it asked.
  const bool is_empty = there && there->state == CallState::kUnknown && !there->has_payload;
  if (there && !(is_empty && row.has_payload)) return {};
  // Answered since, and erased when its time was up.
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  const bool has_ended = known.answered || ledger.calls().Closed(row.reference).has_value();
  if (!at_once && !HasEnded(row.state) && has_ended) return {};
  if (ledger.calls().WasErased(row.reference)) return {};
  const int64_t id = row.id;
  if (row.state == CallState::kDamaged || !StillOpens(from, row)) {
    salvaged.Lose(row.reference);
    return {};
  }
  // At once, the ledger itself then says what became of it.
  const bool may_be_sent = row.state == CallState::kSending ||
                           (!HasEnded(row.state) && !at_once && known.billed > row.billed_attempts);
  if (may_be_sent && !at_once) {
    row.state = CallState::kUnknown;
    row.attempts = std::max(row.attempts, known.attempts);
    row.billed_attempts = std::max(row.billed_attempts, known.billed);
    row.outcome = OutcomeKind::kLost;
    row.engineer = "it was on its way when its file was damaged";
    row.due_at = guard.ResendAt(row, time.Milliseconds());
  }
  if (!at_once && !HasEnded(row.state) && MayLackRecordsOf(row)) {
    Doubt(row, "records of the ledger were lost, perhaps since its file was damaged");
  }
  ++salvaged.taken_over;
  salvaged.unknown += may_be_sent || row.state == CallState::kUnknown ? 1 : 0;
  if (there) {
    if (Status deleted = calls.Delete(there->id); !deleted) return deleted;
  }
  if (Status inserted = calls.Insert(row); !inserted) return inserted;
  for (uint8_t field = 0; field < kSealedFieldCount; ++field) {
    const auto chunks = from.GetField(id, static_cast<SealedField>(field));
    if (!chunks || chunks->empty()) continue;
    if (Status put = calls.PutField(row.id, static_cast<SealedField>(field), *chunks); !put) {
      return put;
    }
  }
  return {};
}

bool DurableQueue::Internals::StillOpens(CallStore& from, CallRow& row) {
  if (!row.has_payload && !row.has_answer) return true;
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  // A key that the vault lacks now may come back.
  if (!key) return key.error().code == ErrorCode::kUnauthenticated;
  if (row.has_answer) {
    const auto answer = from.GetField(row.id, SealedField::kAnswer);
    row.has_answer =
        answer && seal.Open(row.reference, *key, SealedField::kAnswer, *answer).has_value();
  }
  if (!row.has_payload || HasEnded(row.state)) return true;
  const auto payload = SealedPayload(from, row);
  return payload && IsWhole(row, *payload);
}

Result<std::vector<std::string>> DurableQueue::SetAsideFiles() {
  const MutexLock guard(internals_->mutex);
  return internals_->SetAsideFiles();
}

Result<DurableQueue::Salvaged> DurableQueue::Salvage(const std::string& file) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto path = SetAsidePath(internals.options.folder, file);
  if (!path) return std::unexpected(path.error());
  if (Status fresh = internals.RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  Salvaged salvaged;
  Status done = internals.SalvageFrom(*path, false, salvaged);
  if (!done) return std::unexpected(done.error());
  return salvaged;
}

Status DurableQueue::DiscardSetAside(const std::string& file, const std::string& by) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto path = SetAsidePath(internals.options.folder, file);
  if (!path) return std::unexpected(path.error());
  const auto there = internals.files.Exists(*path);
  if (!there) return std::unexpected(there.error());
  if (!*there) return Fail(ErrorCode::kInvalid, "there is no damaged file {}", file);
  // What cannot be put down is not done; a note of another process would be.
  if (Status fresh = internals.RefreshLedger(); !fresh) return fresh;
  if (internals.ledger.doubtful()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "nobody has looked at the ledger yet, and {} may hold the last copy of a call: "
                "first 'idkiosk ledger accept'",
                file);
  }
  const std::string what = fmt::format("the damaged file {} was discarded", file);
  if (Status put = internals.WriteDownDecision(what, by); !put) return put;
  // The file last: as long as it is there, it can be asked for again.
  for (auto part = std::rbegin(kParts); part != std::rend(kParts); ++part) {
    const Status erased = internals.files.Erase(fmt::format("{}{}", *path, *part));
    const bool gone = erased || (erased.error().code == ErrorCode::kNotFound && !part->empty());
    if (!gone) return erased;
  }
  return {};
}

Result<std::vector<std::string>> DurableQueue::Losses() {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  auto losses = internals.MissingKeys();
  if (!losses) return losses;
  const auto lost = internals.Lost();
  if (!lost) return std::unexpected(lost.error());
  for (std::string& each : DescribeLost(*lost, internals.MayBeSent(*lost)))
    losses->push_back(std::move(each));
  const auto unread = internals.UnreadCopies();
  if (!unread) return std::unexpected(unread.error());
  if (!unread->empty()) {
    losses->push_back(fmt::format(
        "copies of calls that the queue's file lacks cannot be read now: {}. Each start "
        "tries again; 'idkiosk queue discard REFERENCE' gives up one that stays "
        "unreadable",
        CountAndNames(*unread)));
  }
  const auto unnamed = internals.ToldUnnamed();
  if (!unnamed) return std::unexpected(unnamed.error());
  for (const UnnamedCalls& each : *unnamed) losses->push_back(DescribeWithMend(each));
  auto apart = internals.InCopiesAlone();
  if (!apart) return std::unexpected(apart.error());
  std::erase_if(*apart, [&](const CallReference& each) {
    return std::ranges::find(*unread, each) != unread->end();
  });
  if (!apart->empty()) {
    losses->push_back(fmt::format(
        "calls that the queue's file lacks: {}. They lie in their copies, and come back {}",
        CountAndNames(*apart), internals.WhenCopiesComeBack()));
  }
  const auto aside = internals.SetAsideFiles();
  if (!aside) return std::unexpected(aside.error());
  for (const std::string& each : *aside) {
    losses->push_back(fmt::format(
        "while the damaged file {} is in the state folder, no key is removed from the vault: "
        "'idkiosk queue salvage {}' examines it again, 'idkiosk queue discard {}' erases it",
        each, each, each));
  }
  return losses;
}

}  // namespace idkiosk

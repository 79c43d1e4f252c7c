#include <algorithm>

#include "app/queue/queue_internals.h"
#include "app/service/secret_writer.h"

// Whether the same was asked about the same person before.

namespace idkiosk {
namespace {

// Returns a telephone's number without what stands before it at home (0) or abroad (+234): one
// telephone, and one question, however it is written.
std::string_view NationalNumber(std::string_view phone) {
  constexpr size_t kDigits = 10;
  std::string_view rest = phone;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  for (const std::string_view before : {"234", "0"}) {
    if (rest.size() == kDigits + before.size() && rest.starts_with(before)) {
      return rest.substr(before.size());
    }
  }
  return phone;
}

}  // namespace

SecretBytes DurableQueue::Internals::SerializeWhoIsAsked(const VerificationCall& call) {
  SecretWriter question;
  for (std::string_view part : {Name(call.endpoint), call.nin.text(),
                                NationalNumber(call.phone.text()), std::string_view(call.id_type),
                                call.id_number.text(), std::string_view(call.search_type)}) {
    question.Uint32(static_cast<uint32_t>(part.size())).Text(part);
  }
  return question.Take();
}

Bytes DurableQueue::Internals::QuestionMac(const VerificationCall& call, uint32_t epoch) {
  constexpr std::string_view kLabel = "queue-question/v2";
  Bytes mac;
  AppendUint32(mac, epoch);
  const Crypto::Digest key = crypto.HmacSha256(*epochs.Find(epoch), AsBytes(kLabel));
  const Crypto::Digest digest =
      crypto.HmacSha256(SecretBytes::CopyOf(key), SerializeWhoIsAsked(call).view());
  mac.insert(mac.end(), digest.begin(), digest.end());
  return mac;
}

Result<std::optional<int64_t>> DurableQueue::Internals::FindQuestion(const VerificationCall& call) {
  // As an earlier idkiosk wrote it down.
  const Crypto::Digest old = crypto.HmacSha256(keys.question, SerializeWhoIsAsked(call).view());
  auto newest = calls.FindQuestion(old);
  for (const uint32_t epoch : epochs.All()) {
    if (!newest) break;
    const auto found = calls.FindQuestion(QuestionMac(call, epoch));
    if (!found) return found;
    newest = std::max(*newest, *found);
  }
  return newest;
}

// Of one that the ledger does not know, nobody can say what it asked.
Status DurableQueue::Internals::RequireNotWaiting(const std::vector<Bytes>& questions,
                                                  ByteSpan request_key) {
  std::vector<CallReference> waiting;
  for (const auto& [reference, accepted] : not_restored) {
    const auto is_of = [&](const LedgerEntry& entry) {
      return request_key.empty()
                 ? std::ranges::find(questions, entry.question_mac) != questions.end()
                 : AsText(entry.request).starts_with(AsText(request_key));
    };
    if (!accepted || is_of(*accepted)) waiting.push_back(reference);
  }
  if (waiting.empty()) return {};
  return Fail(ErrorCode::kUnavailable,
              "calls lie in copies that could not be brought back ({}), and this may be one of "
              "them: start idkiosk anew, or see 'idkiosk doctor'",
              CountAndNames(waiting));
}

Result<std::optional<CallSummary>> DurableQueue::Internals::FindDuplicate(
    const VerificationCall& call, const std::vector<Hold>& holds) {
  const Duration window = options.billing.duplicate_window;
  const bool numbered = !call.nin.empty() || !call.phone.empty() || !call.id_number.empty();
  if (!numbered || window <= Duration::zero()) return std::nullopt;
  const auto found = FindQuestion(call);
  if (!found) return std::unexpected(found.error());
  if (*found) {
    const auto row = calls.LoadById(**found);
    if (!row) return std::unexpected(row.error());
    if (IsWithin(window, *row)) return Summarize(*row, holds);
  }
  if (not_restored.empty()) return std::nullopt;
  const Crypto::Digest old = crypto.HmacSha256(keys.question, SerializeWhoIsAsked(call).view());
  std::vector<Bytes> asked = {Bytes(old.begin(), old.end())};
  for (const uint32_t epoch : epochs.All()) asked.push_back(QuestionMac(call, epoch));
  if (Status none = RequireNotWaiting(asked, {}); !none) return std::unexpected(none.error());
  return std::nullopt;
}

// By the clock or by the queue's own time, whichever has seen less pass: a clock that was set makes
// nobody pay twice. One that has not ended may still be sent, however old it is.
bool DurableQueue::Internals::IsWithin(Duration window, const CallRow& row) const {
  if (!HasEnded(row.state) || row.accepted_at == 0 || !row.age_at) return true;
  const int64_t most = ToMilliseconds(window);
  if (ToMilliseconds(time.WallNow()) - row.accepted_at <= most) return true;
  const int64_t kept =
      ToMilliseconds(options.queue.retention) + (row.has_answer ? 0 : RowOutlivesAnswer(row));
  return kept - (*row.age_at - time.Milliseconds()) <= most;
}

// A key is the asker's own word, and no person's number, so it is found as long as the vault lives.
Bytes DurableQueue::Internals::RequestKeyMac(const ClientRequest& request) const {
  if (request.key.empty()) return {};
  const std::string labelled = fmt::format("client-request/v1 {}", request.key);
  const Crypto::Digest digest = crypto.HmacSha256(keys.question, AsBytes(labelled));
  return {digest.begin(), digest.end()};
}

// A body may hold a number of eleven digits, which is found by trying all: what stands for it is
// worth nothing once the epoch's key has left the vault.
Bytes DurableQueue::Internals::RequestMac(const ClientRequest& request, uint32_t epoch) {
  constexpr std::string_view kLabel = "client-body/v1";
  Bytes mac = RequestKeyMac(request);
  if (mac.empty()) return mac;
  AppendUint32(mac, epoch);
  const Crypto::Digest key = crypto.HmacSha256(*epochs.Find(epoch), AsBytes(kLabel));
  const Crypto::Digest digest = crypto.HmacSha256(SecretBytes::CopyOf(key), AsBytes(request.body));
  mac.insert(mac.end(), digest.begin(), digest.end());
  return mac;
}

// Who lost its answer with the ledger asks again by itself, and no person is there to be warned.
Status DurableQueue::Internals::RequireNothingUnnamed() {
  const auto told = ToldUnnamed();
  if (!told) return std::unexpected(told.error());
  // No program sends a key again after that.
  const WallTime looked = ledger.looked_at();
  const bool is_over = looked + kRequestIsKnown <= time.WallNow() &&
                       time.DoubtOfAge(looked, kRequestIsKnown).empty();
  if (told->empty() || is_over) return {};
  return Fail(ErrorCode::kUnavailable,
              "this may be one of the calls that were lost and that nobody can name: compare the "
              "service's invoice, then 'idkiosk queue discard {}'",
              NameOf(told->front()));
}

Result<std::optional<CallReference>> DurableQueue::FindRequest(const ClientRequest& request) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const Bytes key = internals.RequestKeyMac(request);
  if (key.empty()) return std::nullopt;
  if (Status fresh = internals.RefreshKeys(); !fresh) return std::unexpected(fresh.error());
  // An older one may not know it.
  if (Status own = internals.CheckOwnFile(); !own) return std::unexpected(own.error());
  const auto found = internals.calls.FindRequest(key);
  if (!found) return std::unexpected(found.error());
  if (!*found) {
    Status is_new = internals.RequireNotWaiting({}, key);
    if (is_new) is_new = internals.RequireNothingUnnamed();
    if (!is_new) return std::unexpected(is_new.error());
    return std::nullopt;
  }
  const auto row = internals.calls.LoadById(**found);
  if (!row) return std::unexpected(row.error());
  // Of an erased person the body is forgotten, too; another one must not get that person's answer.
  if (row->request.size() == key.size()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} was accepted with the same key, and its person's data was erased since",
                row->reference);
  }
  // Whose key is gone cannot be compared: it is the call of that key.
  if (row->request.size() < key.size() + sizeof(uint32_t)) return row->reference;
  const uint32_t epoch = ReadUint32(ByteSpan(row->request).subspan(key.size()).first<4>());
  if (internals.epochs.Find(epoch) == nullptr ||
      internals.RequestMac(request, epoch) == row->request) {
    return row->reference;
  }
  // In a damaged row that may be the damage: another person's check must not be taken for this one.
  if (row->state == CallState::kDamaged) {
    return Fail(ErrorCode::kCorrupt,
                "{} has the same key, and is damaged: nobody can tell whether it asked the same",
                row->reference);
  }
  return Fail(ErrorCode::kFailedPrecondition, "{} was accepted with the same key and another body",
              row->reference);
}

}  // namespace idkiosk

#include "app/queue/storage/ledger_entry.h"

#include "app/journal/fields.h"
#include "app/queue/policy/breaker.h"
#include "app/queue/policy/queue_clock.h"

// A record's body, version 4: a byte 4, then entries up to its end. Versions 1 to 3 are the same
// without what came later; they are read, and written no more. Numbers are big endian; a text
// follows its length in 4 bytes; times are milliseconds since 1970, 8 bytes, started_at and
// ended_at by the wall clock, board_at by the queue's own time. Words are those of Name().
//
//   1  attempt   a byte 1; reference, text; number, 4; endpoint, text; operator, text; started_at;
//                board_at; price in hundredths, 8; a byte: 1 approved, 0 no request left; since
//                version 2 the attempt's own number that went out with it, text; since version 3
//                currency, text; the asker's number for the call, text; means of its pictures, text
//   2  its end   a byte 2; reference, text; number, 4; ended_at; stage, text; HTTP status, 4;
//                billed, text; reason, text; what the call is told: endpoint, disposition, kind,
//                verdict and stage, texts; milliseconds to wait, 8, -1: none; the
//                engineer's sentence, text; a byte: 1 the attachment is the sealed answer; since
//                version 2 the service's own reference, text
//   3  taken     a byte 3; number in the old table, 8; then as 1 up to price; a byte: 1 ended;
//      over      ended_at; stage, text; HTTP status, 4; billed, text; reason, text; a byte: 1
//                genuine
//   4  looked    a byte 4; number of proven records before this one, 8; since version 4 the look's
//      at        own number, 8, and what stands for the proven records, 8
//   5  accepted  a byte 5; reference, text; endpoint, text; started_at: when it was accepted; since
//                version 3 what stands for its question and for its request, as texts of bytes:
//                those of the row (CallRow)
//   6  closed    a byte 6; reference, text; ended_at; state and verdict that it ended with, texts;
//                what it was, text; who decided, text
//   7  decided   a byte 7; ended_at: when; what, text; who, text
//   8  unnamed   a byte 8; ended_at: when; numbers of the first and the last record that is gone,
//                8 each, the last lower: none is; calls that were accepted and that nothing names,
//                and how many of them had not ended at most, 8 each, -1: nobody knows; who ended
//                this, text, empty: nobody yet
//   9  erased    a byte 9; reference, text; ended_at: when
//   10 doubted   a byte 10; reference, text; ended_at: when

namespace idkiosk {
namespace {

constexpr uint8_t kVersion = 4;
constexpr uint8_t kFirstWithIds = 2;
constexpr uint8_t kFirstWithQuestions = 3;
constexpr uint8_t kFirstWithLooks = 4;
constexpr size_t kLongestText = 600;

using Kind = LedgerEntry::Kind;

std::string_view Shortened(std::string_view text) { return text.substr(0, kLongestText); }

void WriteBeginning(FieldWriter& out, const LedgerRow& row) {
  out.Text(Shortened(row.reference)).Uint32(static_cast<uint32_t>(row.number));
  out.Text(Name(row.endpoint)).Text(Shortened(row.operator_id));
  out.Int64(ToMilliseconds(row.started_at)).Int64(row.board_at).Int64(row.price);
}

void WriteEnd(FieldWriter& out, const LedgerRow& row) {
  out.Int64(ToMilliseconds(row.ended_at.value_or(WallTime())));
  out.Text(Name(row.stage)).Uint32(static_cast<uint32_t>(row.http_status));
  out.Text(Name(row.billed)).Text(Shortened(row.rule));
}

void WriteOutcome(FieldWriter& out, const Outcome& outcome) {
  out.Text(Name(outcome.endpoint)).Text(Name(outcome.disposition)).Text(Name(outcome.kind));
  out.Text(Name(outcome.verdict)).Text(Name(outcome.stage));
  out.Int64(outcome.retry_after ? ToMilliseconds(*outcome.retry_after) : -1);
  out.Text(Shortened(outcome.engineer));
}

void Write(FieldWriter& out, const LedgerEntry& entry) {
  out.Byte(static_cast<uint8_t>(entry.kind));
  switch (entry.kind) {
    case Kind::kBegun:
      WriteBeginning(out, entry.row);
      out.Byte(entry.approved ? 1 : 0).Text(Shortened(entry.row.attempt_id));
      out.Text(Shortened(entry.row.currency)).Text(Shortened(entry.row.case_id));
      out.Text(entry.row.means ? Name(*entry.row.means) : "");
      return;
    case Kind::kEnded:
      out.Text(Shortened(entry.row.reference)).Uint32(static_cast<uint32_t>(entry.row.number));
      WriteEnd(out, entry.row);
      WriteOutcome(out, entry.outcome);
      out.Byte(entry.has_answer ? 1 : 0).Text(Shortened(entry.row.service_reference));
      return;
    case Kind::kTakenOver:
      out.Int64(entry.row.id);
      WriteBeginning(out, entry.row);
      out.Byte(entry.row.ended_at ? 1 : 0);
      WriteEnd(out, entry.row);
      out.Byte(entry.row.genuine ? 1 : 0);
      return;
    case Kind::kLookedAt:
      out.Int64(static_cast<int64_t>(entry.proven)).Int64(static_cast<int64_t>(entry.look));
      out.Int64(static_cast<int64_t>(entry.proven_digest));
      return;
    case Kind::kAccepted:
      out.Text(Shortened(entry.row.reference)).Text(Name(entry.row.endpoint));
      out.Int64(ToMilliseconds(entry.row.started_at));
      out.Blob(entry.question_mac).Blob(entry.request);
      return;
    case Kind::kClosed:
      out.Text(Shortened(entry.row.reference));
      out.Int64(ToMilliseconds(entry.row.ended_at.value_or(WallTime())));
      out.Text(Name(entry.state)).Text(Name(entry.verdict));
      out.Text(Shortened(entry.what)).Text(Shortened(entry.by));
      return;
    case Kind::kDecided:
      out.Int64(ToMilliseconds(entry.row.ended_at.value_or(WallTime())));
      out.Text(Shortened(entry.what)).Text(Shortened(entry.by));
      return;
    case Kind::kUnnamed: {
      const UnnamedCalls& unnamed = entry.unnamed;
      out.Int64(ToMilliseconds(entry.row.ended_at.value_or(WallTime())));
      out.Int64(static_cast<int64_t>(unnamed.first)).Int64(static_cast<int64_t>(unnamed.last));
      out.Int64(unnamed.accepted ? static_cast<int64_t>(*unnamed.accepted) : -1);
      out.Int64(static_cast<int64_t>(unnamed.open)).Text(Shortened(entry.by));
      return;
    }
    case Kind::kErased:
    case Kind::kDoubted:
      out.Text(Shortened(entry.row.reference));
      out.Int64(ToMilliseconds(entry.row.ended_at.value_or(WallTime())));
      return;
  }
}

// A word that this program does not know is a newer program's: false.
class EntryReader {
 public:
  explicit EntryReader(ByteSpan body) : in_(body), version_(in_.Byte()) {}

  [[nodiscard]] bool at_end() const { return in_.at_end(); }
  [[nodiscard]] bool knows_version() const { return version_ >= 1 && version_ <= kVersion; }

  bool Read(LedgerEntry& entry) {
    entry.kind = static_cast<Kind>(in_.Byte());
    return ReadAs(entry) && known_ && in_.good();
  }

 private:
  bool ReadAs(LedgerEntry& entry) {
    switch (entry.kind) {
      case Kind::kBegun:
        ReadBegun(entry);
        return true;
      case Kind::kEnded:
        ReadEnded(entry);
        return true;
      case Kind::kTakenOver:
        ReadTakenOver(entry.row);
        return true;
      case Kind::kLookedAt:
        entry.proven = static_cast<uint64_t>(in_.Int64());
        if (version_ < kFirstWithLooks) return true;
        entry.look = static_cast<uint64_t>(in_.Int64());
        entry.proven_digest = static_cast<uint64_t>(in_.Int64());
        return true;
      case Kind::kAccepted:
        ReadAccepted(entry);
        return true;
      case Kind::kClosed:
        ReadClosed(entry);
        return true;
      case Kind::kDecided:
        entry.row.ended_at = FromMilliseconds(in_.Int64());
        entry.what = in_.Text();
        entry.by = in_.Text();
        return true;
      case Kind::kUnnamed:
        ReadUnnamed(entry);
        return true;
      case Kind::kErased:
      case Kind::kDoubted:
        entry.row.reference = in_.Text();
        entry.row.ended_at = FromMilliseconds(in_.Int64());
        return true;
    }
    return false;
  }

  void ReadBegun(LedgerEntry& entry) {
    ReadBeginning(entry.row);
    entry.approved = in_.Byte() == 1;
    entry.row.stage = entry.approved ? SendStage::kSent : SendStage::kNotSent;
    entry.row.billed = entry.approved ? Billed::kMaybe : Billed::kNo;
    entry.row.rule = "in_flight";
    if (version_ >= kFirstWithIds) entry.row.attempt_id = in_.Text();
    if (version_ >= kFirstWithQuestions) ReadCall(entry.row);
  }

  void ReadEnded(LedgerEntry& entry) {
    entry.row.reference = in_.Text();
    entry.row.number = static_cast<int>(in_.Uint32());
    ReadEnd(entry.row);
    ReadOutcome(entry);
    entry.has_answer = in_.Byte() == 1;
    if (version_ >= kFirstWithIds) entry.row.service_reference = in_.Text();
    entry.outcome.service_reference = entry.row.service_reference;
  }

  void ReadTakenOver(LedgerRow& row) {
    row.id = in_.Int64();
    ReadBeginning(row);
    const bool ended = in_.Byte() == 1;
    ReadEnd(row);
    if (!ended) row.ended_at.reset();
    row.genuine = in_.Byte() == 1;
  }

  void ReadAccepted(LedgerEntry& entry) {
    entry.row.reference = in_.Text();
    Take(entry.row.endpoint, EndpointOf(in_.Text()));
    entry.row.started_at = FromMilliseconds(in_.Int64());
    if (version_ < kFirstWithQuestions) return;
    entry.question_mac = in_.Blob();
    entry.request = in_.Blob();
  }

  void ReadClosed(LedgerEntry& entry) {
    entry.row.reference = in_.Text();
    entry.row.ended_at = FromMilliseconds(in_.Int64());
    Take(entry.state, CallStateOf(in_.Text()));
    Take(entry.verdict, VerdictOf(in_.Text()));
    entry.what = in_.Text();
    entry.by = in_.Text();
  }

  void ReadUnnamed(LedgerEntry& entry) {
    entry.row.ended_at = FromMilliseconds(in_.Int64());
    entry.unnamed.first = static_cast<uint64_t>(in_.Int64());
    entry.unnamed.last = static_cast<uint64_t>(in_.Int64());
    const int64_t accepted = in_.Int64();
    if (accepted >= 0) entry.unnamed.accepted = static_cast<uint64_t>(accepted);
    entry.unnamed.open = static_cast<uint64_t>(in_.Int64());
    entry.by = in_.Text();
  }

  template <typename T>
  void Take(T& to, std::optional<T> read) {
    known_ = known_ && read.has_value();
    if (read) to = *read;
  }

  void ReadBeginning(LedgerRow& row) {
    row.reference = in_.Text();
    row.number = static_cast<int>(in_.Uint32());
    Take(row.endpoint, EndpointOf(in_.Text()));
    row.operator_id = in_.Text();
    row.started_at = FromMilliseconds(in_.Int64());
    row.board_at = in_.Int64();
    row.price = in_.Int64();
  }

  void ReadCall(LedgerRow& row) {
    row.currency = in_.Text();
    row.case_id = in_.Text();
    if (const std::string means = in_.Text(); !means.empty()) {
      row.means = PictureMeansOf(means);
      known_ = known_ && row.means.has_value();
    }
  }

  void ReadEnd(LedgerRow& row) {
    row.ended_at = FromMilliseconds(in_.Int64());
    Take(row.stage, SendStageOf(in_.Text()));
    row.http_status = static_cast<int>(in_.Uint32());
    Take(row.billed, BilledOf(in_.Text()));
    row.rule = in_.Text();
  }

  void ReadOutcome(LedgerEntry& entry) {
    Outcome& outcome = entry.outcome;
    Take(outcome.endpoint, EndpointOf(in_.Text()));
    Take(outcome.disposition, DispositionOf(in_.Text()));
    Take(outcome.kind, OutcomeKindOf(in_.Text()));
    Take(outcome.verdict, VerdictOf(in_.Text()));
    Take(outcome.stage, SendStageOf(in_.Text()));
    const int64_t retry_after = in_.Int64();
    if (retry_after >= 0) outcome.retry_after = std::chrono::milliseconds(retry_after);
    outcome.engineer = in_.Text();
    outcome.billed = entry.row.billed;
    outcome.http_status = entry.row.http_status;
  }

  FieldReader in_;
  const uint8_t version_;
  bool known_ = true;
};

}  // namespace

std::optional<LedgerEntry::CallEnd> LedgerEntry::EndOfCall() const {
  if (kind == Kind::kClosed) return CallEnd{state, verdict};
  if (!Ends() || IsDoubtful(outcome)) return std::nullopt;
  return CallEnd{CallState::kDone, outcome.verdict};
}

LedgerEntry LedgerEntry::Copy() const {
  LedgerEntry copy;
  copy.kind = kind;
  copy.row = row;
  copy.approved = approved;
  copy.question_mac = question_mac;
  copy.request = request;
  copy.proven = proven;
  copy.look = look;
  copy.proven_digest = proven_digest;
  copy.unnamed = unnamed;
  copy.state = state;
  copy.verdict = verdict;
  copy.what = what;
  copy.by = by;
  return copy;
}

Bytes SerializeLedgerEntries(const std::vector<LedgerEntry>& entries) {
  FieldWriter out;
  out.Byte(kVersion);
  for (const LedgerEntry& each : entries) Write(out, each);
  return out.Take();
}

Result<std::vector<LedgerEntry>> ParseLedgerEntries(ByteSpan body) {
  EntryReader in(body);
  bool known = in.knows_version();
  std::vector<LedgerEntry> entries;
  while (known && !in.at_end()) known = in.Read(entries.emplace_back());
  if (known) return entries;
  return Fail(ErrorCode::kFailedPrecondition,
              "the ledger was written by a newer idkiosk: install that one");
}

}  // namespace idkiosk

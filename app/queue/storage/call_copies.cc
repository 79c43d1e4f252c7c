#include "app/queue/storage/call_copies.h"

#include <algorithm>
#include <utility>

#include "app/journal/fields.h"
#include "app/queue/storage/proven_head.h"

namespace idkiosk {
namespace {

// By version, from 1.
constexpr std::string_view kCallMarks[] = {"IKCALL1\n", "IKCALL2\n", "IKCALL3\n", "IKCALL4\n"};
constexpr size_t kVersionWithService = 2;
constexpr size_t kVersionWithMeans = 3;
constexpr size_t kVersionWithRequest = 4;
constexpr std::string_view kRefused = ".refused";
constexpr std::string_view kUnfinished = ".new";  // FileSystem::WriteDurably
constexpr size_t kLargest = 64 << 20;
constexpr size_t kUsualPictures = 100'000;  // bytes: capture.bundle_bytes, if nobody says otherwise

int64_t OrMinusOne(const std::optional<int64_t>& time) { return time.value_or(-1); }
std::optional<int64_t> TimeOf(int64_t stored) {
  return stored == -1 ? std::nullopt : std::optional(stored);
}
Bytes BytesOf(const std::string& text) {
  const ByteSpan bytes = AsBytes(text);
  return {bytes.begin(), bytes.end()};
}

ByteSpan TagOf(ByteSpan sealed) { return sealed.last(std::min(sealed.size(), Crypto::kTagSize)); }

// All but the chunks: of each its size and the tag that seals it, which proves the rest.
Bytes SerializeHead(const SealedCall& call) {
  const CallRow& row = call.row;
  FieldWriter out;
  out.Text(row.reference).Text(Name(row.endpoint)).Text(row.operator_id);
  out.Byte(row.person_waits ? 1 : 0).Int64(row.accepted_at);
  out.Int64(OrMinusOne(row.due_at)).Int64(OrMinusOne(row.age_at));
  out.Uint32(static_cast<uint32_t>(row.attempts));
  out.Uint32(static_cast<uint32_t>(row.billed_attempts));
  out.Text(AsText(row.sealed_key)).Text(AsText(row.question_mac)).Text(row.made_for);
  out.Text(row.means ? Name(*row.means) : std::string_view());
  out.Text(row.case_id).Text(AsText(row.request));
  for (const auto& [field, chunks] : call.fields) {
    out.Byte(static_cast<uint8_t>(field)).Uint32(static_cast<uint32_t>(chunks.size()));
    for (const Bytes& each : chunks) {
      out.Uint32(static_cast<uint32_t>(each.size())).Text(AsText(TagOf(each)));
    }
  }
  return out.Take();
}

// Takes the chunks from `rest`. Nothing: written by another idkiosk, or not whole.
std::optional<SealedCall> Parse(ByteSpan head, ByteSpan rest, size_t version) {
  FieldReader in(head);
  SealedCall call;
  CallRow& row = call.row;
  row.reference = in.Text();
  const auto endpoint = EndpointOf(in.Text());
  row.operator_id = in.Text();
  row.person_waits = in.Byte() == 1;
  row.accepted_at = in.Int64();
  row.due_at = TimeOf(in.Int64());
  row.age_at = TimeOf(in.Int64());
  row.attempts = static_cast<int>(in.Uint32());
  row.billed_attempts = static_cast<int>(in.Uint32());
  row.sealed_key = BytesOf(in.Text());
  row.question_mac = BytesOf(in.Text());
  if (version >= kVersionWithService) row.made_for = in.Text();
  if (version >= kVersionWithMeans) row.means = PictureMeansOf(in.Text());
  if (version >= kVersionWithRequest) {
    row.case_id = in.Text();
    row.request = BytesOf(in.Text());
  }
  row.has_payload = true;
  while (in.good() && !in.at_end()) {
    const uint8_t field = in.Byte();
    if (field >= kSealedFieldCount) return std::nullopt;
    std::vector<Bytes>& chunks = call.fields[static_cast<SealedField>(field)];
    for (uint32_t left = in.Uint32(); in.good() && left > 0; --left) {
      const size_t size = in.Uint32();
      const Bytes tag = BytesOf(in.Text());
      if (size > rest.size()) return std::nullopt;
      const ByteSpan chunk = rest.first(size);
      rest = rest.subspan(size);
      if (!std::ranges::equal(TagOf(chunk), tag)) return std::nullopt;
      chunks.emplace_back(chunk.begin(), chunk.end());
    }
  }
  if (!endpoint || !in.good() || !rest.empty()) return std::nullopt;
  row.endpoint = *endpoint;
  return call;
}

}  // namespace

std::string CallCopies::PathOf(const CallReference& reference) const {
  return fmt::format("{}/{}", folder_, reference);
}

bool CallCopies::WasErased(const SealedCall& call) const {
  return slots_.WouldBeSeen(Serialize(call).size());
}

bool CallCopies::WasErased(Endpoint endpoint) const {
  return slots_.WouldBeSeen(TraitsOf(endpoint).TakesPictures() ? kUsualPictures : 0);
}

Bytes CallCopies::Serialize(const SealedCall& call) const {
  size_t size = 0;
  for (const auto& [field, chunks] : call.fields) {
    for (const Bytes& each : chunks) size += each.size();
  }
  Bytes copy =
      WriteProvenHead(std::end(kCallMarks)[-1], SerializeHead(call), size, crypto_, mac_key_);
  for (const auto& [field, chunks] : call.fields) {
    for (const Bytes& each : chunks) copy.insert(copy.end(), each.begin(), each.end());
  }
  return copy;
}

Status CallCopies::Write(const SealedCall& call) {
  return slots_.Write(call.row.reference, Serialize(call));
}

Result<SealedCall> CallCopies::Read(const CallReference& reference) {
  auto copy = slots_.Read(reference);
  if (!copy && copy.error().code == ErrorCode::kNotFound) {
    copy = files_.Read(PathOf(reference), kLargest);
    // A bad sector.
    if (!copy && copy.error().code == ErrorCode::kCorrupt) {
      return Fail(ErrorCode::kUnavailable, "{}", copy.error().message);
    }
  }
  if (!copy) return std::unexpected(copy.error());
  auto call = Prove(*copy);
  if (!call) return std::unexpected(call.error().Within("the copy of " + reference));
  if (call->row.reference != reference) {
    return Fail(ErrorCode::kCorrupt, "the copy of {} is of another call", reference);
  }
  return call;
}

Result<SealedCall> CallCopies::Prove(ByteSpan copy) const {
  const auto mark = std::ranges::find_if(
      kCallMarks, [&](std::string_view each) { return AsText(copy).starts_with(each); });
  if (mark == std::end(kCallMarks)) {
    return Fail(ErrorCode::kCorrupt, "it does not begin like one");
  }
  const auto parts = ReadProvenHead(*mark, copy, crypto_, mac_key_);
  if (!parts) return std::unexpected(parts.error());
  const auto version = static_cast<size_t>(mark - std::begin(kCallMarks)) + 1;
  auto call = Parse(parts->head, parts->rest, version);
  if (!call) return Fail(ErrorCode::kCorrupt, "it is not whole");
  return std::move(*call);
}

std::string CallCopies::ProvenName(ByteSpan copy) const {
  const auto call = Prove(copy);
  return call ? call->row.reference : "";
}

Result<CallCopies::Found> CallCopies::List() {
  Found found;
  const auto names = files_.List(folder_);
  if (!names && names.error().code == ErrorCode::kNotFound) return found;
  if (!names) return std::unexpected(names.error());
  for (const std::string& each : *names) {
    if (ParseReference(each) == each) {
      found.calls.insert(each);
    } else if (each.ends_with(kRefused) || each.ends_with(kUnfinished)) {
      found.strays.push_back(each);
    }
  }
  if (Status looked = slots_.Look(); !looked) return std::unexpected(looked.error());
  for (std::string& each : slots_.names()) {
    if (ParseReference(each) == each) found.calls.insert(std::move(each));
  }
  return found;
}

bool CallCopies::Has(const CallReference& reference) {
  return slots_.Has(reference) || IsOwnFile(reference);
}

bool CallCopies::IsOwnFile(const CallReference& reference) {
  return files_.Exists(PathOf(reference)).value_or(false);
}

void CallCopies::Tidy(const Found& found) {
  for (const std::string& each : found.strays) {
    (void)files_.Erase(fmt::format("{}/{}", folder_, each));
  }
  slots_.Tidy();
}

Status CallCopies::Erase(std::span<const CallReference> references) {
  Status erased = slots_.Erase(references);
  for (const CallReference& each : references) {
    if (!IsOwnFile(each)) continue;
    Status gone = files_.Erase(PathOf(each));
    // A pipe or a link that somebody put there: it holds nothing to overwrite.
    if (!gone && gone.error().code == ErrorCode::kInvalid) gone = files_.Remove(PathOf(each));
    if (!gone && gone.error().code != ErrorCode::kNotFound) erased = gone;
  }
  return erased;
}

Status CallCopies::Withdraw(const CallReference& reference) { return slots_.Withdraw(reference); }

}  // namespace idkiosk

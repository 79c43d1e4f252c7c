#include "app/service/verification_call.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/service/request_reason_check.h"
#include "app/service/secret_writer.h"
#include "app/settings/nin.h"
#include "platform/base/text/digits.h"

// The question of a call, as it is sealed (all numbers big endian):
//
//   4 bytes   version, now 1
//   then, seven times, a field: 4 bytes length, that many bytes. In this order:
//   the endpoint's name in the profile ("verify"), NIN, phone, id number, id type, reason code,
//   search type. A field that the endpoint does not take is of length 0.
//
// Nothing follows. The pictures are sealed beside it, each as the JPEG it is.

namespace idkiosk {
namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kMaxIdNumber = 64;
constexpr size_t kMinPicture = 500;      // bytes; no photograph is smaller
constexpr size_t kMaxPicture = 4 << 20;  // bytes; far above what any service takes

// Of a text in UTF-8.
size_t CharactersOf(std::string_view text) {
  const auto begins = [](char each) { return (static_cast<unsigned char>(each) & 0xc0) != 0x80; };
  return static_cast<size_t>(std::ranges::count_if(text, begins));
}

Status CheckNin(const SecretBytes& nin, const CallRules& rules) {
  if (!IsNin(nin.text())) {
    const size_t count = CharactersOf(nin.text());
    return Fail(
        ErrorCode::kInvalid, "the NIN must have {} digits; this one has {} character{}{}",
        kNinDigits, count, count == 1 ? "" : "s",
        std::ranges::all_of(nin.text(), IsDigit) ? "" : ", not all of them digits from 0 to 9");
  }
  if (rules.environment == Environment::kProduction && !rules.test_nin.empty() &&
      nin.Equals(AsBytes(rules.test_nin))) {
    return Fail(ErrorCode::kInvalid,
                "this is the sandbox's test NIN: production would bill it as a failed "
                "verification");
  }
  return {};
}

// 0803 123 4567, or the same with +234 or 234 for the zero: 70x, 80x, 81x, 90x, 91x.
Status CheckPhone(const SecretBytes& phone) {
  std::string_view text = phone.text();
  for (std::string_view prefix : {"+234", "234", "0"}) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    const bool fits = text.size() == 10 && AreDigits(text) &&
                      std::string_view("789").contains(text[0]) &&
                      std::string_view(text[0] == '7' ? "0" : "01").contains(text[1]);
    if (fits) return {};
    break;
  }
  return Fail(ErrorCode::kInvalid,
              "this is not a Nigerian mobile number: 11 digits that begin with 070, 080, 081, 090 "
              "or 091, or the same with +234 instead of the first zero");
}

Status CheckPicture(const SecretBytes& picture, std::string_view what) {
  constexpr std::array<uint8_t, 3> kStartOfJpeg = {0xff, 0xd8, 0xff};
  if (picture.empty()) return Fail(ErrorCode::kInvalid, "{} is missing", what);
  if (!std::ranges::equal(picture.view().first(std::min<size_t>(picture.size(), 3)),
                          kStartOfJpeg)) {
    return Fail(ErrorCode::kInvalid, "{} is not a JPEG", what);
  }
  if (picture.size() < kMinPicture || picture.size() > kMaxPicture) {
    return Fail(ErrorCode::kInvalid, "{} has {} bytes; a picture has {} to {}", what,
                picture.size(), kMinPicture, kMaxPicture);
  }
  return {};
}

Status CheckPictures(const FacePictures& pictures) {
  if (Status checked = CheckPicture(pictures.selfie, "the selfie"); !checked) return checked;
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    const std::string what = fmt::format("liveness picture {}", i + 1);
    if (Status checked = CheckPicture(pictures.liveness[i], what); !checked) return checked;
  }
  return {};
}

Status CheckIdentity(const VerificationCall& call, const CallRules& rules) {
  if (call.id_type == "nin") return CheckNin(call.id_number, rules);
  if (call.id_type.empty()) return Fail(ErrorCode::kInvalid, "the type of the number is missing");
  const auto printable = [](uint8_t c) { return c > 0x20 && c < 0x7f; };
  if (call.id_number.empty() || call.id_number.size() > kMaxIdNumber ||
      !std::ranges::all_of(call.id_number.view(), printable)) {
    return Fail(ErrorCode::kInvalid,
                "the number must have 1 to {} letters, digits or signs, and no spaces",
                kMaxIdNumber);
  }
  return {};
}

void WriteField(SecretWriter& to, std::string_view field) {
  to.Uint32(static_cast<uint32_t>(field.size())).Text(field);
}

// Takes the next field off the front; nothing if it is cut short.
std::optional<ByteSpan> TakeField(ByteSpan& bytes) {
  if (bytes.size() < 4) return std::nullopt;
  const size_t size = ReadUint32(bytes.first<4>());
  bytes = bytes.subspan(4);
  if (size > bytes.size()) return std::nullopt;
  const ByteSpan field = bytes.first(size);
  bytes = bytes.subspan(size);
  return field;
}

}  // namespace

Status CheckQuestion(const VerificationCall& call, const CallRules& rules) {
  using enum Placeholder;
  const EndpointTraits traits = TraitsOf(call.endpoint);
  if (traits.task.empty()) {
    return Fail(ErrorCode::kInvalid, "'{}' asks nothing about a person", traits.name);
  }
  Status checked = traits.Takes(kNin)     ? CheckNin(call.nin, rules)
                   : traits.Takes(kPhone) ? CheckPhone(call.phone)
                                          : CheckIdentity(call, rules);
  return checked ? CheckRequestReason(call, rules) : checked;
}

Status CheckKind(const VerificationCall& call, const EndpointProfile& profile) {
  const EndpointTraits traits = TraitsOf(call.endpoint);
  const bool lacks_reason = profile.has_reason && call.reason.empty();
  if (lacks_reason && !traits.asks.Has(Placeholder::kRequestReason)) {
    return Fail(ErrorCode::kInvalid,
                "this service wants a request reason with '{}', too: give one of those that "
                "'idkiosk reasons' lists",
                traits.name);
  }
  if (traits.kind.empty()) return {};
  const bool typed = traits.Takes(Placeholder::kType);
  const std::string& kind = typed ? call.id_type : call.search_type;
  if (std::ranges::find(profile.kinds, kind) != profile.kinds.end()) return {};
  return Fail(ErrorCode::kInvalid,
              "'{}' is not a {} that this service is known to take; it takes {}. If the service "
              "does take it, add it to endpoints.{}.kinds in the profile",
              kind, typed ? "type of number" : "search type", fmt::join(profile.kinds, ", "),
              traits.name);
}

Status CheckCall(const VerificationCall& call, const CallRules& rules) {
  if (Status checked = CheckQuestion(call, rules); !checked) return checked;
  return TraitsOf(call.endpoint).TakesPictures() ? CheckPictures(call.pictures) : Status();
}

SecretBytes CleanNumber(std::string_view typed) {
  SecretBytes clean(typed.size());
  size_t size = 0;
  for (char c : typed) {
    if (std::string_view(" \t\r\n-.()").contains(c)) continue;
    clean.mutable_view()[size++] = static_cast<uint8_t>(c);
  }
  clean.Truncate(size);
  return clean;
}

SecretBytes SerializeQuestion(const VerificationCall& call) {
  SecretWriter writer;
  writer.Uint32(kVersion);
  for (std::string_view field :
       {Name(call.endpoint), call.nin.text(), call.phone.text(), call.id_number.text(),
        std::string_view(call.id_type), std::string_view(call.reason),
        std::string_view(call.search_type)}) {
    WriteField(writer, field);
  }
  return writer.Take();
}

Result<VerificationCall> ParseQuestion(ByteSpan bytes) {
  if (bytes.size() < 4) return Fail(ErrorCode::kCorrupt, "the sealed question is cut short");
  const uint32_t version = ReadUint32(bytes.first<4>());
  if (version != kVersion) {
    return Fail(ErrorCode::kCorrupt,
                "the sealed question is of version {}; this program reads version {}", version,
                kVersion);
  }
  bytes = bytes.subspan(4);
  std::array<ByteSpan, 7> fields;
  for (ByteSpan& each : fields) {
    const auto field = TakeField(bytes);
    if (!field) return Fail(ErrorCode::kCorrupt, "the sealed question is cut short");
    each = *field;
  }
  const auto endpoint = EndpointOf(AsText(fields[0]));
  if (!endpoint || !bytes.empty()) {
    return Fail(ErrorCode::kCorrupt, "the sealed question makes no sense");
  }
  VerificationCall call;
  call.endpoint = *endpoint;
  call.nin = SecretBytes::CopyOf(fields[1]);
  call.phone = SecretBytes::CopyOf(fields[2]);
  call.id_number = SecretBytes::CopyOf(fields[3]);
  call.id_type = AsText(fields[4]);
  call.reason = AsText(fields[5]);
  call.search_type = AsText(fields[6]);
  return call;
}

}  // namespace idkiosk

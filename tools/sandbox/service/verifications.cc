#include "tools/sandbox/service/verifications.h"

#include "tools/sandbox/service/image.h"
#include "tools/sandbox/service/portrait.h"
#include "tools/sandbox/service/reasons.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

constexpr std::string_view kSelfie = "selfieImage";
constexpr std::string_view kLiveness = "livenessImages";
constexpr size_t kSelfies = 1;
constexpr size_t kLivenessImages = 4;
// Of one picture. The document's maximum is not shown.
constexpr size_t kMaxPicture = 2 << 20;

std::string MakeReference() { return "SBX-" + RandomText(12); }

Reply NotVerified(std::string_view message) {
  Reply reply;
  reply.outcome = "not_verified";
  reply.reference = MakeReference();
  reply.http = Success(200, message,
                       JsonWriter()
                           .BeginObject()
                           .Field("verified", false)
                           .Field("reference", reply.reference)
                           .EndObject()
                           .text());
  return reply;
}

// Every NIN endpoint but the generic one needs it. An empty text for a good one.
std::string ComplaintAboutReason(const Form& form) {
  const auto reason = form.Text("requestReason");
  if (!reason) return reason.error().message;
  if (IsReason(*reason)) return {};
  return "requestReason is none of the codes that getRequestReasons lists.";
}

std::string ComplaintAboutNin(const Form& form, std::string_view field) {
  const auto nin = form.Text(field);
  if (!nin) return nin.error().message;
  return IsNin(*nin) ? "" : std::string(field) + " must have 11 digits.";
}

std::string ComplaintAboutPhone(const Form& form) {
  const auto phone = form.Text("phone");
  if (!phone) return phone.error().message;
  return LocalPhone(*phone) ? "" : "phone must be a number such as 08012345678 or +2348012345678.";
}

// The first complaint there is.
template <typename... Complaints>
std::string FirstOf(Complaints... complaints) {
  std::string first;
  ((first = first.empty() ? std::string(complaints) : first), ...);
  return first;
}

std::optional<Reply> TooManyPictures(const Form& form) {
  if (form.PictureCount(kSelfie) <= kSelfies && form.PictureCount(kLiveness) <= kLivenessImages) {
    return std::nullopt;
  }
  return Refuse(413, "Too many pictures: send exactly 1 selfie and 4 liveness images.");
}

// Looks at all pictures of one field. Nothing where each is one.
std::optional<Reply> ComplaintAboutPictures(const Form& form, std::string_view field,
                                            size_t count) {
  const auto pictures = form.Pictures(field);
  if (!pictures) return Refuse(400, pictures.error().message);
  if (pictures->size() != count) {
    return Refuse(400, fmt::format("{} must be {}, and {} came: send exactly 1 selfie and 4 "
                                   "liveness images.",
                                   field, count, pictures->size()));
  }
  size_t number = 0;
  for (const Bytes& picture : *pictures) {
    ++number;
    if (picture.size() > kMaxPicture) {
      return Refuse(413, fmt::format("{} {} has more than {} bytes.", field, number, kMaxPicture));
    }
    if (const auto size = InspectImage(picture); !size) {
      return Refuse(400, fmt::format("{} {} is {}.", field, number, size.error().message));
    }
  }
  return std::nullopt;
}

}  // namespace

Reply Verifications::Check(const Call& call, bool wants_reason) {
  const auto type = call.form.Text("type");
  if (!type) return Refuse(400, type.error().message);
  if (*type != "nin") return Refuse(400, "type must be nin.");
  if (auto complaint = ComplaintAboutNin(call.form, "id_number"); !complaint.empty()) {
    return Refuse(400, std::move(complaint));
  }
  if (wants_reason || !call.form.TextOrNothing("requestReason").empty()) {
    if (auto complaint = ComplaintAboutReason(call.form); !complaint.empty()) {
      return Refuse(400, std::move(complaint));
    }
  }
  const auto person = FindByNin(call, call.form.TextOrNothing("id_number"));
  return person ? Verified(*person, Detail::kName) : NotVerified("Nobody has this number.");
}

Reply Verifications::VerifyFace(const Call& call) {
  const Form& form = call.form;
  if (auto refusal = TooManyPictures(form)) return std::move(*refusal);
  if (auto complaint = FirstOf(ComplaintAboutNin(form, "nin"), ComplaintAboutReason(form));
      !complaint.empty()) {
    return Refuse(400, std::move(complaint));
  }
  if (auto refusal = ComplaintAboutPictures(form, kSelfie, kSelfies)) return std::move(*refusal);
  if (auto refusal = ComplaintAboutPictures(form, kLiveness, kLivenessImages)) {
    return std::move(*refusal);
  }
  const auto person = FindByNin(call, form.TextOrNothing("nin"));
  if (!person) return NotVerified("Nobody has this number.");
  const bool designated =
      person->nin == kTestNin && call.account.environment == Environment::kSandbox;
  if (!designated && !person->face_matches) return NotVerified("The face does not match.");
  return Verified(*person, Detail::kPhoto);
}

Reply Verifications::LookUpPhone(const Call& call) {
  if (auto complaint = ComplaintAboutPhone(call.form); !complaint.empty()) {
    return Refuse(400, std::move(complaint));
  }
  const auto search = call.form.Text("searchtype");
  if (!search) return Refuse(400, search.error().message);
  if (*search != "advance") return Refuse(400, "searchtype must be advance.");
  const auto person = FindByPhone(call, call.form.TextOrNothing("phone"));
  return person ? Verified(*person, Detail::kName)
                : Refuse(404, "There is no record for this phone number.");
}

Reply Verifications::LookUpNin(const Call& call) {
  if (auto complaint =
          FirstOf(ComplaintAboutNin(call.form, "nin"), ComplaintAboutReason(call.form));
      !complaint.empty()) {
    return Refuse(400, std::move(complaint));
  }
  const auto person = FindByNin(call, call.form.TextOrNothing("nin"));
  return person ? Verified(*person, Detail::kEverything)
                : Refuse(404, "There is no record for this NIN.");
}

Reply Verifications::LookUpNinByPhone(const Call& call) {
  if (auto complaint = FirstOf(ComplaintAboutPhone(call.form), ComplaintAboutReason(call.form));
      !complaint.empty()) {
    return Refuse(400, std::move(complaint));
  }
  const auto person = FindByPhone(call, call.form.TextOrNothing("phone"));
  return person ? Verified(*person, Detail::kEverything)
                : Refuse(404, "There is no record for this phone number.");
}

std::optional<Person> Verifications::FindByNin(const Call& call, std::string_view nin) {
  if (nin == kTestNin && call.account.environment == Environment::kProduction) return std::nullopt;
  return people_.FindByNin(nin);
}

std::optional<Person> Verifications::FindByPhone(const Call& call, std::string_view phone) {
  auto person = people_.FindByPhone(LocalPhone(phone).value_or(""));
  return person ? FindByNin(call, person->nin) : std::nullopt;
}

std::string Verifications::PhotoOf(const Person& person) {
  const MutexLock lock(mutex_);
  std::string& photo = photos_[person.nin];
  if (photo.empty()) photo = ToBase64(DrawPortrait(person.nin));
  return photo;
}

Reply Verifications::Verified(const Person& person, Detail detail) {
  Reply reply;
  reply.outcome = "verified";
  reply.reference = MakeReference();
  JsonWriter data;
  data.BeginObject()
      .Field("verified", true)
      .Field("fullName", person.name)
      .Field("reference", reply.reference);
  if (detail != Detail::kName) data.Field("photo", PhotoOf(person));
  if (detail == Detail::kEverything) {
    data.Field("nin", person.nin)
        .Field("phone", person.phone)
        .Field("dateOfBirth", person.born)
        .Field("gender", person.gender);
  }
  reply.http = Success(200, "Verified.", data.EndObject().text());
  return reply;
}

}  // namespace idkiosk::sandbox

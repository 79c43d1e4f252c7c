#ifndef IDKIOSK_APP_SERVICE_SERVICE_REFERENCE_H_
#define IDKIOSK_APP_SERVICE_SERVICE_REFERENCE_H_

#include <string_view>

// What a service puts where its own reference of an attempt belongs stays in the ledger for ever,
// and leaves with its exports. So what may be a person's is not kept there.
namespace idkiosk {

// Returns whether it may be somebody's number or name:
//   - 11 digits (NIN, BVN, phone) with nothing else but spaces and signs, or as a run of digits
//     within a longer text, unless they begin with a day of the years 2020 to 2029;
//   - a Nigerian mobile number with +234, 234 or without its zero, and all that is digits behind a
//     plus;
//   - words without any digit, what has an @, and a day of the years 1900 to 2019 in three groups.
// Other numbers are references, as they come: a reference is one of its service's counting.
[[nodiscard]] bool MayBePersonal(std::string_view reference);

// Returns whether it holds a word of that name, in whatever case: one of three letters as a word of
// its own, a longer one anywhere, also with signs or digits in between. Of a name in letters
// without a plain one nothing is found.
[[nodiscard]] bool HoldsName(std::string_view reference, std::string_view name);

// Returns whether it holds that secret, in whatever case and groups. False for one of less than
// eight signs, which may well be part of each reference.
[[nodiscard]] bool HoldsSecret(std::string_view reference, std::string_view secret);

// Returns whether it holds that number of the request, in whatever groups and case; of a long one
// its last ten digits, for a phone number has many beginnings. A number of less than four signs is
// only looked for as the whole. False for an empty number.
[[nodiscard]] bool HoldsNumber(std::string_view reference, std::string_view number);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_SERVICE_REFERENCE_H_

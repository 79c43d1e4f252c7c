#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_PEOPLE_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_PEOPLE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "tools/sandbox/store/database.h"

namespace idkiosk::sandbox {

// The designated NIN of the sandbox environment: its facial verification always succeeds.
inline constexpr std::string_view kTestNin = "70123456789";

// Somebody who does not exist.
struct Person {
  std::string nin;  // 11 digits
  std::string name;
  std::string phone;   // 11 digits, beginning with 0
  std::string born;    // "1990-01-31"
  std::string gender;  // "female" or "male"
  // The rule that stands for a comparison of faces: pictures sent for this person match, or not.
  bool face_matches = true;
};

[[nodiscard]] bool IsNin(std::string_view text);
// "08012345678" from that or from "+2348012345678" or "2348012345678"; nothing for anything else.
[[nodiscard]] std::optional<std::string> LocalPhone(std::string_view text);

// The registry of made-up people. Any thread.
class People {
 public:
  explicit People(Database& database) : database_(database) {}

  // Fills an empty registry with the people that every sandbox starts with.
  [[nodiscard]] Status EnsureSomebody();

  [[nodiscard]] std::vector<Person> All();
  [[nodiscard]] std::optional<Person> FindByNin(std::string_view nin);
  [[nodiscard]] std::optional<Person> FindByPhone(std::string_view local_phone);

  // Errors: kInvalid for a field that makes no sense, kFailedPrecondition for a NIN or phone that
  // somebody else has.
  [[nodiscard]] Status Add(const Person& person);
  // Errors: kNotFound; kFailedPrecondition for the test NIN, which every sandbox has.
  [[nodiscard]] Status Remove(std::string_view nin);
  // Errors: kNotFound.
  [[nodiscard]] Status SetFaceMatches(std::string_view nin, bool matches);

 private:
  Database& database_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_PEOPLE_H_

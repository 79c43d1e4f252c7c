#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_VERIFICATIONS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_VERIFICATIONS_H_

#include <map>
#include <string>

#include "platform/base/mutex.h"
#include "tools/sandbox/service/call.h"
#include "tools/sandbox/store/people.h"

namespace idkiosk::sandbox {

// The five billed endpoints. Any thread.
//
// Decides who is verified. In the sandbox environment the test NIN is, always. Anybody else is
// looked up in the registry of made-up people: a number that is in it is verified, unless faces are
// compared and the registry says that this person's does not match. In the production environment
// nobody has the test NIN.
class Verifications {
 public:
  explicit Verifications(People& people) : people_(people) {}

  [[nodiscard]] Reply Check(const Call& call, bool wants_reason);
  [[nodiscard]] Reply VerifyFace(const Call& call);
  [[nodiscard]] Reply LookUpPhone(const Call& call);
  [[nodiscard]] Reply LookUpNin(const Call& call);
  [[nodiscard]] Reply LookUpNinByPhone(const Call& call);

 private:
  [[nodiscard]] std::optional<Person> FindByNin(const Call& call, std::string_view nin);
  [[nodiscard]] std::optional<Person> FindByPhone(const Call& call, std::string_view phone);
  [[nodiscard]] std::string PhotoOf(const Person& person);

  enum class Detail { kName, kPhoto, kEverything };
  [[nodiscard]] Reply Verified(const Person& person, Detail detail);

  People& people_;
  Mutex mutex_;
  std::map<std::string, std::string> photos_ GUARDED_BY(mutex_);  // base64, by NIN
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_VERIFICATIONS_H_

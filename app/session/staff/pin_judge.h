#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_JUDGE_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_JUDGE_H_

#include <string>
#include <vector>

#include "app/session/staff/pin_tries.h"
#include "app/session/staff/staff_list.h"

namespace idkiosk {

// Says whose PIN it is, of one kind of staff. Each try is counted on the disk before it is judged,
// so pulling the plug gains nothing; where nobody says a name, it counts as a try of each whose PIN
// it may be. A right PIN clears the counts, of others only that of all together. Who asks waits as
// WaitOf says. One thread at a time.
class PinJudge {
 public:
  // Whose it may be.
  struct Asked {
    std::string name;         // empty: the only person's
    bool anybody = false;     // whoever it fits, where nobody says a name
    std::string not_of = {};  // of anybody, but for this person
  };
  struct Verdict {
    enum class Kind {
      kOpen,
      kWrong,
      kNoPin,   // nobody has one; `sentence` says how
      kFailed,  // vault or disk; not judged
    };
    Kind kind = Kind::kFailed;
    std::string sentence;
    std::string name;                // of whose PIN it is, or was asked for; empty: nobody's
    std::string id;                  // StaffMember's, of whose PIN it is
    PinTries::Counts counts;         // this try included
    std::vector<std::string> names;  // of everybody of this kind
  };

  PinJudge(const PinTries::Dependencies& deps, Staff staff, const std::string& state_folder);

  // Returns what an earlier program counted. Errors: SecureStorage's.
  [[nodiscard]] Result<Verdict> Begin();

  [[nodiscard]] Verdict Judge(const Asked& asked, const SecretBytes& pin);

  // Returns how long nobody is asked for a PIN that may be anybody's but `not_of`'s.
  [[nodiscard]] static Duration WaitOf(const PinTries::Counts& counts, std::string_view not_of);

 private:
  const PinTries::Dependencies deps_;
  const Staff staff_;
  PinTries tries_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_JUDGE_H_

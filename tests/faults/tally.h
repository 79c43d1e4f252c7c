#ifndef IDKIOSK_TESTS_FAULTS_TALLY_H_
#define IDKIOSK_TESTS_FAULTS_TALLY_H_

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "platform/base/json.h"

namespace idkiosk::faults {

// What must hold whatever happens, in the order of the programme's columns I1 to I5.
enum class Invariant : uint8_t {
  kPaid,     // the service bills no attempt that was not approved
  kKept,     // no accepted call is lost: it is answered, it waits, or it is named
  kSealed,   // nobody's number, name or picture can be read, and no secret
  kBack,     // once the fault is gone it works again, or says which person must do what
  kBounded,  // memory, disk and descriptors do not grow without end
};
inline constexpr size_t kInvariants = 5;

// What one row of the programme counts while it runs, and what it draws its faults from.
class Tally {
 public:
  // `row`: its number. `seed`: the row's faults follow from it. `night`: the long form.
  Tally(int row, uint64_t seed, bool night);

  // Another fault was brought about.
  void Inject() { ++injections_; }
  // Something is so that must not be. `what` is all that is known of it; it is printed at once.
  void Violate(Invariant invariant, const std::string& what);
  // The same unless `good`. Returns `good`.
  bool Check(bool good, Invariant invariant, const std::string& what);
  // Instead of a verdict: what this machine or this build lacks, as "needs root".
  void CannotRun(const std::string& needs) { needs_ = needs; }
  // The row could not do what it says, so that it shows nothing; counted as a failure.
  void Break(const std::string& what);

  // Takes over what another process counted of this row, as ToJson wrote it. False: it is not
  // whole.
  [[nodiscard]] bool TakeOver(JsonView counted);

  // How often the row does what it does: that often by day, that often by night.
  [[nodiscard]] int Rounds(int by_day, int by_night) const { return night_ ? by_night : by_day; }
  // A number from `least` to `most`, both included, that follows from the seed.
  [[nodiscard]] uint64_t Draw(uint64_t least, uint64_t most);

  [[nodiscard]] int row() const { return row_; }
  [[nodiscard]] uint64_t seed() const { return seed_; }
  [[nodiscard]] int64_t injections() const { return injections_; }
  [[nodiscard]] int64_t violations(size_t invariant) const { return violations_.at(invariant); }
  [[nodiscard]] int64_t violations() const;
  [[nodiscard]] const std::string& needs() const { return needs_; }
  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] const std::vector<std::string>& findings() const { return findings_; }

 private:
  void Say(const std::string& finding);

  const int row_;
  const uint64_t seed_;
  const bool night_;
  std::mt19937_64 random_;
  int64_t injections_ = 0;
  std::array<int64_t, kInvariants> violations_{};
  std::string needs_;
  bool broken_ = false;
  std::vector<std::string> findings_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_TALLY_H_

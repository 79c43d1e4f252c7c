#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_TABLE_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace idkiosk {

struct AttackOptions {
  int runs = 8;       // of each row, over all tones
  uint32_t seed = 1;  // of the first run
  std::string detector = "yunet";
  std::string light = "auto";            // capture.light_sequence
  std::string room;                      // the light that attackers and victims are in
  std::string only;                      // part of the names of the rows; empty: all
  bool brief = false;                    // the short form: a few rows
  bool why = false;                      // print what refused the frames of runs that did not pass
  std::vector<std::string> photographs;  // each is shown once in each row that has stills
};

// Plays every attack, and people who just follow, through whole captures, and prints how many pass
// and what stopped the others. Returns whether each row meets its goal: at least 98 % of honest
// people pass, at most 2 % of attacks, and 20 % of films where the screen's light is not used.
// Ends the program where a photograph cannot be read or a model is not there.
[[nodiscard]] bool PrintAttacks(const AttackOptions& options);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_TABLE_H_

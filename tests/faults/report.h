#ifndef IDKIOSK_TESTS_FAULTS_REPORT_H_
#define IDKIOSK_TESTS_FAULTS_REPORT_H_

#include <string>
#include <vector>

#include "tests/faults/rows.h"
#include "tests/faults/tally.h"

namespace idkiosk::faults {

// What came of one row.
struct RowResult {
  const Row* row = nullptr;
  Tally tally;
  double seconds = 0;
};

// Whether the row ran and something is wrong with it or with what it found.
[[nodiscard]] bool Failed(const RowResult& result);
// "held", "VIOLATED", "BROKEN", or "not run: needs ...".
[[nodiscard]] std::string Verdict(const RowResult& result);

// One line for people, and the line above all of them.
[[nodiscard]] std::string TableHead();
[[nodiscard]] std::string TableLine(const RowResult& result);
// The whole run for programs.
[[nodiscard]] std::string ToJson(const std::vector<RowResult>& results, uint64_t seed, bool night);
// The whole run as config/FAULTS.md shows it: nothing in it is of one machine or day.
[[nodiscard]] std::string ToMarkdown(const std::vector<RowResult>& results, bool night);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_REPORT_H_

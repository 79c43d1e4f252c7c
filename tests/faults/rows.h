#ifndef IDKIOSK_TESTS_FAULTS_ROWS_H_
#define IDKIOSK_TESTS_FAULTS_ROWS_H_

#include <span>
#include <string_view>

#include "tests/faults/tally.h"

namespace idkiosk::faults {

// One fault that idkiosk must survive.
struct Row {
  int number;              // as people name it, from 1
  std::string_view fault;  // what happens
  std::string_view means;  // how the programme makes it happen
  void (*run)(Tally&);
};

// All of them, by number.
[[nodiscard]] std::span<const Row> Rows();

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_ROWS_H_

#ifndef IDKIOSK_TESTS_APP_OPERATOR_FINDING_MATCHER_H_
#define IDKIOSK_TESTS_APP_OPERATOR_FINDING_MATCHER_H_

#include <gmock/gmock.h>

#include <string>

#include "app/operator/finding.h"

namespace idkiosk {

// Matches a finding of this state and part whose text has `text` in it.
inline auto Is(FindingState state, KioskPart part, const std::string& text) {
  return testing::AllOf(testing::Field(&Finding::state, state),
                        testing::Field(&Finding::part, part),
                        testing::Field(&Finding::text, testing::HasSubstr(text)));
}

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_OPERATOR_FINDING_MATCHER_H_

#include "app/fleet/journal_feed.h"

#include <algorithm>

namespace idkiosk {

std::optional<uint64_t> JournalFeed::Due(MonotonicTime now) const {
  return now < next_ ? std::nullopt : std::optional(acknowledged_);
}

void JournalFeed::Sent(uint64_t last, MonotonicTime now) {
  const bool again = sent_ > acknowledged_;
  wait_ = again ? std::min(2 * wait_, kLongestWait) : kFirstWait;
  sent_ = last;
  next_ = now + wait_;
}

bool JournalFeed::Acknowledge(uint64_t number, MonotonicTime now) {
  if (number < acknowledged_) {
    if (rewound_ && now - *rewound_ < kBetweenRewinds) return false;
    rewound_ = now;
  } else if (number == acknowledged_) {
    return false;
  }
  acknowledged_ = number;
  sent_ = number;
  wait_ = kFirstWait;
  next_ = now;
  return true;
}

void JournalFeed::Disconnected() {
  sent_ = acknowledged_;
  wait_ = kFirstWait;
  next_ = {};
}

}  // namespace idkiosk

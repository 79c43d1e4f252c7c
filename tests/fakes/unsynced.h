#ifndef IDKIOSK_TESTS_FAKES_UNSYNCED_H_
#define IDKIOSK_TESTS_FAKES_UNSYNCED_H_

namespace idkiosk {

// The fate of bytes and names that were not synced when the power fails.
enum class Unsynced {
  kLost,
  kTorn,  // names are there, new files behind them are cut in half; of what was written in place
          // each sector of 512 bytes arrived, or did not
  kKept,
  kReordered,  // each name and each sector arrived, or did not, whatever was written first; what
               // was renamed has one of its two names
  kCut,        // all arrived, but of the write that the power cut short only the first sectors
  kNamesLost,  // all bytes arrived; what was made, renamed or removed since its folder was synced is
               // as it was before
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_UNSYNCED_H_

#ifndef IDKIOSK_APP_CONSENT_CONSENT_LOG_H_
#define IDKIOSK_APP_CONSENT_CONSENT_LOG_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/journal/shared_journal.h"
#include "platform/base/json.h"

namespace idkiosk {

// What a person agreed to before a check: a text by its version, in the language that it was shown
// in ("en").
struct Consent {
  std::string version;
  std::string language;
  bool operator==(const Consent&) const = default;
};

// A consent as it was recorded. Nothing of it identifies a person but through the call.
struct ConsentEntry {
  uint64_t number = 0;  // from 1
  WallTime at;
  std::string reference;  // of the call that was accepted
  Consent consent;
  std::string operator_id;  // who asked; empty: people themselves
};

// Writes it as the local API and the command line give it.
void WriteConsent(JsonWriter& json, const ConsentEntry& entry);

// Where its files lie, in the state folder.
inline constexpr std::string_view kConsentFolder = "consent";

// The consents that were given on this kiosk: a shared journal, kept for good, as the ledger is.
// Any thread. Errors of every function: SharedJournal's.
class ConsentLog {
 public:
  // All must outlive this. Touches no file.
  ConsentLog(const std::string& state_folder, const Clock& clock, const Crypto& crypto,
             SecureStorage& vault, FileSystem& files);

  // Puts a consent down, before its call is accepted: no call is accepted without it. Once this
  // returns it survives a power cut.
  [[nodiscard]] Status Record(std::string_view reference, const Consent& consent,
                              std::string_view operator_id);
  // The call was not accepted after all. An error goes into the log: then the entry names a call
  // that there is not.
  void NoteNotAccepted(std::string_view reference);

  struct Contents {
    std::vector<ConsentEntry> entries;  // of calls that were accepted, the oldest first
    std::vector<std::string> damage;    // what was found damaged before: "cut after 12"
    JournalVerdict verdict;
  };
  // Errors also: kFailedPrecondition (it holds records of a newer idkiosk).
  [[nodiscard]] Result<Contents> Read();

 private:
  const Clock& clock_;
  SharedJournal journal_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CONSENT_CONSENT_LOG_H_

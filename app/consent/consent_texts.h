#ifndef IDKIOSK_APP_CONSENT_CONSENT_TEXTS_H_
#define IDKIOSK_APP_CONSENT_CONSENT_TEXTS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/consent/consent_log.h"
#include "app/settings/settings.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// The version of idkiosk's own text, which stands in the page's catalogues. Counted up when that
// changes what people agree to.
inline constexpr std::string_view kOwnConsentVersion = "idkiosk-2";

// The texts that people agree to before a check: the bank's own, a file for each language in the
// folder that consent.folder names, or idkiosk's. Read once. Any thread.
class ConsentTexts {
 public:
  static constexpr size_t kLargestText = size_t{16} << 10;

  // Errors: FileSystem's; kNotFound (no text in ui.language); kInvalid (one is empty, too long, or
  // no UTF-8). The message names the key or the file.
  [[nodiscard]] static Result<ConsentTexts> Load(const Settings& settings, FileSystem& files);

  struct Text {
    Consent consent;   // what is on record once somebody agrees to it
    std::string text;  // empty: idkiosk's own, from the page's catalogue
  };
  // Returns the text to show to who has chosen `language`: where the bank has none in it, that in
  // ui.language.
  [[nodiscard]] Text In(std::string_view language) const;

  // The languages of the page that the bank has no text in, in their order: who chooses one of them
  // is shown the text in ui.language. Empty where idkiosk's own is shown.
  [[nodiscard]] std::vector<std::string_view> Missing() const;

  // Whether people can agree to the text in force in `language`. Errors: kInvalid, naming those.
  [[nodiscard]] Status CheckLanguage(std::string_view language) const;

  // Whether people can have agreed to that here: to the text in force, in a language that it has;
  // or to an earlier one that `record` names, in a language of the page, as other programs may have
  // asked before it changed. Errors: kInvalid, naming what is in force; ConsentLog's.
  [[nodiscard]] Status Check(const Consent& consent, ConsentLog& record) const;

  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  // The languages that the text in force is there in.
  [[nodiscard]] std::vector<std::string_view> Languages() const;
  [[nodiscard]] Status NoSuchText(const Consent& consent) const;

  std::string version_;
  std::string usual_;                                      // ui.language
  std::map<std::string, std::string, std::less<>> texts_;  // by language; empty: idkiosk's own
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CONSENT_CONSENT_TEXTS_H_

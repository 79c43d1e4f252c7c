#include "app/consent/consent_texts.h"

#include <algorithm>
#include <iterator>

#include "app/settings/languages.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// Whether a person can read it, and reads what is on record: a text in UTF-8 that lost no letter in
// a conversion, with no control characters but tabs and ends of lines, and nothing that turns the
// order of letters round. Joiners and marks of direction belong to some scripts.
bool IsText(std::string_view text) {
  constexpr std::string_view kRefused[] = {"\uFFFD", "\u202D", "\u202E"};
  constexpr std::string_view kSpaces[] = {" ", "\u00a0"};
  constexpr std::string_view kEnds[] = {"\t", "\r", "\n"};
  bool seen = false;
  while (!text.empty()) {
    const std::string_view sign = text.substr(0, Utf8Length(text));
    if (sign.empty() || std::ranges::count(kRefused, sign) > 0) return false;
    if (!IsControl(sign)) {
      seen = seen || std::ranges::count(kSpaces, sign) == 0;
    } else if (sign < "\u00a0" && std::ranges::count(kEnds, sign) == 0) {
      return false;
    }
    text.remove_prefix(sign.size());
  }
  return seen;
}

}  // namespace

Result<ConsentTexts> ConsentTexts::Load(const Settings& settings, FileSystem& files) {
  const ConsentSettings& chosen = settings.consent;
  ConsentTexts texts;
  texts.version_ = chosen.version.empty() ? std::string(kOwnConsentVersion) : chosen.version;
  texts.usual_ = settings.ui.language;
  if (chosen.folder.empty()) return texts;
  for (const std::string_view language : PageLanguages()) {
    const std::string name = fmt::format("{}.txt", language);
    const std::string path = fmt::format("{}/{}", chosen.folder, name);
    // A link could lead to a file of secrets, which everybody would be shown.
    const auto read = files.ReadBelow(chosen.folder, name, kLargestText);
    if (!read && read.error().code == ErrorCode::kNotFound) continue;
    if (!read) return std::unexpected(read.error().Within("consent.folder"));
    std::string text(AsText(*read));
    if (!IsText(text)) {
      return Fail(
          ErrorCode::kInvalid,
          "consent.folder: {} must hold a text in UTF-8, without control characters, U+FFFD "
          "(a letter that a conversion lost), U+202D and U+202E (they turn letters round)",
          path);
    }
    texts.texts_.emplace(language, std::move(text));
  }
  if (texts.texts_.contains(texts.usual_)) return texts;
  return Fail(
      ErrorCode::kNotFound,
      "consent.folder: there is no {}/{}.txt, the text in ui.language, which is shown where "
      "there is none in a person's own",
      chosen.folder, texts.usual_);
}

ConsentTexts::Text ConsentTexts::In(std::string_view language) const {
  if (texts_.empty()) return {{version_, std::string(language)}, ""};
  auto found = texts_.find(language);
  if (found == texts_.end()) found = texts_.find(usual_);
  return {{version_, found->first}, found->second};
}

std::vector<std::string_view> ConsentTexts::Missing() const {
  std::vector<std::string_view> missing;
  if (texts_.empty()) return missing;
  std::ranges::copy_if(PageLanguages(), std::back_inserter(missing),
                       [&](std::string_view language) { return !texts_.contains(language); });
  return missing;
}

std::vector<std::string_view> ConsentTexts::Languages() const {
  if (texts_.empty()) return PageLanguages();
  std::vector<std::string_view> languages;
  for (const auto& [language, text] : texts_) languages.push_back(language);
  return languages;
}

Status ConsentTexts::CheckLanguage(std::string_view language) const {
  if (std::ranges::count(Languages(), language) > 0) return {};
  return NoSuchText({version_, std::string(language)});
}

Status ConsentTexts::Check(const Consent& consent, ConsentLog& record) const {
  if (consent.version == version_) return CheckLanguage(consent.language);
  if (std::ranges::count(PageLanguages(), consent.language) > 0) {
    const auto recorded = record.Read();
    if (!recorded) return std::unexpected(recorded.error());
    const auto version_of = [](const ConsentEntry& entry) { return entry.consent.version; };
    if (std::ranges::count(recorded->entries, consent.version, version_of) > 0) return {};
  }
  return NoSuchText(consent);
}

Status ConsentTexts::NoSuchText(const Consent& consent) const {
  return Fail(ErrorCode::kInvalid,
              "there is no text of version '{}' in the language '{}' that people can have agreed "
              "to; in force is version '{}', in {}",
              Printable(consent.version), Printable(consent.language), version_,
              fmt::join(Languages(), ", "));
}

}  // namespace idkiosk

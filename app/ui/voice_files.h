#ifndef IDKIOSK_APP_UI_VOICE_FILES_H_
#define IDKIOSK_APP_UI_VOICE_FILES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// The sentences that are spoken: the keys of the page's catalogues that app/ui/spoken.txt lists.
[[nodiscard]] std::span<const std::string_view> SpokenKeys();

// Returns what is wrong with the folder of ui.voice_folder, and the mend: it is
// not there, cannot be read, or holds none of the page's languages. Empty: nothing. A kiosk works
// all the same, but somebody may hear nothing.
[[nodiscard]] std::string VoiceFolderTrouble(FileSystem& files, const std::string& folder);

// Reads the spoken sentences: FOLDER/LANGUAGE/KEY.wav. Any thread, as far as `files` allows.
class VoiceFiles {
 public:
  // A sentence is taken from the first folder that has it: a bank's recordings before what
  // tools/voice made. `files` must outlive this.
  VoiceFiles(FileSystem& files, std::vector<std::string> folders)
      : files_(files), folders_(std::move(folders)) {}

  // The sentence as a WAV file. Errors: kNotFound (no such language or key, which never reach a
  // path otherwise; no recording; or a file that is no WAV or larger than 2 MB).
  [[nodiscard]] Result<Bytes> Find(std::string_view language, std::string_view key) const;

  // Languages with at least one sentence, as it stands on the disk.
  [[nodiscard]] std::vector<std::string> Languages() const;

  // Returns those of SpokenKeys() that this language lacks.
  [[nodiscard]] std::vector<std::string_view> Missing(std::string_view language) const;

 private:
  FileSystem& files_;
  const std::vector<std::string> folders_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_VOICE_FILES_H_

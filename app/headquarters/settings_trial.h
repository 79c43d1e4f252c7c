#ifndef IDKIOSK_APP_HEADQUARTERS_SETTINGS_TRIAL_H_
#define IDKIOSK_APP_HEADQUARTERS_SETTINGS_TRIAL_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// A change of settings that may be taken back, as it stands in a file beside the configuration for
// as long as nobody knows whether the kiosk is well with it: whatever happens meanwhile, a power
// cut too, either it is found well, or the settings of before are in force again.
struct SettingsTrial {
  std::string command = {};  // as FleetReply
  int64_t revision = 0;
  std::string keys = {};       // "ui.idle, ui.sound"
  std::string signed_by = {};  // "alice, bob"
  std::chrono::seconds healthy_within{};
  std::optional<std::string> before = {};    // the local file's text; nothing: there was none
  std::string after = {};                    // the same
  std::vector<std::string> bad_before = {};  // parts that were not well before it
  int starts = 0;                            // of the program since
  std::string over = {};                     // why it was taken back; empty: it was not
  bool is_left = false;                      // somebody else has changed the settings: nothing was
};

// The file of a trial. One thread. Errors of every function: FileSystem's.
class SettingsTrialFile {
 public:
  // So often the program may start within a trial: one that does not run long enough to be found
  // well is not.
  static constexpr int kMostStarts = 3;

  // `files` must outlive this. `config_path`: the configuration's.
  SettingsTrialFile(FileSystem& files, std::string config_path);

  // Returns the trial under way, or one that is over and not yet forgotten. Errors also: kCorrupt.
  [[nodiscard]] Result<std::optional<SettingsTrial>> Read();
  // Puts it down, and then the settings.
  [[nodiscard]] Status Begin(const SettingsTrial& trial);
  // The program starts, and has not read the settings yet: counts that, and takes them back where
  // it started too often, or where the power failed before they were in force. A file that cannot
  // be read is removed, with a line in the log, and the settings stay.
  [[nodiscard]] Status NoteStart();
  // Puts the settings of before in force, unless somebody else has changed them meanwhile. Returns
  // whether there was a trial under way.
  [[nodiscard]] Result<bool> TakeBack(const std::string& why);
  // What became of it is written down elsewhere.
  [[nodiscard]] Status Forget();

 private:
  [[nodiscard]] Status Write(const SettingsTrial& trial);
  [[nodiscard]] Result<std::optional<std::string>> LocalText();
  [[nodiscard]] Status TakeBack(SettingsTrial trial, const std::string& why);

  FileSystem& files_;
  const std::string local_path_;
  const std::string path_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HEADQUARTERS_SETTINGS_TRIAL_H_

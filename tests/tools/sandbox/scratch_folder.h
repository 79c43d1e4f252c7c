#ifndef IDKIOSK_TESTS_TOOLS_SANDBOX_SCRATCH_FOLDER_H_
#define IDKIOSK_TESTS_TOOLS_SANDBOX_SCRATCH_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <string>

namespace idkiosk::sandbox {

// A new folder of a test, removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sandbox-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TESTS_TOOLS_SANDBOX_SCRATCH_FOLDER_H_

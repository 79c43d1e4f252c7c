#ifndef IDKIOSK_TESTS_FAKES_SCRATCH_FOLDER_H_
#define IDKIOSK_TESTS_FAKES_SCRATCH_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <string>

namespace idkiosk {

// A new folder of one test, removed with all that is in it. Tests run side by side: none may use a
// name that another one could.
class ScratchFolder {
 public:
  ScratchFolder() {
    path_ = (std::filesystem::temp_directory_path() / "idkiosk-test-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_SCRATCH_FOLDER_H_

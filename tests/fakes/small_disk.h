#ifndef IDKIOSK_TESTS_FAKES_SMALL_DISK_H_
#define IDKIOSK_TESTS_FAKES_SMALL_DISK_H_

#include <sys/mount.h>

#include <string>
#include <utility>

namespace idkiosk {

// A file system in memory, mounted on a folder for as long as this lives. It belongs to its owner
// alone. Only root may mount one.
class SmallDisk {
 public:
  // `folder` is there, and must outlive this. `size` as mount takes it: "64k", "8m".
  SmallDisk(std::string folder, const std::string& size)
      : folder_(std::move(folder)),
        mounted_(mount("none", folder_.c_str(), "tmpfs", 0, ("mode=0700,size=" + size).c_str()) ==
                 0) {}
  ~SmallDisk() {
    if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  // False where this user may not mount: such a test is skipped.
  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  const std::string folder_;
  const bool mounted_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_SMALL_DISK_H_

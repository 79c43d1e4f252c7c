#ifndef IDKIOSK_DRIVERS_LIGHT_SYSFS_LIGHT_H_
#define IDKIOSK_DRIVERS_LIGHT_SYSFS_LIGHT_H_

#include <string>
#include <utility>

#include "platform/api/file_system.h"
#include "platform/api/light.h"

namespace idkiosk {

// An LED as Linux shows it: a folder with the files max_brightness and brightness.
class SysfsLight final : public Light {
 public:
  // `percent` of its brightness, 1 to 100. `files` must outlive this.
  SysfsLight(FileSystem& files, std::string folder, int percent)
      : files_(files), folder_(std::move(folder)), percent_(percent) {}

  [[nodiscard]] Status On() override;
  [[nodiscard]] Status Off() override;

 private:
  FileSystem& files_;
  const std::string folder_;
  const int percent_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_LIGHT_SYSFS_LIGHT_H_

#ifndef IDKIOSK_DRIVERS_CAMERA_PICTURE_FILE_H_
#define IDKIOSK_DRIVERS_CAMERA_PICTURE_FILE_H_

#include <string>
#include <string_view>

#include "platform/api/file_system.h"
#include "platform/base/error.h"
#include "platform/base/frame.h"

namespace idkiosk {

// Larger files are refused before they are read.
inline constexpr size_t kMaxPictureFileSize = 64 << 20;

// True for the names of picture files: *.jpg, *.jpeg, *.png in any case, not hidden.
[[nodiscard]] bool IsPictureName(std::string_view name);

// A picture file as a frame. JPEG stays as it is (kJpeg; its header is not read), PNG becomes kBgr,
// a transparent one on white, with the orientation that its eXIf chunk names. What a file is, its
// first bytes say, not its name. Errors: those of FileSystem::Read, kCorrupt (neither JPEG nor PNG,
// or a damaged PNG), kInvalid (a PNG of more than 50 megapixels). Each message names the file.
[[nodiscard]] Result<Frame> ReadPictureFile(FileSystem& files, const std::string& path);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_PICTURE_FILE_H_

#ifndef IDKIOSK_APP_CAPTURE_BUNDLE_FOLDER_H_
#define IDKIOSK_APP_CAPTURE_BUNDLE_FOLDER_H_

#include <string>

#include "app/capture/picture_files.h"

namespace idkiosk {

// Returns the paths of the pictures that BundleFromPictures reads from `folder`; opens none.
// Errors: kNotFound (a picture is missing: names it), kInvalid (two files for one picture), or what
// listing the folder said.
[[nodiscard]] Result<BundleNames> FindBundlePictures(const std::string& folder, FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_BUNDLE_FOLDER_H_

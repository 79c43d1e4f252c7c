#ifndef IDKIOSK_APP_CAPTURE_PICTURE_FILES_H_
#define IDKIOSK_APP_CAPTURE_PICTURE_FILES_H_

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/capture_runner.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Reads one picture file. The composition root passes the camera driver's ReadPictureFile.
using PictureReader = std::function<Result<Frame>(const std::string& path)>;

// A bundle from pictures taken elsewhere: selfie.jpg and liveness-1.jpg .. liveness-4.jpg (or
// .jpeg, .png, in any case) in `folder`. Each is turned upright, gated as far as that makes sense
// for a still, cut to the head where the head is small, and encoded to its budget. Errors:
// kNotFound (a file is missing: names it), kCorrupt (unreadable: names it), kRejected (names the
// file, what is wrong with it and the mend: no face, two people, too dark, blurred, ...; or the two
// that show the same moment).
[[nodiscard]] Result<CaptureResult> BundleFromPictures(const std::string& folder,
                                                       const CaptureSettings& settings,
                                                       FrameAnalyzer& analyzer, FileSystem& files,
                                                       const PictureReader& read, Clock& clock);

// The names of a bundle's pictures, in their order; what `read` below is asked for.
using BundleNames = std::array<std::string, 1 + CaptureBundle::kLivenessPictures>;
inline constexpr std::array<std::string_view, 1 + CaptureBundle::kLivenessPictures> kBundleNames = {
    "selfie", "liveness-1", "liveness-2", "liveness-3", "liveness-4"};

// The same of pictures that `read` knows by these names, which messages repeat.
[[nodiscard]] Result<CaptureResult> BundleFromStills(const BundleNames& names,
                                                     const CaptureSettings& settings,
                                                     FrameAnalyzer& analyzer,
                                                     const PictureReader& read, Clock& clock);

// Every measure of one picture, as one line of JSON without a line end: file, size, faces with box,
// landmarks, pose and score, light, sharpness, and which of the selfie's gates it passes.
// Errors: what `read` and the analyzer say; the message names the file.
[[nodiscard]] Result<std::string> InspectPicture(const std::string& path,
                                                 const CaptureSettings& settings,
                                                 FrameAnalyzer& analyzer,
                                                 const PictureReader& read);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_PICTURE_FILES_H_

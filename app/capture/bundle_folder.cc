#include "app/capture/bundle_folder.h"

#include <algorithm>
#include <array>

#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr std::array<std::string_view, 3> kEndings = {".jpg", ".jpeg", ".png"};

Result<std::string> FindPicture(const std::string& folder, const std::vector<std::string>& names,
                                std::string_view wanted) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const std::string lower = LowerCase(name);
    const bool fits = std::ranges::any_of(kEndings, [&](std::string_view ending) {
      return lower == fmt::format("{}{}", wanted, ending);
    });
    if (fits) found.push_back(name);
  }
  if (found.size() == 1) return fmt::format("{}/{}", folder, found.front());
  if (found.empty()) {
    return Fail(ErrorCode::kNotFound,
                "{} holds no {}.jpg or {}.png: five pictures are needed, selfie and liveness-1 to "
                "liveness-4",
                folder, wanted, wanted);
  }
  return Fail(ErrorCode::kInvalid, "{} holds more than one {}: {}; leave one", folder, wanted,
              fmt::join(found, ", "));
}

}  // namespace

Result<BundleNames> FindBundlePictures(const std::string& folder, FileSystem& files) {
  const auto names = files.List(folder);
  if (!names) return std::unexpected(names.error());
  BundleNames paths;
  for (size_t i = 0; i < paths.size(); ++i) {
    auto path = FindPicture(folder, *names, kBundleNames[i]);
    if (!path) return std::unexpected(path.error());
    paths[i] = std::move(*path);
  }
  return paths;
}

}  // namespace idkiosk

#include "app/service/endpoint_profile.h"

namespace idkiosk {

Result<ServiceProfile> LoadProfile(FileSystem& files, const std::string& path) {
  constexpr size_t kLargest = 1 << 20;
  const auto text = files.Read(path, kLargest);
  if (!text) return std::unexpected(text.error().Within("service.profile"));
  return ParseProfile(AsText(*text), path);
}

Status CheckCallable(const ServiceProfile& profile, Endpoint endpoint, Environment environment) {
  const EndpointProfile& about = profile.at(endpoint);
  if (!about.missing.empty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} does not know the endpoint '{}' yet: ask the service's operator and fill in {}",
                profile.file, Name(endpoint), fmt::join(about.missing, ", "));
  }
  if (environment == Environment::kProduction && !about.documented) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} only assumes how the endpoint '{}' works: production does not send it until "
                "the service's operator has confirmed it and endpoints.{}.documented is true",
                profile.file, Name(endpoint), Name(endpoint));
  }
  return {};
}

}  // namespace idkiosk

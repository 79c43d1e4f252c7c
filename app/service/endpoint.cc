#include "app/service/endpoint.h"

#include <algorithm>

namespace idkiosk {
namespace {

// One number is asked for, and of a person who sits down before the camera it is the NIN.
constexpr bool CanBeAsked(Endpoint endpoint) {
  const EndpointTraits traits = TraitsOf(endpoint);
  const int numbers = traits.Takes(Placeholder::kNin) + traits.Takes(Placeholder::kPhone) +
                      traits.Takes(Placeholder::kIdNumber);
  return numbers == (traits.task.empty() ? 0 : 1) &&
         (!traits.TakesPictures() || traits.Takes(Placeholder::kNin));
}
static_assert(std::ranges::all_of(kEndpoints, CanBeAsked));

std::optional<Endpoint> Find(std::string_view wanted, std::string_view EndpointTraits::* member) {
  for (const Endpoint each : kEndpoints) {
    if (!wanted.empty() && TraitsOf(each).*member == wanted) return each;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Placeholder> PlaceholderSet::list() const {
  std::vector<Placeholder> members;
  for (unsigned i = 0; bits_ >> i != 0; ++i) {
    if (const auto each = static_cast<Placeholder>(i); Has(each)) members.push_back(each);
  }
  return members;
}

std::optional<Endpoint> EndpointOf(std::string_view name) {
  return Find(name, &EndpointTraits::name);
}

std::optional<Endpoint> EndpointOfTask(std::string_view task) {
  return Find(task, &EndpointTraits::task);
}

}  // namespace idkiosk

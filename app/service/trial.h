#ifndef IDKIOSK_APP_SERVICE_TRIAL_H_
#define IDKIOSK_APP_SERVICE_TRIAL_H_

#include "app/service/endpoint_profile.h"
#include "app/settings/provisioning.h"
#include "platform/api/clock.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// The longest that each of a trial's two requests takes.
inline constexpr Duration kTrialTimeout = std::chrono::seconds(8);

// Tries an onboarding message before anything of it is stored: logs in, then asks for the list of
// reasons with the key, which costs nothing. `after`: the configuration with the message in force.
// Errors: kUnauthenticated (the login or the key, and which), kUnavailable (nothing could be
// tried), ServiceClient's.
[[nodiscard]] Status TryOnboarding(const Onboarding& onboarding, const Settings& after,
                                   const ServiceProfile& profile, HttpClient& http,
                                   const Clock& clock);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_TRIAL_H_

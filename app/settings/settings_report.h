#ifndef IDKIOSK_APP_SETTINGS_SETTINGS_REPORT_H_
#define IDKIOSK_APP_SETTINGS_SETTINGS_REPORT_H_

#include "app/settings/settings.h"
#include "platform/base/json.h"

namespace idkiosk {

enum class SettingsView {
  kWhole,
  kWithoutPaths,  // of a file, a folder or a device it is only said that it is set
};

// Every key and its value in force, as one JSON object with the keys of kiosk.jsonc, for somebody
// who helps from afar. The test number is only said to be there; user names and passwords in
// addresses (a proxy's, a camera's), and the path of the webhook, are taken out.
void WriteSettings(JsonWriter& json, const Settings& settings,
                   SettingsView view = SettingsView::kWhole);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SETTINGS_REPORT_H_

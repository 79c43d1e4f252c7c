#ifndef IDKIOSK_TOOLS_HEADQUARTERS_FLEET_VIEW_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_FLEET_VIEW_H_

#include <string>

#include "tools/headquarters/database.h"

// What people at headquarters ask about their kiosks. Errors of every function: Database's.
namespace idkiosk::headquarters {

// One kiosk as it is listed.
struct KioskRow {
  std::string tenant;
  std::string kiosk;
  std::string health;  // "good", "bad", "gone", "silent"
  std::string heard;   // when it was last heard of, RFC 3339
  std::string version;
  std::string waiting;      // calls that go on by themselves, or are held
  std::string need_person;  // calls of which nothing becomes before a person decides
  std::string today;        // what its attempts of today may have cost: "150.00 NGN"
  std::string complaint;    // of its parts, or of its journals
  // That its captures had on average: "7.4". Empty: there was none for a whole second.
  std::string frames_a_second;
};

// `silent_after`: an interval as PostgreSQL reads it, "15 minutes".
[[nodiscard]] Result<std::vector<KioskRow>> Kiosks(Database& database,
                                                   const std::string& silent_after);
// The newest alarms first: time, tenant, kiosk, what, and how many more of its kind were left out.
// `most_of_one`: of one kiosk, the newest of each kind before others.
[[nodiscard]] Result<Rows> Alarms(Database& database, int most, int most_of_one);
// Every attempt of a month ("2026-11", UTC), as CSV with a head. Of all tenants where it is empty.
[[nodiscard]] Result<std::string> LedgerCsv(Database& database, const std::string& tenant,
                                            const std::string& month);
// The same kiosks and alarms, and today's money by tenant and endpoint, for the page.
[[nodiscard]] Result<std::string> FleetJson(Database& database, const std::string& silent_after);
// Every kiosk's numbers in Prometheus' text, with the labels tenant and kiosk.
[[nodiscard]] Result<std::string> MetricsText(Database& database);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_FLEET_VIEW_H_

#ifndef IDKIOSK_APP_OPERATOR_CONSOLE_TABS_H_
#define IDKIOSK_APP_OPERATOR_CONSOLE_TABS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/operator/operator_backend.h"
#include "app/operator/people_list.h"
#include "platform/base/json.h"

// The members of the snapshot's `operator`, one for each tab: `Operator` in the page's
// snapshot.d.ts.
namespace idkiosk {

// The findings so far; checks that have not answered are absent.
using CheckFindings = std::map<OperatorBackend::Check, Findings>;

struct CameraView {
  std::string source;
  std::string format;
  std::string detector;
  std::vector<Measure> measures;
  std::string trouble;  // empty: none
};

struct SetupView {
  bool provisioned = false;
  std::string text;            // what came of the last command; empty: nothing
  std::string bundle;          // the path of the one that was written; empty: none yet
  bool scanning = false;       // the camera looks for the code of a message
  bool second_needed = false;  // what was scanned waits for another operator
};

// One call of a list: a member of an array.
void WriteListedCall(JsonWriter& json, const ListedCall& listed, WallTime now,
                     const std::string& currency);
// One attempt. `present`: the currency of one that names none.
void WriteRow(JsonWriter& json, const LedgerRow& row, const std::string& present);

void WriteReady(JsonWriter& json, const CheckFindings& found);
void WriteQueue(JsonWriter& json, const OperatorBackend::QueueView& queue);
void WriteLedger(JsonWriter& json, const OperatorBackend::LedgerView& ledger);
void WriteCamera(JsonWriter& json, const CameraView& camera);
void WriteVault(JsonWriter& json, const SecureStorage::Info& vault);
void WriteStaff(JsonWriter& json, const OperatorBackend::StaffView& staff);
void WriteLog(JsonWriter& json, const std::vector<LogLine>& lines);
void WriteSetup(JsonWriter& json, const SetupView& setup);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_CONSOLE_TABS_H_

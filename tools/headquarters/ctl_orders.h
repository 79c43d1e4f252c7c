#ifndef IDKIOSK_TOOLS_HEADQUARTERS_CTL_ORDERS_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_CTL_ORDERS_H_

#include <functional>
#include <string>
#include <vector>

#include "platform/base/command_line/command.h"
#include "tools/headquarters/command_file.h"
#include "tools/headquarters/database.h"
#include "tools/headquarters/subscriber.h"

namespace idkiosk::headquarters {

// What the commands of idkiosk-fleetctl about orders are given.
struct OrderOptions {
  std::string database;
  Draft draft;
  std::vector<std::string> keys;  // NAME=FILE
  std::string name;
  std::string file;
  std::string out;
  std::vector<std::string> to;
  std::vector<std::string> steps = RollOutSteps();
  int wait = 900;  // seconds
  Subscriber::Options broker;

  [[nodiscard]] static std::vector<std::string> RollOutSteps() { return {"1%", "10%", "100%"}; }
};

// "sign", "countersign", "send", "roll-out" and the like. `act` becomes what the one that is chosen
// does; it returns the exit code. Both must outlive what is returned.
[[nodiscard]] std::vector<Command> OrderCommands(OrderOptions& options, std::function<int()>& act);

// Says what went wrong, and returns the exit code.
int Complain(const Error& error);
// Pads each column to its widest cell.
void PrintTable(const Rows& rows);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_CTL_ORDERS_H_

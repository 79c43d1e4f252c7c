#ifndef IDKIOSK_TOOLS_HEADQUARTERS_ORDERS_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_ORDERS_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tools/headquarters/command_file.h"
#include "tools/headquarters/database.h"
#include "tools/headquarters/ingest.h"

// Commands on their way: to whom, what they said, and whose settings are not those that were
// ordered. Errors of every function: Database's.
namespace idkiosk::headquarters {

// A signed command, and what of it headquarters keep.
struct Order {
  std::string tenant;
  std::string kiosk;  // either this
  std::string group;  // or this
  std::string action;
  int64_t revision = 0;
  std::string settings;  // JSON; empty: none
  std::string command;   // SHA-256 of the document
  std::string payload;   // what is sent
};
// Errors: kInvalid.
[[nodiscard]] Result<Order> OrderOf(const SignedFile& file);

// Returns the kiosks that it is for: the one, or those that say that they are of its group.
[[nodiscard]] Result<std::vector<std::string>> Addressed(Database& database, const Order& order);

// Hands messages to the broker.
using Publish = std::function<Status(const std::vector<Message>& messages)>;
// Puts down that it is sent to these kiosks, and sends it: what they said before is forgotten.
[[nodiscard]] Status Send(Database& database, const Publish& publish, const Order& order,
                          const std::vector<std::string>& kiosks);

// What a kiosk said to a command: "sent" where nothing yet.
struct Said {
  std::string kiosk;
  std::string state;
  std::string reason;
};
[[nodiscard]] Result<std::vector<Said>> WhatTheySaid(Database& database, const Order& order);

// Returns what is wrong with a step of a roll-out, which is a number of kiosks or a share of them;
// nothing where it is good.
[[nodiscard]] std::string TroubleWithStep(const std::string& step);

struct RollOut {
  std::vector<std::string> steps = {"1%", "10%", "100%"};    // shares, or numbers of kiosks
  std::chrono::seconds patience = std::chrono::minutes(15);  // for each step
  std::function<void(const std::string& line)> say;
};
// Sends it to the first few, and to more once all of those have done it; a kiosk that has done it
// already is passed over. Returns whether all have. It stops at the first one that has not.
// Errors also: kInvalid (a step).
[[nodiscard]] Result<bool> RollOutTo(Database& database, const Publish& publish, const Order& order,
                                     const std::vector<std::string>& kiosks, const RollOut& how);

// A setting that a kiosk does not have as it was ordered last.
struct Drift {
  std::string tenant;
  std::string kiosk;
  std::string key;
  std::string ordered;
  std::string actual;  // empty: it has not said
  std::string why;     // what it said to the command
};
[[nodiscard]] Result<std::vector<Drift>> FindDrift(Database& database);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_ORDERS_H_

#include "tests/faults/kinds/names.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/strace.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

constexpr std::string_view kCalls =
    "rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat,fsync,write,writev,sendto,sendmsg,"
    "exit_group";

// The name of a call, without the number of its thread.
std::string_view NameOf(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of("0123456789 ")));
  return line.substr(0, line.find('('));
}

// The last name in quotes: what a file is called from then on.
std::string LastQuoted(const std::string& line) {
  const size_t end = line.rfind('"');
  const size_t begin = end == 0 || end == std::string::npos ? end : line.rfind('"', end - 1);
  return begin == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

// The file of the first descriptor: "fsync(7</state>)".
std::string FirstFile(const std::string& line) {
  const size_t begin = line.find('<');
  const size_t end = line.find('>', begin);
  return end == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

// Somebody else may learn of it.
bool Tells(std::string_view name, const std::string& line) {
  if (name == "exit_group" || name.starts_with("send")) return true;
  const std::string file = FirstFile(line);
  const bool is_output = line.contains("(1<") || line.contains("(2<");
  return name.starts_with("write") &&
         (is_output || file.contains("socket") || file.contains("TCP"));
}

// SQLite needs none of these names after a power cut.
bool IsOfSqlite(const std::string& path) { return path.contains("queue.db-"); }

}  // namespace

void WatchFolderSyncs(Tally& tally) {
  if (!Strace::IsThere(tally)) return;
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const Strace strace;
  int changes = 0;
  for (const Victim& victim : AllVictims()) {
    std::map<std::string, std::string> unsynced;  // by folder, what changed in it last
    std::stringstream log(strace.Record(std::string(kCalls), victim.prepare(kiosk)));
    for (std::string line; std::getline(log, line);) {
      const std::string_view name = NameOf(line);
      const std::filesystem::path path = LastQuoted(line);
      if (name == "fsync") {
        unsynced.erase(FirstFile(line));
      } else if (Tells(name, line)) {
        for (const auto& [folder, what] : unsynced) {
          tally.Violate(Invariant::kKept, fmt::format("{} goes on with {} and has not synced {}",
                                                      victim.name, what, folder));
        }
        unsynced.clear();
      } else if (line.ends_with(" = 0") && path.string().starts_with(kiosk.state() + "/") &&
                 !IsOfSqlite(path)) {
        unsynced[path.parent_path()] = line;
        ++changes;
      }
    }
  }
  if (changes == 0) tally.Break("no command changed a name in the state folder");
  kiosk.Judge();
}

}  // namespace idkiosk::faults

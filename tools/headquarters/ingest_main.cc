// idkiosk-fleet-ingest: takes what kiosks send from the broker into PostgreSQL. Several may run
// side by side. It may be killed at any time: what was not committed comes again.
#include <thread>

#include "platform/base/command_line/command.h"
#include "platform/base/log.h"
#include "tools/headquarters/ingest.h"
#include "tools/headquarters/subscriber.h"

namespace idkiosk::headquarters {
namespace {

constexpr auto kStep = std::chrono::milliseconds(1000);
constexpr auto kNextTry = std::chrono::milliseconds(500);

int Complain(const std::string& message) {
  fmt::print(stderr, "idkiosk-fleet-ingest: {}\n", message);
  return 3;
}

int Serve(Subscriber& subscriber, Database& database) {
  Ingest ingest(database, [&subscriber](const std::string& topic, const std::string& payload) {
    subscriber.Publish(topic, payload);
  });
  std::string said;
  const auto insist = [&said](const auto& act) {
    while (true) {
      const Status done = act();
      if (done) return said.clear();
      if (done.error().message != said) LogWarning("{}", done.error().message);
      said = done.error().message;
      std::this_thread::sleep_for(kNextTry);
    }
  };
  insist([&] { return database.MakeSchema(); });
  while (true) {
    const auto messages = subscriber.Next(kStep);
    if (!messages.empty()) insist([&] { return ingest.Take(messages); });
  }
}

int Run(int argc, char** argv) {
  Subscriber::Options options;
  options.host = "localhost";
  options.name = "idkiosk-fleet-ingest";
  options.group = "ingest";
  std::string database = DatabaseOfEnvironment();
  const Command program = {
      .name = "idkiosk-fleet-ingest",
      .summary = "Stores in PostgreSQL what kiosks send through the broker, until it is stopped.",
      .arguments = {
          {.name = "--broker",
           .target = &options.host,
           .type = "HOST",
           .help = "The broker, as its certificate names it",
           .show_default = true},
          {.name = "--port",
           .target = &options.port,
           .help = "Its port",
           .show_default = true,
           .range = NumberRange{1, 65535}},
          {.name = "--ca",
           .target = &options.ca_file,
           .type = "FILE",
           .help = "The broker's CA; without one, no TLS"},
          {.name = "--certificate",
           .target = &options.certificate,
           .type = "FILE",
           .help = "This program's own certificate"},
          {.name = "--key", .target = &options.key, .type = "FILE", .help = "And its key"},
          {.name = "--name",
           .target = &options.name,
           .help = "Session name: one for each such program, the same at each start",
           .show_default = true},
          {.name = "--database",
           .target = &database,
           .type = "WHERE",
           .help = std::string(kDatabaseHelp)}}};
  const auto command = ParseCommandLine(program, argc, argv);
  if (!command) return command.error();
  if (Status logging = StartLogging(LogLevel::kInfo, ""); !logging) {
    return Complain(logging.error().message);
  }
  auto subscriber = Subscriber::Create(options);
  if (!subscriber) return Complain(subscriber.error().message);
  Database where(database);
  return Serve(**subscriber, where);
}

}  // namespace
}  // namespace idkiosk::headquarters

int main(int argc, char** argv) { return idkiosk::headquarters::Run(argc, argv); }

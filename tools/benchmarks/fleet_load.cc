// idkiosk-fleet-load: thousands of light kiosks at one real broker, which is started anew; and how
// fast headquarters take records into PostgreSQL.
#include <fmt/format.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "app/fleet/reconnect.h"
#include "platform/base/command_line/command.h"
#include "platform/base/json.h"
#include "platform/posix/system_entropy.h"
#include "tests/fleet/headquarters.h"

namespace idkiosk {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr int kQos = 1;
constexpr int kKeepAlive = 120;  // seconds
constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr uint32_t kSessionLives = 3600;

Time Now() { return std::chrono::steady_clock::now(); }
double Seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

struct Free {
  void operator()(mosquitto* handle) const { mosquitto_destroy(handle); }
};

// One connection: a kiosk that says little, or headquarters that count what arrives.
class Client {
 public:
  Client(const Broker& broker, const std::string& name, const std::string& certificate,
         Entropy& entropy, Duration spread)
      : port_(
            std::stoi(certificate == "headquarters" ? broker.headquarters_port() : broker.port())),
        handle_(mosquitto_new(name.c_str(), false, this)),
        reconnect_(entropy, spread) {
    mosquitto_int_option(handle_.get(), MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_tls_set(handle_.get(), broker.ca().c_str(), nullptr,
                      broker.certificate(certificate).c_str(), broker.key(certificate).c_str(),
                      nullptr);
    mosquitto_connect_v5_callback_set(
        handle_.get(), [](mosquitto*, void* self, int code, int, const mosquitto_property*) {
          auto& me = *static_cast<Client*>(self);
          me.connected_ = code == 0;
          if (code == 0) me.reconnect_.Succeeded();
          if (code == 0 && !me.topic_.empty()) {
            mosquitto_subscribe(me.handle_.get(), nullptr, me.topic_.c_str(), kQos);
          }
        });
    mosquitto_publish_v5_callback_set(
        handle_.get(), [](mosquitto*, void* self, int, int, const mosquitto_property*) {
          ++static_cast<Client*>(self)->acknowledged_;
        });
    mosquitto_message_v5_callback_set(
        handle_.get(),
        [](mosquitto*, void* self, const mosquitto_message* one, const mosquitto_property*) {
          static_cast<Client*>(self)->arrived_.emplace(static_cast<const char*>(one->payload),
                                                       static_cast<size_t>(one->payloadlen));
        });
  }

  void Subscribe(std::string topic) { topic_ = std::move(topic); }
  // Also while there is no connection: it is kept for the next one.
  void Publish(const std::string& topic, const std::string& payload) {
    (void)mosquitto_publish_v5(handle_.get(), nullptr, topic.c_str(),
                               static_cast<int>(payload.size()), payload.data(), kQos, false,
                               nullptr);
    ++published_;
  }

  // Tries the broker where it is time to. Returns whether it did.
  bool Connect() {
    if (is_open_ || Now() < next_try_) return false;
    mosquitto_property* properties = nullptr;
    mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, kSessionLives);
    is_open_ = mosquitto_connect_bind_v5(handle_.get(), "127.0.0.1", port_, kKeepAlive, nullptr,
                                         properties) == MOSQ_ERR_SUCCESS;
    mosquitto_property_free_all(&properties);
    if (!is_open_) Lost();
    return true;
  }
  [[nodiscard]] pollfd Waiting() const {
    const short write = mosquitto_want_write(handle_.get()) ? POLLOUT : 0;
    return {is_open_ ? mosquitto_socket(handle_.get()) : -1, static_cast<short>(POLLIN | write), 0};
  }
  void Work(short events) {
    if (!is_open_) return;
    int code = MOSQ_ERR_SUCCESS;
    if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) code = mosquitto_loop_read(handle_.get(), 1);
    if (code == MOSQ_ERR_SUCCESS && mosquitto_want_write(handle_.get())) {
      code = mosquitto_loop_write(handle_.get(), 1);
    }
    if (code == MOSQ_ERR_SUCCESS) code = mosquitto_loop_misc(handle_.get());
    if (code != MOSQ_ERR_SUCCESS || mosquitto_socket(handle_.get()) < 0) Lost();
  }

  [[nodiscard]] bool connected() const { return connected_; }
  [[nodiscard]] int losses() const { return losses_; }
  [[nodiscard]] uint64_t published() const { return published_; }
  [[nodiscard]] uint64_t acknowledged() const { return acknowledged_; }
  [[nodiscard]] const std::set<std::string>& arrived() const { return arrived_; }

 private:
  void Lost() {
    is_open_ = false;
    losses_ += connected_ ? 1 : 0;
    connected_ = false;
    next_try_ = Now() + reconnect_.Next();
  }

  const int port_;
  const std::unique_ptr<mosquitto, Free> handle_;
  Reconnect reconnect_;
  std::string topic_;
  bool is_open_ = false;
  bool connected_ = false;
  Time next_try_{};
  int losses_ = 0;
  uint64_t published_ = 0;
  uint64_t acknowledged_ = 0;
  std::set<std::string> arrived_;
};

// All of them, on one thread.
struct Clients {
  std::vector<std::unique_ptr<Client>> all;
  std::map<int64_t, int> tries;  // by the second since `begin`
  Time begin = Now();

  void Step() {
    std::vector<pollfd> waiting;
    for (const auto& each : all) {
      if (each->Connect()) ++tries[static_cast<int64_t>(Seconds(Now() - begin))];
      waiting.push_back(each->Waiting());
    }
    poll(waiting.data(), waiting.size(), static_cast<int>(kPoll.count()));
    for (size_t i = 0; i < all.size(); ++i) all[i]->Work(waiting[i].revents);
  }
  [[nodiscard]] size_t connected() const {
    return static_cast<size_t>(
        std::ranges::count_if(all, [](const auto& each) { return each->connected(); }));
  }
};

struct Options {
  int kiosks = 2000;
  int spread = 60;       // seconds
  int records = 40'000;  // for PostgreSQL
};

// Many kiosks and headquarters at one broker.
class CrowdedBroker {
 public:
  explicit CrowdedBroker(const Options& options) {
    broker_.LetSessionsShareACertificate();
    broker_.Enrol("k1", "DNS:k1");
    broker_.Start();
    headquarters_ = std::make_unique<Client>(broker_, "headquarters", "headquarters", entropy_,
                                             std::chrono::milliseconds(1));
    headquarters_->Subscribe("idkiosk/v1/bank/k1/metrics");
    const Duration spread = std::chrono::seconds(options.spread);
    for (int i = 0; i < options.kiosks; ++i) {
      kiosks_.all.push_back(
          std::make_unique<Client>(broker_, fmt::format("light-{}", i), "k1", entropy_, spread));
    }
  }

  void ConnectAll() {
    while (!headquarters_->connected() || !AllConnected()) Step();
  }

  void StepFor(Duration time) {
    for (const Time end = Now() + time; Now() < end;) Step();
  }

  // Each kiosk says something, whether it is connected or not.
  void Say() {
    for (size_t i = 0; i < kiosks_.all.size(); ++i) {
      kiosks_.all[i]->Publish("idkiosk/v1/bank/k1/metrics", fmt::format("{} {}", i, round_));
    }
    ++round_;
  }

  void RestartBroker() {
    kiosks_.tries.clear();
    kiosks_.begin = Now();
    broker_.Stop();
    broker_.Start();
  }

  // Steps until every kiosk has lost the broker and found it again. Returns the seconds since it
  // was stopped.
  double WaitUntilBack() {
    while (!AllHaveLostIt() || !AllConnected()) Step();
    return Seconds(Now() - kiosks_.begin);
  }

  // Steps until all that was said has arrived, for two minutes at most.
  void WaitForMessages() {
    const Time began = Now();
    while ((!AllAcknowledged() || arrived() < published()) &&
           Now() - began < std::chrono::minutes(2)) {
      Step();
    }
  }

  [[nodiscard]] size_t arrived() const { return headquarters_->arrived().size(); }
  [[nodiscard]] uint64_t published() const {
    uint64_t count = 0;
    for (const auto& each : kiosks_.all) count += each->published();
    return count;
  }
  // The most tries in one second since the broker was stopped.
  [[nodiscard]] int peak_of_tries() const {
    int peak = 0;
    for (const auto& [second, tries] : kiosks_.tries) peak = std::max(peak, tries);
    return peak;
  }

 private:
  void Step() {
    headquarters_->Connect();
    kiosks_.Step();
    for (int i = 0; i < 20; ++i) {
      pollfd waiting = headquarters_->Waiting();
      if (poll(&waiting, 1, 0) <= 0) break;
      headquarters_->Work(waiting.revents);
    }
  }

  [[nodiscard]] bool AllConnected() const { return kiosks_.connected() == kiosks_.all.size(); }
  [[nodiscard]] bool AllHaveLostIt() const {
    return std::ranges::all_of(kiosks_.all, [](const auto& each) { return each->losses() > 0; });
  }
  [[nodiscard]] bool AllAcknowledged() const {
    return std::ranges::all_of(
        kiosks_.all, [](const auto& each) { return each->acknowledged() == each->published(); });
  }

  Broker broker_;
  SystemEntropy entropy_;
  std::unique_ptr<Client> headquarters_;
  Clients kiosks_;
  uint64_t round_ = 0;
};

bool MeasureBroker(const Options& options) {
  CrowdedBroker crowd(options);
  const Time began = Now();
  crowd.ConnectAll();
  fmt::print("{} connections with TLS, all at once: {:.1f} s\n", options.kiosks,
             Seconds(Now() - began));
  crowd.Say();
  crowd.StepFor(std::chrono::seconds(3));
  crowd.RestartBroker();
  crowd.Say();
  const double back = crowd.WaitUntilBack();
  crowd.Say();
  crowd.WaitForMessages();
  const int peak = crowd.peak_of_tries();
  const double steady = static_cast<double>(options.kiosks) / options.spread;
  const auto lost = static_cast<int64_t>(crowd.published()) - static_cast<int64_t>(crowd.arrived());
  fmt::print("broker started anew: all back after {:.1f} s\n", back);
  fmt::print(
      "peak of tries: {} in a second; evenly over {} s it is {:.0f}: {:.2f} times (at most "
      "2)\n",
      peak, options.spread, steady, peak / steady);
  fmt::print("messages of QoS 1: {} sent, {} arrived, {} lost (0)\n", crowd.published(),
             crowd.arrived(), lost);
  return peak <= 2 * steady && lost == 0;
}

// A ledger's records as a kiosk sends them, of a whole verification each three.
std::string RecordsFrom(int first, int count) {
  JsonWriter json;
  json.BeginObject().Key("records").BeginArray();
  const auto mac = [](int number) { return fmt::format("{:064x}", number); };
  for (int number = first; number < first + count; ++number) {
    json.BeginObject().Field("number", number).Field("mac_before", mac(number - 1));
    json.Field("mac", mac(number)).Key("entries").BeginArray().BeginObject();
    if (number % 3 == 1) {
      json.Field("kind", "accepted").Field("reference", "KD7Q2M").Field("endpoint", "lookup_nin");
      json.Field("time", "2026-11-24T12:00:00Z");
    } else if (number % 3 == 2) {
      json.Field("kind", "attempt").Key("attempt").BeginObject();
      json.Field("reference", fmt::format("{:06}", number)).Field("attempt", 1);
      json.Field("started_at", "2026-11-24T12:00:00Z").Field("endpoint", "lookup_nin");
      json.Field("operator", "clerk")
          .Field("case", "")
          .Field("stage", "open")
          .Field("http_status", 0);
      json.Field("billed", "maybe").Field("rule", "").Field("price", "150.00");
      json.Field("currency", "NGN").Field("attempt_id", "").Field("service_reference", "");
      json.EndObject();
    } else {
      json.Field("kind", "attempt_ended").Field("reference", fmt::format("{:06}", number - 1));
      json.Field("attempt", 1).Field("ended_at", "2026-11-24T12:00:01Z").Field("stage", "ended");
      json.Field("http_status", 200).Field("billed", "yes").Field("rule", "verified");
      json.Field("service_reference", "KRX QRP");
    }
    json.EndObject().EndArray().EndObject();
  }
  return json.EndArray().EndObject().Take();
}

bool MeasureIngest(const Options& options, const std::string& programs) {
  constexpr int kInMessage = 100;
  constexpr double kGoal = 2000;
  Postgres postgres;
  Broker broker;
  broker.LetSessionsShareACertificate();
  broker.Enrol("k1", "DNS:k1");
  broker.Start();
  const Process ingest({programs + "/idkiosk-fleet-ingest", "--broker", "127.0.0.1", "--port",
                        broker.headquarters_port(), "--ca", broker.ca(), "--certificate",
                        broker.certificate("headquarters"), "--key", broker.key("headquarters"),
                        "--database", postgres.where()});
  SystemEntropy entropy;
  Clients kiosk;
  kiosk.all.push_back(
      std::make_unique<Client>(broker, "kiosk", "k1", entropy, std::chrono::milliseconds(1)));
  const auto taken = [&postgres] {
    const std::string answer = postgres.Ask("select coalesce(max(number), 0) from journal");
    return std::stoll(answer.empty() ? "0" : answer);
  };
  while (kiosk.connected() == 0) kiosk.Step();
  // Headquarters are there once the first one has gone through; until then nobody hears it.
  Time look{};
  for (bool there = false; !there; kiosk.Step()) {
    if (Now() < look) continue;
    kiosk.all.front()->Publish("idkiosk/v1/bank/k1/ledger", RecordsFrom(1, 1));
    there = postgres.Ask("select to_regclass('journal') is not null") == "t" && taken() >= 1;
    look = Now() + std::chrono::milliseconds(200);
  }
  const Time began = Now();
  for (int first = 2; first <= options.records; first += kInMessage) {
    kiosk.all.front()->Publish(
        "idkiosk/v1/bank/k1/ledger",
        RecordsFrom(first, std::min(kInMessage, options.records + 1 - first)));
  }
  while (true) {
    kiosk.Step();
    if (Now() < look) continue;
    if (taken() >= options.records) break;
    look = Now() + std::chrono::milliseconds(200);
  }
  const double rate = options.records / Seconds(Now() - began);
  fmt::print("ingest: {} records in {:.1f} s, {:.0f} a second (at least {:.0f})\n", options.records,
             options.records / rate, rate, kGoal);
  return rate >= kGoal;
}

int Run(int argc, char** argv) {
  Options options;
  std::string programs = "build/bin";
  const Command program = {
      .name = "idkiosk-fleet-load",
      .summary = "Measures a broker with thousands of connections, and headquarters' ingest.",
      .arguments = {
          {.name = "--kiosks",
           .target = &options.kiosks,
           .help = "Connections",
           .show_default = true,
           .range = NumberRange{1, 8000}},
          {.name = "--spread",
           .target = &options.spread,
           .type = "SECONDS",
           .help = "Over which kiosks come back",
           .show_default = true,
           .range = NumberRange{1, 600}},
          {.name = "--records",
           .target = &options.records,
           .help = "For PostgreSQL",
           .show_default = true,
           .range = NumberRange{1000, 10'000'000}},
          {.name = "--programs", .target = &programs, .type = "FOLDER", .show_default = true}}};
  const auto command = ParseCommandLine(program, argc, argv);
  if (!command) return command.error();
  if (!Postgres::IsInstalled() || !Broker::IsInstalled()) {
    fmt::print(stderr, "PostgreSQL or Mosquitto is not installed: run tools/setup\n");
    return 3;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  mosquitto_lib_init();
  const bool broker = MeasureBroker(options);
  const bool ingest = MeasureIngest(options, programs);
  return broker && ingest ? 0 : 1;
}

}  // namespace
}  // namespace idkiosk

int main(int argc, char** argv) { return idkiosk::Run(argc, argv); }

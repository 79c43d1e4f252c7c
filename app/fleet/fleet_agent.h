#ifndef IDKIOSK_APP_FLEET_FLEET_AGENT_H_
#define IDKIOSK_APP_FLEET_FLEET_AGENT_H_

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/fleet/broker_link.h"
#include "app/fleet/enrolment.h"
#include "app/fleet/fleet_settings.h"
#include "app/fleet/journal_feed.h"
#include "app/fleet/kiosk_api.h"
#include "app/fleet/metric_deltas.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Tells headquarters how this kiosk is: its state when it changes and every few minutes, what its
// numbers have become, and each record of ledger and audit trail, once they say that they have the
// one before. One thread.
//
// A broker can withhold, repeat and forge: it learns nothing of a person, and what it forges makes
// records be sent again, or later, but never be left out. Commands of headquarters are carried to
// the kiosk unread: it knows who has signed them.
class FleetAgent final : public BrokerListener {
 public:
  static constexpr Duration kStateEvery = std::chrono::minutes(5);
  static constexpr Duration kStateLook = std::chrono::seconds(10);
  static constexpr Duration kMetricsEvery = std::chrono::minutes(1);
  static constexpr Duration kCertificateLook = std::chrono::hours(1);
  static constexpr Duration kSettingsLook = std::chrono::minutes(1);
  static constexpr Duration kRepliesLook = std::chrono::seconds(5);
  // Commands that came and were not given to the kiosk yet; what comes besides is dropped.
  static constexpr size_t kMostCommands = 64;

  struct Dependencies {
    const FleetSettings& settings;
    KioskApi& kiosk;
    FileSystem& files;
    const Clock& clock;
    std::string version;
  };
  // All must outlive this.
  explicit FleetAgent(const Dependencies& deps);

  // Reads which records headquarters have. Errors: FileSystem's.
  [[nodiscard]] Status Load();

  // Sends what is due. `link` is only used in here.
  void Step(BrokerLink& link);

  void Connected() override;
  void Disconnected() override;
  void Received(std::string_view topic, std::string_view payload) override;

  // The topics of everything that comes to this kiosk; what is said when it is gone.
  [[nodiscard]] std::vector<std::string> incoming() const {
    return {TopicOf("ack/+"), TopicOf("command")};
  }
  [[nodiscard]] std::string state_topic() const { return TopicOf("state"); }
  [[nodiscard]] static std::string Gone() { return R"({"gone":true})"; }

 private:
  struct Journal {
    std::string_view name;
    JournalFeed feed{0};
  };

  [[nodiscard]] std::string TopicOf(std::string_view what) const;
  [[nodiscard]] std::string CursorPath() const;
  void SendState(BrokerLink& link);
  void SendMetrics(BrokerLink& link);
  [[nodiscard]] std::optional<CertificateTrouble> LookAtCertificate();
  void SendRecords(BrokerLink& link, Journal& journal);
  void SendSettings(BrokerLink& link);
  // Gives the kiosk the commands that came, and tells headquarters what it said to each.
  void BringCommands(BrokerLink& link);
  // Says so once.
  void Drop(std::string_view why);
  // Tells what has become of commands since.
  void SendReplies(BrokerLink& link);
  void Acknowledged(Journal& journal, std::string_view payload);
  // Whether the journal has that record with that proof.
  [[nodiscard]] bool Has(const Journal& journal, uint64_t number, std::string_view mac);
  void Save();
  // Returns what the kiosk answers; nothing, with a line in the log, where it does not.
  [[nodiscard]] std::optional<std::string> Ask(const std::string& target);

  const Dependencies deps_;
  std::array<Journal, 2> journals_ = {{{"ledger"}, {"audit"}}};
  MetricDeltas metrics_;
  std::string last_states_;     // of the parts, as they were told last
  MonotonicTime state_due_{};   // at the latest
  MonotonicTime state_look_{};  // for a change
  MonotonicTime metrics_due_{};
  MonotonicTime certificate_look_{};
  std::optional<Lifetime> certificate_;
  MonotonicTime settings_look_{};
  MonotonicTime replies_look_{};
  std::string last_settings_;
  std::deque<std::string> commands_;
  bool drops_commands_ = false;
  std::map<std::string, std::string> told_replies_;  // the state of each command
  bool kiosk_answers_ = true;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_FLEET_AGENT_H_

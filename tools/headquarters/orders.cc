#include "tools/headquarters/orders.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <thread>

#include "app/settings/duration_text.h"
#include "platform/base/json.h"
#include "tools/headquarters/signing.h"

namespace idkiosk::headquarters {
namespace {

constexpr auto kLook = std::chrono::milliseconds(300);
// A kiosk that was busy has forgotten it; one that has not answers again.
constexpr auto kSendAgain = std::chrono::seconds(30);

bool IsWaiting(const Said& said) { return said.state == "sent" || said.state == "on_trial"; }

// Whether two values of a setting, as JSON, are the same to a kiosk.
bool IsSame(const std::string& ordered, const std::string& actual) {
  const auto first = JsonDocument::Parse(ordered);
  const auto second = JsonDocument::Parse(actual);
  if (!first || !second) return ordered == actual;
  const auto times = std::pair(ParseDuration(first->root().AsString().value_or("")),
                               ParseDuration(second->root().AsString().value_or("")));
  if (times.first && times.second) {
    return std::chrono::abs(*times.first - *times.second) < std::chrono::milliseconds(1);
  }
  const auto numbers = std::pair(first->root().AsNumber(), second->root().AsNumber());
  if (numbers.first && numbers.second) return std::abs(*numbers.first - *numbers.second) < 1e-6;
  return first->root().Print() == second->root().Print();
}

// How many kiosks a step is in all: "3" or "10%", rounded up.
Result<size_t> CountOf(const std::string& step, size_t of) {
  size_t number = 0;
  const char* const end = step.data() + step.size();
  const auto [rest, error] = std::from_chars(step.data(), end, number);
  const bool is_share = rest != end && *rest == '%' && rest + 1 == end;
  if (error != std::errc() || number == 0 || (rest != end && !is_share) ||
      (is_share && number > 100)) {
    return Fail(ErrorCode::kInvalid, "a step is a number of kiosks or a share, as 3 or 10%: {}",
                step);
  }
  return std::min(of, is_share ? (of * number + 99) / 100 : number);
}

}  // namespace

std::string TroubleWithStep(const std::string& step) {
  const auto count = CountOf(step, 1);
  return count ? "" : count.error().message;
}

Result<Order> OrderOf(const SignedFile& file) {
  const auto document = JsonDocument::Parse(file.document);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  const auto text = [&root](const char* key) {
    return std::string(root[key].AsString().value_or(""));
  };
  Order order{.tenant = text("tenant"),
              .kiosk = text("kiosk"),
              .group = text("group"),
              .action = text("action"),
              .revision = root["revision"].AsInteger().value_or(0),
              .settings = root["settings"].exists() ? root["settings"].Print() : "",
              .command = Sha256Hex(file.document),
              .payload = PrintSigned(file)};
  if (order.tenant.empty() || order.revision < 1) {
    return Fail(ErrorCode::kInvalid, "it is no command of this version");
  }
  return order;
}

Result<std::vector<std::string>> Addressed(Database& database, const Order& order) {
  if (!order.kiosk.empty()) return std::vector{order.kiosk};
  const auto rows = database.Run(
      "select kiosk from setting where tenant = $1 and key = 'headquarters.groups' "
      "and value @> to_jsonb($2::text) order by kiosk",
      {order.tenant, order.group});
  if (!rows) return std::unexpected(rows.error());
  std::vector<std::string> kiosks;
  for (const auto& row : *rows) kiosks.push_back(row[0]);
  return kiosks;
}

Status Send(Database& database, const Publish& publish, const Order& order,
            const std::vector<std::string>& kiosks) {
  std::vector<Message> messages;
  for (const std::string& kiosk : kiosks) {
    const auto noted = database.Run(
        "insert into command (tenant, kiosk, command, revision, action, settings) values "
        "($1, $2, $3, $4::bigint, $5, nullif($6, '')::jsonb) on conflict (tenant, kiosk, command) "
        "do update set sent = now(), settings = excluded.settings, state = 'sent', reason = ''",
        {order.tenant, kiosk, order.command, std::to_string(order.revision), order.action,
         order.settings});
    if (!noted) return std::unexpected(noted.error());
    messages.push_back(
        {fmt::format("idkiosk/v1/{}/{}/command", order.tenant, kiosk), order.payload});
  }
  return publish(messages);
}

Result<std::vector<Said>> WhatTheySaid(Database& database, const Order& order) {
  const auto rows = database.Run(
      "select kiosk, state, reason from command where tenant = $1 and command = $2 order by kiosk",
      {order.tenant, order.command});
  if (!rows) return std::unexpected(rows.error());
  std::vector<Said> said;
  for (const auto& row : *rows) said.push_back({row[0], row[1], row[2]});
  return said;
}

namespace {

// Waits until each of `kiosks` has said what became of it, or the patience is over.
Result<std::vector<Said>> Await(Database& database, const Publish& publish, const Order& order,
                                const std::vector<std::string>& kiosks,
                                std::chrono::seconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + patience;
  auto again = Clock::now() + kSendAgain;
  while (true) {
    auto said = WhatTheySaid(database, order);
    if (!said) return said;
    std::erase_if(
        *said, [&kiosks](const Said& each) { return std::ranges::count(kiosks, each.kiosk) == 0; });
    if (std::ranges::none_of(*said, &IsWaiting) || Clock::now() >= end) return said;
    if (Clock::now() >= again) {
      std::vector<std::string> silent;
      for (const Said& each : *said) {
        if (each.state == "sent") silent.push_back(each.kiosk);
      }
      again = Clock::now() + kSendAgain;
      if (Status sent = Send(database, publish, order, silent); !sent && !silent.empty()) {
        return std::unexpected(sent.error());
      }
    }
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace

Result<bool> RollOutTo(Database& database, const Publish& publish, const Order& order,
                       const std::vector<std::string>& kiosks, const RollOut& how) {
  size_t asked = 0;
  for (const std::string& step : how.steps) {
    const auto count = CountOf(step, kiosks.size());
    if (!count) return std::unexpected(count.error());
    if (*count <= asked) continue;
    const std::vector<std::string> those(kiosks.begin(),
                                         kiosks.begin() + static_cast<ptrdiff_t>(*count));
    const auto before = WhatTheySaid(database, order);
    if (!before) return std::unexpected(before.error());
    std::vector<std::string> news;
    for (const std::string& each : those) {
      const auto known = std::ranges::find(*before, each, &Said::kiosk);
      if (known == before->end() || known->state != "done") news.push_back(each);
    }
    if (!news.empty()) {
      how.say(fmt::format("{} of {}: sent to {}", *count, kiosks.size(), fmt::join(news, ", ")));
      if (Status sent = Send(database, publish, order, news); !sent) {
        return std::unexpected(sent.error());
      }
    }
    const auto said = Await(database, publish, order, those, how.patience);
    if (!said) return std::unexpected(said.error());
    bool all_done = true;
    for (const Said& each : *said) {
      if (each.state == "done") continue;
      all_done = false;
      how.say(fmt::format("{}: {}{}{}", each.kiosk,
                          IsWaiting(each) ? "has not done it" : each.state,
                          each.reason.empty() ? "" : ": ", each.reason));
    }
    if (!all_done) {
      how.say(fmt::format("stopped: {} of {} kiosks were asked", *count, kiosks.size()));
      return false;
    }
    asked = *count;
  }
  how.say(fmt::format("{} of {} kiosks have done it", asked, kiosks.size()));
  return asked == kiosks.size();
}

Result<std::vector<Drift>> FindDrift(Database& database) {
  const auto rows = database.Run(
      "select distinct on (c.tenant, c.kiosk, o.key) c.tenant, c.kiosk, o.key, o.value::text, "
      "coalesce(s.value::text, ''), c.state || case when c.reason = '' then '' else ': ' || "
      "c.reason end from command c cross join lateral jsonb_each(c.settings) o "
      "left join setting s on s.tenant = c.tenant and s.kiosk = c.kiosk and s.key = o.key "
      "where c.action = 'settings' and c.settings is not null "
      "order by c.tenant, c.kiosk, o.key, c.revision desc");
  if (!rows) return std::unexpected(rows.error());
  std::vector<Drift> drifts;
  for (const auto& row : *rows) {
    // Null leaves it to the kiosk's own configuration.
    if (row[3] == "null" || IsSame(row[3], row[4])) continue;
    drifts.push_back({row[0], row[1], row[2], row[3], row[4], row[5]});
  }
  return drifts;
}

}  // namespace idkiosk::headquarters

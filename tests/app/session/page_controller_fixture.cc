#include "tests/app/session/page_controller_fixture.h"

#include <gtest/gtest.h>

namespace idkiosk {

namespace {

Settings InMode(Mode mode) {
  Settings settings;
  settings.mode = mode;
  return settings;
}

// The camera starts as soon as it is wanted.
Settings AtOnce(Settings settings) {
  settings.ui.get_ready = Duration::zero();
  return settings;
}

std::function<FirstOperator(const std::string&, const SecretBytes&)> FirstHere(
    PageControllerFixture& bench, bool is_set_up) {
  if (is_set_up) return {};
  return [&bench](const std::string& name, const SecretBytes& pin) {
    StaffFixture& staff = bench.staff;
    constexpr uint32_t kSoonDone = 2;
    return BecomeFirstOperator(
        {staff.storage, staff.files, staff.audit, staff.crypto, staff.entropy, kSoonDone,
         bench.settings.service.test_nin, "/state"},
        name, pin);
  };
}

}  // namespace

PageControllerFixture::PageControllerFixture(Mode mode, ServiceProfile known)
    : PageControllerFixture(InMode(mode), std::move(known)) {
  Do("unlock", fmt::format(R"("pin": "{}")", kPin));
}

PageControllerFixture::PageControllerFixture(Settings with, ServiceProfile known,
                                             std::string_view tries, bool is_set_up)
    : settings(AtOnce(std::move(with))),
      staff(clock, tries),
      profile(std::move(known)),
      pages({settings,
             profile,
             runner,
             staff.storage_runner,
             clock,
             staff.entropy,
             camera,
             queue,
             staff.files,
             clerk_lock,
             operator_lock,
             directory,
             user,
             console,
             [this](const UiSnapshot& snapshot, uint64_t revision) {
               EXPECT_EQ(revision, shown.size() + 1);
               shown.push_back(snapshot);
             },
             [this](auto then) { then(camera_is_there); },
             {},
             nullptr,
             nullptr,
             [this](const VisitEnd& end) { orders_over.push_back(end); },
             FirstHere(*this, is_set_up),
             [this] { return page_is_open; }}) {
  pages.SetReasons({{"ACCOUNT_OPENING", "Opening an account"}, {"KYC", "Know your customer"}});
  staff.Settle();
}

void PageControllerFixture::Send(std::string_view command, std::string_view arguments,
                                 std::optional<CommandReply>& reply, std::string_view session) {
  const auto body = JsonDocument::Parse(fmt::format("{{{}}}", arguments));
  EXPECT_TRUE(body) << arguments;
  const std::string in = session.empty() ? view().session : std::string(session);
  pages.Do(in, command, body->root(), [&reply](CommandReply given) { reply = std::move(given); });
}

CommandReply PageControllerFixture::Ask(std::string_view command, std::string_view arguments,
                                        std::string_view session) {
  std::optional<CommandReply> reply;
  Send(command, arguments, reply, session);
  if (!reply) staff.Settle();
  EXPECT_TRUE(reply) << command << " was never answered";
  return reply ? std::move(*reply) : CommandReply();
}

CommandReply PageControllerFixture::Try(std::string_view command, std::string_view pin) {
  return Ask(command, fmt::format(R"("pin": "{}")", pin));
}

void PageControllerFixture::Do(std::string_view command, std::string_view arguments) {
  const CommandReply reply = Ask(command, arguments);
  EXPECT_TRUE(reply.status) << command << ": " << reply.status.error().message;
}

void PageControllerFixture::WalkToCamera() {
  Do("start", R"("language": "en")");
  Do("agree");
  Do("number", fmt::format(R"("digits": "{}")", kNin));
  Do("next");
  Do("reason", R"("code": "KYC")");
}

void PageControllerFixture::WalkToLook() {
  WalkToCamera();
  camera.Deliver();
}

}  // namespace idkiosk

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "tests/app/ui/raw_client.h"
#include "tests/fakes/loopback_listener.h"
#include "tests/integration/page_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class PagePortTest : public PageFixture {};

TEST_F(PagePortTest, WhoHoldsItKeepsPeopleFromThePageAndTheKioskFromNothing) {
  StartSandbox();
  std::optional<LoopbackListener> squatter(std::in_place);
  const int port = squatter->port();
  Provision(fmt::format(R"("ui": {{ "port": {} }},)", port));
  // What a program that was killed left there.
  WriteFile(StartFile(),
            "<!doctype html>\n<html lang=\"en\">\n<form method=\"post\" "
            "action=\"http://127.0.0.1:18000/start\"><input name=\"token\" value=\"0123\">");
  StopSandbox();
  ASSERT_EQ(Kiosk({"check", "--id-number", "70000000001", "--wait", "0"}).exit_code, 4);
  StartSandbox();
  service_ = std::make_unique<Process>(
      KioskCommand({"run", "--camera", "synthetic", "--start-page", StartFile()}));
  ASSERT_TRUE(service_->AwaitErr("ready: ")) << service_->err();
  const std::string who = fmt::format("127.0.0.1 port {}: a program of user ", port);
  EXPECT_THAT(service_->err(), HasSubstr(who));
  EXPECT_THAT(service_->err(), HasSubstr(fmt::format(" ({}) has it", geteuid())));
  while (BilledRows() == 0) {
  }
  const std::string waiting = ReadFile(StartFile());
  EXPECT_THAT(waiting, HasSubstr("http-equiv=\"refresh\""));
  EXPECT_THAT(waiting, Not(HasSubstr("token")));
  const Finished doctor = Kiosk({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("says of itself: ready"));
  EXPECT_THAT(doctor.out, HasSubstr(who));

  squatter.reset();
  ASSERT_TRUE(service_->AwaitErr("the page is served")) << service_->err();
  const StartPage start(ReadFile(StartFile()));
  EXPECT_EQ(start.port, port);
  EXPECT_NE(CookieIn(start.Post()), "");
  service_->Signal(SIGTERM);
  EXPECT_EQ(service_->Wait().exit_code, 0);
}

}  // namespace
}  // namespace idkiosk

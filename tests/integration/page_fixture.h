#ifndef IDKIOSK_TESTS_INTEGRATION_PAGE_FIXTURE_H_
#define IDKIOSK_TESTS_INTEGRATION_PAGE_FIXTURE_H_

#include <functional>
#include <memory>
#include <string>

#include "platform/base/json.h"
#include "tests/app/ui/raw_client.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {

// The page's stream of snapshots.
class SnapshotStream {
 public:
  SnapshotStream(int port, const std::string& request) : client_(port) { client_.Send(request); }

  // The next one, from the one in force on; nothing once the server has closed.
  std::string Next();
  // Waits for more of the stream, be it a comment; false once the server has closed.
  bool AwaitSign();

 private:
  RawClient client_;
  std::string received_;
};

// 'idkiosk run' as it is installed, with the drawn sitter, touched through its page's own requests.
class PageFixture : public KioskFixture {
 protected:
  void Run();

  std::string StartFile() const { return folder_ / "start.html"; }

  // `line`: method and path.
  std::string Ask(const std::string& line, const std::string& more = "",
                  const std::string& body = "") const;
  // The same request, for a connection that stays open.
  [[nodiscard]] std::string RequestOf(const std::string& line, const std::string& more = "",
                                      const std::string& body = "") const;

  [[nodiscard]] SnapshotStream Snapshots() const;
  // Reads the page's snapshots, from the one in force on, until one has this at that pointer.
  // Later commands are of its session.
  JsonDocument Await(const std::string& pointer, const std::string& value);
  JsonDocument AwaitScreen(const std::string& screen) { return Await("/screen", screen); }

  int Do(const std::string& command, const std::string& arguments = "") const;
  // The request of a command.
  [[nodiscard]] std::string CommandOf(const std::string& command,
                                      const std::string& arguments = "") const;

  enum class Visit { kFirst, kAgain };
  // The same person comes again: the page points that out. `look` is called while the person sees
  // the pictures.
  void AskAboutThePerson(Visit visit, const std::function<void()>& look = nullptr) {
    AskAbout(test_nin_, visit, look);
  }
  void AskAbout(const std::string& nin, Visit visit, const std::function<void()>& look = nullptr);

  std::unique_ptr<Process> service_;
  // Where there is one, commands go by it, as a browser sends them; else each by one of its own.
  std::unique_ptr<RawClient> connection_;
  std::string host_;
  std::string cookie_;
  std::string session_;
  int port_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_PAGE_FIXTURE_H_

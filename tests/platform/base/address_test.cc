#include "platform/base/address.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(AddressTest, ShowsNothingThatLetsSomebodyIn) {
  const std::pair<const char*, const char*> addresses[] = {
      {"http://name:word@proxy:3128", "http://[removed]@proxy:3128"},
      {"http://name:w@o/r=d@proxy:3128", "http://[removed]@proxy:3128"},
      {"opencv:rtsp://name@camera/live/1", "opencv:rtsp://[removed]@camera/live/1"},
      {"rtsp://camera:554/live?user=name&password=word", "rtsp://camera:554/live?[removed]"},
      {"rtsp://camera/live/user=name_password=word/0", "rtsp://camera/live/[removed]"},
      {"rtsp://camera/live/token=a?b", "rtsp://camera/live/[removed]"},
      {"rtsp://name:word@camera/x?token=a", "rtsp://[removed]@camera/x?[removed]"},
      {"opencv:rtsp://name:w!ord@camera/x", "opencv:rtsp://[removed]@camera/x"},
      {"opencv:rtspsrc user-pw=word location=rtsp://10.0.0.2/cam ! appsink",
       "opencv:rtspsrc ! ..."},
      {"opencv:rtsp:/admin:word@camera/a", "opencv:[removed]"},
      {"opencv:rtsp:admin:word@camera/a", "opencv:[removed]"},
      {"opencv:rtsp//admin:word@camera/a", "opencv:[removed]"},
      {"opencv:http:/h/a?pw=word", "opencv:[removed]"},
      {"opencv:/h/a?pw=word", "opencv:[removed]"},
      {"--camera=opencv:admin:word@camera", "--camera=opencv:[removed]"},
      {"rtsp://h/a;password:word", "rtsp://h/a?[removed]"},
      {"rtsp://admin:word%40h/a", "rtsp://[removed]/a"},
      {"opencv:rtspsrc/location=x user-pw=word ! a", "opencv:[removed]"},
      {"--camera=opencv:videotestsrc!appsink", "--camera=opencv:videotestsrc ! ..."},
  };
  for (const auto& [address, shown] : addresses) {
    EXPECT_EQ(WithoutCredentials(address), shown);
  }
}

TEST(AddressTest, ShowsAReceiverWithoutItsPath) {
  const std::pair<const char*, const char*> addresses[] = {
      {"https://hooks.example/T000/B000/word", "https://hooks.example/..."},
      {"https://hooks.example:8443/word", "https://hooks.example:8443/..."},
      {"https://[::1]:8443/word", "https://[::1]:8443/..."},
      {"https://name:word@hooks.example/T000", "https://[removed]/..."},
      {"https://hooks.example?word", "https://hooks.example/..."},
      {"https://hooks.example#word", "https://hooks.example/..."},
      {"https://hooks.example/T000/a@word", "https://hooks.example/..."},
      {"https://hooks.example/", "https://hooks.example/"},
      {"https://hooks.example", "https://hooks.example"},
      {"hooks.example/T000/B000/word", "[removed]"},
      {"", ""},
  };
  for (const auto& [address, shown] : addresses) {
    EXPECT_EQ(WithoutPath(address), shown);
  }
}

TEST(AddressTest, LeavesTheOthersAsTheyAre) {
  for (const char* address :
       {"https://a.example/x", "rtsp://10.0.0.2:554/live", "someone@example", "", "/a/file",
        "synthetic:tone=8", "v4l2:/dev/video0", "opencv:0", "opencv:/films/a b.mp4",
        "opencv:films/a-1.mp4", "opencv:file:/films/a.mp4", "rtsp://[::1]:554/live",
        "opencv:rtsp://[removed]@camera/live"}) {
    EXPECT_EQ(WithoutCredentials(address), address);
  }
}

}  // namespace
}  // namespace idkiosk

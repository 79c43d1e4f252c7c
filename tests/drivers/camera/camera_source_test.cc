#include "drivers/camera/camera_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/camera/fake_video_kernel.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class CameraSourceTest : public testing::Test {
 protected:
  Result<CameraChoice> Make(std::string_view source) {
    return MakeCamera(source, {}, kernel_, program_, clock_, files_);
  }

  FakeClock clock_;
  FakeFileSystem files_;
  FakeVideoKernel kernel_{clock_};
  CameraProgram program_{"/nowhere", "/nowhere/socket"};
};

TEST_F(CameraSourceTest, MakesADrawnSitterThatCanBeCued) {
  for (const char* source : {"synthetic", "synthetic:", "synthetic:tone=8,light=dim"}) {
    const auto choice = Make(source);
    ASSERT_TRUE(choice) << source;
    EXPECT_NE(choice->sitter, nullptr);
    EXPECT_EQ(choice->camera->Open({})->source, source);
  }
}

TEST_F(CameraSourceTest, PlaysAFolder) {
  files_.Put("/film/a.jpg", Bytes{0xff, 0xd8, 0xff});
  const auto choice = Make("images:/film");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->sitter, nullptr);
  EXPECT_EQ(choice->camera->Open({})->source, "images:/film");
}

TEST_F(CameraSourceTest, OpensTheVideoDeviceThatIsNamed) {
  kernel_.Add("/dev/video7").formats = {{V4L2_PIX_FMT_MJPEG, {}}};
  const auto choice = Make("v4l2:/dev/video7");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->sitter, nullptr);
  EXPECT_EQ(choice->camera->Open({})->source, "v4l2:/dev/video7");
}

TEST_F(CameraSourceTest, TakesTheFirstRealCameraByItself) {
  EXPECT_NE(Make("auto")->sitter, nullptr);
  kernel_.Add("/dev/video7").formats = {{V4L2_PIX_FMT_MJPEG, {}}};
  EXPECT_EQ(Make("auto")->sitter, nullptr);
}

TEST_F(CameraSourceTest, RepeatsNoPassword) {
  const auto choice = Make("rtsp://user:s3cret@camera/live");
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("'rtsp://[removed]@camera/live' names no camera"));
}

TEST_F(CameraSourceTest, SaysWhatASourceMayBe) {
  for (const char* source : {"", "webcam", "images", "images:", "v4l2", "v4l2:", "synth:tone=1"}) {
    const auto choice = Make(source);
    ASSERT_FALSE(choice) << source;
    EXPECT_EQ(choice.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(choice.error().message, HasSubstr("names no camera; write v4l2:/dev/video0"));
  }
}

TEST_F(CameraSourceTest, TakesNoAddressForADeviceOrAFolderAndRepeatsNone) {
  for (const char* where : {"rtsp://user:word@camera/live", "/dev/video0?password=word"}) {
    for (const std::string form : {"v4l2", "images", "synthetic"}) {
      const Status checked = CheckCameraSource(form + ":" + where);
      ASSERT_FALSE(checked) << form;
      EXPECT_EQ(checked.error().message,
                "'" + form + ":...' is no address; write opencv:ADDRESS for one");
    }
  }
}

TEST_F(CameraSourceTest, TakesEachFormThatItTellsPeopleAndNeedsAllOfIt) {
  std::string forms = CameraForms();
  int count = 0;
  for (; !forms.empty(); ++count) {
    const size_t end = forms.find_first_of(" ,");
    std::string form = forms.substr(0, end);
    forms.erase(0, std::min(forms.size(), forms.find_first_not_of(", ", end)));
    if (forms.starts_with("or ")) forms.erase(0, 3);
    const std::string word = form.substr(0, form.find_first_of("[:"));
    const bool needs_more = form.starts_with(word + ":");
    std::erase_if(form, [](char c) { return c == '[' || c == ']'; });
    EXPECT_TRUE(CheckCameraSource(form)) << form;
    EXPECT_EQ(CheckCameraSource(word).has_value(), !needs_more) << word;
    EXPECT_FALSE(CheckCameraSource("x" + form)) << form;
    EXPECT_FALSE(CheckCameraSource(word + "/" + form)) << form;
  }
  EXPECT_GE(count, 5);
  EXPECT_FALSE(CheckCameraSource("auto:first"));
}

TEST_F(CameraSourceTest, SaysByWhatMeansASourceShowsPeopleBeforeItIsOpened) {
  struct Case {
    std::string_view source;
    PictureMeans means;
  };
  for (const Case& each : {
           Case{"v4l2:/dev/video7", PictureMeans::kLive},
           {"images:/film", PictureMeans::kRecorded},
           {"synthetic", PictureMeans::kDrawn},
           {"synthetic:tone=8", PictureMeans::kDrawn},
           {"auto", PictureMeans::kDrawn},
           {"opencv:0", PictureMeans::kLive},
           {"opencv:rtsp://camera/live", PictureMeans::kLive},
           {"opencv:HTTP://camera/live", PictureMeans::kLive},
           {"opencv:/home/film.avi", PictureMeans::kRecorded},
           {"opencv:/dev/video0", PictureMeans::kRecorded},
           {"opencv:file:///home/film.avi", PictureMeans::kRecorded},
           {"opencv:concat://a|b", PictureMeans::kRecorded},
           {"opencv:v4l2src device=/dev/video0 ! videoconvert ! appsink", PictureMeans::kLive},
           {"opencv:rtspsrc location=rtsp://u:p@c/ ! appsink", PictureMeans::kLive},
           {"opencv:filesrc location=a ! decodebin ! appsink", PictureMeans::kRecorded},
           {"opencv:v4l2src ! fakesink filesrc location=a ! appsink", PictureMeans::kRecorded},
           {"opencv:uridecodebin uri=file:///a ! appsink", PictureMeans::kRecorded},
           {"opencv:videotestsrc ! appsink", PictureMeans::kRecorded},
       }) {
    const auto promise = PromiseOf(each.source, kernel_);
    ASSERT_TRUE(promise) << each.source;
    EXPECT_EQ(promise->means, each.means) << each.source;
    EXPECT_THAT(promise->says, Not(HasSubstr("u:p"))) << each.source;
  }
  EXPECT_EQ(PromiseOf("auto", kernel_)->says,
            "auto finds no camera, and would show a drawing of a person");
  kernel_.Add("/dev/video7").formats = {{V4L2_PIX_FMT_MJPEG, {}}};
  EXPECT_EQ(PromiseOf("auto", kernel_)->means, PictureMeans::kLive);
  EXPECT_FALSE(PromiseOf("webcam", kernel_));
}

// A film is read by another process, so this one is not let at it.
TEST_F(CameraSourceTest, TellsWhatThisProcessReadsForIt) {
  EXPECT_EQ(PromiseOf("images:/srv/pictures", kernel_)->reads, "/srv/pictures");
  for (const char* other :
       {"opencv:/srv/film.mp4", "v4l2:/dev/video0", "synthetic:tone=3", "auto"}) {
    EXPECT_EQ(PromiseOf(other, kernel_)->reads, "") << other;
  }
}

TEST_F(CameraSourceTest, PassesOnWhatIsWrongWithAScript) {
  EXPECT_THAT(Make("synthetic:tone=12").error().message, HasSubstr("tone is '12'"));
}

}  // namespace
}  // namespace idkiosk

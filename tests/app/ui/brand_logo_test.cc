#include "app/ui/brand_logo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;

constexpr auto kPng = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x02\0\0\0\1\0rest"sv;
constexpr auto kSvg =
    R"(<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path/></svg>)"sv;

class BrandLogoTest : public testing::Test {
 protected:
  Result<BrandLogo> Load(std::string_view bytes) {
    files_.Put("/logo", AsBytes(bytes));
    return LoadBrandLogo(files_, "/logo");
  }
  std::string Complaint(std::string_view bytes) {
    const auto logo = Load(bytes);
    return logo ? "" : logo.error().message;
  }

  FakeFileSystem files_;
};

TEST_F(BrandLogoTest, IsAPngOrAnSvg) {
  const auto png = Load(kPng);
  ASSERT_TRUE(png) << png.error().message;
  EXPECT_EQ(png->content_type, "image/png");
  EXPECT_EQ(png->bytes, kPng);
  const auto svg = Load(kSvg);
  ASSERT_TRUE(svg) << svg.error().message;
  EXPECT_EQ(svg->content_type, "image/svg+xml");
}

TEST_F(BrandLogoTest, SaysWhatIsWrongWithAnother) {
  EXPECT_THAT(Complaint("GIF89a"), HasSubstr("neither a PNG nor an SVG"));
  EXPECT_THAT(Complaint("<html><body>"), HasSubstr("neither a PNG nor an SVG"));
  EXPECT_THAT(Complaint(kPng.substr(0, 20)), HasSubstr("damaged"));
  std::string huge(kPng);
  huge[16] = 1;
  EXPECT_THAT(Complaint(huge), HasSubstr("pixels a side"));
  EXPECT_THAT(Complaint(std::string(kSvg) + std::string(300 << 10, ' ')), HasSubstr("256 kB"));
  EXPECT_EQ(LoadBrandLogo(files_, "/elsewhere").error().code, ErrorCode::kNotFound);
}

TEST_F(BrandLogoTest, ASvgThatDoesMoreThanDrawIsRefused) {
  for (const std::string_view part :
       {"<script>alert(1)</script>", "<SCRIPT href='x'/>", "<foreignObject/>", "<!ENTITY a 'b'>",
        "<a href='javascript:1'/>", "<style>@import 'x'</style>"}) {
    EXPECT_THAT(Complaint(fmt::format("<svg>{}</svg>", part)), HasSubstr("a plain drawing"))
        << part;
  }
}

}  // namespace
}  // namespace idkiosk

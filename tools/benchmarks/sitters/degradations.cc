#include "tools/benchmarks/sitters/degradations.h"

#include <cmath>
#include <initializer_list>
#include <opencv2/imgproc.hpp>

#include "tools/benchmarks/sitters/face_covers.h"

namespace idkiosk {
namespace {

using cv::Mat;

Mat Scaled(const Subject& s, double gain, double offset) {
  Mat out;
  s.picture.convertTo(out, -1, gain, offset);
  return out;
}

Mat Gamma(const Subject& s, double exponent) {
  Mat table(1, 256, CV_8U), out;
  for (int i = 0; i < 256; ++i) {
    table.at<uint8_t>(i) = cv::saturate_cast<uint8_t>(255 * std::pow(i / 255.0, exponent));
  }
  cv::LUT(s.picture, table, out);
  return out;
}

Mat Tinted(const Subject& s, double blue, double green, double red) {
  Mat out;
  cv::multiply(s.picture, cv::Scalar(blue, green, red), out);
  return out;
}

Mat Noisy(const Subject& s, double sigma) {
  Mat noise(s.picture.size(), CV_16SC3), wide, out;
  cv::RNG random(7);
  random.fill(noise, cv::RNG::NORMAL, 0, sigma);
  s.picture.convertTo(wide, CV_16SC3);
  Mat(wide + noise).convertTo(out, CV_8UC3);
  return out;
}

Mat Peppered(const Subject& s, double share) {
  Mat out = s.picture.clone();
  cv::RNG random(7);
  for (int i = 0; i < static_cast<int>(share * static_cast<double>(out.total())); ++i) {
    const int value = random.uniform(0, 2) * 255;
    out.at<cv::Vec3b>(random.uniform(0, out.rows), random.uniform(0, out.cols)) =
        cv::Vec3b::all(static_cast<uint8_t>(value));
  }
  return out;
}

// `sigma` and other lengths below are shares of the face's width.
Mat Blurred(const Subject& s, double sigma) {
  Mat out;
  cv::GaussianBlur(s.picture, out, {}, sigma * FaceWidth(s));
  return out;
}

Mat Moved(const Subject& s, double length, bool across) {
  const int size = std::max(3, static_cast<int>(length * FaceWidth(s)) | 1);
  Mat out;
  cv::blur(s.picture, out, across ? cv::Size(size, 1) : cv::Size(1, size));
  return out;
}

Mat Resized(const Mat& picture, double across, double down, int how = cv::INTER_AREA) {
  Mat out;
  cv::resize(picture, out, {}, across, down, how);
  return out;
}

Mat Mosaic(const Subject& s, double cell) {
  Mat out;
  cv::resize(Resized(s.picture, 1 / (cell * FaceWidth(s)), 1 / (cell * FaceWidth(s))), out,
             s.picture.size(), 0, 0, cv::INTER_NEAREST);
  return out;
}

Mat Turned(const Subject& s, double degrees) {
  const Mat turn = cv::getRotationMatrix2D(At(s, 0, 0.6), -degrees, 1);
  Mat out;
  cv::warpAffine(s.picture, out, turn, s.picture.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

// The part above or below, left or right of the place (u, v) is cut off.
Mat CutBelow(const Subject& s, double v) {
  const int row = std::clamp(static_cast<int>(At(s, 0, v).y), 64, s.picture.rows);
  return s.picture.rowRange(0, row).clone();
}
Mat CutAbove(const Subject& s, double v) {
  const int row = std::clamp(static_cast<int>(At(s, 0, v).y), 0, s.picture.rows - 64);
  return s.picture.rowRange(row, s.picture.rows).clone();
}
Mat CutLeft(const Subject& s, double u) {
  const int column = std::clamp(static_cast<int>(At(s, u, 0).x), 0, s.picture.cols - 64);
  return s.picture.colRange(column, s.picture.cols).clone();
}

Mat Screen(const Subject& s) {
  Mat out = s.picture.clone();
  for (int y = 0; y < out.rows; ++y) {
    for (int x = 0; x < out.cols; ++x) {
      const double wave = std::sin(x * 1.9 + 0.02 * y) * std::sin(y * 1.7 - 0.03 * x);
      for (int c = 0; c < 3; ++c) {
        uint8_t& value = out.at<cv::Vec3b>(y, x)[c];
        value = cv::saturate_cast<uint8_t>(value * (0.85 + 0.35 * wave) + (c == 0 ? 18 : 6));
      }
    }
  }
  return out;
}

Mat Twice(const Subject& s) {
  Mat out;
  cv::hconcat(s.picture, s.picture, out);
  return out;
}

Mat HalfDark(const Subject& s) {
  Mat out = s.picture.clone();
  const int middle = static_cast<int>(At(s, 0, 0.5).x);
  Mat half = out.colRange(0, std::clamp(middle, 1, out.cols));
  half.convertTo(half, -1, 0.12);
  return out;
}

Mat TwoTones(const Subject& s) {
  Mat grey, out;
  cv::cvtColor(s.picture, grey, cv::COLOR_BGR2GRAY);
  cv::threshold(grey, grey, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
  cv::cvtColor(grey, out, cv::COLOR_GRAY2BGR);
  return out;
}

Mat Cartoon(const Subject& s) {
  Mat out;
  cv::medianBlur(s.picture, out, 7);
  Mat table(1, 256, CV_8U);
  for (int i = 0; i < 256; ++i) table.at<uint8_t>(i) = static_cast<uint8_t>(i / 64 * 64 + 32);
  cv::LUT(out, table, out);
  return out;
}

Mat Grey(const Subject& s) {
  Mat grey, out;
  cv::cvtColor(s.picture, grey, cv::COLOR_BGR2GRAY);
  cv::cvtColor(grey, out, cv::COLOR_GRAY2BGR);
  return out;
}

Mat Mirrored(const Subject& s) {
  Mat out;
  cv::flip(s.picture, out, 1);
  return out;
}

// Worn or held before the face.
std::vector<Degradation> Covered() {
  using S = const Subject&;
  return {
      {"blue mask", true, [](S s) { return Mask(s, {214, 178, 126}); }},
      {"white mask", true, [](S s) { return Mask(s, {228, 232, 232}); }},
      {"black mask", true, [](S s) { return Mask(s, {34, 30, 30}); }},
      {"green mask", true, [](S s) { return Mask(s, {120, 170, 90}); }},
      {"mask of skin's colour", true, [](S s) { return Mask(s, SkinOf(s)); }},
      {"mask of skin's colour, darker", true, [](S s) { return Mask(s, SkinOf(s) * 0.7); }},
      {"mask with a pattern", true, [](S s) { return PrintedMask(s); }},
      {"black scarf over the mouth", true, [](S s) { return Scarf(s, {28, 24, 26}); }},
      {"red scarf over the mouth", true, [](S s) { return Scarf(s, {52, 44, 150}); }},
      {"hand before the mouth", true, [](S s) { return Fingers(s, 0.78, SkinOf(s)); }},
      {"hand of another tone", true, [](S s) { return Fingers(s, 0.78, SkinOf(s) * 0.55); }},
      {"paper before the mouth", true, [](S s) { return Bar(s, 0.80, 0.42, {240, 240, 240}); }},
      {"telephone before the mouth", true, [](S s) { return Bar(s, 0.80, 0.40, {20, 18, 18}); }},
      {"dark glasses", true, [](S s) { return Glasses(s, {14, 12, 12}, 1); }},
      {"brown glasses", true, [](S s) { return Glasses(s, {18, 28, 44}, 0.9); }},
      {"mirror glasses", true, [](S s) { return MirrorGlasses(s); }},
      {"black bar over the eyes", true, [](S s) { return Bar(s, 0, 0.26, {0, 0, 0}); }},
      {"white bar over the eyes", true, [](S s) { return Bar(s, 0, 0.26, {250, 250, 250}); }},
      {"hand before the eyes", true, [](S s) { return Fingers(s, -0.05, SkinOf(s)); }},
      {"patch over one eye", true, [](S s) { return EyePatch(s); }},
      {"eyes closed", true, [](S s) { return EyesClosed(s); }},
      {"drawn: blue mask", true, nullptr, "mask=blue"},
      {"drawn: white mask", true, nullptr, "mask=white"},
      {"drawn: black mask", true, nullptr, "mask=black"},
      {"drawn: brown mask", true, nullptr, "mask=brown"},
      {"drawn: mask and clear glasses", true, nullptr, "mask=blue,glasses=clear"},
      {"drawn: hand before the mouth", true, nullptr, "hand=yes"},
      {"drawn: dark glasses", true, nullptr, "glasses=dark"},
      {"drawn: dark glasses and beard", true, nullptr, "glasses=dark,beard=yes"},
      {"drawn: eyes closed", true, nullptr, "blink=1"},
      {"drawn: eyes nearly closed", true, nullptr, "blink=0.85"},
      {"drawn: mouth wide open", true, nullptr, "mouth=1"},
  };
}

// How the head is held and cut.
std::vector<Degradation> Held() {
  using S = const Subject&;
  return {
      {"turned by 30 degrees", true, [](S s) { return Turned(s, 30); }},
      {"turned by 45 degrees", true, [](S s) { return Turned(s, -45); }},
      {"turned by 90 degrees", true, [](S s) { return Turned(s, 90); }},
      {"upside down", true, [](S s) { return Turned(s, 180); }},
      {"drawn: turned aside", true, nullptr, "yaw=30"},
      {"forehead cut off", true, [](S s) { return CutAbove(s, -0.25); }},
      {"chin cut off", true, [](S s) { return CutBelow(s, 0.95); }},
      {"a side cut off", true, [](S s) { return CutLeft(s, -0.35); }},
      {"22 px between the eyes", true,
       [](S s) { return Resized(s.picture, 34 / EyesWidth(s), 34 / EyesWidth(s)); }},
      {"twice in the picture", true, [](S s) { return Twice(s); }},
      {"drawn: two people", true, nullptr, "people=2"},
  };
}

// What a camera, a screen or a printer does.
std::vector<Degradation> Taken() {
  using S = const Subject&;
  return {
      {"noise of 30", true, [](S s) { return Noisy(s, 30); }},
      {"noise of 50", true, [](S s) { return Noisy(s, 50); }},
      {"salt and pepper", true, [](S s) { return Peppered(s, 0.06); }},
      {"out of focus", true, [](S s) { return Blurred(s, 0.035); }},
      {"moved across", true, [](S s) { return Moved(s, 0.12, true); }},
      {"moved down", true, [](S s) { return Moved(s, 0.12, false); }},
      {"mosaic", true, [](S s) { return Mosaic(s, 0.06); }},
      {"negative", true, [](S s) { return Mat(255 - s.picture); }},
      {"blue and red exchanged", true,
       [](S s) {
         Mat out;
         cv::cvtColor(s.picture, out, cv::COLOR_BGR2RGB);
         return out;
       }},
      {"green light", true, [](S s) { return Tinted(s, 0.35, 1, 0.35); }},
      {"blue light", true, [](S s) { return Tinted(s, 1.1, 0.55, 0.35); }},
      {"red light", true, [](S s) { return Tinted(s, 0.25, 0.3, 1.1); }},
      {"a telephone's screen", true, [](S s) { return Screen(s); }},
      {"two tones", true, [](S s) { return TwoTones(s); }},
      {"cartoon", true, [](S s) { return Cartoon(s); }},
      {"far too dark", true, [](S s) { return Scaled(s, 0.12, 0); }},
      {"far too bright", true, [](S s) { return Scaled(s, 2.2, 70); }},
      {"fog", true, [](S s) { return Scaled(s, 0.12, 120); }},
      {"half of it in the dark", true, [](S s) { return HalfDark(s); }},
      {"a lamp's glare on the face", true, [](S s) { return Glare(s); }},
  };
}

// What must pass.
std::vector<Degradation> Harmless() {
  using S = const Subject&;
  return {
      {"as it is", false, [](S s) { return s.picture.clone(); }},
      {"mirrored", false, [](S s) { return Mirrored(s); }},
      {"turned by 8 degrees", false, [](S s) { return Turned(s, 8); }},
      {"a little darker", false, [](S s) { return Gamma(s, 1.15); }},
      {"a little brighter", false, [](S s) { return Gamma(s, 0.87); }},
      {"noise of 6", false, [](S s) { return Noisy(s, 6); }},
      {"warm light", false, [](S s) { return Tinted(s, 0.82, 0.96, 1.05); }},
      {"cool light", false, [](S s) { return Tinted(s, 1.08, 1, 0.92); }},
      {"without colours", false, [](S s) { return Grey(s); }},
      {"clear glasses", false, [](S s) { return Glasses(s, {40, 40, 40}, 0); }},
      {"drawn: clear glasses", false, nullptr, "glasses=clear"},
      {"drawn: beard", false, nullptr, "beard=yes"},
      {"drawn: scarf", false, nullptr, "scarf=yes"},
      {"drawn: hat", false, nullptr, "hat=yes"},
      {"drawn: beard, glasses, hat", false, nullptr, "beard=yes,glasses=clear,hat=yes"},
      {"drawn: smile", false, nullptr, "smile=1"},
      {"drawn: squints", false, nullptr, "blink=0.35"},
      {"drawn: farther away", false, nullptr, "distance=1.25"},
  };
}

}  // namespace

const std::vector<Degradation>& Degradations() {
  static const std::vector<Degradation> all = [] {
    std::vector<Degradation> joined;
    for (const auto& part : {Covered(), Held(), Taken(), Harmless()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
  }();
  return all;
}

}  // namespace idkiosk

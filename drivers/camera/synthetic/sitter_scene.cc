#include "drivers/camera/synthetic/sitter_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace idkiosk {
namespace {

constexpr int kBlock = 16;  // of a JPEG with chroma at half size

// Half the height of a head at arm's length, as a share of the frame's height: the face, from
// hairline to chin, is about half of it then.
constexpr double kHeadShare = 0.31;
constexpr double kEyesAt = 0.47;  // of the height

constexpr int kPhotographWidth = 480, kPhotographHeight = 640;  // multiples of kBlock

int WholeBlocks(int pixels) { return (pixels + kBlock - 1) / kBlock * kBlock; }

}  // namespace

SitterScene::SitterScene(const SitterScript& script, int width, int height)
    : script_(script), width_(width), height_(height), light_{script.light, {}, script.shine} {
  room_.Resize(WholeBlocks(width), WholeBlocks(height));
  DrawRoom(room_, light_);
  if (!script.photo) return;
  photograph_.Resize(kPhotographWidth, kPhotographHeight);
  DrawRoom(photograph_, {});
  const HeadPlace place{kPhotographWidth * 0.5, kPhotographHeight * 0.45, kPhotographHeight * 0.30};
  DrawSitter(photograph_, {script.tone, script.seed, script.wear}, {}, {}, place);
}

HeadPlace SitterScene::PlaceOf(const SitterPose& pose, double x) const {
  return {x * width_, kEyesAt * height_, kHeadShare * height_ / pose.distance};
}

void SitterScene::DrawPeople(const SitterPose& pose, Duration time) {
  SitterLook look{script_.tone, script_.seed, script_.wear};
  if (script_.swap && script_.swap->ActiveAt(time)) {
    look.tone = look.tone > 4 ? look.tone - 4 : look.tone + 4;
    ++look.person;
  }
  const bool crowd = script_.people == 2 || (script_.crowd && script_.crowd->ActiveAt(time));
  if (crowd) {
    SitterPose other;
    other.distance = 1.15 * script_.rest.distance;
    DrawSitter(picture_, {look.tone % 8 + 1, look.person + 1, {}}, light_, other,
               PlaceOf(other, 0.24));
  }
  DrawSitter(picture_, look, light_, pose, PlaceOf(pose, crowd ? 0.62 : 0.5));
}

void SitterScene::DrawPhotograph(const SitterPose& pose) {
  constexpr double kRadian = std::numbers::pi / 180;
  // A card of this share of the frame's height, flat: turning it makes it narrower and no more.
  const double tall = 0.80 * height_ / pose.distance * std::cos(pose.pitch * kRadian);
  const double wide = 0.60 * height_ / pose.distance * std::cos(pose.yaw * kRadian);
  const double left = (width_ - wide) / 2, top = (height_ - tall) / 2;
  const auto from = [](double low, int end) { return std::clamp(static_cast<int>(low), 0, end); };
  for (int row = from(top, height_); row < from(top + tall, height_); ++row) {
    const int source_row = from((row - top) / tall * kPhotographHeight, kPhotographHeight - 1);
    for (int column = from(left, width_); column < from(left + wide, width_); ++column) {
      const int source = from((column - left) / wide * kPhotographWidth, kPhotographWidth - 1);
      picture_.luma_row(row)[column] = photograph_.luma_row(source_row)[source];
      picture_.cb_row(row / 2)[column / 2] = photograph_.cb_row(source_row / 2)[source / 2];
      picture_.cr_row(row / 2)[column / 2] = photograph_.cr_row(source_row / 2)[source / 2];
    }
  }
}

void SitterScene::BalanceWhite(Duration time) {
  const auto mean = [](const std::vector<uint8_t>& plane) {
    return std::accumulate(plane.begin(), plane.end(), 0.0) / static_cast<double>(plane.size());
  };
  const std::array<double, 2> colour{mean(picture_.cb), mean(picture_.cr)};
  if (!balanced_at_) first_colour_ = colour;
  const double passed = std::chrono::duration<double>(time - balanced_at_.value_or(time)).count();
  balanced_at_ = time;
  const double way = 1 - std::exp(-passed / script_.white_balance);
  for (size_t i = 0; i < colour.size(); ++i) {
    balance_[i] += (colour[i] - first_colour_[i] - balance_[i]) * way;
    for (uint8_t& each : i == 0 ? picture_.cb : picture_.cr) {
      each = static_cast<uint8_t>(std::clamp(std::lround(each - balance_[i]), 0L, 255L));
    }
  }
}

ColourPlanes& SitterScene::Draw(const SitterPose& pose, const SitterScreen& screen, Duration time,
                                uint32_t frame) {
  if (screen != light_.screen) {
    light_.screen = screen;
    DrawRoom(room_, light_);
  }
  picture_ = room_;
  if (script_.black && script_.black->ActiveAt(time)) {
    // A covered lens: nothing but the sensor's noise.
    picture_.Fill(3);
    AddNoise(picture_, script_.noise, script_.seed + frame);
    return picture_;
  }
  if (script_.photo) {
    DrawPhotograph(pose);
  } else if (script_.people > 0) {
    DrawPeople(pose, time);
  }
  if (script_.white_balance > 0) BalanceWhite(time);
  Blur(picture_, script_.blur);
  AddNoise(picture_, script_.noise, script_.seed + frame);
  return picture_;
}

}  // namespace idkiosk

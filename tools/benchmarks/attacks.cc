#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

#include "tools/benchmarks/attack_stage.h"
#include "tools/benchmarks/face_covers.h"

namespace idkiosk {
namespace {

using cv::Mat;
using std::chrono::milliseconds;

constexpr Duration kReaction = milliseconds(400);

double Seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

Mat Mixed(const Mat& a, const Mat& b, double share_of_b) {
  Mat out;
  cv::addWeighted(a, 1 - share_of_b, b, share_of_b, 0, out);
  return out;
}

Mat Mirrored(const Mat& picture) {
  Mat out;
  cv::flip(picture, out, 1);
  return out;
}

// Somebody who does what is asked, and what becomes of their picture.
class Live final : public Trick {
 public:
  using Change =
      std::function<Mat(const Mat& live, Duration time, Prompt asked, const ScreenColour& lit)>;
  explicit Live(const std::string& script, Change change = nullptr)
      : performer_(script), change_(std::move(change)) {}
  Mat Show(Duration time, Prompt asked, const ScreenColour& lit) override {
    const Mat live = performer_.Show(time, asked, lit);
    return change_ ? change_(live, time, asked, lit) : live;
  }

 private:
  Performer performer_;
  const Change change_;
};

// How something flat is held: degrees, and the share of its distance.
struct Hold {
  double yaw = 0, pitch = 0, distance = 1;
};

// A hand that follows what is asked, a reaction time later, and is never quite still.
class Hand {
 public:
  explicit Hand(uint32_t seed) : random_(seed) {
    for (double& phase : phases_) phase = random_.uniform(0.0, 6.28);
  }
  // Returns what was asked a reaction time ago.
  [[nodiscard]] Prompt Noticed(Duration time, Prompt asked) {
    if (asked != asked_) asked_ = asked, asked_at_ = time;
    if (time - asked_at_ >= kReaction) noticed_ = asked_;
    return noticed_;
  }
  // Returns where it is, on its way to `target`.
  [[nodiscard]] Hold Follow(Duration time, const Hold& target) {
    const double way = 1 - std::exp(-Seconds(time - last_) / 0.25);
    last_ = time;
    hold_.yaw += (target.yaw - hold_.yaw) * way;
    hold_.pitch += (target.pitch - hold_.pitch) * way;
    hold_.distance += (target.distance - hold_.distance) * way;
    Hold shaken = hold_;
    shaken.yaw += Shake(time, 0, 1.5), shaken.pitch += Shake(time, 1, 1.5);
    shaken.distance += Shake(time, 2, 0.01);
    return shaken;
  }
  [[nodiscard]] double Shake(Duration time, size_t which, double most) const {
    const double at = Seconds(time);
    return most * (0.6 * std::sin(2.1 * at + phases_.at(which)) +
                   0.4 * std::sin(5.3 * at + 2 * phases_.at(which)));
  }

 private:
  cv::RNG random_;
  std::array<double, 5> phases_{};
  Prompt asked_ = Prompt::kSelfie, noticed_ = Prompt::kSelfie;
  Duration asked_at_{}, last_{};
  Hold hold_;
};

Mat Wall() {
  Mat wall(kStageSize, CV_8UC3);
  for (int y = 0; y < wall.rows; ++y) wall.row(y) = cv::Scalar::all(150 - 40.0 * y / wall.rows);
  return wall;
}

// What the kiosk's screen adds to a room's light at arm's length, at the wall, and to what a screen
// shows of itself, by the glass before it.
constexpr double kShine = 0.13, kShineAtWall = 0.01, kShineOnGlass = 0.01;

// Returns the picture of something that such a share of the screen's light falls on.
Mat Lit(const Mat& picture, const ScreenColour& lit, double shine) {
  if (lit == kWhiteScreen) return picture;
  const auto part = [shine](uint8_t value) {
    return std::pow(1 + shine * (std::pow(value / 255.0, 2.2) - 1), 1 / 2.2);
  };
  Mat out;
  cv::multiply(picture, cv::Scalar(part(lit.blue), part(lit.green), part(lit.red)), out);
  return out;
}

// Returns `wall` with `picture` held before it, as high as the frame where its distance is 1.
Mat Held(const Mat& picture, const Hold& hold, cv::Point2d moved, const Mat& wall) {
  const double focus = 1.3 * kStageSize.width, high = kStageSize.height;
  const double half_high = high / 2, half_wide = half_high * picture.cols / picture.rows;
  const double yaw = hold.yaw * CV_PI / 180, pitch = hold.pitch * CV_PI / 180;
  const auto seen = [&](double x, double y) {
    const double turned = x * std::cos(yaw), away = -x * std::sin(yaw);
    const double raised = y * std::cos(pitch), tilted = y * std::sin(pitch);
    const double depth = focus * hold.distance + away + tilted;
    return cv::Point2f(
        static_cast<float>(kStageSize.width / 2.0 + moved.x + focus * turned / depth),
        static_cast<float>(high / 2 + moved.y + focus * raised / depth));
  };
  const auto right = static_cast<float>(picture.cols), bottom = static_cast<float>(picture.rows);
  const cv::Point2f from[] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
  const cv::Point2f to[] = {seen(-half_wide, -half_high), seen(half_wide, -half_high),
                            seen(half_wide, half_high), seen(-half_wide, half_high)};
  Mat out = wall.clone();
  cv::warpPerspective(picture, out, cv::getPerspectiveTransform(from, to), out.size(),
                      cv::INTER_AREA, cv::BORDER_TRANSPARENT);
  return out;
}

// What a hand can do with something flat.
Hold FlatAnswer(Prompt asked) {
  switch (asked) {
    case Prompt::kTurnLeft:
      return {.yaw = 42};
    case Prompt::kTurnRight:
      return {.yaw = -42};
    case Prompt::kLookUp:
      return {.pitch = 30};
    case Prompt::kComeCloser:
      return {.distance = 0.68};
    default:
      return {};
  }
}

// Something flat that is held up. What is on it may change with what is asked.
class Card final : public Trick {
 public:
  using Face = std::function<Mat(Duration time, Prompt noticed, Hold& hold)>;
  enum class Follows { kNothing, kDistance, kAll };

  // `shine`: the share of the kiosk's light that it sends back.
  Card(uint32_t seed, Follows follows, Face face, double shine = kShineOnGlass)
      : hand_(seed), follows_(follows), face_(std::move(face)), shine_(shine) {}

  Mat Show(Duration time, Prompt asked, const ScreenColour& lit) override {
    const Prompt noticed = hand_.Noticed(time, asked);
    Hold target = follows_ == Follows::kNothing ? Hold() : FlatAnswer(noticed);
    if (follows_ == Follows::kDistance) target = {.distance = target.distance};
    Hold hold = hand_.Follow(time, target);
    const Mat face = Lit(face_(time, noticed, hold), lit, shine_);
    return Held(face, hold, {hand_.Shake(time, 3, 3), hand_.Shake(time, 4, 3)},
                Lit(wall_, lit, kShineAtWall));
  }

 private:
  Hand hand_;
  const Follows follows_;
  const Face face_;
  const double shine_;
  const Mat wall_ = Wall();
};

std::unique_ptr<Trick> Print(const Stage& stage, Card::Follows follows) {
  return std::make_unique<Card>(
      stage.seed, follows,
      [picture = stage.still().picture](Duration, Prompt, Hold&) { return picture; }, kShine);
}

// The picture around a pipe that is turned by `turn`, in radians.
Mat Bent(const Mat& picture, double turn) {
  constexpr double kBend = 0.9;  // radians from the middle to an edge
  Mat across(picture.size(), CV_32F), down(picture.size(), CV_32F), out;
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const double at = (2.0 * x / picture.cols - 1) * std::sin(kBend);
      const double around = (std::asin(at) + turn) / kBend;
      across.at<float>(y, x) = static_cast<float>((around + 1) / 2 * picture.cols);
      down.at<float>(y, x) = static_cast<float>(y);
    }
  }
  cv::remap(picture, out, across, down, cv::INTER_LINEAR, cv::BORDER_CONSTANT,
            cv::Scalar::all(140));
  return out;
}

std::unique_ptr<Trick> BentPrint(const Stage& stage) {
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kAll,
      [picture = stage.still().picture](Duration, Prompt, Hold& hold) {
        const double turn = -hold.yaw * CV_PI / 180 * 0.8;
        hold.yaw *= 0.2;
        return Bent(picture, turn);
      },
      kShine);
}

// A print with holes where the eyes are, through which somebody looks.
std::unique_ptr<Trick> EyesCutOut(const Stage& stage) {
  auto behind = std::make_shared<Performer>(stage.victim(), cv::Size(1280, 720));
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kAll,
      [behind, still = stage.still()](Duration time, Prompt, Hold&) {
        const Mat whole = behind->Show(time, Prompt::kSelfie);
        const Mat& print = still.picture;
        const Mat live = whole.colRange((whole.cols - print.cols) / 2,
                                        (whole.cols - print.cols) / 2 + print.cols);
        Mat hole = Mat::zeros(print.size(), CV_8U), out = print.clone();
        for (double u : {-0.34, 0.34}) {
          cv::ellipse(hole, At(still, u, 0),
                      cv::Size2d(0.2 * EyesWidth(still), 0.1 * EyesWidth(still)), 0, 0, 360, 255,
                      cv::FILLED);
        }
        live.copyTo(out, hole);
        return out;
      },
      kShine);
}

// A screen's grid against the camera's, and a lamp in its glass.
Mat OnScreen(const Mat& film, Duration time) {
  Mat out;
  cv::copyMakeBorder(film, out, 14, 14, 10, 10, cv::BORDER_CONSTANT, cv::Scalar::all(12));
  const double drift = 3 * Seconds(time);
  for (int y = 0; y < out.rows; ++y) {
    for (int x = 0; x < out.cols; ++x) {
      const double wave = 0.05 * std::sin(0.9 * x + 0.05 * y + drift) * std::sin(0.8 * y - drift);
      const double lamp = 60 * std::exp(-(std::pow(x - 0.8 * out.cols, 2) + std::pow(y - 60.0, 2)) /
                                        (2 * 40.0 * 40.0));
      cv::Vec3b& pixel = out.at<cv::Vec3b>(y, x);
      for (int c = 0; c < 3; ++c) {
        pixel[c] = cv::saturate_cast<uint8_t>(pixel[c] * (1 + wave) + lamp + (c == 0 ? 8 : 2));
      }
    }
  }
  return out;
}

// A film of somebody who does everything that can be asked, once; with `colours`, of an earlier
// visit, whose own colours are seen on the face.
std::vector<Mat> Film(const std::string& script, std::optional<uint32_t> colours = std::nullopt) {
  Performer performer(script);
  std::vector<Mat> film;
  std::optional<LightSequence> lights;
  const auto play = [&](Prompt asked, Duration length) {
    constexpr Duration kStep = Duration(std::chrono::seconds(1)) / kStageRate;
    for (Duration at{}; at < length; at += kStep) {
      const Duration time = kStep * static_cast<int64_t>(film.size());
      if (lights) lights->Tell(MonotonicTime(time));
      const ScreenColour lit = lights ? lights->Shown(MonotonicTime(time)) : kWhiteScreen;
      film.push_back(performer.Show(time, asked, lit));
    }
  };
  play(Prompt::kSelfie, milliseconds(1500));
  if (colours) {
    SeededEntropy entropy(*colours + 77);
    lights.emplace(LightPace::kUsual, entropy);
    lights->Begin(MonotonicTime(milliseconds(700)));
    play(Prompt::kSelfie, milliseconds(2500));
  }
  for (const PromptTraits& each : kChallenges) {
    play(each.prompt, milliseconds(1600));
    play(Prompt::kSelfie, milliseconds(900));
  }
  return film;
}

// The film without its colours.
std::vector<Mat> Greyed(std::vector<Mat> film) {
  for (Mat& each : film) {
    Mat grey;
    cv::cvtColor(each, grey, cv::COLOR_BGR2GRAY);
    cv::cvtColor(grey, each, cv::COLOR_GRAY2BGR);
  }
  return film;
}

// The film in a light whose colour changes from frame to frame, so that no other is seen in it.
std::vector<Mat> Flickering(std::vector<Mat> film) {
  cv::RNG random(11);
  for (Mat& each : film) {
    const double red = random.uniform(0.75, 1.0), blue = random.uniform(0.75, 1.0);
    cv::multiply(each, cv::Scalar(blue, 0.87, red), each);
  }
  return film;
}

// A film that is played again and again.
class Played final : public Trick {
 public:
  Played(std::vector<Mat> film, double speed, bool injected, bool mirrored = false)
      : film_(std::move(film)), speed_(speed), injected_(injected), mirrored_(mirrored) {}
  Mat Show(Duration time, Prompt, const ScreenColour&) override {
    const auto at =
        static_cast<size_t>(std::lround(Seconds(time) * kStageRate * speed_)) % film_.size();
    return mirrored_ ? Mirrored(film_[at]) : film_[at];
  }
  bool injected() const override { return injected_; }

 private:
  const std::vector<Mat> film_;
  const double speed_;
  const bool injected_, mirrored_;
};

std::unique_ptr<Trick> Screen(const Stage& stage, std::vector<Mat> frames) {
  return std::make_unique<Card>(stage.seed, Card::Follows::kNothing,
                                [film = std::move(frames)](Duration time, Prompt, Hold& hold) {
                                  hold.distance *= 0.9;
                                  const auto at = static_cast<size_t>(Seconds(time) * kStageRate);
                                  const Mat& whole = film[at % film.size()];
                                  const int side = (whole.cols - whole.rows * 3 / 4) / 2;
                                  return OnScreen(whole.colRange(side, whole.cols - side), time);
                                });
}

std::unique_ptr<Trick> SlideShow(const Stage& stage) {
  return std::make_unique<Card>(stage.seed, Card::Follows::kNothing,
                                [stills = stage.stills](Duration time, Prompt, Hold&) {
                                  const auto at = static_cast<size_t>(Seconds(time) / 1.2);
                                  return stills[at % stills.size()].second.picture;
                                });
}

// From one still to the other that is asked for, within `length` seconds. Zero: they are laid upon
// each other.
std::unique_ptr<Trick> Faded(const Stage& stage, double length) {
  struct State {
    Prompt from = Prompt::kSelfie, to = Prompt::kSelfie;
    Duration since{};
  };
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kDistance,
      [stage, length, state = std::make_shared<State>()](Duration time, Prompt asked, Hold&) {
        if (asked != state->to) *state = {state->to, asked, time};
        const Mat &from = stage.StillOf(state->from).picture, &to = stage.StillOf(asked).picture;
        if (length == 0) return Mixed(stage.still().picture, to, 0.5);
        return Mixed(from, to, std::min(1.0, Seconds(time - state->since) / length));
      });
}

// Moves the middle of a face by shares of the distance between the eyes, its outline not at all.
Mat Warped(const Subject& still, double right, double up, double smile) {
  const cv::Point2d middle = At(still, 0, 0.5), mouth = At(still, 0, 0.75);
  const double eyes = EyesWidth(still);
  Mat across(still.picture.size(), CV_32F), down(still.picture.size(), CV_32F), out;
  for (int y = 0; y < across.rows; ++y) {
    for (int x = 0; x < across.cols; ++x) {
      const double u = (x - middle.x) / eyes, v = (y - middle.y) / eyes;
      const double near = std::exp(-(u * u + v * v) / (2 * 0.42 * 0.42));
      const double side = (x - mouth.x) / eyes, low = (y - mouth.y) / eyes;
      const double corner = std::exp(-(std::pow(std::abs(side) - 0.28, 2) + low * low) / 0.02);
      across.at<float>(y, x) = static_cast<float>(
          x - eyes * (right * near + smile * 0.08 * corner * (side > 0 ? 1 : -1)));
      down.at<float>(y, x) = static_cast<float>(y + eyes * (up * near + smile * 0.08 * corner));
    }
  }
  cv::remap(still.picture, out, across, down, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

std::unique_ptr<Trick> WarpedStill(const Stage& stage) {
  struct Way {
    double right = 0, up = 0, smile = 0;
  };
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kDistance,
      [still = stage.still(), way = std::make_shared<Way>()](Duration, Prompt asked, Hold&) {
        constexpr double kStep = 0.25;
        const double right = asked == Prompt::kTurnLeft    ? 0.34
                             : asked == Prompt::kTurnRight ? -0.34
                                                           : 0;
        way->right += (right - way->right) * kStep;
        way->up += ((asked == Prompt::kLookUp ? 0.2 : 0) - way->up) * kStep;
        way->smile += ((asked == Prompt::kSmile ? 1 : 0) - way->smile) * kStep;
        return Warped(still, way->right, way->up, way->smile);
      });
}

// Another person comes as soon as the selfie is taken, within `length` seconds.
std::unique_ptr<Trick> Swapped(const Stage& stage, double length) {
  auto other = std::make_shared<Performer>(stage.attacker());
  auto since = std::make_shared<std::optional<Duration>>();
  return std::make_unique<Live>(stage.victim(),
                                [other, since, length](const Mat& live, Duration time, Prompt asked,
                                                       const ScreenColour& lit) -> Mat {
                                  if (asked != Prompt::kSelfie && !*since) *since = time;
                                  const Mat second = other->Show(time, asked, lit);
                                  if (!*since) return live;
                                  return Mixed(live, second,
                                               std::min(1.0, Seconds(time - **since) / length));
                                });
}

std::unique_ptr<Trick> Honest(const Stage& stage, std::string_view more) {
  return std::make_unique<Live>(fmt::format("{}{}", stage.victim(), more));
}

}  // namespace

const std::vector<Attack>& Attacks() {
  using S = const Stage&;
  static const std::vector<Attack> all = {
      {"a person", true, false, [](S s) { return Honest(s, ""); }, true},
      {"a person who is slow", true, false, [](S s) { return Honest(s, ",reaction=1500"); }},
      {"a person with beard and glasses", true, false,
       [](S s) { return Honest(s, ",beard=yes,glasses=clear"); }},
      {"a person in dim light", true, false, [](S s) { return Honest(s, ",light=dim"); }},
      {"a person, white balance drifts", true, false,
       [](S s) { return Honest(s, fmt::format(",awb=0.8,latency={}", 1 + s.seed % 3)); }},
      {"a person before a weak screen", true, false, [](S s) { return Honest(s, ",shine=0.05"); }},
      {"print held up flat", false, true, [](S s) { return Print(s, Card::Follows::kNothing); }},
      {"print bent and turned", false, true, [](S s) { return BentPrint(s); }},
      {"print moved as is asked", false, true, [](S s) { return Print(s, Card::Follows::kAll); },
       true},
      {"print with the eyes cut out", false, false, [](S s) { return EyesCutOut(s); }},
      {"telephone that plays a film", false, false,
       [](S s) { return Screen(s, Film(s.victim())); }},
      {"telephone that plays a grey film", false, false,
       [](S s) { return Screen(s, Greyed(Film(s.victim()))); }},
      {"slide show of stills", false, false, [](S s) { return SlideShow(s); }},
      {"stills faded into each other", false, false, [](S s) { return Faded(s, 0.6); }},
      {"stills upon each other", false, false, [](S s) { return Faded(s, 0); }},
      {"film, again and again", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim()), 1, true);
       },
       true},
      {"film before the lens", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim()), 1, false);
       }},
      {"grey film before the lens", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Greyed(Film(s.victim())), 1, false);
       }},
      {"grey film in the camera's place", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Greyed(Film(s.victim())), 1, true);
       }},
      {"film that flickers", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Flickering(Film(s.victim())), 1, false);
       }},
      {"film of an earlier visit", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim(), s.seed), 1, false);
       }},
      {"film, mirrored", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim()), 1, false, true);
       }},
      {"film, twice as fast", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim()), 2, false);
       }},
      {"film, half as fast", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(Film(s.victim()), 0.5, false);
       }},
      {"another person after the selfie", false, false, [](S s) { return Swapped(s, 1e-6); }},
      {"another person, faded in", false, false, [](S s) { return Swapped(s, 1.5); }},
      {"still that is warped as is asked", false, true, [](S s) { return WarpedStill(s); }},
      {"half mask worn", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Live>(s.attacker() + ",mask=brown");
       }},
      {"negative", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Live>(s.victim(),
                                       [](const Mat& live, Duration, Prompt, const ScreenColour&) {
                                         return Mat(255 - live);
                                       });
       }},
  };
  return all;
}

}  // namespace idkiosk

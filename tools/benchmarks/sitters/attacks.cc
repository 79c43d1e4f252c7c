#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

#include "tools/benchmarks/sitters/attack_card.h"
#include "tools/benchmarks/sitters/attack_stage.h"
#include "tools/benchmarks/sitters/face_covers.h"

namespace idkiosk {
namespace {

using cv::Mat;
using std::chrono::milliseconds;

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

std::unique_ptr<Trick> Print(const Stage& stage, Card::Follows follows) {
  return std::make_unique<Card>(
      stage.seed, follows,
      [picture = stage.still().picture](Duration, Prompt, Pose&) { return picture; }, kShine);
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
      [picture = stage.still().picture](Duration, Prompt, Pose& pose) {
        const double turn = -pose.yaw * CV_PI / 180 * 0.8;
        pose.yaw *= 0.2;
        return Bent(picture, turn);
      },
      kShine);
}

// A print with holes where the eyes are, through which somebody looks.
std::unique_ptr<Trick> EyesCutOut(const Stage& stage) {
  auto behind = std::make_shared<Performer>(stage.victim(), cv::Size(1280, 720));
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kAll,
      [behind, still = stage.still()](Duration time, Prompt, Pose&) {
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

// What becomes of a film's frame.
using Change = std::function<Mat(const Mat& frame, Duration time, const ScreenColour& lit)>;

// Without its colours.
Mat Greyed(const Mat& frame, Duration = {}, const ScreenColour& = {}) {
  Mat grey, out;
  cv::cvtColor(frame, grey, cv::COLOR_BGR2GRAY);
  cv::cvtColor(grey, out, cv::COLOR_GRAY2BGR);
  return out;
}

// In a light whose colour changes from frame to frame, so that no other is seen in it.
Change Flickering() {
  return [random = std::make_shared<cv::RNG>(11)](const Mat& frame, Duration, const auto&) {
    Mat out;
    const double red = random->uniform(0.75, 1.0), blue = random->uniform(0.75, 1.0);
    cv::multiply(frame, cv::Scalar(blue, 0.87, red), out);
    return out;
  };
}

// In the light that the kiosk's screen gave so long ago, as a program paints it: on the face alone,
// or on everything.
Change Painted(Duration late, bool face_alone) {
  struct Past {
    Duration time{};
    ScreenColour lit;
  };
  return [late, face_alone, past = std::make_shared<std::vector<Past>>()](
             const Mat& frame, Duration time, const ScreenColour& lit) -> Mat {
    past->push_back({time, lit});
    ScreenColour then = kWhiteScreen;
    for (const Past& each : *past) {
      if (each.time + late <= time) then = each.lit;
    }
    Mat painted = Lit(frame, then, kShine);
    if (!face_alone) return painted;
    Mat head = Mat::zeros(frame.size(), CV_8U), out = frame.clone();
    cv::ellipse(head, {frame.cols / 2, frame.rows / 2},
                cv::Size2d(0.21 * frame.cols, 0.5 * frame.rows), 0, 0, 360, 255, cv::FILLED);
    painted.copyTo(out, head);
    return out;
  };
}

// A film that is played again and again.
class Played final : public Trick {
 public:
  Played(std::shared_ptr<const Film> film, double speed, bool injected, Change change = nullptr)
      : film_(std::move(film)), speed_(speed), injected_(injected), change_(std::move(change)) {}
  Mat Show(Duration time, Prompt, const ScreenColour& lit) override {
    const Mat frame = film_->At(Number(time));
    return change_ ? change_(frame, time, lit) : frame;
  }
  bool injected() const override { return injected_; }

 private:
  [[nodiscard]] size_t Number(Duration time) const {
    return static_cast<size_t>(std::lround(Seconds(time) * kStageRate * speed_));
  }

  const std::shared_ptr<const Film> film_;
  const double speed_;
  const bool injected_;
  const Change change_;
};

// Somebody at a button: the part of the film that shows what is asked, a reaction time later, and
// what is shown last until something else is asked, to and fro.
class Cutter {
 public:
  Cutter(std::shared_ptr<const Film> film, uint32_t seed) : film_(std::move(film)), hand_(seed) {}
  [[nodiscard]] Mat Show(Duration time, Prompt asked) {
    const Prompt noticed = hand_.Noticed(time, asked);
    if (noticed != shown_) shown_ = noticed, since_ = time;
    const Film::Scene& scene = film_->SceneOf(shown_);
    const auto passed = static_cast<size_t>(std::lround(Seconds(time - since_) * kStageRate));
    if (scene.first + passed < scene.end) return film_->At(scene.first + passed);
    const size_t length = std::max<size_t>(scene.end - scene.rest, 2) - 1;
    const size_t at = (scene.first + passed - scene.end) % (2 * length);
    return film_->At(scene.end - 1 - std::min(at, 2 * length - at));
  }

 private:
  const std::shared_ptr<const Film> film_;
  Hand hand_;
  Prompt shown_ = Prompt::kSelfie;
  Duration since_{};
};

// The film that a Cutter shows.
class PlayedAsAsked final : public Trick {
 public:
  PlayedAsAsked(const Stage& stage, bool injected, Change change = nullptr)
      : cutter_(stage.impersonated->film(), stage.seed),
        injected_(injected),
        change_(std::move(change)) {}
  Mat Show(Duration time, Prompt asked, const ScreenColour& lit) override {
    const Mat frame = cutter_.Show(time, asked);
    return change_ ? change_(frame, time, lit) : frame;
  }
  bool injected() const override { return injected_; }

 private:
  Cutter cutter_;
  const bool injected_;
  const Change change_;
};

std::unique_ptr<Trick> PlayedFilm(const Stage& stage, double speed, bool injected,
                                  Change change = nullptr) {
  return std::make_unique<Played>(stage.impersonated->film(), speed, injected, std::move(change));
}

std::unique_ptr<Trick> Telephone(const Stage& stage,
                                 std::function<Mat(Duration time, Prompt noticed)> shown) {
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kNothing,
      [shown = std::move(shown)](Duration time, Prompt noticed, Pose& pose) {
        pose.distance *= 0.9;
        const Mat whole = shown(time, noticed);
        const int side = (whole.cols - whole.rows * 3 / 4) / 2;
        return OnScreen(whole.colRange(side, whole.cols - side), time);
      });
}

std::unique_ptr<Trick> TelephoneFilm(const Stage& stage, bool grey) {
  return Telephone(stage, [film = stage.impersonated->film(), grey](Duration time, Prompt) {
    const Mat frame = film->At(static_cast<size_t>(Seconds(time) * kStageRate));
    return grey ? Greyed(frame) : frame;
  });
}

std::unique_ptr<Trick> TelephoneAsAsked(const Stage& stage) {
  // The cutter needs no hand of its own: a card's is that late.
  auto cutter = std::make_shared<Cutter>(stage.impersonated->film(), stage.seed);
  return Telephone(stage,
                   [cutter](Duration time, Prompt asked) { return cutter->Show(time, asked); });
}

std::unique_ptr<Trick> SlideShow(const Stage& stage) {
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kNothing,
      [stills = stage.impersonated->stills](Duration time, Prompt, Pose&) {
        const auto at = static_cast<size_t>(Seconds(time) / 1.2);
        return stills[at % stills.size()].second.picture;
      });
}

// The still that is asked for, on paper or on a screen.
std::unique_ptr<Trick> SlidesAsAsked(const Stage& stage, double shine) {
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kDistance,
      [stage](Duration, Prompt asked, Pose&) { return stage.StillOf(asked).picture; }, shine);
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
      [stage, length, state = std::make_shared<State>()](Duration time, Prompt asked, Pose&) {
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

struct Way {
  double right = 0, up = 0, smile = 0;
};

// The warp that looks like what is asked. A card comes closer by itself.
Way WarpFor(Prompt asked) {
  switch (asked) {
    case Prompt::kTurnLeft:
      return {.right = 0.34};
    case Prompt::kTurnRight:
      return {.right = -0.34};
    case Prompt::kLookUp:
      return {.up = 0.2};
    case Prompt::kSmile:
      return {.smile = 1};
    case Prompt::kSelfie:
    case Prompt::kComeCloser:
    case Prompt::kDone:
      return {};
  }
  return {};
}

std::unique_ptr<Trick> WarpedStill(const Stage& stage) {
  return std::make_unique<Card>(
      stage.seed, Card::Follows::kDistance,
      [still = stage.still(), way = std::make_shared<Way>()](Duration, Prompt asked, Pose&) {
        constexpr double kStep = 0.25;
        const Way to = WarpFor(asked);
        way->right += (to.right - way->right) * kStep;
        way->up += (to.up - way->up) * kStep;
        way->smile += (to.smile - way->smile) * kStep;
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

// The victim and somebody else, from frame to frame in turns of so many.
std::unique_ptr<Trick> InTurns(const Stage& stage, int frames) {
  auto other = std::make_shared<Performer>(stage.attacker());
  auto count = std::make_shared<int>(0);
  return std::make_unique<Live>(
      stage.victim(),
      [other, count, frames](const Mat& live, Duration time, Prompt asked, const auto& lit) -> Mat {
        const Mat second = other->Show(time, asked, lit);
        return (*count)++ / frames % 2 == 0 ? live : second;
      });
}

// The victim's face, from a film or a still, upon the head of somebody who does what is asked.
std::unique_ptr<Trick> Puppet(const Stage& stage) {
  auto cutter = std::make_shared<Cutter>(stage.impersonated->film(), stage.seed);
  return std::make_unique<Live>(
      stage.attacker(),
      [cutter](const Mat& live, Duration time, Prompt asked, const ScreenColour&) -> Mat {
        const Mat face = cutter->Show(time, asked);
        Mat where = Mat::zeros(live.size(), CV_32F), out(live.size(), CV_8UC3);
        cv::ellipse(where, {live.cols / 2, live.rows / 2},
                    cv::Size2d(0.12 * live.cols, 0.3 * live.rows), 0, 0, 360, 1, cv::FILLED);
        cv::GaussianBlur(where, where, {}, 6);
        for (int y = 0; y < out.rows; ++y) {
          for (int x = 0; x < out.cols; ++x) {
            const float part = where.at<float>(y, x);
            out.at<cv::Vec3b>(y, x) =
                face.at<cv::Vec3b>(y, x) * part + live.at<cv::Vec3b>(y, x) * (1 - part);
          }
        }
        return out;
      });
}

// Somebody who does what is asked, behind the victim's printed face, which is bent around their own
// and has holes for the eyes.
std::unique_ptr<Trick> PrintedMaskWorn(const Stage& stage) {
  auto paper = std::make_shared<Card>(
      stage.seed, Card::Follows::kAll,
      [still = stage.still()](Duration, Prompt, Pose& pose) {
        const double turn = -pose.yaw * CV_PI / 180 * 0.8;
        pose.yaw *= 0.2;
        Mat face = still.picture.clone();
        for (double u : {-0.34, 0.34}) {
          cv::ellipse(face, At(still, u, 0),
                      cv::Size2d(0.13 * EyesWidth(still), 0.05 * EyesWidth(still)), 0, 0, 360,
                      SkinOf(still) * 0.35, cv::FILLED, cv::LINE_AA);
        }
        return Bent(face, turn);
      },
      kShine);
  return std::make_unique<Live>(
      stage.attacker(),
      [paper](const Mat& live, Duration time, Prompt asked, const ScreenColour& lit) -> Mat {
        const Mat printed = paper->Show(time, asked, lit);
        Mat where = Mat::zeros(live.size(), CV_8U), out = live.clone();
        cv::ellipse(where, {live.cols / 2, live.rows / 2},
                    cv::Size2d(0.15 * live.cols, 0.38 * live.rows), 0, 0, 360, 255, cv::FILLED);
        printed.copyTo(out, where);
        return out;
      });
}

std::unique_ptr<Trick> Honest(const Stage& stage, std::string_view more) {
  return std::make_unique<Live>(fmt::format("{}{}", stage.victim(), more));
}

// Who must be let in.
std::vector<Attack> People() {
  using S = const Stage&;
  return {
      {"a person", true, false, [](S s) { return Honest(s, ""); }, true},
      {"a person who is slow", true, false, [](S s) { return Honest(s, ",reaction=1500"); }},
      {"a person with beard and glasses", true, false,
       [](S s) { return Honest(s, ",beard=yes,glasses=clear"); }},
      {"a person in dim light", true, false, [](S s) { return Honest(s, ",light=dim"); }},
      {"a person, white balance drifts", true, false,
       [](S s) { return Honest(s, fmt::format(",awb=0.8,latency={}", 1 + s.seed % 3)); }},
      {"a person before a weak screen", true, false, [](S s) { return Honest(s, ",shine=0.05"); }},
      {"a person, lit from the side", true, false, [](S s) { return Honest(s, ",light=side"); }},
      {"a person beside a window", true, false, [](S s) { return Honest(s, ",light=window"); }},
      {"a person in bright light", true, false, [](S s) { return Honest(s, ",light=bright"); }},
  };
}

// The victim on paper.
std::vector<Attack> Prints() {
  using S = const Stage&;
  return {
      {"print held up flat", false, true, [](S s) { return Print(s, Card::Follows::kNothing); }},
      {"print bent and turned", false, true, [](S s) { return BentPrint(s); }},
      {"print moved as is asked", false, true, [](S s) { return Print(s, Card::Follows::kAll); },
       true},
      {"print with the eyes cut out", false, false, [](S s) { return EyesCutOut(s); }},
      {"printed mask worn", false, false, [](S s) { return PrintedMaskWorn(s); }},
  };
}

// The victim on a telephone, or in stills that follow one another.
std::vector<Attack> ScreensAndStills() {
  using S = const Stage&;
  return {
      {"telephone that plays a film", false, false, [](S s) { return TelephoneFilm(s, false); },
       false, true},
      {"telephone that plays a grey film", false, false, [](S s) { return TelephoneFilm(s, true); },
       false, true},
      {"telephone that plays what is asked", false, false, [](S s) { return TelephoneAsAsked(s); },
       false, true},
      {"slide show of stills", false, false, [](S s) { return SlideShow(s); }},
      {"slides as is asked, on paper", false, false, [](S s) { return SlidesAsAsked(s, kShine); }},
      {"slides as is asked, on a screen", false, false,
       [](S s) { return SlidesAsAsked(s, kShineOnGlass); }},
      {"stills faded into each other", false, false, [](S s) { return Faded(s, 0.6); }},
      {"stills upon each other", false, false, [](S s) { return Faded(s, 0); }},
  };
}

// One film of the victim, as it was recorded or altered.
std::vector<Attack> Films() {
  using S = const Stage&;
  return {
      {"film, again and again", false, false, [](S s) { return PlayedFilm(s, 1, true); }, true,
       true},
      {"film before the lens", false, false, [](S s) { return PlayedFilm(s, 1, false); }, false,
       true},
      {"grey film before the lens", false, false,
       [](S s) { return PlayedFilm(s, 1, false, &Greyed); }, false, true},
      {"grey film in the camera's place", false, false,
       [](S s) { return PlayedFilm(s, 1, true, &Greyed); }, false, true},
      {"film that flickers", false, false,
       [](S s) { return PlayedFilm(s, 1, false, Flickering()); }, false, true},
      {"film of an earlier visit", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<Played>(s.impersonated->earlier_visit(), 1, false);
       },
       false, true},
      {"film, mirrored", false, false,
       [](S s) {
         return PlayedFilm(s, 1, false,
                           [](const Mat& frame, Duration, const auto&) { return Mirrored(frame); });
       },
       false, true},
      {"film, twice as fast", false, false, [](S s) { return PlayedFilm(s, 2, false); }, false,
       true},
      {"film, half as fast", false, false, [](S s) { return PlayedFilm(s, 0.5, false); }, false,
       true},
  };
}

// A film of the victim, cut as is asked.
std::vector<Attack> FilmsCut() {
  using S = const Stage&;
  return {
      {"film cut as is asked", false, false,
       [](S s) -> std::unique_ptr<Trick> { return std::make_unique<PlayedAsAsked>(s, false); },
       false, true},
      {"film cut, in the camera's place", false, false,
       [](S s) -> std::unique_ptr<Trick> { return std::make_unique<PlayedAsAsked>(s, true); },
       false, true},
      {"film cut, painted in the light", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<PlayedAsAsked>(s, false, Painted(milliseconds(100), false));
       },
       false, true},
      {"film cut, its face painted late", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<PlayedAsAsked>(s, false, Painted(milliseconds(1000), true));
       },
       false, true},
      {"film cut, its face painted", false, false,
       [](S s) -> std::unique_ptr<Trick> {
         return std::make_unique<PlayedAsAsked>(s, false, Painted(milliseconds(100), true));
       },
       false, true},
  };
}

// A living face that is not the victim's, or not whole.
std::vector<Attack> OtherFaces() {
  using S = const Stage&;
  return {
      {"face of a film upon another head", false, false, [](S s) { return Puppet(s); }},
      {"another person after the selfie", false, false, [](S s) { return Swapped(s, 1e-6); }, false,
       false, true},
      {"another person, faded in", false, false, [](S s) { return Swapped(s, 1.5); }, false, false,
       true},
      {"another person, each frame", false, false, [](S s) { return InTurns(s, 1); }},
      {"another person, each third of a second", false, false, [](S s) { return InTurns(s, 5); }},
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
}

}  // namespace

const std::vector<Attack>& Attacks() {
  static const std::vector<Attack> all = [] {
    std::vector<Attack> joined;
    for (const auto& part :
         {People(), Prints(), ScreensAndStills(), Films(), FilmsCut(), OtherFaces()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
  }();
  return all;
}

}  // namespace idkiosk

#include "app/capture/light_sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/app/capture/pictures.h"
#include "tests/app/capture/sitting.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr MonotonicTime kStart{seconds(100)};

double Linear(uint8_t value) { return std::pow(value / 255.0, 2.2); }

TEST(LightSequenceTest, ShowsFiveDifferentColoursAndThenWhite) {
  FakeEntropy entropy;
  LightSequence lights(LightPace::kUsual, entropy);
  EXPECT_EQ(lights.Tell(kStart), kWhiteScreen) << "before it has begun";
  lights.Begin(kStart);
  std::set<std::string> shown;
  MonotonicTime at = kStart;
  for (; lights.under_way(); at += milliseconds(10)) {
    const ScreenColour told = lights.Tell(at);
    if (lights.under_way()) shown.insert(HexOf(told));
    EXPECT_EQ(lights.Shown(at + milliseconds(160)), told);
  }
  EXPECT_EQ(at - kStart, 5 * TimingOf(LightPace::kUsual).each + milliseconds(10));
  EXPECT_EQ(shown.size(), 5U);
  EXPECT_FALSE(shown.contains("#ffffff"));
  EXPECT_EQ(lights.Tell(at), kWhiteScreen);
  EXPECT_FALSE(lights.settled(at + milliseconds(400)));
  EXPECT_TRUE(lights.settled(at + milliseconds(430)));
  EXPECT_EQ(lights.Shown(at + seconds(1)), kWhiteScreen);
}

TEST(LightSequenceTest, ShowsEachColourHoweverLateItIsAsked) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> late(5, 900);
  for (int run = 0; run < 200; ++run) {
    FakeEntropy entropy;
    const auto pace = run % 2 == 0 ? LightPace::kUsual : LightPace::kGentle;
    LightSequence lights(pace, entropy);
    lights.Begin(kStart);
    std::map<std::string, int> told;
    MonotonicTime changed = kStart - seconds(1);
    ScreenColour before;
    for (MonotonicTime at = kStart; lights.under_way(); at += milliseconds(late(random))) {
      const ScreenColour to = lights.Tell(at);
      if (lights.under_way()) ++told[HexOf(to)];
      if (to == before) continue;
      EXPECT_GE(at - changed, TimingOf(pace).each * 3 / 4) << "flashes";
      EXPECT_GE(at - changed, TimingOf(pace).fade) << "the colour never came";
      changed = at;
      before = to;
    }
    EXPECT_EQ(told.size(), 5U);
    for (const auto& [colour, times] : told) EXPECT_GE(times, 2) << colour;
  }
}

TEST(LightSequenceTest, DrawsAnotherOrderEachTime) {
  FakeEntropy entropy;
  std::set<std::string> orders;
  for (int i = 0; i < 200; ++i) {
    LightSequence lights(LightPace::kUsual, entropy);
    lights.Begin(kStart);
    std::string order;
    for (std::string_view each : lights.Judge().asked) order += each;
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 150U);  // of 720
}

TEST(LightSequenceTest, FlashesNobody) {
  for (const LightPace pace : {LightPace::kUsual, LightPace::kGentle}) {
    // Each change counted as half a flash, and no second has more than three flashes.
    EXPECT_LE(seconds(1) / TimingOf(pace).each, 2 * 3 - 1);
    EXPECT_LT(TimingOf(pace).fade, TimingOf(pace).each);
  }
  EXPECT_GE(TimingOf(LightPace::kGentle).fade, milliseconds(900));
  for (const auto& [name, colour] : kLightColours) {
    const double red = Linear(colour.red), green = Linear(colour.green), blue = Linear(colour.blue);
    EXPECT_LT(red / (red + green + blue), 0.8) << name << " is a saturated red";
  }
}

// A screen that is told of colours, and fades to each as a page does.
struct PageScreen {
  explicit PageScreen(LightPace pace = LightPace::kUsual) : fade(TimingOf(pace).fade) {}

  void Tell(MonotonicTime at, const ScreenColour& to) {
    if (told.back().second != to) told.emplace_back(at, to);
  }
  [[nodiscard]] ScreenColour Shown(MonotonicTime time) const {
    size_t last = told.size() - 1;
    while (last > 0 && told[last].first > time) --last;
    if (last == 0) return kWhiteScreen;
    const ScreenColour &from = told[last - 1].second, &to = told[last].second;
    const double share = std::min(1.0, std::chrono::duration<double>(time - told[last].first) /
                                           std::chrono::duration<double>(fade));
    const auto mixed = [share](uint8_t a, uint8_t b) {
      return static_cast<uint8_t>(std::lround(a + share * (b - a)));
    };
    return {mixed(from.red, to.red), mixed(from.green, to.green), mixed(from.blue, to.blue)};
  }

  Duration fade;
  std::vector<std::pair<MonotonicTime, ScreenColour>> told{{MonotonicTime(), kWhiteScreen}};
};

// A face before a screen, and what is behind it, by arithmetic.
struct World {
  double shine = 0.13;   // of the screen, against the light of the room
  double behind = 0.08;  // of that reaches what is behind
  Duration lag = milliseconds(200);
  double frames_per_second = 15;
  double balance = 0;  // seconds of the camera's white balance; 0: none
  double noise = 0.001;
  bool sees_behind = true;
  uint32_t seed = 1;
  // How much longer than it should a frame takes to come, and to be looked at, on a machine with
  // much else to do: seconds, at most.
  double late = 0;

  // Plays the film's colours before the face while `asked` is judged; null: what `asked` tells.
  [[nodiscard]] LightRecord Play(LightSequence asked, const PageScreen* film = nullptr,
                                 LightPace pace = LightPace::kUsual) const {
    PageScreen page(pace);
    const PageScreen& shown = film != nullptr ? *film : page;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> more(0, std::max(late, 1e-9));
    const auto lateness = [&] {
      return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(more(random)));
    };
    std::normal_distribution<double> noisy(0, noise);
    Tint balanced;
    const auto step =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / frames_per_second));
    for (MonotonicTime at = kStart - milliseconds(600); !asked.settled(at); at += step) {
      const ScreenColour screen = shown.Shown(at - lag);
      const Tint face = TintIn(screen, shine, {0.35, -0.3});
      const Tint wall = TintIn(screen, shine * behind, {0.05, -0.06});
      const double way = balance > 0 ? 1 - std::exp(-1 / frames_per_second / balance) : 0;
      balanced.red += (wall.red / 2 + face.red / 2 - balanced.red) * way;
      balanced.blue += (wall.blue / 2 + face.blue / 2 - balanced.blue) * way;
      const auto seen = [&](const Tint& tint) {
        return Tint{tint.red - balanced.red + noisy(random),
                    tint.blue - balanced.blue + noisy(random)};
      };
      const Tint face_seen = seen(face);  // in this order, whatever the compiler
      asked.Note(at, face_seen, sees_behind ? std::optional(seen(wall)) : std::nullopt);
      if (late > 0) at += lateness();
      if (at >= kStart) page.Tell(at, asked.Tell(at));
    }
    return asked.Judge();
  }

  [[nodiscard]] LightRecord Answer(LightPace pace = LightPace::kUsual) const {
    FakeEntropy entropy;
    LightSequence lights(pace, entropy);
    lights.Begin(kStart);
    return Play(lights, nullptr, pace);
  }

 private:
  static Tint TintIn(const ScreenColour& screen, double share, const Tint& skin) {
    const auto lit = [share](uint8_t value) {
      return std::log(std::max(0.02, 1 + share * (Linear(value) - 1))) / 2.2;
    };
    const double green = lit(screen.green);
    return {skin.red + lit(screen.red) - green, skin.blue + lit(screen.blue) - green};
  }
};

// A film of an answer, from the beginning of its colours on.
PageScreen Filmed(Entropy& entropy, MonotonicTime begin) {
  LightSequence lights(LightPace::kUsual, entropy);
  lights.Begin(begin);
  PageScreen film;
  for (MonotonicTime at = begin; lights.under_way(); at += milliseconds(33)) {
    film.Tell(at, lights.Tell(at));
  }
  return film;
}

void ExpectAnswered(const World& world, LightPace pace = LightPace::kUsual) {
  const LightRecord record = world.Answer(pace);
  EXPECT_EQ(record.finding, LightFinding::kAnswered)
      << record.correlation << " " << record.strength << " at " << FormatDuration(record.lag);
}

TEST(LightSequenceTest, SeesAnAnswerAtEachLagAndRate) {
  for (const int lag : {0, 70, 130, 200, 330, 480}) {
    for (const double rate : {5.0, 7.0, 10.0, 15.0, 30.0}) {
      SCOPED_TRACE(fmt::format("{} ms, {} frames a second", lag, rate));
      World world{.lag = milliseconds(lag), .frames_per_second = rate};
      ExpectAnswered(world);
      EXPECT_NEAR(static_cast<double>(world.Answer().lag / milliseconds(1)), lag, 80);
    }
  }
}

TEST(LightSequenceTest, SeesAnAnswerOnABusyMachine) {
  for (const double late : {0.05, 0.1, 0.2, 0.3}) {
    for (uint32_t seed = 1; seed <= 50; ++seed) {
      SCOPED_TRACE(fmt::format("{} s late, seed {}", late, seed));
      ExpectAnswered({.seed = seed, .late = late});
    }
  }
}

TEST(LightSequenceTest, SurvivesAWhiteBalanceThatFollows) {
  for (const double balance : {0.3, 0.7, 1.5, 4.0}) {
    SCOPED_TRACE(balance);
    ExpectAnswered({.balance = balance});
  }
}

TEST(LightSequenceTest, SeesAnAnswerInDimAndInBrightRooms) {
  for (const double shine : {0.03, 0.06, 0.3, 0.8}) {
    SCOPED_TRACE(shine);
    ExpectAnswered({.shine = shine});
  }
}

TEST(LightSequenceTest, SeesAnAnswerWhereNothingIsSeenBehind) {
  ExpectAnswered({.sees_behind = false});
}

TEST(LightSequenceTest, SeesAnAnswerToSlowColours) {
  ExpectAnswered({.lag = milliseconds(400)}, LightPace::kGentle);
}

TEST(LightSequenceTest, TellsWhatWasAskedAndSeen) {
  const LightRecord record = World().Answer();
  ASSERT_EQ(record.asked.size(), 5U);
  ASSERT_EQ(record.seen.size(), 5U);
  EXPECT_TRUE(record.against_behind);
  for (size_t i = 0; i < 5; ++i) {
    const double red = record.seen[i].red, blue = record.seen[i].blue;
    EXPECT_TRUE(record.asked[i] != "rose" || red > 0.02) << red;
    EXPECT_TRUE(record.asked[i] != "blue" || blue > 0.02) << blue;
    EXPECT_TRUE(record.asked[i] != "green" || red < -0.02) << red;
  }
}

TEST(LightSequenceTest, RefusesAFaceThatKeepsItsColours) {
  for (uint32_t seed = 1; seed <= 50; ++seed) {
    const LightRecord record = World{.shine = 0, .noise = 0.004, .seed = seed}.Answer();
    EXPECT_EQ(record.finding, LightFinding::kUnanswered) << record.correlation;
  }
}

TEST(LightSequenceTest, RefusesAFilmOfAnAnswerToOtherColours) {
  FakeEntropy entropy;
  int passed = 0;
  constexpr int kFilms = 400;
  for (int i = 0; i < kFilms; ++i) {
    // The film plays when whoever shows it likes.
    const PageScreen film =
        Filmed(entropy, kStart + milliseconds(100 * (i % 9)) - milliseconds(400));
    LightSequence now(LightPace::kUsual, entropy);
    now.Begin(kStart);
    if (World().Play(now, &film).finding == LightFinding::kAnswered) ++passed;
  }
  EXPECT_LE(passed, kFilms / 50);
}

TEST(LightSequenceTest, RefusesThatFilmOnABusyMachine) {
  FakeEntropy entropy;
  int passed = 0;
  constexpr int kFilms = 400;
  for (int i = 0; i < kFilms; ++i) {
    const PageScreen film =
        Filmed(entropy, kStart + milliseconds(100 * (i % 9)) - milliseconds(400));
    LightSequence now(LightPace::kUsual, entropy);
    now.Begin(kStart);
    const World busy{.seed = static_cast<uint32_t>(i), .late = 0.2};
    if (busy.Play(now, &film).finding == LightFinding::kAnswered) ++passed;
  }
  EXPECT_LE(passed, kFilms / 50);
}

TEST(LightSequenceTest, RefusesWhatAnswersAsItsOwnBackgroundDoes) {
  for (const double behind : {0.9, 1.0, 1.3}) {
    const World card{.behind = behind, .noise = 0.002};
    EXPECT_EQ(card.Answer().finding, LightFinding::kUnanswered) << behind;
    const World near_card{.shine = 0.4, .behind = behind, .frames_per_second = 30, .noise = 0.002};
    EXPECT_EQ(near_card.Answer().finding, LightFinding::kUnanswered) << behind;
  }
}

TEST(LightSequenceTest, RefusesTheOppositeAnswer) {
  // A negative, or a camera that only corrects its white balance.
  EXPECT_EQ(World{.shine = -0.13}.Answer().finding, LightFinding::kUnanswered);
}

TEST(LightSequenceTest, AbstainsWhereEverythingFlickers) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const World flicker{.shine = 0.05, .noise = 0.06, .seed = seed};
    EXPECT_EQ(flicker.Answer().finding, LightFinding::kTooNoisy) << seed;
  }
}

TEST(LightSequenceTest, SeldomTakesAFilmsOwnColoursForNoise) {
  // Either is no answer; but a lamp is blamed for the one, and nobody should change lamps for
  // films.
  FakeEntropy entropy;
  for (const double rate : {7.0, 10.0, 15.0, 30.0}) {
    int noisy = 0;
    for (int i = 0; i < 50; ++i) {
      const PageScreen film =
          Filmed(entropy, kStart + milliseconds(100 * (i % 9)) - milliseconds(400));
      LightSequence now(LightPace::kUsual, entropy);
      now.Begin(kStart);
      const World bright{.shine = 0.4, .frames_per_second = rate};
      if (bright.Play(now, &film).finding == LightFinding::kTooNoisy) ++noisy;
    }
    EXPECT_LE(noisy, 2) << rate;
  }
}

TEST(LightSequenceTest, RefusesWithoutFrames) {
  FakeEntropy entropy;
  LightSequence lights(LightPace::kUsual, entropy);
  lights.Begin(kStart);
  EXPECT_EQ(lights.Judge().finding, LightFinding::kUnanswered);
}

// The drawn sitter before a screen that shows the colours.
LightRecord Sit(const std::string& script, int frames_per_second = 15) {
  Sitting sitting(script, "auto", frames_per_second);
  sitting.observer.pace = LightPace::kUsual;
  const auto result = sitting.Capture();
  if (!result) ADD_FAILURE() << script << ": " << result.error().message;
  return result ? result->record.light : LightRecord();
}

TEST(DrawnLightTest, PeopleOfAllTonesAnswer) {
  for (int tone : Sweep(1, 8)) {
    const LightRecord record = Sit(fmt::format("tone={},seed={}", tone, tone));
    EXPECT_EQ(record.finding, LightFinding::kAnswered) << tone << ": " << record.correlation;
  }
}

TEST(DrawnLightTest, PeopleAnswerInEachLightAndBeforeEachCamera) {
  if (!HasYunet()) GTEST_SKIP() << "the cascades lose faces in side light";
  for (const char* script :
       Sweep({"light=dim", "light=side", "awb=0.7", "tone=8,awb=2", "latency=6,fps=30", "latency=0",
              "shine=0.05", "shine=0.4,light=dim", "fps=7", "noise=5,beard=yes,glasses=clear"})) {
    const LightRecord record = Sit(script, 30);
    EXPECT_EQ(record.finding, LightFinding::kAnswered)
        << script << ": " << record.correlation << " " << record.strength;
  }
}

TEST(DrawnLightTest, AbstainsInTheSun) {
  if (!HasYunet()) GTEST_SKIP() << "the cascades lose faces in the sun";
  for (const char* script : {"light=sun", "tone=7,light=bright"}) {
    EXPECT_EQ(Sit(script).finding, LightFinding::kTooBright) << script;
  }
}

TEST(DrawnLightTest, RefusesAFaceOnWhichTheScreenDoesNotShine) {
  Sitting sitting("shine=0");
  sitting.observer.pace = LightPace::kUsual;
  const auto result = sitting.Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
}

TEST(DrawnLightTest, SaysThatNothingShowsColours) {
  Sitting sitting("");
  auto result = sitting.Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->record.light.finding, LightFinding::kNoScreen);
  sitting.settings.light_sequence = "on";
  result = sitting.Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
  sitting.settings.light_sequence = "off";
  result = sitting.Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->record.light.finding, LightFinding::kNotAsked);
}

}  // namespace
}  // namespace idkiosk

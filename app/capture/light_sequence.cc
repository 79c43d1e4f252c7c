#include "app/capture/light_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace idkiosk {
namespace {

using std::chrono::milliseconds;

constexpr size_t kColours = 5;

// A colour is told to the screen for so many frames, and where the one before it came late, no
// shorter than its fade and three quarters of its time: three flashes a second are still far.
constexpr int kLeastFrames = 2;
constexpr int64_t kLeastQuarters = 3;

// A page takes 50 to 100 ms to show what it is told, a camera 2 to 6 frames to show what it sees.
constexpr Duration kMostLag = milliseconds(600);
constexpr Duration kLagStep = milliseconds(20);

// People answer with 0.95 and more; of 1,500 films of answers to other colours, begun at any time,
// 1.7 % reached 0.82, 1.1 % 0.85 and 0.8 % 0.9.
constexpr double kLeastCorrelation = 0.88;
// A quarter of a grey level of a face: less than a JPEG's rounding.
constexpr double kLeastStrength = 0.004;
// A wall half as far behind a face as the screen is before it answers with 0.44 of its strength;
// the background of a print that is held up with all of it.
constexpr double kLeastOverBehind = 0.5;
constexpr size_t kLeastSamples = 8;
// The answer of a face before a weak screen. Where the noise alone keeps such a one from
// kLeastCorrelation, nothing is said of the face.
constexpr double kWeakStrength = 0.02;

// Returns how a face's tint answers a weak light of that colour: red and blue against green.
std::array<double, 2> ExpectedTint(const ScreenColour& colour) {
  const double green = LinearLight(colour.green);
  return {LinearLight(colour.red) - green, LinearLight(colour.blue) - green};
}

// Takes away from `values` their best straight line over `times`: slow drifts of light and camera.
void Straighten(const std::vector<double>& times, std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const auto mean = [&](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / count;
  };
  const double time = mean(times), value = mean(values);
  double both = 0, squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    both += (times[i] - time) * (values[i] - value);
    squares += (times[i] - time) * (times[i] - time);
  }
  const double slope = squares > 0 ? both / squares : 0;
  for (size_t i = 0; i < values.size(); ++i) values[i] -= value + slope * (times[i] - time);
}

// Replaces each value by the mean of those around it: a colour lasts longer than a sensor's noise.
constexpr double kAround = 0.13;  // seconds
void Smoothen(const std::vector<double>& times, std::vector<double>& values) {
  std::vector<double> smooth(values.size());
  size_t first = 0, end = 0;
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    while (end < values.size() && times[end] <= times[i] + kAround) sum += values[end++];
    while (times[first] < times[i] - kAround) sum -= values[first++];
    smooth[i] = sum / static_cast<double>(end - first);
  }
  values = std::move(smooth);
}

}  // namespace

std::string HexOf(const ScreenColour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string DrawnAnswer(Prompt prompt, const ScreenColour& light, Duration fade) {
  std::string answer(TraitsOf(prompt).drawn);
  const auto add = [&answer](std::string part) {
    answer += fmt::format("{}{}", answer.empty() ? "" : ",", part);
  };
  if (light != kWhiteScreen) add("screen=" + HexOf(light));
  if (fade != Duration::zero()) add(fmt::format("fade={}", fade / milliseconds(1)));
  return answer;
}

LightSequence::LightSequence(LightPace pace, Entropy& entropy) : pace_(pace) {
  std::vector<size_t> all(std::size(kLightColours));
  std::iota(all.begin(), all.end(), size_t{0});
  Shuffle(all, entropy);
  colours_.assign(all.begin(), all.begin() + kColours);
}

bool LightSequence::settled(MonotonicTime now) const {
  return end_ && now >= *end_ + timing().fade / 2 + milliseconds(350);
}

ScreenColour LightSequence::Tell(MonotonicTime now) {
  if (under_way() && now >= due_ && (changes_.empty() || frames_ >= kLeastFrames)) {
    const bool is_last = changes_.size() == colours_.size();
    const auto to = is_last ? kWhiteScreen : kLightColours[colours_[changes_.size()]].colour;
    changes_.push_back({now, to});
    if (is_last) end_ = now;
    const Duration least = std::max(timing().fade, timing().each * kLeastQuarters / 4);
    due_ = std::max(due_ + timing().each, now + least);
    frames_ = 0;
  }
  ++frames_;
  return changes_.empty() ? kWhiteScreen : changes_.back().to;
}

size_t LightSequence::ChangeBefore(MonotonicTime time) const {
  for (size_t i = changes_.size(); i > 0; --i) {
    if (changes_[i - 1].at <= time) return i - 1;
  }
  return changes_.size();
}

ScreenColour LightSequence::Shown(MonotonicTime time) const {
  const size_t last = ChangeBefore(time);
  if (last == changes_.size()) return kWhiteScreen;
  const ScreenColour to = changes_[last].to;
  const ScreenColour from = last > 0 ? changes_[last - 1].to : kWhiteScreen;
  const Duration since = time - changes_[last].at;
  const double share = std::min(
      1.0, static_cast<double>(since.count()) / static_cast<double>(timing().fade.count()));
  const auto mixed = [share](uint8_t a, uint8_t b) {
    return static_cast<uint8_t>(std::lround(a + share * (b - a)));
  };
  return {mixed(from.red, to.red), mixed(from.green, to.green), mixed(from.blue, to.blue)};
}

void LightSequence::Note(MonotonicTime captured_at, const std::optional<Tint>& face,
                         const std::optional<Tint>& behind) {
  if (face) samples_.push_back({captured_at, *face, behind});
}

struct LightSequence::Fit {
  double correlation = 0;
  double strength = 0;
};

LightSequence::Fit LightSequence::FitAt(Duration lag, Of what) const {
  std::vector<double> times, asked[2], seen[2];
  for (const Sample& each : samples_) {
    times.push_back(std::chrono::duration<double>(each.at - *start_).count());
    const auto expected = ExpectedTint(Shown(each.at - lag));
    asked[0].push_back(expected[0]), asked[1].push_back(expected[1]);
    const Tint behind = what == Of::kFace ? Tint() : *each.behind;
    const Tint tint = what == Of::kBehind ? behind : each.face - behind;
    seen[0].push_back(tint.red), seen[1].push_back(tint.blue);
  }
  double both = 0, of_asked = 0, of_seen = 0;
  for (size_t c = 0; c < 2; ++c) {
    for (auto* values : {&asked[c], &seen[c]}) {
      Smoothen(times, *values);
      Straighten(times, *values);
    }
    for (size_t i = 0; i < times.size(); ++i) {
      both += asked[c][i] * seen[c][i];
      of_asked += asked[c][i] * asked[c][i];
      of_seen += seen[c][i] * seen[c][i];
    }
  }
  if (of_asked <= 0 || of_seen <= 0) return {};
  return {both / std::sqrt(of_asked * of_seen), both / of_asked};
}

LightRecord LightSequence::Judge() const {
  LightRecord record;
  record.pace = pace_;
  for (size_t each : colours_) record.asked.push_back(kLightColours[each].name);
  record.finding = LightFinding::kUnanswered;
  record.frames = static_cast<int>(samples_.size());
  if (samples_.size() < kLeastSamples) return record;
  record.against_behind =
      std::ranges::all_of(samples_, [](const Sample& each) { return each.behind.has_value(); });
  for (Duration lag{}; lag <= kMostLag; lag += kLagStep) {
    const Fit fit = FitAt(lag, record.against_behind ? Of::kDifference : Of::kFace);
    if (fit.correlation <= record.correlation) continue;
    record.correlation = fit.correlation;
    record.strength = fit.strength;
    record.lag = lag;
  }
  if (record.against_behind) record.noise = NoiseOf();
  if (record.against_behind) record.behind = FitAt(record.lag, Of::kBehind).strength;
  if (record.correlation >= kLeastCorrelation && record.strength >= kLeastStrength &&
      record.strength >= kLeastOverBehind * record.behind) {
    record.finding = LightFinding::kAnswered;
  } else if (IsTooNoisy(record.noise)) {
    record.finding = LightFinding::kTooNoisy;
  }
  record.seen = SeenOfEach(record);
  return record;
}

double LightSequence::NoiseOf() const {
  // Second differences of what the screen's own colours leave unexplained, at whichever lag: slow
  // changes of light are not in them. A film's colours are in those of its face, hence the smaller
  // one.
  const auto at = [this](Duration lag, Of what, auto tint_of) {
    const double strength = FitAt(lag, what).strength;
    std::vector<Tint> left;
    for (const Sample& each : samples_) {
      const auto expected = ExpectedTint(Shown(each.at - lag));
      left.push_back(tint_of(each) - Tint{strength * expected[0], strength * expected[1]});
    }
    double squares = 0;
    for (size_t i = 2; i < left.size(); ++i) {
      squares += std::pow(left[i - 2].red - 2 * left[i - 1].red + left[i].red, 2) +
                 std::pow(left[i - 2].blue - 2 * left[i - 1].blue + left[i].blue, 2);
    }
    constexpr double kOfOne = 6 * 2;  // the squares of 1, 2 and 1, in two tints
    return std::sqrt(squares / kOfOne / static_cast<double>(left.size() - 2));
  };
  double noise = 1;
  for (Duration lag{}; lag <= kMostLag; lag += kLagStep) {
    noise = std::min({noise, at(lag, Of::kFace, [](const Sample& each) { return each.face; }),
                      at(lag, Of::kBehind, [](const Sample& each) { return *each.behind; })});
  }
  return noise;
}

bool LightSequence::IsTooNoisy(double noise) const {
  std::vector<double> times, asked[2];
  for (const Sample& each : samples_) {
    times.push_back(std::chrono::duration<double>(each.at - *start_).count());
    const auto expected = ExpectedTint(Shown(each.at));
    asked[0].push_back(expected[0]), asked[1].push_back(expected[1]);
  }
  double of_asked = 0;
  for (auto& values : asked) {
    Smoothen(times, values);
    Straighten(times, values);
    for (double value : values) of_asked += value * value;
  }
  const auto count = static_cast<double>(samples_.size());
  const double per_second = (count - 1) / std::max(times.back() - times.front(), 1e-3);
  const double averaged = std::max(1.0, 2 * kAround * per_second);  // frames, in each value
  // Of the face and of what is behind it, in two tints.
  const double of_noise = 2 * 2 * count * noise * noise / averaged;
  const double of_answer = kWeakStrength * kWeakStrength * of_asked;
  return of_answer < kLeastCorrelation * kLeastCorrelation * (of_answer + of_noise);
}

std::vector<Tint> LightSequence::SeenOfEach(const LightRecord& record) const {
  std::vector<Tint> sums(colours_.size());
  std::vector<int> counts(colours_.size());
  Tint mean;
  for (const Sample& each : samples_) {
    const Tint tint = each.face - (record.against_behind ? *each.behind : Tint());
    mean.red += tint.red / record.frames, mean.blue += tint.blue / record.frames;
    const size_t which = ChangeBefore(each.at - record.lag);
    if (which >= colours_.size()) continue;                                   // white
    if (each.at - record.lag - changes_[which].at < timing().fade) continue;  // on the way
    sums[which].red += tint.red, sums[which].blue += tint.blue;
    ++counts[which];
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    if (counts[i] > 0)
      sums[i] = {sums[i].red / counts[i] - mean.red, sums[i].blue / counts[i] - mean.blue};
  }
  return sums;
}

}  // namespace idkiosk

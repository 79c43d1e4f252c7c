#include "tools/benchmarks/sitters/attack_witness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/capture/quality_gate.h"

namespace idkiosk {

void Witness::OnProgress(const CaptureProgress& progress) {
  const Prompt step = asked_;  // what the person in this frame was asked for
  asked_ = progress.prompt;
  lit_ = progress.lit;
  said_last_ = progress.guidance;
  if (progress.restarted) ++restarts_[Name(*progress.restarted)];
  ++said_[progress.guidance];
  ++frames_[step];
  const FrameObservation& seen = progress.seen;
  if (progress.pictures <= 1 && seen.face && seen.face->has_detail() &&
      progress.guidance == Guidance::kNone) {
    selfie_ = seen.face;
  }
  if (progress.guidance == Guidance::kNone) return;
  if (progress.guidance == Guidance::kFollowPrompt) {
    const PromptTraits& asked = TraitsOf(step);
    if (asked.share == nullptr || !seen.face || !selfie_) return;
    Refused& refused = refused_[{step, "share"}];
    refused.values.push_back(asked.share(*seen.face, *selfie_, settings_));
    refused.limit = 1;
    return;
  }
  const Purpose purpose = step == Prompt::kSelfie ? Purpose::kSelfie : Purpose::kLiveness;
  const auto flaw = FirstFlaw(seen, purpose, settings_, progress.guidance);
  if (!flaw) return;
  Refused& refused = refused_[{step, flaw->measure->name}];
  refused.values.push_back(flaw->measure->read(seen));
  refused.limit = flaw->limit;
}

std::string Witness::Rule() const {
  std::vector<std::string> rules;
  for (const auto& [reason, times] : restarts_) rules.push_back(fmt::format("{}", reason));
  const auto most = std::ranges::max_element(
      said_, {}, [](const auto& each) { return each.first == Guidance::kNone ? 0 : each.second; });
  if (restarts_.empty() && most != said_.end()) rules.emplace_back(Name(most->first));
  return fmt::format("{}", fmt::join(rules, "+"));
}

std::vector<std::string> Witness::Refusals() const {
  std::vector<std::string> lines;
  for (const auto& [where, refused] : refused_) {
    std::vector<double> values = refused.values;
    std::ranges::sort(values);
    lines.push_back(
        fmt::format("{:<12} {:<18} {:>4} of {:>4} frames, {:.3g} ({:.3g} to {:.3g}), limit {:g}",
                    Name(where.first), where.second, values.size(), frames_.at(where.first),
                    values[values.size() / 2], values.front(), values.back(), refused.limit));
  }
  return lines;
}

}  // namespace idkiosk

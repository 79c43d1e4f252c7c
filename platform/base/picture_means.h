#ifndef IDKIOSK_PLATFORM_BASE_PICTURE_MEANS_H_
#define IDKIOSK_PLATFORM_BASE_PICTURE_MEANS_H_

#include <optional>
#include <string_view>

#include "platform/base/enum_rows.h"

namespace idkiosk {

// By what means pictures of a person come about.
enum class PictureMeans {
  kLive,       // a camera that shows what is there now
  kRecorded,   // a film, or pictures that are played like one
  kElsewhere,  // five pictures that something else has taken
  kDrawn,      // nobody sits there
};

struct PictureMeansRow {
  PictureMeans means;
  std::string_view word;   // stored, and in answers
  std::string_view shown;  // for people
};
inline constexpr PictureMeansRow kPictureMeans[] = {
    {PictureMeans::kLive, "live", "a live camera"},
    {PictureMeans::kRecorded, "recorded", "a recording"},
    {PictureMeans::kElsewhere, "elsewhere", "pictures taken elsewhere"},
    {PictureMeans::kDrawn, "drawn", "a drawing of a person"},
};
static_assert(HasEachRow(kPictureMeans, &PictureMeansRow::means));

[[nodiscard]] constexpr std::string_view Name(PictureMeans means) {
  return kPictureMeans[static_cast<size_t>(means)].word;
}

[[nodiscard]] constexpr std::optional<PictureMeans> PictureMeansOf(std::string_view word) {
  for (const PictureMeansRow& each : kPictureMeans) {
    if (each.word == word) return each.means;
  }
  return std::nullopt;
}

[[nodiscard]] constexpr std::string_view Shown(PictureMeans means) {
  return kPictureMeans[static_cast<size_t>(means)].shown;
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_PICTURE_MEANS_H_

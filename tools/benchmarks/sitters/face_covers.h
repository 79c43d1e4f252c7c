#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_FACE_COVERS_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_FACE_COVERS_H_

#include "tools/benchmarks/sitters/degradations.h"

// What can be laid over a face in a picture. Colours are blue, green, red.
namespace idkiosk {

// A place on the face, in distances between the eyes' outer corners from the middle between them: u
// to the right of an upright picture, v down. The mouth is at about 0.75, the chin at 1.25.
[[nodiscard]] cv::Point2d At(const Subject& subject, double u, double v);
[[nodiscard]] double EyesWidth(const Subject& subject);  // pixels, of both with what is between
[[nodiscard]] double FaceWidth(const Subject& subject);  // pixels
[[nodiscard]] cv::Scalar SkinOf(const Subject& subject);

[[nodiscard]] cv::Mat Mask(const Subject& subject, const cv::Scalar& colour);
[[nodiscard]] cv::Mat PrintedMask(const Subject& subject);
[[nodiscard]] cv::Mat Scarf(const Subject& subject, const cv::Scalar& colour);
// Four fingers, the middle of them at v.
[[nodiscard]] cv::Mat Fingers(const Subject& subject, double v, const cv::Scalar& skin);
// From side to side, `half` up and down of v.
[[nodiscard]] cv::Mat Bar(const Subject& subject, double v, double half, const cv::Scalar& colour);
// `dense`: 0 clear .. 1 nothing is seen through.
[[nodiscard]] cv::Mat Glasses(const Subject& subject, const cv::Scalar& colour, double dense);
[[nodiscard]] cv::Mat MirrorGlasses(const Subject& subject);
[[nodiscard]] cv::Mat EyePatch(const Subject& subject);
[[nodiscard]] cv::Mat EyesClosed(const Subject& subject);
[[nodiscard]] cv::Mat Glare(const Subject& subject);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_FACE_COVERS_H_

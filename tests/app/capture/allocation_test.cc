// Frames come thirty times a second for months: looking at one must not go through the allocator.
// Counts every allocation of the program, and subtracts what OpenCV's forward pass and libjpeg make
// when they do the same with nothing around them.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
// jpeglib.h wants cstdio before it.
#include <jpeglib.h>

#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>

#include "app/capture/capture_sequence.h"
#include "app/capture/vision/frame_analyzer.h"
#include "tests/app/capture/pictures.h"
#include "tests/fakes/fake_entropy.h"

namespace {
thread_local int allocations = 0;
}  // namespace

// glibc lets a program bring its own; these are glibc's, counted.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return ++allocations, __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  ++allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace idkiosk {
namespace {

template <typename Work>
int AllocationsOf(const Work& work) {
  constexpr int kWarmUp = 20;
  for (int i = 0; i < kWarmUp; ++i) work();
  const int before = allocations;
  work();
  return allocations - before;
}

// The forward pass at the size that a small picture is padded to.
class BareForward {
 public:
  BareForward() {
    net_ = cv::dnn::readNetFromONNX(YunetPath());
    names_ = net_.getUnconnectedOutLayersNames();
  }
  int Allocations(int width, int height) {
    const int shape[] = {1, 3, (height + 31) / 32 * 32, (width + 31) / 32 * 32};
    blob_.create(4, shape, CV_32F);
    blob_.setTo(0.3);
    return AllocationsOf([&] {
      net_.setInput(blob_);
      net_.forward(outputs_, names_);
    });
  }

 private:
  cv::dnn::Net net_;
  std::vector<std::string> names_;
  std::vector<cv::Mat> outputs_;
  cv::Mat blob_;
};

// libjpeg reading a header, and decoding the picture at 1/8 or a part of it.
class BareJpeg {
 public:
  BareJpeg() {
    info_.err = jpeg_std_error(&errors_);
    jpeg_create_decompress(&info_);
  }
  ~BareJpeg() { jpeg_destroy_decompress(&info_); }
  BareJpeg(const BareJpeg&) = delete;
  BareJpeg& operator=(const BareJpeg&) = delete;

  int Allocations(ByteSpan jpeg, unsigned eighths) {
    return AllocationsOf([&] {
      Start(jpeg);
      jpeg_abort_decompress(&info_);
      Start(jpeg);
      info_.scale_num = eighths;
      info_.scale_denom = 8;
      info_.out_color_space = JCS_EXT_BGR;
      info_.do_fancy_upsampling = FALSE;
      jpeg_start_decompress(&info_);
      row_.resize(size_t{3} * info_.output_width);
      while (info_.output_scanline < info_.output_height) {
        JSAMPROW line = row_.data();
        jpeg_read_scanlines(&info_, &line, 1);
      }
      jpeg_abort_decompress(&info_);
    });
  }

 private:
  void Start(ByteSpan jpeg) {
    jpeg_mem_src(&info_, jpeg.data(), static_cast<unsigned long>(jpeg.size()));
    jpeg_read_header(&info_, TRUE);
  }

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  Bytes row_;
};

class AllocationTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasYunet()) GTEST_SKIP() << "YuNet's model is not on this machine";
    detector_ = MakeDetector("yunet");
    analyzer_.emplace(settings_, *detector_.detector, detector_.smiles.get());
  }

  int OfAnalysing(const Frame& frame) {
    return AllocationsOf([&] { ASSERT_TRUE(analyzer_->Analyze(frame)->face); });
  }

  // The same picture as a camera without JPEG gives it.
  static Frame AsBgr(const Frame& frame) {
    FrameDecoder decoder;
    Picture picture;
    const Box whole{0, 0, 1280, 720};
    EXPECT_TRUE(decoder.DecodePart(frame, whole, 1280, JpegDecoder::Effort::kCareful, picture));
    return Frame::Owning(PixelFormat::kBgr, 1280, 720, 3 * 1280,
                         {picture.row(0), picture.row(0) + ptrdiff_t{3} * 1280 * 720});
  }
  static Frame As(PixelFormat format, const Frame& bgr) {
    Bytes bytes;
    const auto at = [&](int x, int y) {
      return bgr.data[static_cast<size_t>(y * 1280 + x) * 3 + 1];
    };
    for (int y = 0; y < 720; ++y) {
      for (int x = 0; x < 1280; ++x) {
        bytes.push_back(at(x, y));
        if (format == PixelFormat::kYuyv) bytes.push_back(128);
      }
    }
    if (format == PixelFormat::kNv12) bytes.insert(bytes.end(), 1280 * 360, 128);
    return Frame::Owning(format, 1280, 720, format == PixelFormat::kYuyv ? 2560 : 1280,
                         std::move(bytes));
  }

  CaptureSettings settings_;
  ChosenDetector detector_;
  std::optional<FrameAnalyzer> analyzer_;
  const Frame frame_ = Studio("", 1280, 720).Shoot();
};

TEST_F(AllocationTest, AnMjpegFrameIsAnalysedWithoutAny) {
  const int library = BareForward().Allocations(160, 90) + BareJpeg().Allocations(frame_.data, 1);
  EXPECT_GT(library, 0);
  EXPECT_EQ(OfAnalysing(frame_) - library, 0);
}

// What OpenCV's own functions take for themselves.
int OfShrinking(int type, const cv::Size& size = {1280, 720}, const cv::Size& smaller = {160, 90}) {
  const cv::Mat from(size, type, cv::Scalar(1, 2, 3));
  cv::Mat to;
  return AllocationsOf([&] { cv::resize(from, to, smaller, 0, 0, cv::INTER_AREA); });
}
int OfLaplacian(const cv::Size& size) {
  const cv::Mat bgr(size, CV_8UC3, cv::Scalar(1, 2, 3));
  cv::Mat grey, wide, edges;
  cv::Scalar mean, deviation;
  return AllocationsOf([&] {
    cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
    grey.convertTo(wide, CV_32F, 1.5);
    cv::Laplacian(wide, edges, CV_32F);
    cv::meanStdDev(edges, mean, deviation);
  });
}

TEST_F(AllocationTest, ARawFrameIsAnalysedWithoutAny) {
  const int forward = BareForward().Allocations(160, 90);
  const Frame bgr = AsBgr(frame_);
  EXPECT_EQ(OfAnalysing(bgr) - forward - OfShrinking(CV_8UC3), 0);
  const int grey = OfShrinking(CV_8UC1);
  EXPECT_LE(OfAnalysing(As(PixelFormat::kGrey, bgr)) - forward - grey, 1) << "cvtColor's own one";
  EXPECT_LE(OfAnalysing(As(PixelFormat::kNv12, bgr)) - forward - grey - OfShrinking(CV_8UC2), 0);
  EXPECT_LE(OfAnalysing(As(PixelFormat::kYuyv, bgr)) - forward - grey - OfShrinking(CV_8UC2), 0);
}

TEST_F(AllocationTest, DetailIsMeasuredWithoutAny) {
  auto seen = analyzer_->Analyze(frame_);
  ASSERT_TRUE(seen && seen->face);
  const FrameObservation first = *seen;
  const int all = AllocationsOf([&] {
    *seen = first;
    ASSERT_TRUE(analyzer_->MeasureDetail(frame_, Detail::kFace, *seen));
  });
  // The face with its margin at the size of the sharpness, and at that of the second look.
  const Box& face = first.face->face.box;
  const double tall = double{face.height} / face.width;
  const cv::Size part(179, static_cast<int>(179 * tall)),
      smaller(102, static_cast<int>(102 * tall));
  const int library = BareForward().Allocations(smaller.width, smaller.height) +
                      BareJpeg().Allocations(frame_.data, 8) + OfShrinking(CV_8UC3) +
                      OfShrinking(CV_8UC3, part, smaller) + OfLaplacian({112, 136});
  EXPECT_LE(all - library, 0);
}

TEST_F(AllocationTest, FeedingTheSequenceNeedsNone) {
  auto seen = analyzer_->Analyze(frame_);
  ASSERT_TRUE(seen && seen->face);
  FakeEntropy entropy;
  CaptureSequence sequence(settings_, entropy, CaptureSequence::Order::kRandom,
                           analyzer_->challenges());
  EXPECT_EQ(AllocationsOf([&] {
              seen->captured_at += std::chrono::milliseconds(33);
              (void)sequence.WantsDetail(*seen);
              (void)sequence.Feed(*seen);
            }),
            0);
}

}  // namespace
}  // namespace idkiosk

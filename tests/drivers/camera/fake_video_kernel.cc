#include "tests/drivers/camera/fake_video_kernel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace idkiosk {
namespace {

// One boot ago the machine was suspended for so long: the two clocks differ.
constexpr Duration kSuspended = std::chrono::minutes(10);
constexpr size_t kPage = 4096;

template <typename T>
T& As(void* argument) {
  return *static_cast<T*>(argument);
}

}  // namespace

FakeVideoKernel::Device& FakeVideoKernel::Add(const std::string& path) {
  return *(devices_[path] = std::make_shared<Device>());
}

void FakeVideoKernel::Move(const std::string& from, const std::string& to) {
  auto device = std::make_shared<Device>(*devices_.at(from));
  device->gone = false;
  devices_.erase(from);
  devices_[to] = std::move(device);
}

bool FakeVideoKernel::Shoot(const std::string& path, const Bytes& bytes, Duration age,
                            uint32_t flags) {
  ++sequence_;
  for (auto& [fd, file] : files_) {
    if (file.device != devices_.at(path) || !file.device->streaming || file.empty.empty()) continue;
    const uint32_t index = file.empty.front();
    file.empty.pop_front();
    Bytes& buffer = file.buffers[index];
    const size_t size = std::min(bytes.size(), buffer.size());
    std::copy_n(bytes.begin(), size, buffer.begin());
    v4l2_buffer filled{};
    filled.index = index;
    filled.bytesused = static_cast<uint32_t>(size);
    filled.sequence = sequence_;
    filled.flags = flags | (file.device->monotonic_stamps ? V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC
                                                          : V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN);
    const auto stamp = std::chrono::duration_cast<std::chrono::microseconds>(StampNow() - age);
    filled.timestamp = {stamp.count() / 1000000, stamp.count() % 1000000};
    file.filled.push_back(filled);
    return true;
  }
  return false;
}

size_t FakeVideoKernel::queued(const std::string& path) const {
  for (const auto& [fd, file] : files_) {
    if (file.device == devices_.at(path)) return file.empty.size() + file.filled.size();
  }
  return 0;
}

int FakeVideoKernel::Open(const std::string& path) {
  for (const auto& [name, device] : devices_) {
    if (name != path && device->stable_path != path) continue;
    if (device->gone) break;
    if (device->open_fails_with != 0) return -device->open_fails_with;
    files_[next_fd_].device = device;
    return next_fd_++;
  }
  return -ENOENT;
}

void FakeVideoKernel::Close(int fd) {
  files_.at(fd).device->streaming = false;
  files_.erase(fd);
}

int FakeVideoKernel::Ioctl(int fd, unsigned long request, void* argument) {
  File& file = files_.at(fd);
  if (file.device->gone) return -ENODEV;
  if (const auto failing = file.device->fails_with.find(request);
      failing != file.device->fails_with.end()) {
    return -failing->second;
  }
  switch (request) {
    case VIDIOC_QBUF:
    case VIDIOC_DQBUF:
      return MoveBuffer(file, request, As<v4l2_buffer>(argument));
    case VIDIOC_S_FMT:
    case VIDIOC_REQBUFS:
      if (OwnedByAnother(file)) return -EBUSY;
      return SetUp(file, request, argument);
    case VIDIOC_S_PARM:
    case VIDIOC_S_CTRL:
    case VIDIOC_G_CTRL:
    case VIDIOC_QUERYBUF:
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
      return SetUp(file, request, argument);
    default:
      return Enumerate(*file.device, request, argument);
  }
}

bool FakeVideoKernel::OwnedByAnother(const File& file) const {
  return std::ranges::any_of(files_, [&](const auto& each) {
    return each.second.device == file.device && &each.second != &file &&
           !each.second.buffers.empty();
  });
}

int FakeVideoKernel::Enumerate(const Device& device, unsigned long request, void* argument) const {
  const auto format_of = [&](uint32_t fourcc) {
    return std::ranges::find(device.formats, fourcc, &Format::fourcc);
  };
  switch (request) {
    case VIDIOC_QUERYCAP: {
      auto& answer = As<v4l2_capability>(argument);
      std::strncpy(reinterpret_cast<char*>(answer.card), device.name.c_str(),
                   sizeof(answer.card) - 1);
      answer.capabilities = device.capabilities | V4L2_CAP_DEVICE_CAPS | V4L2_CAP_VIDEO_CAPTURE;
      answer.device_caps = device.capabilities;
      return 0;
    }
    case VIDIOC_ENUM_FMT: {
      auto& entry = As<v4l2_fmtdesc>(argument);
      if (entry.index >= device.formats.size()) return -EINVAL;
      entry.pixelformat = device.formats[entry.index].fourcc;
      return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
      auto& entry = As<v4l2_frmsizeenum>(argument);
      const auto format = format_of(entry.pixel_format);
      if (format == device.formats.end() || entry.index >= format->sizes.size()) return -EINVAL;
      entry.type = V4L2_FRMSIZE_TYPE_DISCRETE;
      entry.discrete = {format->sizes[entry.index].width, format->sizes[entry.index].height};
      return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: {
      auto& entry = As<v4l2_frmivalenum>(argument);
      const auto format = format_of(entry.pixel_format);
      if (format == device.formats.end()) return -EINVAL;
      for (const Size& size : format->sizes) {
        if (size.width != entry.width || size.height != entry.height) continue;
        if (entry.index >= size.rates.size()) return -EINVAL;
        entry.type = V4L2_FRMIVAL_TYPE_DISCRETE;
        entry.discrete = {1, size.rates[entry.index]};
        return 0;
      }
      return -EINVAL;
    }
    default:
      return -ENOTTY;
  }
}

int FakeVideoKernel::SetUp(File& file, unsigned long request, void* argument) {
  Device& device = *file.device;
  switch (request) {
    case VIDIOC_S_FMT: {
      v4l2_pix_format& pix = As<v4l2_format>(argument).fmt.pix;
      if (device.forced_fourcc != 0) pix.pixelformat = device.forced_fourcc;
      const uint32_t bytes = pix.pixelformat == V4L2_PIX_FMT_YUYV ? 2 : 1;
      pix.bytesperline = bytes * pix.width + device.padding;
      pix.sizeimage = (2 * pix.width + device.padding) * pix.height;
      device.set = pix;
      return 0;
    }
    case VIDIOC_S_PARM:
      device.rate = As<v4l2_streamparm>(argument).parm.capture.timeperframe.denominator;
      return 0;
    case VIDIOC_S_CTRL: {
      const auto& control = As<v4l2_control>(argument);
      const auto found = device.controls.find(control.id);
      if (found == device.controls.end()) return -EINVAL;
      found->second = control.value;
      return 0;
    }
    case VIDIOC_G_CTRL: {
      auto& control = As<v4l2_control>(argument);
      const auto found = device.controls.find(control.id);
      if (found == device.controls.end()) return -EINVAL;
      control.value = found->second;
      return 0;
    }
    case VIDIOC_REQBUFS: {
      auto& wanted = As<v4l2_requestbuffers>(argument);
      wanted.count = std::min(wanted.count, device.most_buffers);
      std::ranges::move(file.buffers, std::back_inserter(file.orphans));
      file.buffers.assign(wanted.count, Bytes(device.set.sizeimage));
      return 0;
    }
    case VIDIOC_QUERYBUF: {
      auto& buffer = As<v4l2_buffer>(argument);
      buffer.length = device.set.sizeimage;
      buffer.m.offset = static_cast<uint32_t>(buffer.index * kPage);
      return 0;
    }
    default:
      device.streaming = request == VIDIOC_STREAMON;
      device.stream_failed = false;
      if (!device.streaming) file.empty.clear(), file.filled.clear();
      return 0;
  }
}

int FakeVideoKernel::MoveBuffer(File& file, unsigned long request, v4l2_buffer& buffer) {
  if (request == VIDIOC_QBUF) {
    if (buffer.index >= file.buffers.size()) return -EINVAL;
    if (std::ranges::find(file.empty, buffer.index) != file.empty.end()) return -EINVAL;
    file.empty.push_back(buffer.index);
    return 0;
  }
  if (file.filled.empty()) return -EAGAIN;
  buffer = file.filled.front();
  file.filled.pop_front();
  return 0;
}

void* FakeVideoKernel::Map(int fd, size_t, size_t offset) {
  ++mappings_;
  return files_.at(fd).buffers.at(offset / kPage).data();
}

void FakeVideoKernel::Unmap(void*, size_t) { --mappings_; }

int FakeVideoKernel::Wait(int fd, Duration timeout) {
  const File& file = files_.at(fd);
  if (file.device->gone) return -ENODEV;
  if (file.device->stream_failed) return -EIO;
  if (!file.filled.empty()) return 1;
  clock_.Advance(timeout);
  return 0;
}

Duration FakeVideoKernel::StampNow() const { return clock_.Now().time_since_epoch() - kSuspended; }

std::vector<std::string> FakeVideoKernel::Devices() const {
  std::vector<std::string> paths;
  for (const auto& [path, device] : devices_) paths.push_back(path);
  return paths;
}

std::string FakeVideoKernel::StablePath(const std::string& path) const {
  const auto found = devices_.find(path);
  return found == devices_.end() ? "" : found->second->stable_path;
}

}  // namespace idkiosk

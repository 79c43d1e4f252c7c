#include <algorithm>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// The room on the disk: what a new call needs, and the reserve that answers are written into when
// nothing else is left.

namespace idkiosk {
namespace {

// What one call needs on the disk until it is erased: its pages twice (log and file), generously.
constexpr uint64_t kRoomOfCall = 2 << 20;

// What is left free beside a reserve on a disk that has no more: for the files' own growth.
constexpr uint64_t kRoomBesideReserve = 64 << 10;

}  // namespace

bool DurableQueue::Internals::GiveReserveAway() {
  return files.Remove(options.folder + kReserveName).has_value();
}

Status DurableQueue::Internals::KeepReserve() {
  const std::string path = options.folder + kReserveName;
  const auto there = files.Exists(path);
  if (!there) return std::unexpected(there.error());
  if (*there || options.queue.reserve_bytes <= 0) return {};
  const auto free = files.FreeSpace(options.folder);
  if (!free) return std::unexpected(free.error());
  const auto whole = static_cast<uint64_t>(options.queue.reserve_bytes);
  const bool roomy = *free >= whole + kRoomOfCall;
  const Status full =
      Fail(ErrorCode::kExhausted,
           "the disk is full: {} of {} bytes that must be kept free for answers are there", *free,
           whole + kRoomOfCall);
  // What was given away to open a file on a full disk comes back by half: an answer fits in.
  const uint64_t size = roomy ? whole : whole / 2;
  if (!roomy && *free < size + kRoomBesideReserve) return full;
  // Random, so that a disk that compresses cannot make it small; without the byte that pictures
  // begin with, so that nobody who searches this folder for one is alarmed by chance.
  Bytes reserve(size);
  entropy.Fill(reserve);
  std::ranges::replace(reserve, 0xff, 0x00);
  Status written = files.WriteDurably(path, reserve, FileAccess::kOwnerOnly);
  return written && !roomy ? full : written;
}

bool DurableQueue::Internals::HasRoomForAnswer() {
  if (options.queue.reserve_bytes <= 0) return true;
  const std::string path = options.folder + kReserveName;
  if (files.Exists(path).value_or(false)) return true;
  (void)KeepReserve();
  return files.Exists(path).value_or(false);
}

Status DurableQueue::CheckRoom() {
  const MutexLock guard(internals_->mutex);
  return internals_->CheckRoom();
}

// What is not found at the next start is lost, whatever room there is.
Status DurableQueue::Internals::CheckRoom() {
  if (Status in_place = CheckInPlace(); !in_place) return in_place;
  if (Status may = files.CheckWritable(options.folder); !may) return may;
  if (Status kept = KeepReserve(); !kept) return kept;
  const auto free = files.FreeSpace(options.folder);
  if (!free) return std::unexpected(free.error());
  if (*free < kRoomOfCall) {
    return Fail(ErrorCode::kExhausted, "the disk is full: {} bytes are free, a call needs {}",
                *free, kRoomOfCall);
  }
  const auto waiting = calls.Count(CallState::kPending);
  if (!waiting) return std::unexpected(waiting.error());
  if (*waiting < options.queue.max_calls) return {};
  return Fail(ErrorCode::kExhausted,
              "{} calls are waiting already, as many as queue.max_calls allows: they must be "
              "delivered first",
              *waiting);
}

}  // namespace idkiosk

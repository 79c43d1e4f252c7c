#ifndef IDKIOSK_APP_QUEUE_STORAGE_CALL_FILES_H_
#define IDKIOSK_APP_QUEUE_STORAGE_CALL_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// Takes the turn of whoever uses the calls of `folder`: nobody opens its queue while the lock is
// held. Errors: FileSystem's; kUnavailable where a program uses them.
[[nodiscard]] Result<std::unique_ptr<FileLock>> LockCalls(const std::string& folder,
                                                          FileSystem& files);

// Returns the paths of what the queue in `folder` keeps of calls. Errors: FileSystem's.
[[nodiscard]] Result<std::vector<std::string>> CallFiles(const std::string& folder,
                                                         FileSystem& files);

// Erases what the queue in `folder` keeps of calls: its file with its log, those that were set
// aside, and the copies. For when the keys that open them are gone. The ledger and what people
// decided stay: they name nobody. Returns how many files there were. Errors: FileSystem's;
// kUnavailable where a program uses them.
[[nodiscard]] Result<int> EraseCallFiles(const std::string& folder, FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_CALL_FILES_H_

#ifndef IDKIOSK_DRIVERS_PRINTER_BYTE_SINK_H_
#define IDKIOSK_DRIVERS_PRINTER_BYTE_SINK_H_

#include <memory>
#include <string>

#include "platform/api/file_system.h"

namespace idkiosk {

// Sends a printer its bytes. One thread at a time; each job opens and closes what it needs, so a
// printer that was turned off and on prints the next one.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // All of them. Of none it only tells whether the printer is within reach. Errors:
  // Printer::Print's.
  [[nodiscard]] virtual Status Write(ByteSpan bytes) = 0;
};

// "file:/PATH" (each job replaces the file), "tcp:HOST[:PORT]" (9100 unless it is said),
// "device:/dev/usb/lp0" (also a serial line, whose speed is set outside). `files` must outlive it.
// Errors: kInvalid, "must be ...".
[[nodiscard]] Result<std::unique_ptr<ByteSink>> MakeByteSink(const std::string& target,
                                                             FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_PRINTER_BYTE_SINK_H_

#ifndef IDKIOSK_DRIVERS_PRINTER_ESCPOS_H_
#define IDKIOSK_DRIVERS_PRINTER_ESCPOS_H_

#include "platform/api/printer.h"
#include "platform/base/bytes.h"

namespace idkiosk {

// The job in ESC/POS: initialised, centred, wrapped at words for the narrower of the two usual
// papers (58 mm: 32 letters a line), fed past the knife and cut.
[[nodiscard]] Bytes EncodeEscPos(const PrintJob& job);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_PRINTER_ESCPOS_H_

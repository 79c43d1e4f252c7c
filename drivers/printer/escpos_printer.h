#ifndef IDKIOSK_DRIVERS_PRINTER_ESCPOS_PRINTER_H_
#define IDKIOSK_DRIVERS_PRINTER_ESCPOS_PRINTER_H_

#include <memory>
#include <utility>

#include "drivers/printer/byte_sink.h"
#include "drivers/printer/escpos.h"
#include "platform/api/printer.h"

namespace idkiosk {

class EscPosPrinter final : public Printer {
 public:
  explicit EscPosPrinter(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}

  [[nodiscard]] Status Print(const PrintJob& job) override {
    return sink_->Write(job.empty() ? Bytes() : EncodeEscPos(job));
  }

 private:
  const std::unique_ptr<ByteSink> sink_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_PRINTER_ESCPOS_PRINTER_H_

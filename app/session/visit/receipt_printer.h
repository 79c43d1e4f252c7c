#ifndef IDKIOSK_APP_SESSION_VISIT_RECEIPT_PRINTER_H_
#define IDKIOSK_APP_SESSION_VISIT_RECEIPT_PRINTER_H_

#include <functional>
#include <utility>

#include "platform/api/printer.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// A printer, on a thread that may wait for it. On the control thread.
class ReceiptPrinter {
 public:
  // All must outlive this; `printing` is that thread, and nobody else uses `printer`.
  ReceiptPrinter(Printer& printer, TaskRunner& printing, TaskRunner& control)
      : printer_(printer), printing_(printing), control_(control) {}

  // `then` hears what became of it, later and on the control thread. One job after the other.
  // Errors: Printer::Print's.
  void Print(PrintJob job, std::move_only_function<void(Status)> then) {
    control_thread_.Check();
    printing_.Post([this, job = std::move(job), then = std::move(then)]() mutable {
      control_.Post([then = std::move(then), printed = printer_.Print(job)]() mutable {
        then(std::move(printed));
      });
    });
  }

 private:
  const ThreadChecker control_thread_;
  Printer& printer_;
  TaskRunner& printing_;
  TaskRunner& control_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_RECEIPT_PRINTER_H_

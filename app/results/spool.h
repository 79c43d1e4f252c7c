#ifndef IDKIOSK_APP_RESULTS_SPOOL_H_
#define IDKIOSK_APP_RESULTS_SPOOL_H_

#include "app/results/destination.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// A folder that gets a file for each message, PLACE-REFERENCE.json: whole, of mode 0640, and in
// order by their names. Whoever reads them removes them; one that comes again has the same name.
class Spool final : public Destination {
 public:
  // `files` must outlive this. The folder must be there.
  Spool(std::string folder, FileSystem& files) : folder_(std::move(folder)), files_(files) {}

  [[nodiscard]] std::string_view name() const override { return "spool"; }
  [[nodiscard]] Delivery Deliver(const ResultMessage& message) override;

 private:
  const std::string folder_;
  FileSystem& files_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_SPOOL_H_

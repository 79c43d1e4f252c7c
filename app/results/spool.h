#ifndef IDKIOSK_APP_RESULTS_SPOOL_H_
#define IDKIOSK_APP_RESULTS_SPOOL_H_

#include "app/results/destination.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// A folder that gets a file for each message, PLACE-REFERENCE.json: whole, of mode 0640, and in
// order by their names. Whoever reads them removes them; one that comes again has the same name.
// Nothing is written where the folder leads into the state folder, among the queue's own files.
class Spool final : public Destination {
 public:
  // `files` must outlive this. The folder must be there.
  Spool(std::string folder, std::string state_folder, FileSystem& files)
      : folder_(std::move(folder)), state_folder_(std::move(state_folder)), files_(files) {}

  // Whether results can go there: looked at by the start and by doctor. Lists the folder. Errors:
  // FileSystem's; kNotFound, kInvalid: it lies in the state folder, or is no folder that can be
  // read.
  [[nodiscard]] Status Check() const;

  [[nodiscard]] std::string_view name() const override { return "spool"; }
  // What keeps a file from being written is said in the words of Check().
  [[nodiscard]] Delivery Deliver(const ResultMessage& message) override;

 private:
  // Errors: kInvalid.
  [[nodiscard]] Status CheckPlace() const;

  const std::string folder_;
  const std::string state_folder_;
  FileSystem& files_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_SPOOL_H_

#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADE_TABLE_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADE_TABLE_H_

#include <string>
#include <vector>

namespace idkiosk {

struct DegradeOptions {
  std::string sheets;                    // a folder for one contact sheet of each; empty: none
  std::string only;                      // part of the names of the rows; empty: all
  std::vector<std::string> photographs;  // files
};

// Plays every degradation on drawn people of all tones and on the photographs, and prints how many
// the gate accepts, with and without the model of a face's points, and how many by how light skin
// is. Ends the program where a photograph cannot be read or the models are not there.
void PrintDegradations(const DegradeOptions& options);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADE_TABLE_H_

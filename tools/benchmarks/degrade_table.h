#ifndef IDKIOSK_TOOLS_BENCHMARKS_DEGRADE_TABLE_H_
#define IDKIOSK_TOOLS_BENCHMARKS_DEGRADE_TABLE_H_

#include <span>
#include <string>

namespace idkiosk {

// Plays every degradation on drawn people of all tones and on the photographs, and prints how many
// the gate accepts, with and without the model of a face's points. Writes a contact sheet of each
// into the folder `sheets`, unless that is empty. Ends the program where a photograph cannot be
// read or the models are not there.
void PrintDegradations(std::span<const std::string> photographs, const std::string& sheets);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_DEGRADE_TABLE_H_

// idkiosk-bench: every figure beside its floor.
#include <fmt/format.h>

#include <fstream>

#include "platform/base/command_line/command.h"
#include "platform/base/json.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

struct Area {
  std::string name;
  std::function<void(std::vector<Figure>&)> measure;
};

std::string Optional(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "";
}

void PrintTable(const std::vector<Figure>& figures) {
  fmt::print("{:<46} {:>9} {:>9} {:>9} {:>7}  {}\n", "", "median", "p99", "floor", "ratio", "goal");
  for (const Figure& figure : figures) {
    const std::string_view mark = !figure.met ? "" : *figure.met ? "met: " : "MISSED: ";
    fmt::print("{:<46} {:>6.3g} {:<2} {:>9} {:>9} {:>7}  {}{}\n", figure.name, figure.value,
               figure.unit, Optional(figure.p99), Optional(figure.floor), Optional(figure.ratio),
               mark, figure.goal);
    if (!figure.note.empty()) fmt::print("    floor: {}\n", figure.note);
  }
}

void Write(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.Key(key);
  if (value) {
    json.Value(*value);
  } else {
    json.Null();
  }
}

std::string ToJson(const std::vector<Figure>& figures) {
  JsonWriter json(2);
  json.BeginArray();
  for (const Figure& figure : figures) {
    json.BeginObject()
        .Field("name", figure.name)
        .Field("value", figure.value)
        .Field("unit", figure.unit);
    Write(json, "p99", figure.p99);
    Write(json, "floor", figure.floor);
    Write(json, "ratio", figure.ratio);
    json.Field("goal", figure.goal).Field("note", figure.note).EndObject();
  }
  return json.EndArray().Take();
}

int Run(int argc, char** argv) {
  std::string file;
  std::string only;
  std::string plots;
  const Area areas[] = {
      {"capture", &MeasureCapture},
      {"camera", &MeasureCamera},
      {"sitting", &MeasureSitting},
      {"process", &MeasureProcess},
      {"ui", &MeasureUi},
      {"queue", &MeasureQueue},
      {"delivery", &MeasureDelivery},
      {"fleet", [&plots](std::vector<Figure>& figures) { MeasureFleet(figures, plots); }},
  };
  std::vector<std::string> names;
  for (const Area& area : areas) names.push_back(area.name);
  const Command program{
      .name = "idkiosk-bench",
      .summary = "Measures idkiosk, each figure beside its floor.",
      .arguments = {
          {.name = "--json",
           .target = &file,
           .type = "FILE",
           .help = "Write the figures there, too"},
          {.name = "--plots",
           .target = &plots,
           .type = "DIR",
           .help = "Draw what can be drawn into this folder, as SVG"},
          {.name = "--area", .target = &only, .help = "Only this area", .choices = names}}};
  if (const auto parsed = ParseCommandLine(program, argc, argv); !parsed) return parsed.error();
  std::vector<Figure> figures;
  for (const Area& area : areas) {
    if (only.empty() || only == area.name) area.measure(figures);
  }
  PrintTable(figures);
  if (!file.empty() && !(std::ofstream(file) << ToJson(figures) << "\n")) {
    GiveUp("cannot write " + file);
  }
  return 0;
}

}  // namespace
}  // namespace idkiosk

int main(int argc, char** argv) { return idkiosk::Run(argc, argv); }

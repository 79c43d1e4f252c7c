#include "app/session/staff/operator_console.h"

namespace idkiosk {

void EmptyConsole::Do(std::string_view command, JsonView arguments, Reply reply) {
  if (command == "operator.tab" && arguments["tab"].AsString() == "ready") return reply({});
  reply({Fail(ErrorCode::kFailedPrecondition, "there is no such command here"), "", 0, ""});
}

std::string EmptyConsole::Snapshot() const {
  JsonWriter json;
  json.BeginObject().Field("tab", "ready");
  json.Key("ready").BeginObject().Key("parts").BeginArray().EndArray().EndObject();
  return json.EndObject().Take();
}

}  // namespace idkiosk

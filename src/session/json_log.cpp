#include "session/json_log.h"

#include <nlohmann/json.hpp>

namespace trammel {

void JsonLog::open(const std::string& path) {
  file_.open(path);
}

void JsonLog::event(const char* name, double wall, const nlohmann::ordered_json& fields) {
  if (!file_.is_open()) return;
  nlohmann::ordered_json line = {{"event", name}, {"wall", wall}};
  line.update(fields);
  file_.write(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  file_.flush();
}

}  // namespace trammel

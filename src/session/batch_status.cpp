#include "session/batch_status.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "dataset/writer.h"
#include "output/number_text.h"
#include "output/run_info.h"
#include "output/status_file.h"
#include "session/version.h"

namespace trammel {

double progress_of(const BatchStatus& s) {
  if (s.variants == 0) return 0;
  return std::clamp((static_cast<double>(s.done + s.failed) + s.under_way) / static_cast<double>(s.variants),
                    0.0, 1.0);
}

std::optional<double> seconds_left(const BatchStatus& s) {
  const double ended = static_cast<double>(s.done + s.failed) + s.under_way;
  const double through = ended - static_cast<double>(s.kept);
  const double left = static_cast<double>(s.variants) - ended;
  if (left <= 0) return 0.0;
  if (!(through > 0)) return std::nullopt;
  return s.seconds / through * left;
}

void BatchStatusFile::open(const std::string& path) {
  path_ = path;
  started_ = iso_time_now();
}

void BatchStatusFile::update(const BatchStatus& s, bool now) {
  if (!is_open() || (!now && !due())) return;
  using Json = nlohmann::ordered_json;
  const std::optional<double> left = seconds_left(s);
  Json json;
  json["state"] = s.state;
  json["exit_code"] = s.exit_code ? Json(*s.exit_code) : Json();
  json["progress"] = progress_of(s);
  json["variants"] = s.variants;
  json["done"] = s.done;
  json["failed"] = s.failed;
  json["interrupted"] = s.interrupted;
  json["left"] = s.variants - s.done - s.failed;
  json["kept"] = s.kept;
  json["seconds"] = s.seconds;
  json["seconds_left"] = left ? Json(*left) : Json();
  json["message"] = as_utf8(s.message);
  add_process(json, started_);
  json["version"] = program_version();
  json["command_line"] = as_utf8(s.command_line);
  json["input_file"] = as_utf8(s.input_file);
  json["variants_file"] = as_utf8(s.variants_file);
  json["table"] = as_utf8(s.table);
  json["model"] = s.model;
  write_account(path_, json, s.state == "running" ? Durable::no : Durable::yes);
  clock_.reset();
}

std::string model_mark(const Job& deck, const JobOptions& options, const TimeOptions& times) {
  std::string text = write_dataset(deck.description);
  for (const Command& c : deck.commands.commands) text += c.echo + "\n";
  for (const std::string& edit : options.sets) text += edit + "\n";
  text += fmt::format("{} {} {} {} {}", times.end.value_or(-1), times.dtout.value_or(-1),
                      times.steps.value_or(-1), options.strict, options.permissive);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string model_in_status(const std::string& path) {
  std::ifstream file(path);
  if (!file) return {};
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("model") || !json["model"].is_string()) return {};
  return json["model"].get<std::string>();
}

}  // namespace trammel

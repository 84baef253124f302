// guardjit: tests/golden/parse.cpp: reads the golden files
// SPDX-License-Identifier: BSL-1.0
#include "case.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace golden {

namespace {

using nlohmann::json;

std::string text_at(json const& object, char const* key) { return object.value(key, std::string()); }

value_data value_of(json const& j) {
  value_data v;
  v.present = !j.is_null();
  if (!v.present) return v;
  v.weak = j.value("weak", false);
  v.dtype = text_at(j, "dtype");
  v.result = j.value("result", v.dtype);
  v.layout = text_at(j, "layout");
  v.shape = j.at("shape").get<std::vector<std::int64_t>>();
  auto const& hex = j.at("hex").get_ref<std::string const&>();
  auto const digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
    v.bytes.push_back(static_cast<unsigned char>(digit(hex[k]) * 16 + digit(hex[k + 1])));
  return v;
}

std::vector<value_data> values_of(json const& object, char const* key) {
  std::vector<value_data> values;
  if (auto const list = object.find(key); list != object.end())
    for (json const& j : *list) values.push_back(value_of(j));
  return values;
}

attribute attribute_of(json const& j) {
  attribute a;
  a.given = !j.is_null();
  if (j.is_boolean()) a.integer = j.get<bool>();
  if (j.is_number()) a.real = j.get<double>();
  if (j.is_number_integer()) a.integer = j.get<std::int64_t>();
  if (j.is_array())
    for (json const& element : j) a.list.push_back(attribute_of(element));
  if (j.is_string()) {
    a.text = j.get<std::string>();
    using limits = std::numeric_limits<double>;
    if (a.text == "inf") a.real = limits::infinity();
    if (a.text == "-inf") a.real = -limits::infinity();
    if (a.text == "nan") a.real = limits::quiet_NaN();
  }
  return a;
}

test_case case_of(json const& j, std::string const& family) {
  test_case c;
  c.id = text_at(j, "id");
  c.family = family;
  c.op = j.contains("upstream") ? "grad" : text_at(j, "op");
  c.inputs = values_of(j, "inputs");
  c.outputs = values_of(j, "outputs");
  for (auto const& [name, value] : j.at("attrs").items()) c.attributes[name] = attribute_of(value);
  c.error = text_at(j, "error");
  c.compare = text_at(j, "compare");
  if (!c.error.empty()) return c;
  json const& bound = j.at("tol");
  c.bound.exact = bound.is_string();
  if (!c.bound.exact)
    c.bound = {false, bound.value("ulp", 0.0), bound.value("atol", 0.0), bound.value("rtol", 0.0)};
  return c;
}

}  // namespace

std::vector<test_case> const& all_cases() {
  static std::vector<test_case> const cases = [] {
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(GOLDEN_FOLDER))
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<test_case> list;
    for (auto const& file : files) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);)
        list.push_back(case_of(json::parse(line), file.stem().string()));
    }
    return list;
  }();
  return cases;
}

test_case const& case_of(std::string const& id) {
  static std::map<std::string, test_case const*, std::less<>> const places = [] {
    std::map<std::string, test_case const*, std::less<>> map;
    for (test_case const& c : all_cases()) map[c.id] = &c;
    return map;
  }();
  auto const found = places.find(id);
  if (found == places.end()) throw std::out_of_range("no golden case is named " + id);
  return *found->second;
}

}  // namespace golden

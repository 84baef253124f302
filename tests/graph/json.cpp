// guardjit: tests/graph/json.cpp: JSON that parsers take, and names that steer nothing
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/graph/json.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gj = guardjit;

namespace {

std::string as_json(std::string_view text) {
  std::string to;
  gj::append_json_string(to, text);
  return to;
}

}  // namespace

TEST_CASE("JSON: what is written is read back, in order") {
  gj::json_writer json;
  json.object([&json] {
    json.member("schema", 1);
    json.member("name", "f");
    json.member("is", true);
    json.member("least", INT64_MIN);
    json.key("empty").array([] {});
    json.key("list").list(std::vector{1, 2}, [&json](int k) { json.value(k); });
    json.key("objects").array([&json] {
      json.object([] {});
      json.object([&json] { json.line({"a/b.cpp", 7}); });
      json.object([&json] { json.line({}); });
    });
  });
  CHECK(json.text() ==
        R"({"schema":1,"name":"f","is":true,"least":-9223372036854775808,"empty":[],"list":[1,2],)"
        R"("objects":[{},{"file":"a/b.cpp","line":7},{}]})");
  nlohmann::json const read = nlohmann::json::parse(json.text());
  CHECK(read["least"] == INT64_MIN);
  CHECK(read["objects"][1]["line"] == 7);
}

TEST_CASE("JSON: each byte and each code point is a string that parses back, or is replaced (O41)") {
  for (int byte = 0; byte < 128; ++byte) {
    std::string const text(1, static_cast<char>(byte));
    CHECK(nlohmann::json::parse(as_json(text)) == text);
  }
  for (std::string_view text : {"größe", "€", "\xF0\x9F\x98\x80", "</script><!-- & \xE2\x80\xA8 \" \\ \n\t"}) {
    std::string const json = as_json(text);
    CHECK(nlohmann::json::parse(json) == text);
    // It may stand in a script of HTML.
    CHECK(json.find('<') == json.npos);
    CHECK(json.find('&') == json.npos);
    CHECK(json.find('\n') == json.npos);
    CHECK(json.find("\xE2\x80\xA8") == json.npos);
  }
  // No UTF-8: a lone byte, one that is cut, an overlong form, a surrogate, beyond the last code point.
  for (std::string_view text : {"\xFF", "a\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    std::string const read = nlohmann::json::parse(as_json(text)).get<std::string>();
    CHECK(read.find("\xEF\xBF\xBD") != read.npos);
  }
}

TEST_CASE("printable: terminals show what would steer them (O41)") {
  CHECK(gj::printable("layer 1, größe €") == "layer 1, größe €");
  CHECK(gj::printable("a\x1b[31mb\r\n\x7f") == "a\\x1b[31mb\\x0d\\x0a\\x7f");
  CHECK(gj::printable("\xC2\x9B" "31m") == "\\u009b31m");
  CHECK(gj::printable("\xE2\x80\xAE" "txt \xE2\x81\xA6") == "\\u202etxt \\u2066");
  CHECK(gj::printable("\xFF\x80") == "\\xff\\x80");
  CHECK(gj::printable("").empty());
}

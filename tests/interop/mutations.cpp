// guardjit: tests/interop/mutations.cpp: changed npy and npz files are read or refused, and nothing else
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/interop/npz.hpp>

#include <doctest/doctest.h>
#include <support/archives.hpp>
#include <support/files.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace gj = guardjit;
using namespace support;

namespace {

/// Changes one to four places of a file: other bytes, more, fewer, some from elsewhere, a shorter file.
class mutator {
 public:
  std::string operator()(std::string file) {
    for (auto times = below(4) + 1; times > 0; --times) change(file);
    return file;
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  /// Bytes at the edges of numbers, and those of the grammar, come often.
  char byte() {
    constexpr std::array edges{'\0', '\1', '\x7f', '\x80', '\xff', ',', '(',
                               ')',  '\'', '0',    '9',    '\n',   ' ', '{'};
    return below(2) == 0 ? edges[below(edges.size())] : static_cast<char>(below(256));
  }
  void change(std::string& file) {
    auto const at = below(file.size());
    auto const length = std::min(below(8) + 1, file.size() - at);
    switch (below(7)) {
      case 0: file.resize(at); break;
      case 1: file.erase(at, length); break;
      case 2: file.insert(at, length, byte()); break;
      case 3: file.replace(at, length, file.substr(below(file.size()), length)); break;
      case 4: file.replace(at, length, length, below(2) == 0 ? '\0' : '\xff'); break;
      default:
        if (!file.empty()) file[at] = byte();
    }
  }

  std::minstd_rand engine_{1};
};

/// Counts what attempts end with. What is no error of the library ends the test.
struct outcomes {
  int read = 0, refused = 0;
  void operator()(auto const& attempt) {
    try {
      attempt();
      ++read;
    } catch (gj::format_error const&) {
      ++refused;
    } catch (gj::dtype_error const&) {
      ++refused;
    }
  }
};

/// What was read is a tensor as any other: written and read again it is the same bytes.
void write_again(gj::any_tensor const& x) {
  std::string first(gj::npy_bytes(x), '\0');
  gj::write_npy(std::as_writable_bytes(std::span(first)), x);
  std::string second(first.size(), '\0');
  gj::write_npy(std::as_writable_bytes(std::span(second)), parse(first));
  CHECK(first == second);
}

std::vector<std::string> npy_seeds() {
  return {
      npy_file(npy_header("(3,)"), "abc"),
      npy_file(npy_header("'<f4'", "True", "(2, 1)"), "12345678", 2),
      npy_file(npy_header("'>f8'", "False", "()"), "12345678", 3),
      npy_file(npy_header("'|b1'", "False", "(1, 2, 0, 4)")),
      content_of(digits("b3")),
  };
}

std::string npz_seed(std::string const& member, int kind) {
  auto const other = npy_file(npy_header("(3,)"), "abc");
  if (kind == 0) return archive({{"a.npy", member}, {"b.npy", other}});
  if (kind == 1) return archive({{"a.npy", member}, {"b.npy", other}}, 0);
  return deflated_archive("a.npy", deflated_as_it_stands(member), member, member.size());
}

}  // namespace

TEST_CASE("npy: ten thousand changed files are read or refused") {
  mutator mutate;
  outcomes count;
  auto const seeds = npy_seeds();
  for (int k = 0; k < 10'000; ++k) {
    auto const file = mutate(seeds[mutate.below(seeds.size())]);
    count([&] { write_again(parse(file)); });
  }
  CHECK(count.read > 100);
  CHECK(count.refused > 5'000);
}

TEST_CASE(
    "npz: ten thousand changed archives, and archives of changed files, are read or refused") {
  mutator mutate;
  outcomes count;
  auto const seeds = npy_seeds();
  for (int k = 0; k < 10'000; ++k) {
    auto const& seed = seeds[mutate.below(seeds.size())];
    auto const kind = static_cast<int>(mutate.below(3));
    auto const file =
        mutate.below(4) == 0 ? npz_seed(mutate(seed), kind) : mutate(npz_seed(seed, kind));
    count([&] {
      for (auto const& member : gj::parse_npz(std::as_bytes(std::span(file))))
        write_again(member.value);
    });
  }
  CHECK(count.read > 100);
  CHECK(count.refused > 5'000);
}

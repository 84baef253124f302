// guardjit: tests/conformance/guards/guard_lists.cpp: cases of lists of guards: their order, bytes and length
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/core.hpp>

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/tensors.hpp"

namespace gj = guardjit;
using gj::any_tensor, gj::dyn, gj::index_t, gj::tensor;
using support::mat;
using support::vec;

namespace {

constexpr auto loops = gj::backend(gj::backends::reference{});

/// Guards of most kinds: modes and devices apart, what one function can need.
struct scaled_product {
  constexpr auto operator()(auto x, auto w, auto s) const {
    if (x.extent(0) > 2) return gj::matmul(x, w) * s;
    return gj::matmul(x, w) + s;
  }
};

void append(std::string& to, auto const& value) {
  to.append(reinterpret_cast<char const*>(&value), sizeof value);
}
/// All of a guard but the address of its file's name, and its text.
void append_guard(std::string& to, gj::guard const& g, gj::graph_view const& graph) {
  append(to, g.kind);
  append(to, g.argument);
  append(to, g.dim);
  append(to, g.condition);
  append(to, g.expected);
  append(to, g.left);
  append(to, g.right);
  append(to, g.where.line);
  to += g.where.file;
  to += gj::text_of(g, graph) + '\n';
}
std::string bytes_of_guards() {
  auto const is_wide = [](auto const& x, auto const&, auto) { return x.extent(1) > 1; };
  auto const g = gj::compile(scaled_product{}, loops, gj::dynamic::all, gj::specialize<2>, gj::name<"g">,
                             gj::user_guard(is_wide, "wide"));
  auto const x = support::transposed(mat(3, 4)), w = mat(3, 2);
  g(x, w, 0.1f);
  std::string bytes;
  for (gj::entry_info const& e : g.entries())
    for (gj::guard const& one : e.guards) append_guard(bytes, one, g.graph(x, w, 0.1f));
  return bytes + "end of guards\n";
}

/// What the process prints that runs the case of the same name of this program.
std::string bytes_of_other_process(char const* test_case) {
  char path[4096];
  ssize_t const length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  REQUIRE(length > 0);
  std::string const command = "GUARDJIT_TEST_PRINTS_GUARDS=1 '" + std::string(path, static_cast<std::size_t>(length)) +
                              "' --test-case='" + test_case + "' --no-version --no-intro --minimal";
  std::FILE* const from = ::popen(command.c_str(), "r");
  REQUIRE(from);
  std::string printed;
  char block[4096];
  while (std::size_t const count = std::fread(block, 1, sizeof block, from)) printed.append(block, count);
  CHECK(::pclose(from) == 0);
  return printed;
}

/// A signature of many matrices, without the code of a function.
struct wide_signature {
  explicit wide_signature(std::size_t tensors)
      : types(tensors, {gj::dtype::f32, false, {dyn, dyn}}), layouts(tensors, packed.view()), reads(tensors, 1),
        extents(tensors), bases(tensors + 3) {
    spec.arguments = types;
    spec.reads_elements = reinterpret_cast<bool const*>(reads.data());
    spec.reads_extents = extents.data();
    frame.arguments = static_cast<int>(tensors);
    frame.bases = bases.data();
    frame.layouts = layouts.data();
  }
  gj::layout<2> packed{{3, 4}}, other{{3, 5}};
  std::vector<gj::argument_type> types;
  std::vector<gj::layout_view> layouts;
  std::vector<unsigned char> reads;
  std::vector<std::uint8_t> extents;
  std::vector<void*> bases;
  gj::function_spec spec;
  gj::frame_view frame;
};

}  // namespace

TEST_CASE("GRD-061: where dtype and extent are wrong, the reason is the dtype") {
  auto const g = gj::compile([](auto x) { return x * 2; }, loops, gj::name<"g">, gj::signature<tensor<float, 3>>);
  std::string text;
  try {
    g(any_tensor(tensor<double, dyn>(4)));
  } catch (gj::dtype_error const& e) {
    text = e.what();
  }
  CHECK(text == "guardjit: g: arg[0] is f64 of rank 1, shape (4), which no signature takes: (f32 (3))");
  CHECK_THROWS_AS(g(any_tensor(vec(4))), gj::shape_error);
  CHECK(g.compiles() == 0);
}

TEST_CASE("GRD-068: the guards of one entry are the same bytes in each process") {
  if (std::getenv("GUARDJIT_TEST_PRINTS_GUARDS")) {
    std::string const own = bytes_of_guards();
    std::fwrite(own.data(), 1, own.size(), stdout);
    std::fflush(stdout);
    return;
  }
  std::string const own = bytes_of_guards();
  CHECK(own.find("arg[2] = 0.1\n") != std::string::npos);
  CHECK(own.find("predicate 0\n") != std::string::npos);
  for (int process = 0; process < 2; ++process) {
    std::string const other = bytes_of_other_process("GRD-068*");
    CHECK(other.substr(0, own.size()) == own);
  }
}

TEST_CASE("GRD-071: a check of many tensors loads as much for each as one of few") {
  std::array<std::size_t, 2> words_per_tensor{}, guards_per_tensor{};
  std::array const counts{std::size_t{100}, std::size_t{1000}};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    std::size_t const tensors = counts[k];
    wide_signature s(tensors);
    gj::entry* const e = gj::entry::make(s.spec, s.frame);
    // `has_layouts` is one pass over these words.
    std::size_t words = 0;
    gj::packed_layouts::for_each_read(s.spec, s.frame, std::as_const(*e).key(), [&](index_t const& mine, index_t value) {
      words += mine == value ? 1 : 0;
    });
    words_per_tensor[k] = words / tensors;
    CHECK(words % tensors == 0);
    CHECK(e->has_layouts(s.spec, s.frame));
    // Each tensor counts.
    for (std::size_t j = 0; j < tensors; j += tensors / 10 - 1) {
      s.layouts[j] = s.other.view();
      CHECK_FALSE(e->has_layouts(s.spec, s.frame));
      s.layouts[j] = s.packed.view();
    }
    // The guards of a dynamic entry are one list, each of which looks at one tensor.
    index_t room[1];
    gj::path_spec const path{};
    s.spec.paths = {&path, 1};
    std::vector<gj::open_dims> const open(tensors, {1, false});
    e->guards = gj::guards_of(s.spec, s.frame, path, gj::values_on(path, s.spec, s.frame, room), open, 0, {});
    guards_per_tensor[k] = e->guards.size() / tensors;
    CHECK(e->guards.size() % tensors == 0);
    CHECK(gj::guards_hold(*e, s.spec, s.frame, 0, room));
    gj::entry::destroy(e);
  }
  CHECK(words_per_tensor[0] == 4);
  CHECK(words_per_tensor[0] == words_per_tensor[1]);
  CHECK(guards_per_tensor[0] == 2);
  CHECK(guards_per_tensor[0] == guards_per_tensor[1]);
}

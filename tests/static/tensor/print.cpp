// guardjit: tests/static/tensor/print.cpp: which streams take tensors, and what they leave to others
// SPDX-License-Identifier: BSL-1.0
#include <guardjit/tensor/print.hpp>

#include <sstream>

namespace gj = guardjit;

namespace {

template <class Stream, class X>
concept streams = requires(Stream& out, X const& x) {
  out << x;
};

struct only_writes {
  void write(char const*, std::ptrdiff_t);
};

using f32 = gj::tensor<float, gj::dyn>;

static_assert(streams<std::ostream, f32> && streams<std::ostringstream, gj::any_tensor>);
static_assert(streams<std::ostream, gj::tensor_view<float const, 3>>);
static_assert(
    std::is_same_v<decltype(std::declval<std::ostringstream&>() << f32{}), std::ostringstream&>);
static_assert(!streams<std::wostream, f32>);
static_assert(!streams<only_writes, f32>);
static_assert(!streams<gj::fixed_text, f32>);
static_assert(!streams<int, f32>);
static_assert(!streams<std::ostream, gj::storage>);
static_assert(streams<gj::fixed_text, gj::shape> && streams<gj::fixed_text, gj::device>);

static_assert(gj::printable_tensor<gj::any_tensor> && gj::printable_tensor<gj::tensor<bool>>);
static_assert(!gj::printable_tensor<float> && !gj::printable_tensor<gj::shape>);

}  // namespace

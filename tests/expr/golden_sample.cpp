// guardjit: tests/expr/golden_sample.cpp: some reference values that no implementation of ours made
// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <guardjit/expr/composite/softmax.hpp>

using namespace eager;
using gj::dtype;

namespace {

/// A tensor of the bytes that `hex` holds, little-endian, in logical order.
any_tensor of(dtype type, shape const& extents, char const* hex) {
  any_tensor x(type, extents);
  auto* to = static_cast<unsigned char*>(x.data());
  auto const digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (; hex[0] && hex[1]; hex += 2)
    *to++ = static_cast<unsigned char>(digit(hex[0]) * 16 + digit(hex[1]));
  return x;
}

/// The same elements from back to front in memory.
any_tensor reversed(any_tensor x) {
  for (int d = 0; d < x.rank(); ++d) {
    x = gj::slice(x, d, -1, gj::slice_end, -1).clone();
    x = gj::slice(x, d, -1, gj::slice_end, -1);
  }
  return x;
}

void check(any_tensor const& got, any_tensor const& want, double ulp = 0) {
  gj::visit_dtype(want.type(), [&]<class T>(std::type_identity<T>) {
    check_elements<T>(got, want.shape(), elements<T>(want), ulp);
  });
}

}  // namespace

TEST_CASE("reference values: special values of functions") {
  check(gj::sqrt(reversed(
            of(dtype::f64, {6},
               "00000000000000000000000000000080000000000000f07f000000000000f0ff000000000000f87f"
               "000000000000f0bf"))),
        of(dtype::f64, {6},
           "00000000000000000000000000000080000000000000f07f000000000000f8ff000000000000f87f0000000"
           "00000f8ff"));
  check(
      gj::log(of(dtype::f64, {7},
                 "00000000000000000000000000000080000000000000f07f000000000000f0ff000000000000f87f"
                 "000000000000f0bf000000000004f03f")),
      of(dtype::f64, {7},
         "000000000000f0ff000000000000f0ff000000000000f07f000000000000f87f000000000000f87f"
         "000000000000f87f10b18aaa00fc4f3f"),
      2);
}

TEST_CASE("reference values: integers and bool") {
  any_tensor const edges = of(dtype::u8, {8, 1}, "00ff000102030764");
  check(gj::sub(reversed(edges), of(dtype::u8, {1, 8}, "00ff000102030764")),
        of(dtype::u8, {8, 8},
           "000100fffefdf99cff00fffefdfcf89b000100fffefdf99c01020100fffefa9d0203020100fffb9e"
           "030403020100fc9f07080706050400a36465646362615d00"));
  check(gj::maximum(of(dtype::u8, {2, 9}, "494c4808444c2e393004292920292d430f3d"),
                    of(dtype::u8, {9}, "47421723153a450e21")),
        of(dtype::u8, {2, 9}, "494c4823444c45393047422923293a450f3d"));
  check(gj::lt(of(dtype::i64, {3}, "0000000000002000feffffffffffff7f0100000000000080"),
               reversed(of(dtype::i64, {3}, "0100000000002000ffffffffffffff7f0000000000000080"))),
        of(dtype::boolean, {3}, "010100"));
  check(gj::where(of(dtype::boolean, {4, 5}, "0101010001000101010100000101000101010101"),
                  reversed(of(dtype::u8, {4, 5}, "89bf734613bb02517ea8a311b23990b21625a0af")),
                  of(dtype::u8, {1, 5}, "021509238c")),
        of(dtype::u8, {4, 5}, "89bf7323130202517ea80215b2398cb21625a0af"));
}

TEST_CASE("reference values: reductions, views, products") {
  any_tensor const x = of(dtype::u8, {5, 7},
                          "0301000301030100010301000302010202020002010101010203000303020103030302");
  check(gj::sum(x, gj::axes(-1)),
        of(dtype::i64, {5},
           "0c000000000000000a000000000000000a000000000000000b000000000000001100000000000000"));
  check(gj::mean(reversed(x), gj::axes(-1)),
        of(dtype::f64, {5},
           "dbb66ddbb66dfb3fb76ddbb66ddbf63fb76ddbb66ddbf63f499224499224f93fdbb66ddbb66d0340"));
  any_tensor const y = of(dtype::u8, {2, 3, 4}, "76787d895e429d9143206b1098a643194c938e919b1b243e");
  check(gj::permute(reversed(y), gj::axes(-1, 1, 0)),
        of(dtype::u8, {4, 3, 2}, "76985e4c439b78a64293201b7d439d8e6b2489199191103e"));
  check(gj::matmul(of(dtype::i64, {1, 1}, "0200000000000000"),
                   of(dtype::i64, {1, 1}, "fbffffffffffffff")),
        of(dtype::i64, {1, 1}, "f6ffffffffffffff"));
}

TEST_CASE("reference values: softmax of bool") {
  check(gj::softmax(reversed(of(dtype::boolean, {2, 5}, "00000100000100000000"))),
        of(dtype::f64, {2, 5},
           "2202ad02700dc33f2202ad02700dc33fbcfba5fa1fe5d93f2202ad02700dc33f2202ad02700dc33f"
           "bcfba5fa1fe5d93f2202ad02700dc33f2202ad02700dc33f2202ad02700dc33f2202ad02700dc33f"),
        15);
}

// guardjit: tensor/device.hpp: where the elements of a tensor live
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_DEVICE_HPP
#define GUARDJIT_TENSOR_DEVICE_HPP

#include <guardjit/base/fixed_text.hpp>

namespace guardjit::inline GUARDJIT_ABI {

enum class device_kind : std::uint8_t { cpu, cuda };

/// A memory: `cpu:0` is host memory; other numbers of `cpu` are labels of host memory.
struct device {
  device_kind kind = device_kind::cpu;
  std::uint8_t number = 0;
  constexpr bool operator==(device const&) const = default;
};

/// Appends `cpu:0`.
constexpr fixed_text& operator<<(fixed_text& text, device where) {
  return text << (where.kind == device_kind::cpu ? "cpu:" : "cuda:") << where.number;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif

// guardjit: tests/paths/draw.cpp: random operands: extents, layouts and values
// SPDX-License-Identifier: BSL-1.0
#include "draw.hpp"

#include <bit>
#include <limits>

namespace paths {

namespace {

/// Whether most values of a call are small, or any bits and those at which ops have rules of their own.
enum class range { small, any };

template <class T> T value(range r, dice& random) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return random.once_in(2);
  } else if constexpr (std::is_integral_v<T>) {
    T const special[] = {0, 1, limits::max(), limits::min(), T(limits::max() - 1), T(limits::min() + 1),
                         T(-1), T(sizeof(T) * 8), T(sizeof(T) * 8 - 1)};
    if (r == range::any && random.once_in(2)) return random.one_of(special);
    if (r == range::any && random.once_in(2)) return static_cast<T>(random.next());
    return static_cast<T>(random.below(13) - (limits::is_signed ? 6 : 0));
  } else {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    T const special[] = {0, T(-0.0), 1, -1, T(0.5), T(-2.5), limits::infinity(), -limits::infinity(),
                         limits::quiet_NaN(), limits::denorm_min(), -limits::denorm_min(), limits::min(),
                         limits::max(), limits::lowest(), limits::epsilon(), T(300), T(9.3e18)};
    if (r == range::any && random.once_in(2)) return random.one_of(special);
    if (r == range::any && random.once_in(8)) return std::bit_cast<T>(static_cast<word>(random.next()));
    if (random.once_in(4)) return static_cast<T>(random.below(9) - 4) / 2;
    return static_cast<T>(static_cast<double>(random.below(1 << 20) - (1 << 19)) * 0x1p-17);
  }
}

struct strided {
  gj::shape extents;
  std::array<index_t, gj::max_rank> strides{};
  index_t offset = 0, span = 1;
};

strided lay_out(gj::shape const& s, layout_kind kind, dice& random) {
  strided l{s};
  int order[gj::max_rank]{};
  for (int d = 0; d < s.rank; ++d) order[d] = kind == layout_kind::transposed ? d : s.rank - 1 - d;
  if (kind == layout_kind::mixed)
    for (int d = 1; d < s.rank; ++d) std::swap(order[d], order[random.below(d + 1)]);
  for (int n = 0; n < s.rank; ++n) {
    auto const d = static_cast<unsigned>(order[n]);
    index_t const extent = s[order[n]];
    bool const steps = kind == layout_kind::sliced ? n == 0 : kind == layout_kind::mixed && random.once_in(4);
    bool const turns = kind == layout_kind::reversed || (kind == layout_kind::mixed && random.once_in(4));
    bool const repeats = kind == layout_kind::expanded ? d == 0 : kind == layout_kind::mixed && random.once_in(8);
    index_t const step = l.span * (steps ? 2 : 1);
    l.strides[d] = repeats ? 0 : turns ? -step : step;
    if (turns && !repeats && extent > 0) l.offset += (extent - 1) * step;
    if (!repeats) l.span = step * (extent > 0 ? extent : 1);
  }
  if (kind == layout_kind::mixed) {
    index_t const before = random.below(3);
    l.offset += before;
    l.span += before;
  }
  return l;
}

template <class T> any_tensor filled(gj::shape const& s, layout_kind kind, range r, dice& random) {
  strided const l = lay_out(s, kind, random);
  any_tensor memory = any_tensor::uninitialized(gj::dtype_v<T>, gj::shape{l.span});
  T* const data = memory.data_as<T>();
  for (index_t k = 0; k < l.span; ++k) data[k] = value<T>(r, random);
  return any_tensor::adopt(memory.storage(), data + l.offset, gj::dtype_v<T>, gj::any_layout(s, l.strides));
}

/// A scalar that every dtype holds, so that what an op refuses does not depend on the values.
any_tensor weak(gj::dtype type, dice& random) {
  if (type == gj::dtype::i64) return gj::tensor<std::int64_t>(random.below(7));
  return gj::visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    return any_tensor(gj::tensor<T>(value<T>(random.once_in(4) ? range::any : range::small, random)));
  });
}

index_t extent_of(char letter, sizes const& drawn) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return drawn[letter == 'm' ? 0 : letter == 'n' ? 1 : 2];
}

}  // namespace

std::vector<any_tensor> draw(subject const& s, unsigned turn, layout_kind layout, dice& random) {
  constexpr index_t extents[] = {0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9};
  bool const fixed = turn > 0;
  sizes drawn = s.drawn[turn];
  for (index_t& extent : drawn)
    if (extent == dyn) extent = random.once_in(32) ? 17 + random.below(20) : random.one_of(extents);
  range const r = random.once_in(2) ? range::any : range::small;

  std::vector<any_tensor> in;
  for (parameter const& p : s.parameters) {
    if (p.weak) {
      in.push_back(weak(p.type, random));
      continue;
    }
    gj::shape extents_of_p;
    for (char const* letter = p.extents; *letter; ++letter) {
      index_t extent = extent_of(*letter, drawn);
      // One element that is stretched, and now and then extents that do not fit.
      if (!fixed && random.once_in(10)) extent = 1;
      else if (!fixed && random.once_in(60)) extent = random.one_of(extents);
      extents_of_p[extents_of_p.rank++] = extent;
    }
    any_tensor const* same = nullptr;
    for (any_tensor const& x : in)
      if (x.type() == p.type && x.shape() == extents_of_p && random.once_in(8)) same = &x;
    in.push_back(same ? any_tensor(*same) : gj::visit_dtype(p.type, [&]<class T>(std::type_identity<T>) {
      return filled<T>(extents_of_p, layout, r, random);
    }));
  }
  return in;
}

}  // namespace paths

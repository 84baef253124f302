// guardjit: tensor/layout.hpp: extents and strides as one packed block, with its hash
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_TENSOR_LAYOUT_HPP
#define GUARDJIT_TENSOR_LAYOUT_HPP

#include <guardjit/tensor/shape.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {
__extension__ using uint128 = unsigned __int128;

/// Mixes two words into one by a 128-bit product (the step of wyhash, public domain).
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto const p = static_cast<uint128>(a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD6E8FEB86659FD93u);
  return static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
}

constexpr void row_major_strides(int rank, index_t const* extents, index_t* strides) {
  index_t step = 1;
  for (int d = rank - 1; d >= 0; --d) {
    strides[d] = step;
    step *= extents[d] == 0 ? 1 : extents[d];
  }
}

constexpr void canonical_strides(int rank, index_t const* extents, index_t* strides) {
  for (int d = 0; d < rank; ++d)
    if (extents[d] == 0) return row_major_strides(rank, extents, strides);
  for (int d = rank - 1; d >= 0; --d)
    if (extents[d] == 1) strides[d] = d + 1 < rank ? extents[d + 1] * strides[d + 1] : 1;
}

constexpr std::uint64_t hash_layout(int rank, index_t const* extents, index_t const* strides) {
  auto hash = static_cast<std::uint64_t>(rank);
  for (int d = 0; d < rank; ++d)
    hash = mix(hash, mix(static_cast<std::uint64_t>(extents[d]), static_cast<std::uint64_t>(strides[d])));
  return hash;
}
}  // namespace detail

/// A borrowed look at extents, strides (in elements) and their hash, whatever the rank.
struct layout_view {
  int rank = 0;
  index_t const* extents = nullptr;
  index_t const* strides = nullptr;
  std::uint64_t hash = 0;

  constexpr guardjit::shape shape() const {
    guardjit::shape s;
    s.rank = rank;
    for (int d = 0; d < rank; ++d) s[d] = extents[d];
    return s;
  }
  constexpr index_t count() const {
    index_t n = 1;
    for (int d = 0; d < rank; ++d) n *= extents[d];
    return n;
  }
};

/// Extents and strides of rank `Rank`, packed so that two layouts compare as one block.
///
/// Strides that no element depends on have one canonical value, so equal meaning is equal
/// bytes: in an empty layout all strides are row-major, and the stride of an extent 1 is the
/// one that continues its right neighbour.
/// Rules: G15, G27, N50, N51.
template <int Rank> class layout {
 public:
  /// One slot where the rank is 0, so that no array is empty.
  static constexpr unsigned slots = Rank == 0 ? 1 : Rank;
  using values = std::array<index_t, slots>;

  /// Row-major strides over extents 0 (rank 0: one element).
  constexpr layout() : layout(values{}) {}
  /// Row-major strides. Precondition: no extent is negative.
  constexpr explicit layout(values const& extents) : extents_(extents) {
    detail::row_major_strides(Rank, extents_.data(), strides_.data());
    hash_ = detail::hash_layout(Rank, extents_.data(), strides_.data());
  }
  /// Given strides, made canonical.
  constexpr layout(values const& extents, values const& strides) : extents_(extents), strides_(strides) {
    detail::canonical_strides(Rank, extents_.data(), strides_.data());
    hash_ = detail::hash_layout(Rank, extents_.data(), strides_.data());
  }

  /// A layout at hand, whose rank is `Rank`.
  static constexpr layout of(layout_view const& v) {
    layout l;
    if (std::is_constant_evaluated() || Rank == 0)
      for (unsigned d = 0; d < Rank; ++d) l.extents_[d] = v.extents[d], l.strides_[d] = v.strides[d];
    else l.store_words(v);
    l.hash_ = v.hash;
    return l;
  }

  static constexpr int rank() { return Rank; }
  constexpr index_t extent(int dim) const { return extents_[static_cast<unsigned>(dim)]; }
  constexpr index_t stride(int dim) const { return strides_[static_cast<unsigned>(dim)]; }
  constexpr std::uint64_t hash() const { return hash_; }
  constexpr layout_view view() const { return {Rank, extents_.data(), strides_.data(), hash_}; }
  /// The packed block: extents, then strides. Precondition: rank above 0.
  index_t const* words() const {
    static_assert(sizeof(values) == sizeof(index_t) * slots);
    return reinterpret_cast<index_t const*>(this);
  }

  constexpr bool operator==(layout const& other) const {
    index_t differs = 0;
    for (unsigned d = 0; d < Rank; ++d)
      differs |= (extents_[d] ^ other.extents_[d]) | (strides_[d] ^ other.strides_[d]);
    return differs == 0;
  }

 private:
  /// Stores the packed block in parts as wide as those that guards load: a processor passes a store on to a
  /// load of the same bytes, but waits where the load takes several.
  void store_words(layout_view const& v) noexcept {
#if defined(__AVX__)
    constexpr int wide = 2 * Rank / 4 * 4;
#else
    constexpr int wide = 0;
#endif
    for_each_index<wide / 4>([&]<class P>(P) {
      constexpr int k = 4 * P::value;
      store(k, four{word(v, k), word(v, k + 1), word(v, k + 2), word(v, k + 3)});
    });
    for_each_index<(2 * Rank - wide) / 2>([&]<class P>(P) {
      constexpr int k = wide + 2 * P::value;
      store(k, pair{word(v, k), word(v, k + 1)});
    });
  }
  using four = index_t __attribute__((vector_size(32)));
  using pair = index_t __attribute__((vector_size(16)));
  static index_t word(layout_view const& v, int k) { return k < Rank ? v.extents[k] : v.strides[k - Rank]; }
  void store(int first, auto const& words) noexcept {
    __builtin_memcpy(reinterpret_cast<index_t*>(this) + first, &words, sizeof words);
  }

  values extents_{};
  values strides_{};
  std::uint64_t hash_ = 0;
};

/// A layout whose rank is known at run time. Same canonical strides, same hash.
class any_layout {
 public:
  constexpr any_layout() : any_layout(guardjit::shape{}) {}
  /// Row-major strides. Precondition: no extent is negative.
  constexpr explicit any_layout(guardjit::shape const& extents) : shape_(extents) {
    detail::row_major_strides(rank(), shape_.extents.data(), strides_.data());
    hash_ = detail::hash_layout(rank(), shape_.extents.data(), strides_.data());
  }
  /// Given strides, made canonical.
  constexpr any_layout(guardjit::shape const& extents, std::array<index_t, max_rank> const& strides)
      : shape_(extents), strides_(strides) {
    for (auto d = static_cast<unsigned>(rank()); d < max_rank; ++d) strides_[d] = 0;
    detail::canonical_strides(rank(), shape_.extents.data(), strides_.data());
    hash_ = detail::hash_layout(rank(), shape_.extents.data(), strides_.data());
  }
  constexpr explicit any_layout(layout_view const& v) : shape_(v.shape()), hash_(v.hash) {
    for (int d = 0; d < v.rank; ++d) strides_[static_cast<unsigned>(d)] = v.strides[d];
  }

  constexpr int rank() const { return shape_.rank; }
  constexpr index_t extent(int dim) const { return shape_[dim]; }
  constexpr index_t stride(int dim) const { return strides_[static_cast<unsigned>(dim)]; }
  constexpr guardjit::shape const& shape() const { return shape_; }
  constexpr std::array<index_t, max_rank> const& strides() const { return strides_; }
  constexpr std::uint64_t hash() const { return hash_; }
  constexpr layout_view view() const { return {shape_.rank, shape_.extents.data(), strides_.data(), hash_}; }
  constexpr bool operator==(any_layout const& other) const {
    return shape_ == other.shape_ && strides_ == other.strides_;
  }

 private:
  guardjit::shape shape_;
  std::array<index_t, max_rank> strides_{};
  std::uint64_t hash_ = 0;
};

/// Whether elements lie in row-major order without gaps. Rules: N51.
constexpr bool is_contiguous(layout_view const& l) {
  index_t step = 1;
  for (int d = l.rank - 1; d >= 0; --d) {
    if (l.extents[d] == 0) return true;
    if (l.strides[d] != step) return false;
    step *= l.extents[d];
  }
  return true;
}

/// Whether two indices may name one element: an extent above 1 has stride 0.
constexpr bool has_repeated_elements(layout_view const& l) {
  for (int d = 0; d < l.rank; ++d)
    if (l.extents[d] > 1 && l.strides[d] == 0) return l.count() != 0;
  return false;
}

/// First and last+1 element that a layout reaches, relative to its first index.
/// Rules: N50 (required span).
struct element_span {
  index_t begin = 0, end = 0;
};
constexpr element_span span_of(layout_view const& l) {
  element_span s{0, 1};
  for (int d = 0; d < l.rank; ++d) {
    if (l.extents[d] == 0) return {};
    index_t const reach = (l.extents[d] - 1) * l.strides[d];
    (reach < 0 ? s.begin : s.end) += reach;
  }
  return s;
}

}  // namespace guardjit::inline GUARDJIT_ABI

#endif

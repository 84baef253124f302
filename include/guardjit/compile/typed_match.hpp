// guardjit: compile/typed_match.hpp: what a call compares with a static entry, all loops unrolled
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_TYPED_MATCH_HPP
#define GUARDJIT_COMPILE_TYPED_MATCH_HPP

#include <guardjit/compile/entry.hpp>
#include <guardjit/compile/typed_path.hpp>
#include <guardjit/compile/word_compare.hpp>
#include <guardjit/compile/written_arguments.hpp>

#include <tuple>

namespace guardjit::inline GUARDJIT_ABI {

namespace detail {

/// The guards of the static entries of one specialization, for arguments whose types are known:
/// what their types prove is not compared. The same decisions as those over data in `entry.hpp`.
/// Inlined by all means: one call that is not would put the arguments of a hit into memory.
template <class Spec, class... Arguments> class typed_match {
 public:
  using values = std::tuple<Arguments const&...>;
  /// For each result the argument that it is written to, or -1.
  static constexpr auto written_to = arguments_of_results<Spec::results>(typename Spec::in_outs{});

  /// Whether a static entry serves the call. Precondition of both: the entry is direct.
  [[gnu::always_inline]] static bool matches(entry const& e, values const& arguments) noexcept {
    word_compare words;
    add_layouts(words, e, arguments);
    add_storages(words, e, arguments);
    return words.equal() && typed_path<Spec>::is_taken(e.path, arguments);
  }

  /// `matches`, and the outputs, a tuple for the last results, have their layouts and meet neither an
  /// argument that is read nor each other. One that is written to an argument is that one.
  [[gnu::always_inline]] static bool matches(entry const& e, values const& arguments,
                                             auto const& outs) noexcept {
    word_compare words;
    add_layouts(words, e, arguments);
    add_storages(words, e, arguments);
    add_outputs(words, e, outs);
    return words.equal() && are_apart(e, arguments, outs) &&
           typed_path<Spec>::is_taken(e.path, arguments);
  }

  /// The part of `matches` that is about the outputs, for arguments that the entry serves. A few words
  /// are compared one by one, which needs no wide registers.
  [[gnu::always_inline]] static bool takes(entry const& e, values const& arguments,
                                           auto const& outs) noexcept {
    constexpr int first = result_word(0);
    bool same = true;
    if constexpr (Spec::results == 1 && result_word(1) - first <= 4) {
      index_t const* const words = std::get<0>(outs).layout().words();
      unrolled<result_word(1) - first>(
          [&]<class W>(W) { same = same && e.key()[first + W::value] == words[W::value]; });
    } else {
      word_compare words;
      add_outputs(words, e, outs);
      same = words.equal();
    }
    return same && are_apart(e, arguments, outs);
  }

  /// `packed_layouts::hash`.
  [[gnu::always_inline]] static std::uint64_t hash(values const& arguments) noexcept {
    std::uint64_t h = 0;
    for_each_layout(arguments, [&]<class K>(K, auto const& l) {
      if constexpr (Spec::data.reads_elements[K::value]) {
        h += packed_layouts::part(l.hash(), K::value);
      } else {
        unrolled<rank_of(K::value)>([&]<class D>(D) {
          if constexpr (Spec::data.reads(K::value, D::value))
            h += packed_layouts::part(l.extent(D::value), K::value, D::value);
        });
      }
    });
    unrolled<Spec::arguments>([&]<class K>(K) {
      if constexpr (is_guarded_scalar(K::value))
        h += packed_layouts::scalar_part(bits_of_scalar(std::get<K::value>(arguments)), K::value);
    });
    return h;
  }

 private:
  static constexpr argument_type type_of(int k) {
    return Spec::signature::proven[static_cast<unsigned>(k)];
  }
  static constexpr int rank_of(int k) { return type_of(k).extents.rank; }
  static constexpr int first_word(int k) {
    int words = 0;
    for (int j = 0; j < k; ++j) words += packed_layouts::words(type_of(j));
    return words;
  }
  static constexpr bool is_guarded_scalar(int k) {
    return type_of(k).by_value && Spec::data.reads_elements[k];
  }
  static constexpr int result_rank(int r) {
    return Spec::data.results[static_cast<unsigned>(r)].extents.rank;
  }
  static constexpr int result_word(int r) {
    int words = first_word(Spec::arguments);
    for (int j = 0; j < r; ++j) words += 2 * result_rank(j);
    return words;
  }
  static constexpr int frozen_word(int n) { return result_word(Spec::results) + 2 * n; }
  /// Whether the type of an argument proves no extent.
  static constexpr bool is_dynamic(int k) {
    for (int d = 0; d < rank_of(k); ++d)
      if (type_of(k).extents[d] != dyn) return false;
    return true;
  }

  /// Calls `visit(k, layout)` for the tensors that have extents.
  [[gnu::always_inline]] static void for_each_layout(values const& arguments, auto&& visit) {
    unrolled<Spec::arguments>([&]<class K>(K k) {
      if constexpr (rank_of(K::value) > 0) visit(k, std::get<K::value>(arguments).layout());
    });
  }

  [[gnu::always_inline]] static void add_layouts(word_compare& words, entry const& e,
                                                 values const& arguments) noexcept {
    for_each_layout(arguments, [&]<class K>(K, auto const& l) {
      constexpr int k = K::value, rank = rank_of(k);
      index_t const* const key = e.key() + first_word(k);
      if constexpr (Spec::data.reads_elements[k] && is_dynamic(k)) {
        words.add<2 * rank>(key, l.words());
      } else {
        unrolled<rank>([&]<class D>(D) {
          if constexpr (Spec::data.reads(k, D::value) && type_of(k).extents[D::value] == dyn)
            words.add(key[D::value], l.extent(D::value));
        });
        if constexpr (Spec::data.reads_elements[k]) words.add<rank>(key + rank, l.view().strides);
      }
    });
    unrolled<Spec::arguments>([&]<class K>(K) {
      if constexpr (is_guarded_scalar(K::value))
        words.add(e.key()[first_word(K::value)],
                  static_cast<index_t>(bits_of_scalar(std::get<K::value>(arguments))));
    });
  }

  [[gnu::always_inline]] static void add_outputs(word_compare& words, entry const& e,
                                                 auto const& outs) noexcept {
    constexpr int outputs = static_cast<int>(std::tuple_size_v<std::remove_cvref_t<decltype(outs)>>);
    unrolled<outputs>([&]<class R>(R) {
      constexpr int r = Spec::results - outputs + R::value;
      words.add<2 * result_rank(r)>(e.key() + result_word(r), std::get<R::value>(outs).layout().words());
    });
  }

  /// Frozen arguments of which the plan has packed forms.
  [[gnu::always_inline]] static void add_storages(word_compare& words, entry const& e,
                                                  values const& arguments) noexcept {
    unrolled<Spec::frozen_arguments>([&]<class N>(N) {
      index_t const* const word = e.key() + frozen_word(N::value);
      constexpr auto k = static_cast<std::size_t>(Spec::data.frozen[N::value]);
      words.add(storage_word(std::get<k>(arguments).storage()) & word[0], word[1]);
    });
  }

  // Branches: none is ever taken, and they are half the instructions of flags.
  [[gnu::always_inline]] static bool are_apart(entry const& e, values const& arguments,
                                               auto const& outs) noexcept {
    entry::reach const* const reaches =
        e.reaches(static_cast<std::size_t>(frozen_word(Spec::frozen_arguments)));
    constexpr int outputs = static_cast<int>(std::tuple_size_v<std::remove_cvref_t<decltype(outs)>>);
    return [&]<int... R>(std::integer_sequence<int, R...>) {
      constexpr int first = Spec::results - outputs;
      return (is_apart<R, first>(e, reaches + (first + R) * Spec::arguments, arguments, outs) && ...);
    }
    (std::make_integer_sequence<int, outputs>{});
  }
  /// Of one output: apart from arguments and from the outputs before it. It is for result `First + R`.
  template <int R, int First>
  [[gnu::always_inline]] static bool is_apart(entry const& e, entry::reach const* reaches,
                                              values const& arguments, auto const& outs) noexcept {
    void const* const out = std::get<R>(outs).data();
    constexpr int own = written_to[First + R];
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      return ((K == own || is_apart<K>(reaches[K], arguments, out)) && ...);
    }
    (std::make_integer_sequence<int, Spec::arguments>{}) && [&]<int... J>(std::integer_sequence<int, J...>) {
      return (are_apart(std::get<J>(outs).data(), e.ready.results[First + J].bytes, out,
                        e.ready.results[First + R].bytes) &&
              ...);
    }
    (std::make_integer_sequence<int, R>{});
  }
  template <int K>
  [[gnu::always_inline]] static bool is_apart(entry::reach const& r, values const& arguments,
                                              void const* out) noexcept {
    if constexpr (Spec::data.reads_elements[K] && !type_of(K).scalar)
      return !r.meets(out, std::get<K>(arguments).data());
    else return true;
  }
  [[gnu::always_inline]] static bool are_apart(void const* a, index_t a_bytes, void const* b,
                                               index_t b_bytes) noexcept {
    auto const first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
    return first + static_cast<std::uintptr_t>(a_bytes) <= second ||
           second + static_cast<std::uintptr_t>(b_bytes) <= first;
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif

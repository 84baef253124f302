// guardjit: compile/explain_access.hpp: what `explain` and `export_graph` need of a compiled function
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_EXPLAIN_ACCESS_HPP
#define GUARDJIT_COMPILE_EXPLAIN_ACCESS_HPP

#include <guardjit/base/scope_base.hpp>
#include <guardjit/compile/compile.hpp>
#include <guardjit/compile/explain_gather.hpp>

namespace guardjit::inline GUARDJIT_ABI {

namespace mistakes {
template <class F> struct explained_erased_backend;
}

namespace detail {

/// The elements of arguments, kept to be put back at its end.
class saved_elements : scope_base {
 public:
  ~saved_elements() {
    for (saved& one : all_)
      one.for_each([&one](std::byte* in_tensor, std::byte const* kept) {
        __builtin_memcpy(in_tensor, kept, static_cast<std::size_t>(one.size));
      });
  }
  /// Keeps those of the arguments `numbers` of a call.
  [[gnu::cold]] void save(any_call const& c, std::span<int const> numbers) {
    for (int k : numbers) {
      index_t const size = size_of(c.spec().arguments[static_cast<unsigned>(k)].type);
      saved one{*c.f.owners[k], static_cast<std::byte*>(c.f.bases[k]), c.f.layouts[k].shape(), {}, size, {}};
      for (int d = 0; d < one.extents.rank; ++d)
        one.strides[static_cast<unsigned>(d)] = c.f.layouts[k].strides[d];
      one.elements.resize(static_cast<std::size_t>(one.count() * size));
      one.for_each([&one](std::byte* in_tensor, std::byte* kept) {
        __builtin_memcpy(kept, in_tensor, static_cast<std::size_t>(one.size));
      });
      all_.push_back(std::move(one));
    }
  }

 private:
  struct saved {
    storage owner;  // handles may be gone, or stand for others, when the call has run
    std::byte* base;
    shape extents;
    std::array<index_t, max_rank> strides;
    index_t size;
    std::vector<std::byte> elements;

    index_t count() const { return extents.count(); }
    void for_each(auto const& visit) {
      index_t at[max_rank]{};
      for (index_t n = 0, all = count(); n < all; ++n) {
        index_t offset = 0;
        for (int d = 0; d < extents.rank; ++d) offset += at[d] * strides[static_cast<unsigned>(d)];
        visit(base + offset * size, elements.data() + n * size);
        for (int d = extents.rank - 1; d >= 0 && ++at[d] == extents[d]; --d) at[d] = 0;
      }
    }
  };
  std::vector<saved> all_;
};

template <int Argument, int Dim, index_t... Extents>
constexpr int variants_of(hot_extent_option<Argument, Dim, Extents...>) {
  return 1 + static_cast<int>(sizeof...(Extents));
}
template <class... Hot> constexpr int variants_of(type_list<Hot...>) {
  return (1 * ... * variants_of(Hot{}));
}

template <class Spec> inline constexpr int paths_of_spec = Spec::paths::count;
template <class Source> inline constexpr int paths_of_spec<broken_specialization<Source>> =
    Source::all_paths::count;

/// The door into `compiled_function`.
struct explain_access {
  template <class F, class Options, class... Bound>
  static function_caches& caches(compiled_function<F, Options, Bound...> const& g) {
    return g.state_->caches;
  }
  /// The same function with no entries: the options and the bound values are those of `g`.
  template <class F, class Options, class... Bound>
  static compiled_function<F, Options, Bound...> fresh(
      compiled_function<F, Options, Bound...> const& g) {
    function_state const& fn = g.state_->caches.fn;
    return {g.state_->bound, {g.state_->kept.guards, g.state_->kept.filters}, fn, fn.where};
  }
  /// Calls `use(specialization, call)`, which runs nothing by itself.
  template <class F, class Options, class... Bound, class Use>
  static auto with_call(compiled_function<F, Options, Bound...> const& g, Use const& use,
                        auto const&... arguments) {
    return g.with_call(use, arguments...);
  }
};

}  // namespace detail

}  // namespace guardjit::inline GUARDJIT_ABI

#endif

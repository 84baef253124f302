// guardjit: compile/erased_backend.hpp: a backend as a value, which sees graphs as data
// SPDX-License-Identifier: BSL-1.0
#ifndef GUARDJIT_COMPILE_ERASED_BACKEND_HPP
#define GUARDJIT_COMPILE_ERASED_BACKEND_HPP

#include <guardjit/graph/graph.hpp>
#include <guardjit/modes/mode_tag.hpp>
#include <guardjit/tensor/device.hpp>
#include <guardjit/tensor/layout.hpp>

#include <concepts>
#include <span>
#include <utility>

namespace guardjit::inline GUARDJIT_ABI {

class backend_guards;

/// One call of one path of a function, as an erased backend sees it.
/// Lifetime: borrowed; a runner must not keep it.
struct path_call {
  layout_view const* arguments = nullptr;  ///< of the function's arguments; scalars have rank 0
  std::span<index_t const> symbols{};      ///< values of `graph_view::extents`, by number
  bool is_fixed = false;                   ///< each call of the entry has these layouts
};

/// What an erased backend makes of one path: immutable, and run by several threads at once.
///
///     index_t r.workspace_bytes(path_call const&) const   bytes beside arguments and outputs
///     void r.run(path_call const&, void* const* bases, std::byte* workspace) const
///
/// `bases` has an address for each argument (of a scalar: of its bits), then one for each output. An output
/// whose address is null is a view of an argument, and not written. All others are row-major and apart from
/// all that is read and from each other. The workspace is aligned to 64. `run` may throw `index_error`.
template <class R>
concept graph_runner = std::move_constructible<R> &&
    requires(R const& r, path_call const& call, void* const* bases, std::byte* workspace) {
      { r.workspace_bytes(call) } -> std::convertible_to<index_t>;
      r.run(call, bases, workspace);
    };

/// A backend whose plans are made at run time, from graphs as data:
///
///     char const* b.name() const                              lives as long as the program
///     auto b.build(graph_view const&, path_call const& first) const      a `graph_runner`
///     device b.device() const                                 optional: where it runs; else host memory
///     void b.guards(backend_guards&) const                    optional: what its plans rely on (G39)
///     void b.reset() const                                    optional: called by `reset()`
///
/// The graph is that of one path, optimised: any op of the table may be in it, views and conversions are
/// nodes, and nothing in it is cut by `opaque`. It is a constant of the program and may be kept. `build` may
/// throw. Backends are the same where their types are and `==` holds; those share entries.
/// Rules: G18, G39, G113.
template <class B>
concept graph_backend = requires(B const& b, graph_view const& g, path_call const& first) {
  { b.name() } -> std::convertible_to<char const*>;
  { b.build(g, first) } -> graph_runner;
} && std::copy_constructible<B> && std::equality_comparable<B>;

namespace detail {

struct GUARDJIT_VISIBLE runner_base {
  virtual ~runner_base() = default;
  virtual index_t workspace_bytes(path_call const& call) const = 0;
  virtual void run(path_call const& call, void* const* bases, std::byte* workspace) const = 0;
};
template <class R> struct runner_holder final : runner_base {
  R what;
  explicit runner_holder(R&& r) : what(std::move(r)) {}
  index_t workspace_bytes(path_call const& call) const override { return what.workspace_bytes(call); }
  void run(path_call const& call, void* const* bases, std::byte* workspace) const override {
    what.run(call, bases, workspace);
  }
};

/// The one owner of a runner, or of none.
class built_runner {
 public:
  built_runner() noexcept = default;
  explicit built_runner(runner_base const* what) noexcept : what_(what) {}
  built_runner(built_runner&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  built_runner& operator=(built_runner&& other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  ~built_runner() { delete what_; }
  runner_base const* get() const noexcept { return what_; }

 private:
  runner_base const* what_ = nullptr;
};

struct GUARDJIT_VISIBLE backend_base {
  void const* const tag;  // of the backend's type
  bool const has_guards, has_reset;
  mutable int owners = 1;  // by __atomic

  backend_base(void const* type, bool guards, bool resets)
      : tag(type), has_guards(guards), has_reset(resets) {}
  backend_base(backend_base const&) = delete;
  virtual ~backend_base() = default;
  virtual char const* name() const = 0;
  virtual guardjit::device device() const = 0;
  virtual built_runner build(graph_view const& g, path_call const& first) const = 0;
  virtual void guards(backend_guards& to) const = 0;
  virtual void reset() const = 0;
  virtual bool is_same(backend_base const& other) const = 0;  // of one type
};
template <class B> struct backend_holder final : backend_base {
  static constexpr bool guards_calls = requires(B const& b, backend_guards& to) { b.guards(to); };
  static constexpr bool resets = requires(B const& b) { b.reset(); };
  B const what;

  explicit backend_holder(B const& b) : backend_base(mode_tag<B>, guards_calls, resets), what(b) {}
  char const* name() const override { return what.name(); }
  guardjit::device device() const override {
    if constexpr (requires { what.device(); }) return what.device();
    else return {};
  }
  built_runner build(graph_view const& g, path_call const& first) const override {
    using runner = decltype(what.build(g, first));
    return built_runner(new runner_holder<runner>(what.build(g, first)));
  }
  void guards([[maybe_unused]] backend_guards& to) const override {
    if constexpr (guards_calls) what.guards(to);
  }
  void reset() const override {
    if constexpr (resets) what.reset();
  }
  bool is_same(backend_base const& other) const override {
    return what == static_cast<backend_holder const&>(other).what;
  }
};

}  // namespace detail

/// A `graph_backend` of any type: what `force_backend`, `g.with(backend(b))` and the registry take. Copies
/// share one object. The type of the backend must be `GUARDJIT_VISIBLE` where shared libraries exchange it.
/// Rules: G18, G113.
class GUARDJIT_VISIBLE erased_backend {
 public:
  template <class B>
    requires(!std::same_as<B, erased_backend> && graph_backend<B>)
  erased_backend(B const& b) : what_(new detail::backend_holder<B>(b)) {}
  erased_backend(erased_backend const& other) noexcept : what_(other.what_) {
    if (what_) __atomic_add_fetch(&what_->owners, 1, __ATOMIC_RELAXED);
  }
  erased_backend(erased_backend&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  erased_backend& operator=(erased_backend other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  ~erased_backend() {
    if (what_ && __atomic_sub_fetch(&what_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete what_;
  }

  char const* name() const { return what_->name(); }
  guardjit::device device() const { return what_->device(); }

  /// The same type of backend, and its `==`. A member, so that what only has to do with this class does not
  /// ask whether it is a backend.
  bool operator==(erased_backend const& other) const {
    backend_pointer const a = what_, b = other.what_;
    return a == b || (a && b && a->tag == b->tag && a->is_same(*b));
  }

  /// What the library calls; null of one that was moved from.
  detail::backend_base const* base() const noexcept { return what_; }

 private:
  using backend_pointer = detail::backend_base const*;
  backend_pointer what_;
};

}  // namespace guardjit::inline GUARDJIT_ABI

#endif
